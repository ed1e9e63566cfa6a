// Keys, a clicker and a finger move the player; never while the person types or works something else.

const INTERACTIVE =
  'input, select, textarea, button, a[href], summary, audio, video, iframe, [contenteditable=""], [contenteditable="true"], [role="button"], [role="slider"], [role="gridcell"], [role="textbox"], [role="combobox"], [role="listbox"], [role="option"], [role="menuitem"], [role="radio"], [role="tab"], [role="dialog"]';
/** What of the player works with Enter and the space bar alone, and lets the other keys through. */
const PASSING = "button.icon, .source-word, .candidate, .zoom button, .parts-switch input";
const SWIPE_LENGTH = 48;

/**
 * @typedef {import("./transport.js").Actions} Actions
 */

/**
 * While a page is presented, these two move whole steps; else they scroll the page.
 * @type {Record<string, "nextStep" | "previousStep">}
 */
const PRESENTING_KEYS = { ArrowDown: "nextStep", ArrowUp: "previousStep" };

const BACKWARD = new Set(["previous", "previousStep"]);

/** @type {Record<string, "next" | "previous" | "first" | "last" | "togglePlay">} */
const KEYS = {
  ArrowRight: "next",
  PageDown: "next",
  ArrowLeft: "previous",
  PageUp: "previous",
  Home: "first",
  End: "last",
  " ": "togglePlay",
};

/** Under this name a document keeps its players with their actions: each script has this module for itself. */
const PLAYERS = Symbol.for("glanceback.players");
/** How much of a player, or of the screen, must be seen of it so that a key moves it while a page is presented. */
const SEEN_SHARE = 0.5;

/**
 * Listen on the document, since nothing of the player needs the focus. Of several players the one that is seen moves.
 * @param {HTMLElement} root
 * @param {Actions} actions
 * @returns {() => void} Stops listening.
 */
export function attachKeys(root, actions) {
  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const action = KEYS[event.key] ?? (isPresenting(root) ? PRESENTING_KEYS[event.key] : undefined);
    const isModified = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    if (action === undefined || isModified || event.defaultPrevented || !root.isConnected) {
      return;
    }
    if (!belongsToPlayer(event, root)) {
      return;
    }
    const hasFocus = event.composedPath().includes(root);
    if (!hasFocus && chosenPlayer(BACKWARD.has(action)) !== root) {
      return;
    }
    // The next player on the page sees that the key has been used.
    event.preventDefault();
    move(root, actions[action]);
  }
  document.addEventListener("keydown", onKey);
  playersHere().set(root, actions);
  return () => {
    document.removeEventListener("keydown", onKey);
    playersHere().delete(root);
  };
}

/** @returns {Map<HTMLElement, Actions>} */
function playersHere() {
  const holder = /** @type {any} */ (document);
  holder[PLAYERS] ??= new Map();
  return holder[PLAYERS];
}

/**
 * The players that are drawn, from the top of the page down.
 * @returns {HTMLElement[]}
 */
