// The map as a file, SVG or PNG, in the light colours for paper, whatever the page looks like.

import { createColumns } from "./bands.js";
import { html, surface, svg } from "./dom.js";
import { drawWholeMap } from "./map.js";
import { clamp } from "./numbers.js";
import { END_TOKEN } from "./reading.js";
import { drawWeightScale } from "./scales.js";
import { wordWidth } from "./words.js";

const MARGIN = 24;
const TITLE_HEIGHT = 58;
const SCALE_HEIGHT = 60;
const NARROWEST = 420;
const PIXELS = 2;
const FONTS =
  'Inter, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans CJK TC", "PingFang TC", "Microsoft JhengHei", sans-serif';

/**
 * @param {import("./groups.js").MapSource & {trace: import("./reading.js").Trace}} source
 * @param {import("./colours.js").Palette} palette The light one.
 * @returns {SVGElement}
 */
export function mapPicture({ trace, readings, view }, palette) {
  const longest = Math.max(...trace.source_tokens.map(wordWidth));
  const columns = createColumns(trace.source_tokens.length, clamp(longest + 10, 48, 100));
  const map = drawWholeMap({ trace, readings, view, palette, columns });
  const [title, origin] = pictureTexts(trace);
  const width = Math.max(map.width, NARROWEST, wordWidth(title) * 1.05) + 2 * MARGIN;
  const height = TITLE_HEIGHT + map.height + SCALE_HEIGHT + 2 * MARGIN;
  const element = surface(width, height, {
    xmlns: "http://www.w3.org/2000/svg",
    "font-family": FONTS,
    lang: "zh-Hant",
  });
  element.append(
    svg("title", {}, [title]),
    svg("rect", { width, height, fill: palette.background }),
    svg("text", { x: MARGIN, y: MARGIN + 16, "font-size": 17, "font-weight": 600, fill: palette.text }, [title]),
    svg("text", { x: MARGIN, y: MARGIN + 37, "font-size": 12, fill: palette.muted }, [origin]),
    svg("g", { transform: `translate(${MARGIN} ${MARGIN + TITLE_HEIGHT})` }, [map.element]),
    svg("g", { transform: `translate(${MARGIN + 92} ${MARGIN + TITLE_HEIGHT + map.height + 16})` }, [
      drawWeightScale(palette, 200, view.scale),
    ]),
  );
  return element;
}

/**
 * The title and where the map comes from.
 * @param {import("./reading.js").Trace} trace
 * @returns {[string, string]}
 */
function pictureTexts(trace) {
  const source = trace.source_text ?? trace.source_tokens.join(" ");
  const translation = trace.target_tokens.filter((token) => token !== END_TOKEN).join("");
  const model = trace.checkpoint === null ? "states set by hand" : `checkpoint ${trace.checkpoint}`;
  return [`${source} → ${translation}`, `Attention weights · ${model} · scorer ${trace.scorer} · ${trace.decoding}`];
}

/**
 * The two buttons that save the map.
 * @param {() => SVGElement} draw
 * @returns {HTMLElement[]}
 */
export function createDownloads(draw) {
  const asSvg = html("button", { type: "button", "aria-label": "Download the map as SVG" }, ["SVG"]);
  const asPng = html("button", { type: "button", "aria-label": "Download the map as PNG" }, ["PNG"]);
  asSvg.addEventListener("click", () => {
    save(new Blob([svgText(draw())], { type: "image/svg+xml" }), "glanceback-map.svg");
  });
  asPng.addEventListener("click", async () => {
    save(await pngBlob(draw()), "glanceback-map.png");
  });
  return [asSvg, asPng];
}

/**
 * @param {SVGElement} picture
 * @returns {string}
 */
function svgText(picture) {
  return new XMLSerializer().serializeToString(picture);
}

/**
 * @param {SVGElement} picture
 * @returns {Promise<Blob>}
 */
async function pngBlob(picture) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(picture))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Number(picture.getAttribute("width")) * PIXELS;
  canvas.height = Number(picture.getAttribute("height")) * PIXELS;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => {
    canvas.toBlob((blob) => resolve(/** @type {Blob} */ (blob)), "image/png");
  });
}

/**
 * @param {Blob} blob
 * @param {string} name
 */
function save(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = /** @type {HTMLAnchorElement} */ (html("a", { href: address, download: name }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 0);
}
