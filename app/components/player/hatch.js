// Diagonal hatching: the mark of what a person set by hand.

const GAP = 7;

/**
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 */

/**
 * Diagonal lines that fill a box and do not leave it.
 * @param {Box} box
 * @returns {string} The `d` of an SVG path.
 */
export function hatchPath({ x, y, width, height }) {
  const lines = [];
  for (let offset = GAP - height; offset < width; offset += GAP) {
    const from = Math.max(offset, 0);
    const to = Math.min(offset + height, width);
    lines.push(`M${x + from} ${y + height - (from - offset)}L${x + to} ${y + height - (to - offset)}`);
  }
  return lines.join("");
}
