// A vector as a small grid of cells in a fixed order, row by row, coloured on the scale centred at 0.
// Few components are printed as numbers; hundreds are painted, and their values show on hover.

import { SIGNED_TABLE_SIZE, signedColour, textOn } from "./colours.js";
import { html, setAttributes, setText, surface, svg } from "./dom.js";
import { clamp, formatExactly, formatNumber } from "./numbers.js";

/** Up to this many components are printed. */
const MOST_PRINTED = 16;
/** Of a cell with a number in it; presented, numbers are larger. */
const PRINTED_HEIGHT = 16;
const PRESENTED_HEIGHT = 20;
const NARROWEST_PRINTED = 34;
/** A cell that is smaller cannot be told from its neighbours. */
const NARROWEST_MARKED = 2;

/**
 * @typedef {object} Shape
 * @property {number} size Components.
 * @property {number} columns
 * @property {number} rows
 * @property {number} cellWidth
 * @property {number} cellHeight
 * @property {boolean} printed
 * @property {number} width
 * @property {number} height
 */

/**
 * The largest grid of so many components that fits into a box; with `columns` given, one of that many columns.
 * @param {number} size
 * @param {number} width
 * @param {number} height
 * @param {{isPresented: boolean, columns?: number}} options
 * @returns {Shape}
 */
export function gridShape(size, width, height, { isPresented, columns }) {
  if (size <= MOST_PRINTED && width >= NARROWEST_PRINTED) {
    return printedShape(size, width, isPresented ? PRESENTED_HEIGHT : PRINTED_HEIGHT, columns);
  }
  const counts = columns === undefined ? [4, 8, 16, 32, 64] : [columns];
  const shapes = counts.map((count) => {
    const rows = Math.ceil(size / count);
    const cell = Math.max(1, Math.min(Math.floor(width / count), Math.floor(height / rows)));
    const sizes = { cellWidth: cell, cellHeight: cell, width: cell * count, height: cell * rows };
    return { size, columns: count, rows, printed: false, ...sizes };
  });
  const fitting = shapes.filter((shape) => shape.width <= width && shape.height <= height);
  if (fitting.length === 0) {
    return crowdedShape(size, width, height, shapes[0].columns);
  }
  return fitting.reduce((best, shape) => (shape.cellWidth >= best.cellWidth ? shape : best));
}

/**
 * A grid whose cells are smaller than a pixel: a texture, with its numbers on hover.
 * @param {number} size
 * @param {number} width
 * @param {number} height
 * @param {number} columns
 * @returns {Shape}
 */
function crowdedShape(size, width, height, columns) {
  const rows = Math.ceil(size / columns);
  return { size, columns, rows, printed: false, cellWidth: width / columns, cellHeight: height / rows, width, height };
}

/**
 * @param {number} size
 * @param {number} width
 * @param {number} cellHeight
 * @param {number} [columns]
 * @returns {Shape}
 */
function printedShape(size, width, cellHeight, columns) {
  const wanted = columns ?? Math.ceil(size / 4);
  const count = clamp(wanted, 1, Math.max(1, Math.floor(width / NARROWEST_PRINTED)));
  const rows = Math.ceil(size / count);
  const cellWidth = Math.min(52, Math.floor(width / count));
  const sizes = { cellWidth, cellHeight, width: cellWidth * count, height: cellHeight * rows };
  return { size, columns: count, rows, printed: true, ...sizes };
}

/**
 * @typedef {object} Grid
 * @property {HTMLElement} element
 * @property {(values: number[]) => void} paint
 * @property {(component: number) => void} mark
 */

/**
 * @typedef {object} GridOptions
 * @property {Shape} shape
 * @property {number} limit
 * @property {import("./colours.js").Palette} palette
 * @property {string} name What the vector is, for the hint.
 * @property {import("./hints.js").Hints} hints
 * @property {(component: number) => void} [onChoose]
 * @property {Drawing} [drawing] What paints the vector; without it the grid holds a drawing of its own.
 */

/**
 * @param {GridOptions} options
 * @returns {Grid}
 */
export function createGrid({ shape, limit, palette, name, hints, onChoose, drawing: given }) {
  const marker = html("span", { class: "component-mark" });
  setAttributes(marker, { style: `width:${shape.cellWidth}px;height:${shape.cellHeight}px` });
  const own = shape.printed ? printedDrawing : paintedDrawing;
  const drawing = given ?? own(shape, limit, palette);
  const element = html("div", { class: "grid", style: `width:${shape.width}px;height:${shape.height}px` }, [marker]);
  if (drawing.element !== null) {
    element.prepend(drawing.element);
  }
  /** @type {number[]} */
  let current = [];

  /** @param {Event} event */
  function componentAt(event) {
    const box = element.getBoundingClientRect();
    const pointer = /** @type {PointerEvent} */ (event);
    const column = Math.floor((pointer.clientX - box.left) / (box.width / shape.columns));
    const row = Math.floor((pointer.clientY - box.top) / (box.height / shape.rows));
    return clamp(row, 0, shape.rows - 1) * shape.columns + clamp(column, 0, shape.columns - 1);
  }

  hints.attach(element, (event) => {
    const component = componentAt(event);
    return component < current.length
      ? `${name}, component ${component + 1} of ${current.length}: ${formatExactly(current[component])}`
      : "";
  });
  element.addEventListener("click", (event) => {
    const component = componentAt(event);
    if (onChoose !== undefined && component < shape.size) {
      onChoose(component);
    }
  });
  return {
    element,
    paint(values) {
      current = values;
      drawing.paint(values);
    },
    mark(component) {
      const x = (component % shape.columns) * shape.cellWidth;
      const y = Math.floor(component / shape.columns) * shape.cellHeight;
      marker.classList.toggle("shown", shape.cellWidth >= NARROWEST_MARKED);
      // Not by a transform: each would give the browser a layer more to put together at every step.
      marker.style.left = `${x}px`;
      marker.style.top = `${y}px`;
    },
  };
}

