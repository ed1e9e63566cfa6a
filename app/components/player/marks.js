// The mark of a row that differs from the trace before, or from the one after.

import { svg } from "./dom.js";

const SIZE = 4;

/**
 * A small diamond.
 * @param {number} x Of its middle.
 * @param {number} y
 * @param {string} fill
 * @returns {SVGElement}
 */
export function drawChangedMark(x, y, fill) {
  return svg("path", {
    d: `M${x} ${y - SIZE}l${SIZE} ${SIZE}-${SIZE} ${SIZE}-${SIZE}-${SIZE}z`,
    fill,
    class: "changed",
  });
}
