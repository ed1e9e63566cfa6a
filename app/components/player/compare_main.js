// The two places where a comparison lives: a component of Streamlit, and a page of its own.

import { createComparison } from "./compare.js";
import {
  areEqual,
  readFragment,
  schemeOfStreamlit,
  watchEnter,
  writeFragment,
  writeQuery,
  writeZoom,
  zoomInAddress,
} from "./hosts.js";

/** Under this name a comparison and the bytes it shows are kept on the element in which it lives. */
const MOUNTED = Symbol.for("glanceback.comparison");

/**
 * @param {Uint8Array | string} bytes
 * @returns {import("./compare.js").ComparisonData}
 */
function readComparison(bytes) {
  return JSON.parse(typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes));
}

/**
 * Streamlit calls this at every change of data or theme.
 * @param {{data: Uint8Array, parentElement: ShadowRoot, setStateValue: (name: string, value: unknown) => void}} component
 * @returns {() => void}
 */
export default function mountComparison({ data, parentElement, setStateValue }) {
  const holder = /** @type {any} */ (parentElement);
  holder[MOUNTED] ??= {
    comparison: createComparison({ parent: parentElement, scheme: schemeOfStreamlit, report() {}, zoomed() {} }),
    bytes: null,
    writesAddress: false,
    enter: watchEnter(),
  };
  const mounted = holder[MOUNTED];
  mounted.comparison.reportTo({
    report(/** @type {number} */ step, /** @type {boolean} */ isLeft) {
      const position = { step, part: null };
      if (mounted.writesAddress) {
        writeQuery(position);
      }
      if (!isLeft) {
        setStateValue("position", position);
      }
    },
    zoomed(/** @type {import("./zoom.js").Zoom} */ zoom) {
      if (mounted.writesAddress) {
        writeZoom(zoom);
      }
    },
  });
  if (mounted.bytes === null || !areEqual(mounted.bytes, data)) {
    const opened = readComparison(data);
    mounted.bytes = data;
    mounted.writesAddress = opened.writesAddress;
    mounted.comparison.open(opened.comparison, opened.start);
    mounted.enter.leaveBox();
  } else {
    mounted.comparison.refresh();
  }
  if (mounted.writesAddress) {
    mounted.comparison.zoomTo(zoomInAddress());
  }
  return () => {
    mounted.comparison.destroy();
    mounted.enter.destroy();
    delete holder[MOUNTED];
  };
}

/**
 * A page that holds nothing but a comparison. The step is kept behind the # of the address.
 * @param {HTMLElement} parent
 * @param {string} text
 */
export function openStandalone(parent, text) {
  const { comparison: document, start } = readComparison(text);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const scheme = () => /** @type {"light" | "dark"} */ (dark.matches ? "dark" : "light");
  const comparison = createComparison({
    parent,
    scheme,
    report: (step) => writeFragment({ step, part: null }),
    zoomed() {},
  });
  const repaint = () => {
    globalThis.document.documentElement.dataset.scheme = scheme();
    comparison.refresh();
  };
  repaint();
  dark.addEventListener("change", repaint);
  comparison.open(document, readFragment()?.step ?? start);
}
