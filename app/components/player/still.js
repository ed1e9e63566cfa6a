// A still: what the browser has laid out, copied into one SVG that needs no style sheet. It knows no trace; it copies
// boxes, texts, canvases and SVG drawings as they stand.

import { setAttributes, svg } from "./dom.js";

/** A canvas is copied with so many dots a pixel of the page, so that its cells stay sharp in every viewer. */
const DOTS = 4;

/** Which computed styles of an SVG element are written out, with the value that need not be. */
const DRAWN_STYLES = [
  ["fill", "rgb(0, 0, 0)"],
  ["fill-opacity", "1"],
  ["stroke", "none"],
  ["stroke-width", "1px"],
  ["stroke-opacity", "1"],
  ["stroke-dasharray", "none"],
  ["opacity", "1"],
  ["shape-rendering", "auto"],
];
const TEXT_STYLES = [
  ["font-size", ""],
  ["font-weight", "400"],
  ["font-style", "normal"],
  ["text-anchor", "start"],
];
const KEPT_ATTRIBUTES = new Set(
  "x y x1 x2 y1 y2 cx cy r rx ry width height d points transform viewBox lang".split(" "),
);

/**
 * A place of the page is a place of the still, less this; texts in this font need not name it.
 * @typedef {{left: number, top: number, font: string}} Origin
 */

/**
 * @param {HTMLElement} element It must be laid out, though it need not be in view.
 * @returns {{element: SVGElement, width: number, height: number}}
 */
export function drawStill(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  const font = getComputedStyle(element).fontFamily;
  const still = svg("g", { "font-family": font }, copyNode(element, { left, top, font }));
  return { element: still, width, height };
}

/**
 * @param {Node} node
 * @param {Origin} origin
 * @returns {SVGElement[]}
 */
function copyNode(node, origin) {
  if (node instanceof Text) {
    return copyText(node, origin);
  }
  if (!(node instanceof Element)) {
    return [];
  }
  const style = getComputedStyle(node);
  if (style.display === "none" || style.opacity === "0") {
    return [];
  }
  const isSeen = style.visibility === "visible";
  if (node instanceof SVGElement) {
    return isSeen ? [copySurface(node, origin)] : [];
  }
  if (node instanceof HTMLCanvasElement) {
    return isSeen ? [copyCanvas(node, origin)] : [];
  }
  const own = isSeen
    ? [...copyBox(node, style, origin), ...copyMarkBefore(node, origin), ...copyInput(node, origin)]
    : [];
  return [...own, ...Array.from(node.childNodes).flatMap((child) => copyNode(child, origin))];
}

/**
 * The background, the borders and the outline of an element.
 * @param {Element} element
 * @param {CSSStyleDeclaration} style
 * @param {Origin} origin
 * @returns {SVGElement[]}
 */
function copyBox(element, style, origin) {
  const box = placeOf(element.getBoundingClientRect(), origin);
  const radius = Number.parseFloat(style.borderTopLeftRadius) || 0;
  const copies = [];
  if (isPainted(style.backgroundColor) && box.width > 0 && box.height > 0) {
    copies.push(svg("rect", { ...box, ...roundCorners(radius), ...paint("fill", style.backgroundColor) }));
  }
  copies.push(...copyBorders(style, box, radius));
  const outline = Number.parseFloat(style.outlineWidth) || 0;
  if (style.outlineStyle !== "none" && outline > 0) {
    const away = (Number.parseFloat(style.outlineOffset) || 0) + outline / 2;
    copies.push(
      drawFrame(grown(box, away), radius, { width: outline, colour: style.outlineColor, kind: style.outlineStyle }),
    );
  }
  return copies;
}

/**
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 */

/**
 * Four equal borders are one frame, others are lines.
 * @param {CSSStyleDeclaration} style
 * @param {Box} box
 * @param {number} radius
 * @returns {SVGElement[]}
 */
