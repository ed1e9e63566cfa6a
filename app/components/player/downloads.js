// The control that saves pictures, a row a picture and a button a format, and the making of the files.

import { html } from "./dom.js";
import { GlyphsMissing, withGlyphs } from "./glyphs.js";
import { pdfBlob } from "./pdf.js";

/** A PDF has as many dots as the largest PNG, but no more than a viewer opens with ease. */
const PDF_SCALES = [4, 3, 2, 1];
const MOST_DOTS = 48_000_000;
const LONGEST_STEM = 48;

/**
 * The name of a picture, and what the control calls it.
 * @template {string} Kind
 * @typedef {[Kind, string]} Offer
 */

/**
 * @typedef {object} Format
 * @property {string} text
 * @property {string} ending Of the file's name.
 * @property {(picture: import("./paper.js").Picture) => Promise<Blob>} make
 */

/** @type {Format[]} */
const FORMATS = [
  { text: "SVG", ending: ".svg", make: async ({ element }) => new Blob([svgText(element)], { type: "image/svg+xml" }) },
  { text: "PNG 1×", ending: ".png", make: (picture) => pngBlob(picture, 1) },
  { text: "PNG 2×", ending: "-2x.png", make: (picture) => pngBlob(picture, 2) },
  { text: "PNG 4×", ending: "-4x.png", make: (picture) => pngBlob(picture, 4) },
  { text: "PDF", ending: ".pdf", make: makePdf },
];

/** The browser cannot hold so many dots. */
class PictureTooLarge extends Error {}

/**
 * @template {string} Kind
 * @typedef {object} Downloads
 * @property {HTMLElement} element
 * @property {(kinds: Kind[]) => void} show Offer what there is.
 */

/**
 * @template {string} Kind
 * @param {{offers: Offer<Kind>[], draw: (kind: Kind) => import("./paper.js").Picture, name: (kind: Kind) => string}} options
 *   name: of a file, without its ending.
 * @returns {Downloads<Kind>}
 */
export function createDownloads({ offers, draw, name }) {
  const status = html("p", { class: "pictures-status", role: "status" });
  const rows = offers.map(([kind, label]) =>
    html("tr", { "data-kind": kind }, [
      html("th", { scope: "row" }, [label]),
      ...FORMATS.map((format) => html("td", {}, [formatButton(label, format, () => saveAs(kind, format))])),
    ]),
  );
  const panel = html("div", { class: "pictures-panel", role: "group", "aria-label": "Save a picture", hidden: "" }, [
    html("table", {}, [html("tbody", {}, rows)]),
    status,
  ]);
  const toggle = html("button", { type: "button", class: "pictures-toggle", "aria-expanded": "false" }, [
    "Save a picture",
  ]);
  const element = html("div", { class: "pictures" }, [toggle, panel]);

  /** @param {boolean} isOpen */
  function open(isOpen) {
    panel.hidden = !isOpen;
    if (isOpen) {
      document.addEventListener("pointerdown", onPress);
    } else {
      document.removeEventListener("pointerdown", onPress);
    }
    toggle.setAttribute("aria-expanded", String(isOpen));
    status.textContent = "";
  }

  /**
   * @param {Kind} kind
   * @param {Format} format
   */
  async function saveAs(kind, format) {
    status.textContent = "Drawing …";
    try {
      const file = `${name(kind)}${format.ending}`;
      save(await format.make(await withGlyphs(draw(kind))), file);
      status.textContent = `Saved as ${file}`;
    } catch (error) {
      if (error instanceof GlyphsMissing) {
        status.textContent = "The server did not give the Chinese glyphs of the picture. Try again.";
        return;
      }
      if (!(error instanceof PictureTooLarge)) {
        status.textContent = `${format.text} could not be made here. Choose another format.`;
        throw error;
      }
      status.textContent = `${format.text} would have too many dots here. Choose a smaller size, or SVG.`;
    }
  }

  /**
   * A press anywhere else closes what stands open.
   * @param {Event} event
   */
  function onPress(event) {
    if (!event.composedPath().includes(element)) {
      open(false);
    }
  }

  toggle.addEventListener("click", () => open(panel.hidden));
  element.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !panel.hidden) {
      open(false);
      toggle.focus();
    }
  });
  return {
    element,
    show(kinds) {
      for (const row of rows) {
        row.hidden = !kinds.some((kind) => kind === row.dataset.kind);
      }
    },
  };
}

/**
 * @param {string} label
 * @param {Format} format
 * @param {() => void} action
 * @returns {HTMLElement}
 */
function formatButton(label, { text }, action) {
  const button = html("button", { type: "button", "aria-label": `${label} as ${text}` }, [text]);
  button.addEventListener("click", action);
  return button;
}

/**
 * The address that a picture names; null for a page that lies in a folder, which nobody else can follow.
 * @returns {string | null}
 */
export function addressOfPage() {
  const { protocol, href } = window.location;
  return protocol.startsWith("http") ? href : null;
}

/**
 * The beginning of a file's name, from a sentence.
 * @param {string} sentence
 * @returns {string}
 */
export function fileStem(sentence) {
  const words =
    sentence
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{Letter}\p{Mark}\p{Number}]+/gu) ?? [];
  const stem = Array.from(words.join("-")).slice(0, LONGEST_STEM).join("").replace(/-$/, "");
  return ["glanceback", ...(stem === "" ? [] : [stem])].join("-");
}

/**
 * @param {SVGElement} picture
 * @returns {string}
 */
function svgText(picture) {
  return new XMLSerializer().serializeToString(picture);
}

/**
 * @param {import("./paper.js").Picture} picture
 * @param {number} scale
 * @returns {Promise<HTMLCanvasElement>}
 */
async function paintPicture({ element, width, height }, scale) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(element))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * scale;
  canvas.height = height * scale;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/**
 * @param {import("./paper.js").Picture} picture
 * @param {number} scale
 * @returns {Promise<Blob>}
 */
async function pngBlob(picture, scale) {
  const canvas = await paintPicture(picture, scale);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new PictureTooLarge()) : resolve(blob)), "image/png");
  });
}

/**
 * @param {import("./paper.js").Picture} picture
 * @returns {Promise<Blob>}
 */
async function makePdf(picture) {
  const { width, height, title, link } = picture;
  const scale = PDF_SCALES.find((one) => width * height * one ** 2 <= MOST_DOTS);
  if (scale === undefined) {
    throw new PictureTooLarge();
  }
  const canvas = await paintPicture(picture, scale);
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const pixels = pen.getImageData(0, 0, canvas.width, canvas.height);
  return pdfBlob({ pixels, width, height, title, link });
}

/**
 * @param {Blob} blob
 * @param {string} name
 */
function save(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = /** @type {HTMLAnchorElement} */ (html("a", { href: address, download: name }));
  link.click();
  // Some browsers begin to read the file only a while after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
