// The Chinese glyphs of a picture, carried inside it, so that it looks right on a machine without a Chinese font. They
// come from the page where it holds them, as a page to take home does, and from the server otherwise.

import { setAttributes, svg } from "./dom.js";

/** What style sheets call the shipped font; under this name it is embedded. */
export const CHINESE_FONT = "Glanceback Chinese";
export const FONT_NOTE = "Chinese glyphs: Noto Sans CJK TC, © Adobe, SIL Open Font License 1.1";
const CHINESE = /[\u2e80-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\u{20000}-\u{323af}]/gu;
/** The same in a style sheet. Latin and spaces are left to other fonts, which say how high a line is. */
const RANGE = "U+2E80-9FFF, U+F900-FAFF, U+FE30-FE4F, U+FF00-FFEF, U+20000-323AF";
const NOTE_HEIGHT = 14;

/** The picture has Chinese in it, and no glyphs could be had for it. */
export class GlyphsMissing extends Error {}

/**
 * The same picture with its Chinese glyphs in it, and below it a line that says whose they are.
 * @param {import("./paper.js").Picture} picture
 * @returns {Promise<import("./paper.js").Picture>} As it was, where there is no Chinese in it.
 */
export async function withGlyphs(picture) {
  const characters = Array.from(new Set((picture.element.textContent ?? "").match(CHINESE))).sort();
  if (characters.length === 0) {
    return picture;
  }
  const face = fontOfPage() ?? (await fontOfServer(characters.join("")));
  if (face === null) {
    return picture;
  }
  // An image is painted without waiting for the fonts in it, unless the browser has read the same data before.
  const font = new FontFace(CHINESE_FONT, face.match(/url\("[^"]*"\)/)?.[0] ?? "");
  await font.load();
  return { ...withNote(picture, face), font };
}

/**
 * The glyphs that a page to take home holds.
 * @returns {string | null} A style sheet.
 */
function fontOfPage() {
  return document.querySelector("style[data-chinese-font]")?.textContent || null;
}

/**
 * @param {string} characters
 * @returns {Promise<string | null>} A style sheet; null where the shipped font has none of the characters.
 */
async function fontOfServer(characters) {
  if (!document.baseURI.startsWith("http")) {
    return null;
  }
  const address = new URL(`fonts/chinese.woff?characters=${encodeURIComponent(characters)}`, document.baseURI);
  const answer = await fetch(address).catch(() => null);
  if (answer === null || (!answer.ok && answer.status !== 404)) {
    throw new GlyphsMissing();
  }
  if (!answer.ok) {
    return null;
  }
  const source = await dataAddress(await answer.blob());
  return `@font-face { font-family: "${CHINESE_FONT}"; src: url("${source}") format("woff"); unicode-range: ${RANGE}; }`;
}

/**
 * @param {Blob} blob
 * @returns {Promise<string>}
 */
function dataAddress(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result)));
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(blob);
  });
}

/**
 * @param {import("./paper.js").Picture} picture It becomes higher by one line.
 * @param {string} face
 * @returns {import("./paper.js").Picture}
 */
function withNote(picture, face) {
  const { element, width, margin, palette } = picture;
  const height = picture.height + NOTE_HEIGHT;
  setAttributes(element, { height, viewBox: `0 0 ${width} ${height}` });
  element.querySelector("rect")?.setAttribute("height", String(height));
  const note = { x: margin, y: height - margin, "font-size": 9, fill: palette.muted };
  element.prepend(svg("style", {}, [face]));
  element.append(svg("text", note, [FONT_NOTE]));
  return { ...picture, height };
}
