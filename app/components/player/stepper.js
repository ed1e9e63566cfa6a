// Walking through places, which are steps or parts of steps: to a neighbour, to an end, by itself at a pace, and when it
// has come to rest.

import { NORMAL_PACE } from "./transport.js";

/** Milliseconds without a move until a place is told. */
const REST = 250;
const PRESSES = ["pointerdown", "keydown"];

/**
 * A step, and which of its parts; null for the whole step. Both count from 0.
 * @typedef {{step: number, part: number | null}} Position
 */

/**
 * @typedef {object} Stepper
 * @property {import("./transport.js").Actions} actions
 * @property {(position: Position) => void} open Stand still here, as if nobody had moved.
 * @property {(position: Position) => void} moveTo Go there, and go on playing.
 * @property {(position: Position) => void} goTo Go there, and stand still.
 * @property {() => Position} position
 * @property {() => {isFirst: boolean, isLast: boolean, isPlaying: boolean}} state
 * @property {() => void} stop Stop playing.
 * @property {() => void} settle Tell at once where it stands, where that was not told yet.
 * @property {() => void} destroy
 */

/**
 * @param {object} follow
 * @param {(position: Position) => Position[]} follow.places All places in their order, seen from one of them.
 * @param {() => void} follow.moved Called when it has moved, before it is shown.
 * @param {() => void} follow.show Called after each change.
 * @param {(position: Position) => void} follow.rest Called when a move has ended.
 * @param {(position: Position) => void} follow.leave Called before that where another page may take the place of this.
 * @param {(distance: 1 | -1) => void} follow.beyond Called when a move would leave the places.
 * @returns {Stepper}
 */
export function createStepper({ places, moved, show, rest, leave, beyond }) {
  /** @type {Position} */
  let position = { step: 0, part: null };
  let pace = NORMAL_PACE;
  let playing = 0;
  let resting = 0;

  /** @param {Position} next */
  function change(next) {
    if (isSame(next, position)) {
      return;
    }
    position = next;
    moved();
    clearTimeout(resting);
    resting = setTimeout(settle, REST);
  }

  function settle() {
    if (resting !== 0) {
      clearTimeout(resting);
      resting = 0;
      rest(position);
    }
  }

  /** @param {Position} next */
  function moveTo(next) {
    change(next);
    show();
  }

  /** @param {Position} next */
  function goTo(next) {
    stopPlaying();
    moveTo(next);
  }

  /**
   * @param {number} index 0 for the first, -1 for the last.
   * @returns {Position}
   */
  function end(index) {
    return /** @type {Position} */ (places(position).at(index));
  }

  /**
   * @param {number} distance
   * @returns {Position | undefined} None beyond the ends.
   */
  function neighbour(distance) {
    const all = places(position);
    return all[all.findIndex((one) => isSame(one, position)) + distance];
  }

  /**
   * @param {Position | undefined} next
   * @param {1 | -1} distance
   */
  function walk(next, distance) {
    goTo(next ?? position);
    if (next === undefined) {
      noteInAddress();
      beyond(distance);
    }
  }

  /** @param {1 | -1} distance */
  function walkSteps(distance) {
    const wanted = { step: position.step + distance, part: position.part };
    walk(
      places(position).find((one) => isSame(one, wanted)),
      distance,
    );
  }

  function startPlaying() {
    clearInterval(playing);
    playing = setInterval(() => {
      change(neighbour(1) ?? position);
      if (isSame(position, end(-1))) {
        stopPlaying();
      }
      show();
    }, pace);
  }

  function stopPlaying() {
    clearInterval(playing);
    playing = 0;
  }

  function togglePlay() {
    if (playing !== 0) {
      stopPlaying();
    } else {
      if (isSame(position, end(-1))) {
        change(end(0));
      }
      startPlaying();
    }
    show();
  }

  /** @param {number} milliseconds */
  function setPace(milliseconds) {
    pace = milliseconds;
    if (playing !== 0) {
      startPlaying();
    }
  }

  function forget() {
    stopPlaying();
    clearTimeout(resting);
    resting = 0;
  }

  function noteInAddress() {
    if (resting !== 0) {
      leave(position);
    }
  }

  /**
   * What is pressed may lead to another page. What would be told while that one is on its way would call this one back.
   * @param {Event} event
   */
  function onPress(event) {
    if (event instanceof KeyboardEvent && event.key !== "Enter") {
      return;
    }
    noteInAddress();
    if (event.composedPath().some((one) => one instanceof Element && one.matches("a[href]"))) {
      forget();
    }
  }

  for (const name of PRESSES) {
    window.addEventListener(name, onPress, true);
  }
  // Here the other page is asked for already.
  window.addEventListener("popstate", forget);

  return {
    actions: {
      first: () => goTo(end(0)),
      previous: () => walk(neighbour(-1), -1),
      next: () => walk(neighbour(1), 1),
      previousStep: () => walkSteps(-1),
      nextStep: () => walkSteps(1),
      last: () => goTo(end(-1)),
      togglePlay,
      setPace,
    },
    open(start) {
      forget();
      position = start;
    },
    moveTo,
    goTo,
    position: () => position,
    state() {
      const [isFirst, isLast] = [isSame(position, end(0)), isSame(position, end(-1))];
      return { isFirst, isLast, isPlaying: playing !== 0 };
    },
    stop() {
      stopPlaying();
      show();
    },
    settle,
    destroy() {
      forget();
      for (const name of PRESSES) {
        window.removeEventListener(name, onPress, true);
      }
      window.removeEventListener("popstate", forget);
    },
  };
}

/**
 * @param {Position} one
 * @param {Position} other
 * @returns {boolean}
 */
function isSame(one, other) {
  return one.step === other.step && one.part === other.part;
}
