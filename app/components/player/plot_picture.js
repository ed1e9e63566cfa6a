// Beside a plot of Plotly: the control that saves it as it stands on the page, with its Chinese glyphs in it. The plot's
// own button would leave the glyphs to the fonts of the machine.

import { readPalette } from "./colours.js";
import { html, svg } from "./dom.js";
import { addressOfPage, createDownloads } from "./downloads.js";
import { schemeOfStreamlit } from "./hosts.js";
import { changesText, layOnPaper, originText, sourceText, translationText } from "./paper.js";
import { shownToken } from "./reading.js";

const PHONE = 640;

/** Under this name the control is kept on the element in which it lives. */
const MOUNTED = Symbol.for("glanceback.plot_picture");

/**
 * What Python sends.
 * @typedef {object} PlotData
 * @property {string} plot The key of the plot's element.
 * @property {string} what The plot shows.
 * @property {Pick<import("./reading.js").Trace, "source_text" | "source_tokens" | "target_tokens" | "checkpoint" | "scorer" | "decoding" | "intervention">} trace
 * @property {string} stem Of the files' names.
 */

/**
 * Streamlit calls this at every change of data or theme.
 * @param {{data: Uint8Array, parentElement: ShadowRoot}} component
 * @returns {() => void}
 */
export default function mountPlotPicture({ data, parentElement }) {
  const holder = /** @type {any} */ (parentElement);
  holder[MOUNTED] ??= createControl(parentElement);
  holder[MOUNTED].show(JSON.parse(new TextDecoder().decode(data)));
  return () => {
    holder[MOUNTED].remove();
    delete holder[MOUNTED];
  };
}

/**
 * @param {ShadowRoot} parent
 * @returns {{show: (data: PlotData) => void, remove: () => void}}
 */
function createControl(parent) {
  /** @type {PlotData | null} */
  let shown = null;
  const downloads = createDownloads({
    offers: [["plot", "Picture"]],
    draw: () => drawPlot(/** @type {PlotData} */ (shown), root),
    name: () => /** @type {PlotData} */ (shown).stem,
  });
  const row = html("div", { class: "transport" }, [downloads.element]);
  const root = html("div", { class: "player plot-picture" }, [row]);
  parent.append(root);

  return {
    show(data) {
      shown = data;
      root.dataset.scheme = schemeOfStreamlit(root);
      root.classList.toggle("phone", root.clientWidth < PHONE);
    },
    remove: () => root.remove(),
  };
}

/**
 * @param {PlotData} data
 * @param {HTMLElement} root Has the colours of the page, as the plot has.
 * @returns {import("./paper.js").Picture}
 */
function drawPlot({ plot, what, trace }, root) {
  const notes = [
    `${what} · ${originText(trace)}`,
    ...changesText(trace, (step) => shownToken(trace.target_tokens[step])),
  ];
  const title = `${sourceText(trace)} → ${translationText(trace)}`;
  return layOnPaper({ title, notes, drawing: copyPlot(plot), scale: null }, readPalette(root), addressOfPage());
}

/**
 * The layers of the plot, one over the other.
 * @param {string} key
 * @returns {import("./paper.js").Drawing}
 */
function copyPlot(key) {
  const layers = Array.from(document.querySelectorAll(`.st-key-${key} .js-plotly-plot .main-svg`));
  const sizes = layers.map((layer) => layer.getBoundingClientRect());
  const copies = layers.map((layer) => layer.cloneNode(true));
  for (const copy of copies.flatMap((layer) => Array.from(/** @type {Element} */ (layer).querySelectorAll("*")))) {
    for (const { name, value } of Array.from(copy.attributes)) {
      // Outside the page, what is clipped by a part of the page is clipped by that part of the picture.
      copy.setAttribute(name, value.replace(/url\((['"]?)[^'")#]*#/g, "url($1#"));
    }
  }
  return {
    element: svg("g", {}, /** @type {SVGElement[]} */ (copies)),
    width: Math.max(...sizes.map(({ width }) => width)),
    height: Math.max(...sizes.map(({ height }) => height)),
  };
}