function copyBorders(style, box, radius) {
  const sides = ["top", "right", "bottom", "left"].map((side) => ({
    side,
    width: Number.parseFloat(style.getPropertyValue(`border-${side}-width`)),
    colour: style.getPropertyValue(`border-${side}-color`),
    kind: style.getPropertyValue(`border-${side}-style`),
  }));
  const drawn = sides.filter(({ width, kind, colour }) => width > 0 && kind !== "none" && isPainted(colour));
  if (drawn.length === 4) {
    return [drawFrame(grown(box, -drawn[0].width / 2), radius, drawn[0])];
  }
  return drawn.map(({ side, width, colour, kind }) => {
    const { x, y, width: across, height: down } = box;
    const half = width / 2;
    const lines = {
      top: { x1: x, x2: x + across, y1: y + half, y2: y + half },
      right: { x1: x + across - half, x2: x + across - half, y1: y, y2: y + down },
      bottom: { x1: x, x2: x + across, y1: y + down - half, y2: y + down - half },
      left: { x1: x + half, x2: x + half, y1: y, y2: y + down },
    };
    return svg("line", { ...lines[/** @type {keyof typeof lines} */ (side)], ...lineStyle({ width, colour, kind }) });
  });
}

/**
 * @param {Box} box
 * @param {number} radius
 * @param {{width: number, colour: string, kind: string}} line
 * @returns {SVGElement}
 */
function drawFrame(box, radius, line) {
  return svg("rect", { ...box, ...roundCorners(radius), fill: "none", ...lineStyle(line) });
}

/**
 * @param {{width: number, colour: string, kind: string}} line
 * @returns {Record<string, string | number>}
 */
function lineStyle({ width, colour, kind }) {
  const dashes = kind === "dashed" ? { "stroke-dasharray": `${3 * width} ${2 * width}` } : {};
  return { ...paint("stroke", colour), "stroke-width": width, ...dashes };
}

/**
 * What a style sheet puts before an element: a mark without text, placed from the element's corner.
 * @param {Element} element
 * @param {Origin} origin
 * @returns {SVGElement[]}
 */
function copyMarkBefore(element, origin) {
  const mark = getComputedStyle(element, "::before");
  if (mark.content === "none" || mark.position !== "absolute" || !isPainted(mark.backgroundColor)) {
    return [];
  }
  const [left, top, width, height] = [mark.left, mark.top, mark.width, mark.height].map(Number.parseFloat);
  const box = placeOf(element.getBoundingClientRect(), origin);
  const isTurned = getComputedStyle(element).rotate === "180deg";
  const x = isTurned ? box.x + box.width - left - width : box.x + left;
  const y = isTurned ? box.y + box.height - top - height : box.y + top;
  return [svg("rect", { x: rounded(x), y: rounded(y), width, height, ...paint("fill", mark.backgroundColor) })];
}

/**
 * What stands in a field.
 * @param {Element} element
 * @param {Origin} origin
 * @returns {SVGElement[]}
 */
function copyInput(element, origin) {
  if (!(element instanceof HTMLInputElement)) {
    return [];
  }
  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  const inset = Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.borderLeftWidth);
  const size = Number.parseFloat(style.fontSize);
  const text = drawText(element.value, style, origin);
  const y = box.top + box.height / 2 + 0.36 * size;
  setAttributes(text, { x: rounded(box.left + inset - origin.left), y: rounded(y - origin.top) });
  return [text];
}

/**
 * A text, one copy a line.
 * @param {Text} node
 * @param {Origin} origin
 * @returns {SVGElement[]}
 */
function copyText(node, origin) {
  const parent = node.parentElement;
  if (parent === null || node.data.trim() === "") {
    return [];
  }
  const style = getComputedStyle(parent);
  if (style.visibility !== "visible") {
    return [];
  }
  const language = parent.closest("[lang]")?.getAttribute("lang") ?? "";
  return linesOf(node).map(({ text, box }) => {
    const copy = drawText(text, style, origin);
    if (language.startsWith("zh")) {
      copy.setAttribute("lang", language);
    }
    placeText(copy, box, style, origin);
    return copy;
  });
}

/**
 * The lines of a text, without the spaces at their ends.
 * @param {Text} node
 * @returns {{text: string, box: DOMRect}[]}
 */
