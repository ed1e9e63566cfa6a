// Walking through a number of steps: to a neighbour, to an end, by itself at a pace, and when it has come to rest.

import { clamp } from "./numbers.js";
import { NORMAL_PACE } from "./transport.js";

/** Milliseconds without a move until a place is told. */
const REST = 250;

/**
 * @typedef {object} Stepper
 * @property {import("./transport.js").Actions} actions
 * @property {(count: number, step: number) => void} open Stand still at this step of so many.
 * @property {(step: number) => void} goTo
 * @property {() => number} step
 * @property {() => boolean} isPlaying
 * @property {() => void} stop
 */

/**
 * @param {object} follow
 * @param {() => void} follow.show Called after each change.
 * @param {(step: number) => void} follow.rest Called when a move has ended.
 * @param {(distance: 1 | -1) => void} follow.beyond Called when a move would leave the steps.
 * @returns {Stepper}
 */
export function createStepper({ show, rest, beyond }) {
  let count = 1;
  let step = 0;
  let pace = NORMAL_PACE;
  let playing = 0;
  let resting = 0;

  /** @param {number} wanted */
  function moveTo(wanted) {
    const next = clamp(Math.trunc(wanted) || 0, 0, count - 1);
    if (next !== step) {
      step = next;
      clearTimeout(resting);
      resting = setTimeout(() => rest(step), REST);
    }
  }

  /** @param {number} next */
  function goTo(next) {
    stopPlaying();
    moveTo(next);
    show();
  }

  /** @param {1 | -1} distance */
  function walk(distance) {
    const isAtEnd = step === (distance === 1 ? count - 1 : 0);
    goTo(step + distance);
    if (isAtEnd) {
      beyond(distance);
    }
  }

  function startPlaying() {
    clearInterval(playing);
    playing = setInterval(() => {
      moveTo(step + 1);
      if (step === count - 1) {
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
      if (step === count - 1) {
        moveTo(0);
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

  function stop() {
    stopPlaying();
    clearTimeout(resting);
  }

  return {
    actions: {
      first: () => goTo(0),
      previous: () => walk(-1),
      next: () => walk(1),
      previousStep: () => walk(-1),
      nextStep: () => walk(1),
      last: () => goTo(count - 1),
      togglePlay,
      setPace,
    },
    open(newCount, newStep) {
      stop();
      count = newCount;
      step = clamp(Math.trunc(newStep) || 0, 0, count - 1);
    },
    goTo,
    step: () => step,
    isPlaying: () => playing !== 0,
    stop,
  };
}
