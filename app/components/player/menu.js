// The menu at a source word or at a cell of the map: what may be changed about the current step.

import { html } from "./dom.js";

/**
 * @typedef {object} Menu
 * @property {HTMLElement} content
 * @property {Element} first
 */

/**
 * @param {string} title
 * @param {import("./changes.js").Offer[]} offers
 * @param {{choose: (offer: import("./changes.js").Offer) => void, leave: () => void}} actions
 * @returns {Menu}
 */
export function createMenu(title, offers, { choose, leave }) {
  const items = offers.map((offer) => createItem(offer, choose));
  const content = html("div", { class: "menu", role: "menu", "aria-label": title }, [
    html("p", { class: "menu-title", role: "presentation" }, [title]),
    ...items,
  ]);
  content.addEventListener("keydown", (event) => {
    if (event.key === "Tab") {
      event.preventDefault();
      leave();
      return;
    }
    const place = items.findIndex((item) => item.matches(":focus"));
    const next = nextItem(event.key, place, items.length);
    if (next !== null) {
      event.preventDefault();
      event.stopPropagation();
      items[next].focus();
    }
  });
  return { content, first: items[0] };
}

/**
 * Let a click, Enter, the space bar and the key of context menus open a menu here.
 * @param {HTMLElement} element
 * @param {() => void} open
 */
export function opensMenu(element, open) {
  element.setAttribute("role", "button");
  element.setAttribute("aria-haspopup", "menu");
  element.addEventListener("click", open);
  element.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    open();
  });
  element.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      open();
    }
  });
}

/**
 * @param {import("./changes.js").Offer} offer
 * @param {(offer: import("./changes.js").Offer) => void} choose
 * @returns {HTMLElement}
 */
function createItem(offer, choose) {
  const item = html("button", { type: "button", role: "menuitem", tabindex: -1, class: "menu-item" }, [offer.text]);
  if (offer.reason !== "") {
    item.setAttribute("aria-disabled", "true");
    item.append(html("small", {}, [offer.reason]));
    return item;
  }
  item.addEventListener("click", () => choose(offer));
  return item;
}

/**
 * @param {string} key
 * @param {number} place
 * @param {number} count
 * @returns {number | null}
 */
function nextItem(key, place, count) {
  switch (key) {
    case "ArrowDown":
      return (place + 1) % count;
    case "ArrowUp":
      return (place - 1 + count) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}