function linesOf(node) {
  const first = node.data.length - node.data.trimStart().length;
  const end = node.data.trimEnd().length;
  const whole = boxesOf(node, first, end);
  if (whole.length <= 1) {
    return whole.map((box) => ({ text: node.data.slice(first, end), box }));
  }
  /** @type {{first: number, end: number, top: number}[]} */
  const lines = [];
  for (let place = first; place < end; place += 1) {
    const [box] = boxesOf(node, place, place + 1);
    const isSpace = node.data[place].trim() === "";
    if (box === undefined || isSpace) {
      continue;
    }
    const line = lines.at(-1);
    if (line !== undefined && Math.abs(line.top - box.top) < 1) {
      line.end = place + 1;
    } else {
      lines.push({ first: place, end: place + 1, top: box.top });
    }
  }
  return lines.map((line) => ({
    text: node.data.slice(line.first, line.end),
    box: boxesOf(node, line.first, line.end)[0],
  }));
}

/**
 * @param {Text} node
 * @param {number} first
 * @param {number} end
 * @returns {DOMRect[]} A box a line.
 */
function boxesOf(node, first, end) {
  const range = document.createRange();
  range.setStart(node, first);
  range.setEnd(node, end);
  return Array.from(range.getClientRects());
}

/**
 * @param {string} text
 * @param {CSSStyleDeclaration} style
 * @param {Origin} origin
 * @returns {SVGElement}
 */
function drawText(text, style, origin) {
  const copy = svg("text", { "font-size": Number.parseFloat(style.fontSize), ...paint("fill", style.color) }, [text]);
  if (style.fontWeight !== "400") {
    copy.setAttribute("font-weight", style.fontWeight);
  }
  if (style.fontStyle !== "normal") {
    copy.setAttribute("font-style", style.fontStyle);
  }
  if (style.textDecorationLine !== "none") {
    copy.setAttribute("text-decoration", style.textDecorationLine);
  }
  nameFont(copy, style, origin);
  return copy;
}

/**
 * @param {SVGElement} text
 * @param {CSSStyleDeclaration} style
 * @param {Origin} origin
 */
function nameFont(text, { fontFamily }, { font }) {
  if (fontFamily !== font) {
    text.setAttribute("font-family", fontFamily);
  }
}

/**
 * Stand a text where its line stands. Text that runs upwards is turned; text in the middle of its box stays there in
 * other fonts too.
 * @param {SVGElement} copy
 * @param {DOMRect} box
 * @param {CSSStyleDeclaration} style
 * @param {Origin} origin
 */
function placeText(copy, box, style, origin) {
  const left = box.left - origin.left;
  const top = box.top - origin.top;
  const ascent = ascentOf(style);
  if (style.writingMode.startsWith("vertical")) {
    const x = rounded(left + box.width / 2 + 0.35 * Number.parseFloat(style.fontSize));
    copy.setAttribute("transform", `translate(${x} ${rounded(top + box.height)}) rotate(-90)`);
    return;
  }
  const isCentred = style.textAlign === "center" || (style.display === "flex" && style.alignItems === "center");
  const isRight = style.textAlign === "right" || style.textAlign === "end";
  const x = isCentred ? left + box.width / 2 : isRight ? left + box.width : left;
  setAttributes(copy, { x: rounded(x), y: rounded(top + ascent) });
  if (isCentred || isRight) {
    copy.setAttribute("text-anchor", isCentred ? "middle" : "end");
  }
}

/**
 * How far the base line of a text lies under the upper edge of its box.
 * @param {CSSStyleDeclaration} style
 * @returns {number}
 */
function ascentOf({ fontStyle, fontWeight, fontSize, fontFamily }) {
  const pen = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  pen.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
  return pen.measureText("x").fontBoundingBoxAscent;
}

/**
 * @param {SVGElement} surface
 * @param {Origin} origin
 * @returns {SVGElement}
 */
