// How a visitor changes a step: the menu at a word or a cell, and the panels that it opens.

import { offersAt, spotName } from "./changes.js";
import { createFloating } from "./floating.js";
import { createMenu } from "./menu.js";
import { createSharing } from "./sharing.js";
import { createSliders } from "./sliders.js";

/**
 * @typedef {object} Changing
 * @property {HTMLElement} element
 * @property {(trace: import("./reading.js").Trace, spot: import("./changes.js").Spot, anchor: Element) => void} offer Open the menu.
 * @property {(positions: number[]) => boolean} choose Hand a click on a column to the panel that waits for one; false if none does.
 * @property {() => number[]} chosen The positions chosen in that panel.
 * @property {() => void} close
 * @property {() => void} destroy
 */

/**
 * @param {{ask: (change: import("./reading.js").Change) => void, mark: (positions: number[]) => void}} actions
 * @returns {Changing}
 */
export function createChanging({ ask, mark }) {
  const floating = createFloating();
  /** @type {import("./sharing.js").Sharing | null} */
  let sharing = null;

  /** @param {import("./reading.js").Change} change */
  function askAndClose(change) {
    floating.close();
    ask(change);
  }

  const actions = { ask: askAndClose, cancel: floating.close, mark };

  /**
   * @param {import("./reading.js").Trace} trace
   * @param {import("./changes.js").Spot} spot
   * @param {Element} anchor
   */
  function share(trace, spot, anchor) {
    const panel = createSharing(trace, spot, actions);
    floating.open({
      anchor,
      ...panel,
      staysOpen: true,
      onClose() {
        sharing = null;
        mark([]);
      },
    });
    sharing = panel;
  }

  return {
    element: floating.element,
    offer(trace, spot, anchor) {
      const menu = createMenu(spotName(trace, spot), offersAt(trace, spot), {
        choose({ change, panel }) {
          if (change !== null) {
            askAndClose(change);
          } else if (panel === "sharing") {
            share(trace, spot, anchor);
          } else {
            floating.open({ anchor, ...createSliders(trace, spot.step, actions), staysOpen: true });
          }
        },
        leave: floating.close,
      });
      floating.open({ anchor, ...menu, staysOpen: false });
    },
    choose(positions) {
      sharing?.toggle(positions);
      return sharing !== null;
    },
    chosen: () => sharing?.chosen() ?? [],
    close: floating.close,
    destroy: floating.destroy,
  };
}