function drawnPlayers() {
  const drawn = Array.from(playersHere().keys()).filter((one) => one.getClientRects().length > 0);
  return drawn.sort((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top);
}

/**
 * The player that a key moves: the one of which most is seen. Of equal ones, forward the upper, backward the lower.
 * @param {boolean} isBackward
 * @returns {HTMLElement | undefined} None while a page is presented and scrolled to where no player is.
 */
function chosenPlayer(isBackward) {
  const drawn = drawnPlayers();
  const candidates = drawn.filter((one) => !isPresenting(one) || isSeen(one));
  const highest = Math.max(...candidates.map(seenHeight));
  const likely = candidates.filter((one) => seenHeight(one) === highest);
  return isBackward ? likely.at(-1) : likely[0];
}

/**
 * Presented among others, a player that has moved stands whole on the screen, if it is not higher.
 * @param {HTMLElement} root
 * @param {() => void} action
 */
function move(root, action) {
  const before = placeOf(root);
  // Asked before the move: afterwards the browser would have to style the page at once to answer.
  const isAmongOthers = isPresenting(root) && drawnPlayers().length > 1;
  action();
  if (isAmongOthers && placeOf(root) !== before && root.getBoundingClientRect().height <= window.innerHeight) {
    root.scrollIntoView({ block: "nearest", behavior: "instant" });
  }
}

/**
 * @param {HTMLElement} root
 * @returns {string}
 */
function placeOf({ dataset: { step, part } }) {
  return `${step} ${part}`;
}

/**
 * @param {HTMLElement} root
 * @returns {number} In pixels of the screen.
 */
function seenHeight(root) {
  const { top, bottom } = root.getBoundingClientRect();
  return Math.max(0, Math.round(Math.min(bottom, window.innerHeight) - Math.max(top, 0)));
}

/**
 * @param {HTMLElement} root
 * @returns {boolean}
 */
function isSeen(root) {
  const whole = Math.min(root.getBoundingClientRect().height, window.innerHeight);
  return seenHeight(root) >= SEEN_SHARE * whole;
}

/**
 * Whether the page around is presented: its style sheet then says so to every player.
 * @param {HTMLElement} root
 * @returns {boolean}
 */
export function isPresenting(root) {
  return getComputedStyle(root).getPropertyValue("--gb-presenting").trim() === "1";
}

/**
 * The person wants to go on after the last place of a player, or back before its first: another one on the same
 * screen moves, or the page is told.
 * @param {HTMLElement} root
 * @param {1 | -1} distance
 */
export function goBeyond(root, distance) {
  const drawn = isPresenting(root) ? drawnPlayers() : [];
  const next = drawn[drawn.indexOf(root) + distance];
  if (drawn.includes(root) && next !== undefined && isSeen(next)) {
    const actions = /** @type {Actions} */ (playersHere().get(next));
    move(next, distance === 1 ? actions.next : actions.previous);
    return;
  }
  root.dispatchEvent(new CustomEvent("glanceback-beyond", { detail: distance, bubbles: true, composed: true }));
}

/**
 * Tell the page where a player stands; who comes later reads it from the player's element.
 * @param {HTMLElement} root
 * @param {{step: number, steps: number, part: number | null}} place Counted from 0.
 */
export function tellPlace(root, place) {
  root.dataset.steps = String(place.steps);
  root.dispatchEvent(new CustomEvent("glanceback-place", { detail: place, bubbles: true, composed: true }));
}

/** Tell the page that a player has gone, so that it says no longer where that one stood. */
export function tellGone() {
  window.dispatchEvent(new CustomEvent("glanceback-place", { detail: null }));
}

/**
 * True when nothing interactive has the focus. The player's own buttons and words let every key through but the space
 * bar, which presses them.
 * @param {KeyboardEvent} event
 * @param {HTMLElement} root
 * @returns {boolean}
 */
function belongsToPlayer(event, root) {
  const path = event.composedPath().filter((target) => target instanceof Element);
  const busy = path.find((element) => element.matches(INTERACTIVE));
  if (busy === undefined) {
    return true;
  }
  return busy.matches(PASSING) && path.includes(root) && event.key !== " ";
}

/**
 * @param {HTMLElement} root
 * @param {Actions} actions
 */
export function attachSwipe(root, actions) {
  /** @type {{x: number, y: number} | null} */
  let start = null;
  root.addEventListener(
    "touchstart",
    (event) => {
      const touch = event.touches[0];
      const isFree = event.touches.length === 1 && !scrollsSideways(event, root);
      start = isFree ? { x: touch.clientX, y: touch.clientY } : null;
    },
    { passive: true },
  );
  root.addEventListener(
    "touchend",
    (event) => {
      if (start === null) {
        return;
      }
      const right = event.changedTouches[0].clientX - start.x;
      const down = event.changedTouches[0].clientY - start.y;
      start = null;
      if (Math.abs(right) >= SWIPE_LENGTH && Math.abs(right) > 2 * Math.abs(down)) {
        (right < 0 ? actions.next : actions.previous)();
      }
    },
    { passive: true },
  );
}

/**
 * A finger on something that scrolls sideways scrolls it.
 * @param {TouchEvent} event
 * @param {HTMLElement} root
 * @returns {boolean}
 */
function scrollsSideways(event, root) {
  return event
    .composedPath()
    .some(
      (target) =>
        target instanceof HTMLElement &&
        root.contains(target) &&
        (target.matches("input, select, .floating") ||
          (target.matches(".frame") && target.scrollWidth > target.clientWidth)),
    );
}
