// The panel that shares a step's weight between chosen words. They are chosen here or by clicking their columns.

import { visibleAt } from "./changes.js";
import { html, setText } from "./dom.js";
import { formatNumber } from "./numbers.js";

/**
 * @typedef {object} Sharing
 * @property {HTMLElement} content
 * @property {Element} first
 * @property {(positions: number[]) => void} toggle Choose these positions, or give them back if all are chosen.
 * @property {() => number[]} chosen
 */

/**
 * @param {import("./reading.js").Trace} trace
 * @param {import("./changes.js").Spot} spot Its positions are chosen from the start.
 * @param {{ask: (change: import("./reading.js").Change) => void, cancel: () => void, mark: (positions: number[]) => void}} actions
 * @returns {Sharing}
 */
export function createSharing(trace, { step, positions }, { ask, cancel, mark }) {
  const visible = visibleAt(trace, step);
  const chosen = new Set(positions.filter((i) => visible.includes(i)));
  const chips = trace.source_tokens.map((token, i) => {
    const chip = html("button", { type: "button", class: "chip" }, [token]);
    if (!visible.includes(i)) {
      chip.setAttribute("disabled", "");
      chip.title = "hidden at this step";
    }
    chip.addEventListener("click", () => toggle([i]));
    return chip;
  });
  const says = html("p", { class: "panel-status", "aria-live": "polite" });
  const done = html("button", { type: "button", class: "primary" }, ["Done"]);
  const stop = html("button", { type: "button" }, ["Cancel"]);
  const title = `Share the weight of step ${step + 1}`;
  const content = html("div", { class: "panel", role: "dialog", "aria-label": title }, [
    html("h3", {}, [title]),
    html("p", { class: "sentence" }, ["Choose words here or click their columns. Each gets the same share."]),
    html("div", { class: "chips" }, chips),
    says,
    html("div", { class: "panel-buttons" }, [done, stop]),
  ]);

  /** @param {number[]} group */
  function toggle(group) {
    const seen = group.filter((i) => visible.includes(i));
    const isTaken = seen.every((i) => chosen.has(i));
    for (const i of seen) {
      if (isTaken) {
        chosen.delete(i);
      } else {
        chosen.add(i);
      }
    }
    show();
  }

  function inOrder() {
    return visible.filter((i) => chosen.has(i));
  }

  function show() {
    for (const [i, chip] of chips.entries()) {
      chip.setAttribute("aria-pressed", String(chosen.has(i)));
    }
    const count = chosen.size;
    setText(says, count === 0 ? "No word is chosen yet." : `${count} chosen, ${formatNumber(1 / count)} each.`);
    done.setAttribute("aria-disabled", String(count === 0));
    mark(inOrder());
  }

  done.addEventListener("click", () => {
    if (chosen.size > 0) {
      ask(["share", step, inOrder()]);
    }
  });
  stop.addEventListener("click", cancel);
  show();
  return { content, first: chips[visible[0]], toggle, chosen: inOrder };
}