/**
 * @typedef {object} Drawing
 * @property {Element | null} element Null where the drawing stands elsewhere.
 * @property {(values: number[]) => void} paint
 */

/**
 * One canvas for all grids of a band: with one canvas each, fifty columns would be a hundred layers to the browser.
 * @typedef {object} Strip
 * @property {HTMLCanvasElement} element
 * @property {(left: number) => Drawing} drawing For the grid that stands so many pixels from the strip's left end.
 */

/**
 * @param {Shape} shape Of each grid.
 * @param {number} width
 * @param {number} limit
 * @param {import("./colours.js").Palette} palette
 * @returns {Strip}
 */
export function createStrip(shape, width, limit, palette) {
  const size = { width: Math.ceil(width), height: Math.ceil(shape.height) };
  const element = /** @type {HTMLCanvasElement} */ (html("canvas", { class: "strip", ...size }));
  const pen = /** @type {CanvasRenderingContext2D} */ (element.getContext("2d"));
  pen.imageSmoothingEnabled = false;
  return {
    element,
    drawing(left) {
      const one = paintedDrawing(shape, limit, palette);
      return {
        element: null,
        paint(values) {
          if (one.paint(values)) {
            pen.drawImage(one.element, left, 0, shape.width, shape.height);
          }
        },
      };
    },
  };
}

/**
 * @param {Shape} shape
 * @param {number} limit
 * @param {import("./colours.js").Palette} palette
 * @returns {Drawing}
 */
function printedDrawing(shape, limit, palette) {
  const cells = Array.from({ length: shape.size }, (_, component) => {
    const x = (component % shape.columns) * shape.cellWidth;
    const y = Math.floor(component / shape.columns) * shape.cellHeight;
    const box = svg("rect", { x: x + 0.5, y: y + 0.5, width: shape.cellWidth - 1, height: shape.cellHeight - 1 });
    const text = svg("text", { x: x + shape.cellWidth / 2, y: y + shape.cellHeight / 2 + 4, class: "printed" });
    return { box, text };
  });
  const element = surface(shape.width, shape.height);
  element.append(...cells.flatMap(({ box, text }) => [box, text]));
  return {
    element,
    paint(values) {
      for (const [component, { box, text }] of cells.entries()) {
        const colour = signedColour(palette, values[component], limit);
        box.setAttribute("fill", colour);
        text.setAttribute("fill", textOn(palette, colour));
        setText(text, formatNumber(values[component]));
      }
    },
  };
}

/**
 * @param {Shape} shape
 * @param {number} limit
 * @param {import("./colours.js").Palette} palette
 * @returns {{element: HTMLCanvasElement, paint: (values: number[]) => boolean}} `paint` says if anything has changed.
 */
function paintedDrawing(shape, limit, palette) {
  const canvas = /** @type {HTMLCanvasElement} */ (html("canvas", { width: shape.columns, height: shape.rows }));
  canvas.style.width = `${shape.width}px`;
  canvas.style.height = `${shape.height}px`;
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const pixels = pen.createImageData(shape.columns, shape.rows);
  const drawn = new Int32Array(shape.size).fill(-1);
  return {
    element: canvas,
    paint(values) {
      // Most weighted states are as good as 0 at most steps: a canvas whose colours stay is not painted anew.
      let hasChanged = false;
      for (let component = 0; component < shape.size; component += 1) {
        const share = clamp(0.5 + values[component] / (2 * limit), 0, 1);
        const colour = Math.round(share * (SIGNED_TABLE_SIZE - 1));
        if (colour !== drawn[component]) {
          hasChanged = true;
          drawn[component] = colour;
          setPixel(pixels.data, component, palette.signedTable, colour);
        }
      }
      if (hasChanged) {
        pen.putImageData(pixels, 0, 0);
      }
      return hasChanged;
    },
  };
}

/**
 * @param {Uint8ClampedArray} data
 * @param {number} pixel
 * @param {ArrayLike<number>} table Red, green and blue of each colour.
 * @param {number} colour
 */
function setPixel(data, pixel, table, colour) {
  for (let channel = 0; channel < 3; channel += 1) {
    data[4 * pixel + channel] = table[3 * colour + channel];
  }
  data[4 * pixel + 3] = 255;
}
