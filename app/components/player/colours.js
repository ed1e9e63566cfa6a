// Colours of a scheme, read from the theme's CSS variables, and the two scales between them.

/**
 * @typedef {object} Palette
 * @property {string} background
 * @property {string} surface
 * @property {string} text
 * @property {string} muted
 * @property {string} border
 * @property {string} grid
 * @property {string} source
 * @property {string} target
 * @property {string} accent
 * @property {string} cellDark
 * @property {string} cellLight
 * @property {string[]} weights The sequential scale, from weight 0 to weight 1.
 * @property {string[]} signed The diverging scale, its middle is 0.
 * @property {Uint8ClampedArray} signedTable The diverging scale as channels of evenly spaced colours, for painting.
 * @property {string} font
 */

/** How many colours the table of the diverging scale holds; odd, so that 0 has one of its own. */
export const SIGNED_TABLE_SIZE = 511;

/** The least contrast of small text (WCAG 2.2, 1.4.3). */
const READABLE = 4.5;

/**
 * Whether the colours can be read: not outside a page, and not before the style sheet is there.
 * @param {Element} element An element that carries `data-scheme`.
 * @returns {boolean}
 */
export function hasColours(element) {
  return getComputedStyle(element).getPropertyValue("--gb-background") !== "";
}

/**
 * @param {Element} element An element that carries `data-scheme`, and has colours.
 * @returns {Palette}
 */
export function readPalette(element) {
  const style = getComputedStyle(element);
  /** @param {string} role */
  const read = (role) => style.getPropertyValue(`--gb-${role}`).trim();
  const signed = readScale(read, "signed");
  return {
    background: read("background"),
    surface: read("surface"),
    text: read("text"),
    muted: read("muted"),
    border: read("border"),
    grid: read("grid"),
    source: read("source"),
    target: read("target"),
    accent: read("accent"),
    cellDark: read("cell-dark"),
    cellLight: read("cell-light"),
    weights: readScale(read, "weights"),
    signed,
    signedTable: signedTable(signed),
    font: read("font"),
  };
}

/**
 * @param {(role: string) => string} read
 * @param {string} role
 * @returns {string[]}
 */
function readScale(read, role) {
  const colours = [];
  while (read(`${role}-${colours.length}`) !== "") {
    colours.push(read(`${role}-${colours.length}`));
  }
  return colours;
}

/** On the logarithmic scale this weight and every smaller one have the first colour. */
export const LEAST_LOGARITHMIC = 0.001;

/**
 * Where a weight stands on the scale of colours, 0..1.
 * @param {import("./reading.js").PlayerView["scale"]} scale
 * @param {number} weight
 * @param {number} largest Of the weight's row.
 * @returns {number}
 */
function weightShare(scale, weight, largest) {
  switch (scale) {
    case "row":
      return weight / largest;
    case "root":
      return Math.sqrt(weight);
    case "log":
      return 1 - Math.log(Math.max(weight, LEAST_LOGARITHMIC)) / Math.log(LEAST_LOGARITHMIC);
    default:
      return weight;
  }
}

/**
 * The colour at a share 0..1 of the scale of weights.
 * @param {Palette} palette
 * @param {number} share
 * @returns {string}
 */
export function shareColour(palette, share) {
  return toCss(mix(palette.weights, share));
}

/**
 * The colours of a row of weights.
 * @param {Palette} palette
 * @param {import("./reading.js").PlayerView["scale"]} scale
 * @param {number[]} row
 * @returns {string[]}
 */
export function rowColours(palette, scale, row) {
  const largest = Math.max(...row);
  return row.map((weight) => shareColour(palette, weightShare(scale, weight, largest)));
}

/**
 * The colour of a signed number on the scale from -limit to +limit.
 * @param {Palette} palette
 * @param {number} value
 * @param {number} limit
 * @returns {string}
 */
export function signedColour(palette, value, limit) {
  return toCss(mix(palette.signed, 0.5 + value / (2 * limit)));
}

/**
 * @param {string[]} scale
 * @returns {Uint8ClampedArray}
 */
function signedTable(scale) {
  const rows = Array.from({ length: SIGNED_TABLE_SIZE }, (_, index) => mix(scale, index / (SIGNED_TABLE_SIZE - 1)));
  return Uint8ClampedArray.from(rows.flat());
}

/**
 * The colour of a number printed on this colour: the one of the scheme's two that is easier to read.
 * @param {Palette} palette
 * @param {string} colour
 * @returns {string}
 */
export function textOn(palette, colour) {
  const below = luminance(channels(colour));
  const onDark = contrast(luminance(channels(palette.cellLight)), below);
  const onLight = contrast(luminance(channels(palette.cellDark)), below);
  return onDark > onLight ? palette.cellLight : palette.cellDark;
}

/**
 * The colour of a number that matters little: muted where that can be read.
 * @param {Palette} palette
 * @param {string} colour
 * @returns {string}
 */
export function quietTextOn(palette, colour) {
  const isReadable = contrast(luminance(channels(palette.muted)), luminance(channels(colour))) >= READABLE;
  return isReadable ? palette.muted : textOn(palette, colour);
}

/**
 * True if a colour, as the browser writes computed colours, is nearer to black than to white.
 * @param {string} colour
 * @returns {boolean}
 */
export function isDark(colour) {
  return luminance(channels(colour)) < 0.18;
}

/**
 * @param {string[]} scale
 * @param {number} share
 * @returns {number[]}
 */
function mix(scale, share) {
  const position = Math.min(Math.max(share, 0), 1) * (scale.length - 1);
  const index = Math.min(Math.floor(position), scale.length - 2);
  const rest = position - index;
  const low = channels(scale[index]);
  const high = channels(scale[index + 1]);
  return low.map((channel, which) => Math.round(channel + (high[which] - channel) * rest));
}

/**
 * @param {string} colour `#rrggbb` or `rgb(r, g, b)`.
 * @returns {number[]}
 */
function channels(colour) {
  if (colour.startsWith("#")) {
    return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
  }
  return (colour.match(/[\d.]+/g) ?? ["255", "255", "255"]).slice(0, 3).map(Number);
}

/**
 * @param {number[]} rgb
 * @returns {string}
 */
function toCss(rgb) {
  return `#${rgb.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

/**
 * Relative luminance (WCAG 2.2).
 * @param {number[]} rgb
 * @returns {number}
 */
function luminance(rgb) {
  const [red, green, blue] = rgb
    .map((channel) => channel / 255)
    .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * @param {number} one
 * @param {number} other
 * @returns {number}
 */
function contrast(one, other) {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}
