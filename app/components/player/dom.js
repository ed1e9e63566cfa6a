// Elements of HTML and SVG. Words come from people: they enter only as text, never as markup.

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

/**
 * @typedef {Record<string, string | number>} Attributes
 */

/**
 * An HTML element with attributes and children; a string becomes text.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {(Node | string)[]} [children]
 * @returns {HTMLElement}
 */
export function html(tag, attributes = {}, children = []) {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

/**
 * An SVG element with attributes and children; a string becomes text.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {(Node | string)[]} [children]
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, children = []) {
  const element = document.createElementNS(SVG_NAMESPACE, tag);
  setAttributes(element, attributes);
  element.append(...children);
  return element;
}

/**
 * A drawing surface of a fixed size in CSS pixels.
 * @param {number} width
 * @param {number} height
 * @param {Attributes} [attributes]
 * @returns {SVGElement}
 */
export function surface(width, height, attributes = {}) {
  return svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, ...attributes });
}

/**
 * @param {Element} element
 * @param {Attributes} attributes
 */
export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, String(value));
  }
}

/**
 * Set a plain text, and touch nothing when it is there already: many numbers stay the same from step to step.
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

export const TRADITIONAL = "zh-Hant";
export const SIMPLIFIED = "zh-Hans";
export const PINYIN = "zh-Latn-pinyin";

/**
 * Set a text, and with it the language that chooses the right glyphs.
 * @param {Element} element
 * @param {string} text
 * @param {string} [chinese] The language of Chinese.
 */
export function setWord(element, text, chinese = TRADITIONAL) {
  element.textContent = text;
  if (isChinese(text)) {
    element.setAttribute("lang", chinese);
  } else {
    element.removeAttribute("lang");
  }
}

/**
 * Set a target token as it is shown, its pinyin above it if it has one.
 * @param {Element} element
 * @param {import("./reading.js").ShownWord} word
 */
export function setShownWord(element, { text, pinyin, language }) {
  setWord(element, text, language);
  if (pinyin !== "") {
    element.replaceChildren(html("ruby", {}, [text, html("rt", { lang: PINYIN }, [pinyin])]));
  }
}

/**
 * @param {string} text
 * @returns {boolean}
 */
export function isChinese(text) {
  return /[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u.test(text);
}

/**
 * Set a sentence in which source words stand between marks; words are emphasised and Chinese carries its language.
 * @param {Element} element
 * @param {string} sentence
 * @param {string} mark
 * @param {string} [chinese] The language of Chinese.
 */
export function setSentence(element, sentence, mark, chinese = TRADITIONAL) {
  const runs = sentence.split(mark).map((run, index) => {
    const nodes = chineseRuns(run, chinese);
    return index % 2 === 1 ? [html("em", {}, nodes)] : nodes;
  });
  element.replaceChildren(...runs.flat());
}

/**
 * @param {string} text
 * @param {string} chinese
 * @returns {(Node | string)[]}
 */
function chineseRuns(text, chinese) {
  const runs = text.split(/([\p{Script=Han}\u3000-\u303f\uff00-\uffef]+)/u).filter((run) => run !== "");
  return runs.map((run) => (isChinese(run) ? html("span", { lang: chinese }, [run]) : run));
}

/**
 * A transform that moves an element by pixels of the screen, also where the page is magnified.
 * @param {Element} element
 * @param {number} left
 * @param {number} top
 * @returns {string}
 */
export function translation(element, left, top) {
  const scale = /** @type {Element & {currentCSSZoom?: number}} */ (element).currentCSSZoom ?? 1;
  return `translate(${Math.round(left / scale)}px, ${Math.round(top / scale)}px)`;
}
