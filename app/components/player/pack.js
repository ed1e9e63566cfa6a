// A page that holds a whole lecture: stops in order, each a text beside its live parts. The texts stand in the page; the
// parts of a stop are drawn when it is opened, and leave when another one is.

import { createComparison } from "./compare.js";
import { html } from "./dom.js";
import { createPlayer } from "./player.js";
import { createPresenting, moveOfKey } from "./presenting.js";
import { readData } from "./reading.js";

/**
 * A live part: a player or a comparison, what it is given beside its document, and the number of its document.
 * @typedef {{kind: "player" | "comparison", data: any, document: number}} Part
 */

/**
 * @typedef {{documents: any[], stops: Part[][]}} Pack
 */

/**
 * A live part on the page: what takes it away, and what paints it again in other colours.
 * @typedef {{destroy: () => void, refresh: () => void}} Live
 */

/**
 * The stop is kept behind the # of the address.
 * @param {HTMLElement} parent Holds the bar and the sections of the stops.
 * @param {string} text
 */
export function openStandalone(parent, text) {
  const pack = /** @type {Pack} */ (/** @type {unknown} */ (readData(text)));
  const sections = /** @type {HTMLElement[]} */ (Array.from(parent.querySelectorAll(".pack-stop")));
  const bar = createBar(
    parent,
    sections.map((section) => section.dataset.title ?? ""),
    open,
  );
  /** Where each part was left, by stop and part. */
  const places = pack.stops.map((parts) => parts.map(({ data }) => data.start));
  for (const [stop, section] of sections.entries()) {
    for (const [index, holder] of section.querySelectorAll("[data-live]").entries()) {
      holder.addEventListener("glanceback-place", (event) => {
        const { step, part } = /** @type {CustomEvent} */ (event).detail;
        places[stop][index] = { step, part };
      });
    }
  }
  /** @type {Live[]} */
  let lives = [];
  let shown = -1;

  /** @param {number} stop */
  function open(stop) {
    if (stop < 0 || stop >= sections.length || stop === shown) {
      return;
    }
    const distance = stop - shown;
    shown = stop;
    for (const live of lives) {
      live.destroy();
    }
    for (const [index, section] of sections.entries()) {
      section.hidden = index !== stop;
    }
    lives = pack.stops[stop].map((part, index) => drawPart(part, stop, index));
    bar.show(stop);
    history.replaceState(history.state, "", `#${sections[stop].dataset.stop}`);
    presenting.enter(sections[stop], distance);
  }

  /**
   * @param {Part} part
   * @param {number} stop
   * @param {number} index
   * @returns {Live}
   */
  function drawPart(part, stop, index) {
    const holder = /** @type {HTMLElement} */ (sections[stop].querySelectorAll("[data-live]")[index]);
    const document = pack.documents[part.document];
    const start = places[stop][index];
    if (part.kind === "comparison") {
      const comparison = createComparison({ parent: holder, scheme, report() {}, zoomed() {} });
      comparison.open(document, start.step);
      return comparison;
    }
    const player = createPlayer({ parent: holder, scheme, report() {}, ask() {}, zoomed() {} });
    player.open({ ...part.data, start, document });
    return player;
  }

  const dark = matchMedia("(prefers-color-scheme: dark)");
  const scheme = () => /** @type {"light" | "dark"} */ (dark.matches ? "dark" : "light");
  const repaint = () => {
    document.documentElement.dataset.scheme = scheme();
    for (const live of lives) {
      live.refresh();
    }
  };
  repaint();
  dark.addEventListener("change", repaint);
  const presenting = createPresenting(parent, { go: (distance) => open(shown + distance), repaint, say: bar.say });
  bar.element.append(presenting.button);
  document.addEventListener("glanceback-beyond", (event) => {
    presenting.beyond(/** @type {CustomEvent} */ (event).detail);
  });
  // Players listen on the document, so a key that one of them has used says so here.
  window.addEventListener("keydown", (event) => {
    const move = moveOfKey(event);
    // Presented, a player that is not on the screen uses no key.
    if (move !== 0 && (pack.stops[shown].length === 0 || presenting.isPresented())) {
      event.preventDefault();
      presenting.beyond(/** @type {1 | -1} */ (move));
    }
  });
  const openAddress = () => {
    const asked = sections.findIndex((section) => `#${section.dataset.stop}` === window.location.hash);
    open(Math.max(asked, 0));
  };
  window.addEventListener("hashchange", openAddress);
  openAddress();
}

/**
 * Previous, next, and the list of all stops.
 * @param {HTMLElement} parent
 * @param {string[]} titles
 * @param {(stop: number) => void} open
 * @returns {{element: HTMLElement, show: (stop: number) => void, say: (text: string) => void}}
 */
function createBar(parent, titles, open) {
  let shown = 0;
  const previous = barButton("Previous", () => open(shown - 1));
  const next = barButton("Next", () => open(shown + 1));
  const options = titles.map((title, index) => html("option", { value: index }, [`${index + 1}. ${title}`]));
  const list = /** @type {HTMLSelectElement} */ (html("select", { "aria-label": "All stops" }, options));
  list.addEventListener("change", () => {
    open(Number(list.value));
    list.blur();
  });
  const place = html("span", { class: "pack-place", role: "status" });
  const mark = html("progress", { max: titles.length, "aria-hidden": "true" });
  const element = html("nav", { class: "pack-bar", "aria-label": "Stops" }, [previous, place, next, list, mark]);
  parent.prepend(element);
  return {
    element,
    say(text) {
      place.textContent = text;
    },
    show(stop) {
      shown = stop;
      previous.toggleAttribute("disabled", stop === 0);
      next.toggleAttribute("disabled", stop === titles.length - 1);
      place.textContent = `${stop + 1} of ${titles.length}`;
      list.value = String(stop);
      mark.setAttribute("value", String(stop + 1));
    },
  };
}

/**
 * @param {string} text
 * @param {() => void} action
 * @returns {HTMLElement}
 */
function barButton(text, action) {
  const button = html("button", { type: "button" }, [text]);
  button.addEventListener("click", action);
  return button;
}
