// The two places where a player lives: a component of Streamlit, and a page of its own.

import {
  areEqual,
  readFragment,
  schemeOfStreamlit,
  watchEnter,
  writeFragment,
  writeQuery,
  writeZoom,
  zoomInAddress,
} from "./hosts.js";
import { createPlayer } from "./player.js";
import { readData } from "./reading.js";

/**
 * @typedef {object} Component What Streamlit hands over, at every change of data or theme.
 * @property {Uint8Array} data
 * @property {ShadowRoot} parentElement
 * @property {(name: string, value: unknown) => void} setStateValue
 */

/** Under this name a player and the bytes it shows are kept on the element in which it lives. */
const MOUNTED = Symbol.for("glanceback.player");

/**
 * @param {Component} component
 * @returns {() => void}
 */
export default function mountPlayer({ data, parentElement, setStateValue }) {
  const holder = /** @type {any} */ (parentElement);
  holder[MOUNTED] ??= {
    player: createPlayer({ parent: parentElement, scheme: schemeOfStreamlit, report() {}, ask() {}, zoomed() {} }),
    bytes: null,
    opened: null,
    number: 0,
    enter: watchEnter(),
  };
  const mounted = holder[MOUNTED];
  mounted.player.reportTo({
    report(/** @type {import("./stepper.js").Position} */ position, /** @type {boolean} */ isLeft) {
      if (mounted.opened.writesAddress) {
        writeQuery(position);
      }
      if (!isLeft) {
        setStateValue("position", position);
      }
    },
    ask(/** @type {import("./reading.js").Change} */ change) {
      // The clock makes it grow also after the page was left and entered again.
      mounted.number = Math.max(mounted.number + 1, Date.now());
      setStateValue("change", { number: mounted.number, change });
    },
    zoomed(/** @type {import("./zoom.js").Zoom} */ zoom) {
      if (mounted.opened.writesAddress) {
        writeZoom(zoom);
      }
    },
  });
  if (mounted.bytes === null || !areEqual(mounted.bytes, data)) {
    const before = mounted.opened;
    mounted.bytes = data;
    mounted.opened = readData(data);
    if (before !== null && isSamePlace(before, mounted.opened)) {
      mounted.player.look(mounted.opened);
    } else {
      mounted.player.open(mounted.opened);
      mounted.enter.leaveBox();
    }
  } else {
    mounted.player.refresh();
  }
  if (mounted.opened.writesAddress) {
    mounted.player.zoomTo(zoomInAddress());
  }
  return () => {
    mounted.player.destroy();
    mounted.enter.destroy();
    delete holder[MOUNTED];
  };
}

/**
 * True if the same trace is shown from the same start, so that the place of the visitor is kept.
 * @param {import("./reading.js").PlayerData} one
 * @param {import("./reading.js").PlayerData} other
 * @returns {boolean}
 */
function isSamePlace(one, other) {
  const isSameStart = one.start.step === other.start.step && one.start.part === other.start.part;
  return isSameStart && one.digest === other.digest;
}

/**
 * A page that holds nothing but a player. The place is kept behind the # of the address.
 * @param {HTMLElement} parent
 * @param {string} text
 */
export function openStandalone(parent, text) {
  const opened = readData(text);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const scheme = () => /** @type {"light" | "dark"} */ (dark.matches ? "dark" : "light");
  const player = createPlayer({ parent, scheme, report: writeFragment, ask() {}, zoomed() {} });
  const repaint = () => {
    document.documentElement.dataset.scheme = scheme();
    player.refresh();
  };
  repaint();
  dark.addEventListener("change", repaint);
  player.open({ ...opened, start: readFragment() ?? opened.start });
}
