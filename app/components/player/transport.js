// The buttons that move the player, its speed, and the switch between whole steps and parts.

import { html, svg } from "./dom.js";

/**
 * @typedef {object} Actions
 * @property {() => void} first
 * @property {() => void} previous
 * @property {() => void} next
 * @property {() => void} last
 * @property {() => void} nextStep
 * @property {() => void} previousStep
 * @property {() => void} togglePlay
 * @property {(milliseconds: number) => void} setPace
 * @property {(on: boolean) => void} [setParts] Without it there is no switch for parts.
 */

/** @type {Record<string, string>} */
const ICONS = {
  first: "M6 5h2v14H6zM19 5v14L9 12z",
  previous: "M16 6 10 12l6 6-2 2-8-8 8-8z",
  play: "M8 5v14l11-7z",
  pause: "M7 5h4v14H7zM13 5h4v14h-4z",
  next: "M8 6l6 6-6 6 2 2 8-8-8-8z",
  last: "M16 5h2v14h-2zM5 5v14l10-7z",
};

/** Milliseconds from step to step. */
const PACES = [
  [2400, "slow"],
  [1200, "normal"],
  [500, "fast"],
];
export const NORMAL_PACE = 1200;

/**
 * @typedef {object} Transport
 * @property {HTMLElement} element
 * @property {(state: {step: number, steps: number, part: number | null, hasParts: boolean, isFirst: boolean, isLast: boolean, isPlaying: boolean}) => void} show
 */

/**
 * @param {Actions} actions
 * @returns {Transport}
 */
export function createTransport(actions) {
  const first = iconButton("first", "First step (Home)", actions.first);
  const previous = iconButton("previous", "Previous (left arrow)", actions.previous);
  const play = iconButton("play", "Play (space)", actions.togglePlay);
  const next = iconButton("next", "Next (right arrow)", actions.next);
  const last = iconButton("last", "Last step (End)", actions.last);
  const counter = html("span", { class: "counter" });
  const pace = /** @type {HTMLSelectElement} */ (
    html(
      "select",
      { "aria-label": "Speed" },
      PACES.map(([milliseconds, name]) => html("option", { value: milliseconds }, [String(name)])),
    )
  );
  pace.value = String(NORMAL_PACE);
  pace.addEventListener("change", () => actions.setPace(Number(pace.value)));
  const partsSwitch = actions.setParts === undefined ? null : createPartsSwitch(actions.setParts);
  const buttons = html("div", { class: "buttons" }, [first, previous, play, next, last]);
  const speed = html("label", { class: "speed" }, [html("span", {}, ["speed"]), pace]);
  const element = html("div", { class: "transport", role: "toolbar", "aria-label": "Steps" }, [
    buttons,
    counter,
    html("span", { class: "spacer" }),
    ...(partsSwitch === null ? [] : [partsSwitch.element]),
    speed,
  ]);
  return {
    element,
    show(state) {
      const part = state.part === null ? "" : `, part ${state.part + 1}`;
      counter.textContent = `step ${state.step + 1} of ${state.steps}${part}`;
      setUsable(first, !state.isFirst);
      setUsable(previous, !state.isFirst);
      setUsable(next, !state.isLast);
      setUsable(last, !state.isLast);
      partsSwitch?.show(state);
      setIcon(play, state.isPlaying ? "pause" : "play", state.isPlaying ? "Pause (space)" : "Play (space)");
    },
  };
}

/**
 * @param {(on: boolean) => void} setParts
 * @returns {{element: HTMLElement, show: (state: {part: number | null, hasParts: boolean}) => void}}
 */
function createPartsSwitch(setParts) {
  const parts = /** @type {HTMLInputElement} */ (html("input", { type: "checkbox", role: "switch" }));
  parts.addEventListener("change", () => setParts(parts.checked));
  const element = html("label", { class: "parts-switch" }, [parts, html("span", {}, ["part by part"])]);
  return {
    element,
    show({ part, hasParts }) {
      parts.checked = part !== null;
      element.hidden = !hasParts;
    },
  };
}

/**
 * A button at an end keeps its focus: it is dimmed, not disabled.
 * @param {HTMLElement} button
 * @param {boolean} isUsable
 */
function setUsable(button, isUsable) {
  button.setAttribute("aria-disabled", String(!isUsable));
}

/**
 * @param {string} icon
 * @param {string} label
 * @param {() => void} action
 * @returns {HTMLElement}
 */
function iconButton(icon, label, action) {
  const button = html("button", { type: "button", class: "icon" });
  setIcon(button, icon, label);
  button.addEventListener("click", action);
  return button;
}

/**
 * @param {HTMLElement} button
 * @param {string} icon
 * @param {string} label
 */
function setIcon(button, icon, label) {
  if (button.dataset.icon === icon) {
    return;
  }
  button.dataset.icon = icon;
  button.setAttribute("aria-label", label);
  button.title = label;
  button.replaceChildren(
    svg("svg", { viewBox: "0 0 24 24", width: 20, height: 20, "aria-hidden": "true" }, [
      svg("path", { d: ICONS[icon] }),
    ]),
  );
}
