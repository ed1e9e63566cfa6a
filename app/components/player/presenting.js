// Presenting a page that holds a whole lecture: large type, one half of a stop a screen, a blank screen, a full one, the
// notes. It knows no player: those say themselves when somebody wants to go beyond their ends.

import { html } from "./dom.js";

const NEXT_KEYS = ["ArrowRight", "PageDown", "ArrowDown", " "];
const PREVIOUS_KEYS = ["ArrowLeft", "PageUp", "ArrowUp"];
/** While one of these has the focus, keys are its own. */
const TAKING_KEYS = "input, select, textarea, button, summary, a[href]";
/** How much of a screen a long half moves, so that its last lines are still there, and what is too little to move. */
const SHARE_OF_SCREEN = 0.75;
const LEAST_REST = 12;

/**
 * @typedef {object} Presenting
 * @property {HTMLElement} button Begins it and ends it.
 * @property {(section: HTMLElement, distance: number) => void} enter A stop is shown: that `distance` stops further on.
 * @property {(distance: 1 | -1) => void} beyond Somebody wants to go on after the last place here, or before the first.
 * @property {() => boolean} isPresented
 */

/**
 * Whether the page is presented stands in its address, `?present=1`, so that a reload keeps it.
 * @param {HTMLElement} parent Holds the page.
 * @param {{go: (distance: 1 | -1) => void, repaint: () => void, say: (text: string) => void}} actions
 *   go: to a neighbour. repaint: the players, in their other size. say: a short sentence in the bar.
 * @returns {Presenting}
 */
export function createPresenting(parent, { go, repaint, say }) {
  const page = document.documentElement;
  /** @type {HTMLElement | null} */
  let section = null;
  /**
   * Which half of each stop was shown last.
   * @type {Map<HTMLElement, string>}
   */
  const halves = new Map();
  const title = "Large type, one idea a screen. B blanks the screen, F fills it, N shows the notes.";
  const button = html("button", { type: "button", title, "aria-pressed": "false" }, ["Present"]);
  const blank = html("div", {
    class: "pack-blank",
    role: "img",
    "aria-label": "The screen is blank; B brings it back.",
  });
  blank.hidden = true;
  parent.append(blank);
  button.addEventListener("click", () => {
    present(!isPresented());
    button.blur();
  });
  window.addEventListener("keydown", onKey, true);
  present(new URL(window.location.href).searchParams.get("present") === "1");

  /** @returns {boolean} */
  function isPresented() {
    return page.dataset.presenting !== undefined;
  }

  /** @param {boolean} isWanted */
  function present(isWanted) {
    page.toggleAttribute("data-presenting", isWanted);
    page.toggleAttribute("data-notes", false);
    button.setAttribute("aria-pressed", String(isWanted));
    const address = new URL(window.location.href);
    address.searchParams.delete("present");
    if (isWanted) {
      address.searchParams.set("present", "1");
    }
    history.replaceState(history.state, "", address);
    repaint();
    window.scrollTo(0, 0);
  }

  /** @param {string} half */
  function show(half) {
    page.dataset.half = half;
    halves.set(/** @type {HTMLElement} */ (section), half);
    window.scrollTo(0, 0);
  }

  /** @returns {boolean} */
  function hasText() {
    return section !== null && !section.matches(".bare");
  }

  /** @returns {boolean} */
  function hasLive() {
    return section?.querySelector(".pack-live > *") != null;
  }

  /** @param {1 | -1} distance */
  function beyond(distance) {
    const half = page.dataset.half;
    if (isPresented() && turnPage(distance)) {
      return;
    }
    if (isPresented() && distance === 1 && half === "text" && hasLive()) {
      show("live");
    } else if (isPresented() && distance === -1 && half === "live" && hasText()) {
      show("text");
    } else {
      go(distance);
    }
  }

  /**
   * Before the players see the key.
   * @param {KeyboardEvent} event
   */
  function onKey(event) {
    if (isModified(event) || isTaken(event)) {
      return;
    }
    if (usesKey(event)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean} Whether the key was for this.
   */
  function usesKey(event) {
    const key = event.key.toLowerCase();
    const isSwitch = ["b", ".", "f"].includes(key) || (key === "n" && isPresented());
    if (event.repeat && (isSwitch || !blank.hidden)) {
      return true; // a key that is held switches once
    }
    if (!blank.hidden || key === "b" || key === ".") {
      // Whatever is pressed brings the picture back and does nothing else, so that nothing is skipped unseen.
      blank.hidden = !blank.hidden;
      return true;
    }
    if (key === "f") {
      toggleFullScreen(say);
    } else if (isSwitch) {
      page.toggleAttribute("data-notes");
      section?.querySelector(".pack-text > details")?.toggleAttribute("open", page.dataset.notes !== undefined);
    } else if (isPresented() && page.dataset.half === "text" && moveOfKey(event) !== 0) {
      beyond(/** @type {1 | -1} */ (moveOfKey(event)));
    } else {
      return false;
    }
    return true;
  }

  return {
    button,
    enter(next, distance) {
      section = next;
      page.toggleAttribute("data-notes", false);
      const first = hasText() ? "text" : "live";
      // Back is where that stop was left, so that one click back undoes one click on.
      show(distance === -1 ? (halves.get(next) ?? first) : first);
    },
    beyond,
    isPresented,
  };
}

/**
 * @param {KeyboardEvent} event
 * @returns {number} 0 for a key that moves nothing.
 */
export function moveOfKey(event) {
  if (event.defaultPrevented || isModified(event) || isTaken(event)) {
    return 0;
  }
  return Number(NEXT_KEYS.includes(event.key)) - Number(PREVIOUS_KEYS.includes(event.key));
}

/**
 * @param {KeyboardEvent} event
 * @returns {boolean}
 */
function isModified({ altKey, ctrlKey, metaKey, shiftKey }) {
  return altKey || ctrlKey || metaKey || shiftKey;
}

/**
 * @param {KeyboardEvent} event
 * @returns {boolean}
 */
function isTaken(event) {
  return event.composedPath().some((one) => one instanceof Element && one.matches(TAKING_KEYS));
}

/** @param {(text: string) => void} say */
function toggleFullScreen(say) {
  if (document.fullscreenElement === null) {
    document.documentElement.requestFullscreen().catch(() => say("This browser gives no full screen."));
  } else {
    document.exitFullscreen();
  }
}

/**
 * Scroll on where what stands on the screen is longer than the screen.
 * @param {1 | -1} distance
 * @returns {boolean} Whether there was anything to scroll to.
 */
function turnPage(distance) {
  const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
  const rest = distance === 1 ? scrollHeight - clientHeight - scrollTop : scrollTop;
  if (rest <= LEAST_REST) {
    return false;
  }
  window.scrollBy({ top: distance * SHARE_OF_SCREEN * clientHeight, behavior: "instant" });
  return true;
}