function copySurface(surface, origin) {
  const copy = copyDrawing(surface, origin);
  setAttributes(copy, placeOf(surface.getBoundingClientRect(), origin));
  copy.setAttribute("overflow", "visible");
  return copy;
}

/**
 * An SVG element with its styles written into it, without what only the page needs.
 * @param {SVGElement} element
 * @param {Origin} origin
 * @returns {SVGElement}
 */
function copyDrawing(element, origin) {
  const copy = svg(element.tagName);
  for (const { name, value } of Array.from(element.attributes)) {
    if (KEPT_ATTRIBUTES.has(name)) {
      copy.setAttribute(name, value);
    }
  }
  const style = getComputedStyle(element);
  const isText = element.tagName === "text";
  const isShape = !["g", "svg"].includes(element.tagName);
  for (const [name, usual] of [...(isShape ? DRAWN_STYLES : []), ...(isText ? TEXT_STYLES : [])]) {
    const value = style.getPropertyValue(name);
    if (value !== usual) {
      setAttributes(copy, name === "fill" || name === "stroke" ? paint(name, value) : { [name]: value });
    }
  }
  if (isText) {
    copy.append(element.textContent ?? "");
    nameFont(copy, style, origin);
    return copy;
  }
  copy.append(
    ...Array.from(element.children)
      .filter(isDrawn)
      .map((child) => copyDrawing(/** @type {SVGElement} */ (child), origin)),
  );
  return copy;
}

/**
 * @param {Element} element
 * @returns {boolean}
 */
function isDrawn(element) {
  const { visibility, display, fill, stroke } = getComputedStyle(element);
  const isClear = element.childElementCount === 0 && !isPainted(fill) && !isPainted(stroke);
  return visibility === "visible" && display !== "none" && !isClear;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Origin} origin
 * @returns {SVGElement}
 */
function copyCanvas(canvas, origin) {
  const box = placeOf(canvas.getBoundingClientRect(), origin);
  const enlarged = document.createElement("canvas");
  enlarged.width = Math.round(box.width * DOTS);
  enlarged.height = Math.round(box.height * DOTS);
  const pen = /** @type {CanvasRenderingContext2D} */ (enlarged.getContext("2d"));
  pen.imageSmoothingEnabled = false;
  pen.drawImage(canvas, 0, 0, enlarged.width, enlarged.height);
  return svg("image", { ...box, href: enlarged.toDataURL(), preserveAspectRatio: "none" });
}

/**
 * @param {DOMRect} rect
 * @param {Origin} origin
 * @returns {Box}
 */
function placeOf({ left, top, width, height }, origin) {
  return {
    x: rounded(left - origin.left),
    y: rounded(top - origin.top),
    width: rounded(width),
    height: rounded(height),
  };
}

/**
 * @param {Box} box
 * @param {number} by
 * @returns {Box}
 */
function grown({ x, y, width, height }, by) {
  return { x: x - by, y: y - by, width: Math.max(0, width + 2 * by), height: Math.max(0, height + 2 * by) };
}

/**
 * @param {number} radius
 * @returns {Record<string, number>}
 */
function roundCorners(radius) {
  return radius > 0 ? { rx: radius } : {};
}

/**
 * A colour as every viewer reads it: its opacity stands by itself.
 * @param {"fill" | "stroke"} name
 * @param {string} colour As the browser writes computed colours.
 * @returns {Record<string, string | number>}
 */
function paint(name, colour) {
  const [red, green, blue, alpha = 1] = (colour.match(/^rgba?\(([^)]*)\)$/)?.[1] ?? "").split(",").map(Number);
  if (blue === undefined) {
    return { [name]: colour };
  }
  const opacity = alpha === 1 ? {} : { [`${name}-opacity`]: alpha };
  return { [name]: `rgb(${red}, ${green}, ${blue})`, ...opacity };
}

/**
 * @param {string} colour
 * @returns {boolean}
 */
function isPainted(colour) {
  return colour !== "none" && !/^rgba\(.*, 0\)$/.test(colour);
}

/**
 * @param {number} value
 * @returns {number}
 */
function rounded(value) {
  return Math.round(100 * value) / 100;
}
