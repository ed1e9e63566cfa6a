// The presenter: keys of a clicker, the blank screen, the notes, the code of a link, the progress, and the way out.
// It lives beside every page, also while nothing is presented: then it is the switch, and it remembers what was visited.

const MOUNTED = Symbol.for("glanceback.presenter");
/** Where a tab keeps what was visited. */
const VISITS = "glanceback.visits";
const MOST_VISITS = 60;
/** Where a tab keeps a text of Python's, for the time after a reload. */
const KEPT = "glanceback.kept";
/** Milliseconds that the buttons stay after the pointer has moved. */
const LINGER = 2500;
const MOST_LIGHT_OF_DARK = 384;
/** How much of a screen a long text moves, so that its last lines are still there, and what is too little to move. */
const SHARE_OF_SCREEN = 0.75;
const LEAST_REST = 12;

const TYPING =
  'input:not([type="checkbox"]):not([type="radio"]):not([type="range"]), textarea, select, [contenteditable=""], [contenteditable="true"], [role="textbox"], [role="combobox"], [role="listbox"], [role="slider"]';
const BUSY = `${TYPING}, input, button, a[href], summary, [role="button"], [role="gridcell"], [role="radio"], [role="tab"], [role="dialog"], [role="menuitem"], [role="option"]`;

/** Boxes of one line, where PageUp and PageDown have nothing to do; not one whose list of choices is open. */
const LINES =
  'input:not([type="checkbox"], [type="radio"], [type="range"], [type="file"]):not([aria-expanded="true"], [role="slider"])';
/** What of an address says which screen it is; the rest says how that screen stands. */
const SCREEN = ["stop", "entry"];

/** Runs of Chinese, as in `with_language` of text.py. */
const CHINESE = /([\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+)/;

/** @type {Record<string, 1 | -1>} */
const MOVES = { PageDown: 1, ArrowRight: 1, ArrowDown: 1, PageUp: -1, ArrowLeft: -1, ArrowUp: -1, " ": 1 };

/**
 * What Python says; the names are those of `Presented` in presenter.py.
 * @typedef {object} Presented
 * @property {boolean} presents
 * @property {string | null} previous
 * @property {string | null} next
 * @property {string} place
 * @property {number} share
 * @property {string} title
 * @property {boolean} begins_with_text
 * @property {boolean} has_notes
 * @property {string[]} addresses
 * @property {string | null} link
 * @property {string | null} code
 * @property {boolean} wants_visits
 * @property {string | null} keep
 * @property {boolean} wants_kept
 * @property {{number: number, link: string} | null} move
 * @property {boolean} has_switch
 * @property {string | null} first
 * @property {string | null} after
 */

/**
 * @typedef {(name: string, value: unknown) => void} Tell
 */

/**
 * Streamlit calls this at every change of data or theme.
 * @param {{data: Presented, parentElement: ShadowRoot, setStateValue: Tell}} component
 * @returns {() => void}
 */
export default function mountPresenter({ data, parentElement, setStateValue }) {
  const holder = /** @type {any} */ (parentElement);
  holder[MOUNTED] ??= createPresenter(parentElement);
  holder[MOUNTED].show(data, setStateValue);
  return () => {
    holder[MOUNTED].destroy();
    delete holder[MOUNTED];
  };
}

/**
 * @param {ShadowRoot} parent
 * @returns {{show: (data: Presented, tell: Tell) => void, destroy: () => void}}
 */
function createPresenter(parent) {
  /** @type {Presented | null} */
  let presented = null;
  /** @type {Tell} */
  let tell = () => {};
  /** @type {{step: number, steps: number, part: number | null} | null} */
  let place = null;
  let screen = "";
  let isBlank = false;
  let isHeld = false;
  let lingering = 0;

  const start = button("Present", "Show this to a class", begin);
  start.className = "start";
  const share = element("div", { class: "share" });
  const title = element("span", { class: "title", role: "status" });
  const where = element("span", { class: "where", role: "status" });
  const notes = button("Notes (N)", "Notes of the presenter", toggleNotes);
  const buttons = element("span", { class: "buttons" }, [
    button("Back", "Back (left arrow)", () => press("PageUp")),
    button("Next", "Next (right arrow)", () => press("PageDown")),
    notes,
    button("Blank (B)", "Blank the screen", toggleBlank),
    button("Full screen (F)", "Full screen", toggleFullScreen),
    button("Link (Q)", "Address and code of this view", askForCode),
    button("Stop presenting", "Leave the presenter mode", end),
  ]);
  const bar = element("div", { class: "bar", role: "toolbar", "aria-label": "Presenting" }, [title, buttons, where]);
  const blank = element("div", { class: "blank", role: "img", "aria-label": "The screen is blank; B brings it back." });
  const card = element("div", { class: "card", role: "dialog", "aria-label": "This view on other machines" });
  const root = element("div", { class: "presenter" }, [
    start,
    element("div", { class: "track" }, [share]),
    bar,
    card,
    blank,
  ]);
  parent.append(root);
  blank.hidden = true;
  card.hidden = true;

  const listeners = /** @type {const} */ ([
    ["keydown", onKey, true],
    ["keydown", onUnusedKey, false],
    ["click", remember, true],
    ["glanceback-beyond", onBeyond, false],
    ["glanceback-place", onPlace, false],
    ["pointermove", linger, false],
  ]);
  for (const [name, follow, isEarly] of listeners) {
    window.addEventListener(name, /** @type {EventListener} */ (follow), isEarly);
  }

  function begin() {
    openOr(presented?.first, true);
  }

  function end() {
    openOr(presented?.after, false);
  }

  /** Note the address as it stands, before a key or a click leads elsewhere. */
  function remember() {
    if (presented === null || presented.wants_visits) {
      return; // the page of lectures is no part of one
    }
    const link = relative(window.location.href);
    const kept = readVisits().filter((one) => one !== link);
    sessionStorage.setItem(VISITS, JSON.stringify([...kept, link].slice(-MOST_VISITS)));
  }

  /**
   * Before the page sees the key.
   * @param {KeyboardEvent} event
   */
  function onKey(event) {
    remember();
    isHeld = event.repeat;
    if (!presented?.presents || isModified(event)) {
      return;
    }
    if (isOn(event, TYPING) ? leaveLine(event) : useKey(event)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }

  /**
   * Out of a box of one line: a clicker goes on from there, and what was typed is taken.
   * @param {KeyboardEvent} event
   * @returns {boolean} Whether the key led out of one.
   */
  function leaveLine(event) {
    const [line] = event.composedPath();
    const leads = ["Escape", "PageDown", "PageUp"].includes(event.key);
    if (!leads || !(line instanceof HTMLElement) || !line.matches(LINES)) {
      return false;
    }
    line.blur();
    if (event.key !== "Escape") {
      press(event.key);
    }
    return true;
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean} Whether the key was for the presenter.
   */
  function useKey(event) {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.repeat && (isBlank || ["b", ".", "f", "n", "q"].includes(key))) {
      return true; // a key that is held switches once
    }
    if (isBlank) {
      // Whatever is pressed brings the picture back and does nothing else, so that nothing is skipped unseen.
      toggleBlank();
      return true;
    }
    if (key in MOVES && key !== " " && (closeCard() || isOpening())) {
      return true; // likewise
    }
    switch (key) {
      case "b":
      case ".":
        toggleBlank();
        return true;
      case "f":
        toggleFullScreen();
        return true;
      case "n":
        toggleNotes();
        return true;
      case "q":
        askForCode();
        return true;
      case "Escape":
        return closeCard() || closeNotes();
      default:
        return moveFrom(event, key);
    }
  }

  /**
   * A move that is not the player's: out of the text of a stop, or with the focus on a button of ours.
   * @param {KeyboardEvent} event
   * @param {string} key
   * @returns {boolean}
   */
  function moveFrom(event, key) {
    const distance = MOVES[key];
    if (distance === undefined) {
      return false;
    }
    const isOurs = event.composedPath().includes(root);
    if (isOurs && key !== " ") {
      /** @type {HTMLElement | null} */ (parent.activeElement)?.blur();
      press(key);
      return true;
    }
    return !isOn(event, BUSY) && moveWithinText(distance);
  }

  /**
   * @param {1 | -1} distance
   * @returns {boolean} Whether the text of a stop stands on the screen, so that the player must not move.
   */
  function moveWithinText(distance) {
    if (phase() !== "text") {
      return false;
    }
    if (turnPage(distance)) {
      return true;
    }
    if (distance === 1) {
      setPhase("live");
    } else {
      go(-1);
    }
    return true;
  }

  /**
   * After the page: no player took the key, because there is none.
   * @param {KeyboardEvent} event
   */
  function onUnusedKey(event) {
    const distance = MOVES[event.key];
    if (presented?.presents && distance !== undefined && event.key !== " " && !event.defaultPrevented) {
      if (!isModified(event) && !isOn(event, BUSY)) {
        event.preventDefault();
        if (!turnPage(distance)) {
          beyond(distance);
        }
      }
    }
  }

  /** @param {CustomEvent<1 | -1>} event */
  function onBeyond(event) {
    if (presented?.presents && !turnPage(event.detail)) {
      beyond(event.detail);
    }
  }

  /** @param {1 | -1} distance */
  function beyond(distance) {
    if (distance === -1 && phase() === "live") {
      setPhase("text");
    } else {
      go(distance);
    }
  }

  /** @returns {boolean} Whether the address is already that of a neighbour, whose page is still on its way. */
  function isOpening() {
    const here = screenOf(window.location.href);
    const neighbours = [presented?.previous, presented?.next];
    return neighbours.some((link) => link && screenOf(new URL(link, document.baseURI).href) === here);
  }

  /** @param {1 | -1} distance */
  function go(distance) {
    const link = distance === 1 ? presented?.next : presented?.previous;
    if (!link || isHeld || isOpening()) {
      return; // a key that is held stays within its screen
    }
    const here = window.location.href;
    const address = new URL(link, document.baseURI).href;
    left.set(screenOf(here), { address: here, isLive: phase() === "live" });
    // Back is where that screen was left, so that one click back undoes one click on.
    const place = distance === -1 ? left.get(screenOf(address)) : undefined;
    entersLive = place?.isLive ?? false;
    open(place?.address ?? address);
  }

  /** @param {CustomEvent<{step: number, steps: number, part: number | null} | null>} event */
  function onPlace(event) {
    place = event.detail; // null where a player has gone: then that of another counts
    showWhere();
  }

  function showWhere() {
    place ??= readPlace();
    const steps = place === null ? [] : [`step ${place.step + 1} of ${place.steps}`];
    if (place !== null && place.part !== null) {
      steps.push(`part ${place.part + 1}`);
    }
    const all = [presented?.place ?? "", ...(phase() === "text" ? [] : steps)].filter((text) => text !== "");
    where.textContent = all.join(" · ");
    const within = presented?.place ? presented.share : place === null ? 0 : (place.step + 1) / place.steps;
    share.style.transform = `scaleX(${within})`;
  }

  /** @returns {string | undefined} */
  function phase() {
    return document.documentElement.dataset.gbPhase;
  }

  /** @param {"text" | "live" | null} next */
  function setPhase(next) {
    if (next === null) {
      delete document.documentElement.dataset.gbPhase;
    } else {
      document.documentElement.dataset.gbPhase = next;
    }
    // The other half begins at its top.
    scroller()?.scrollTo({ top: 0, behavior: "instant" });
    showWhere();
  }

  function toggleBlank() {
    isBlank = !isBlank;
    blank.hidden = !isBlank;
  }

  function toggleFullScreen() {
    if (document.fullscreenElement === null) {
      // The document, not a part of it: a new stop replaces the parts.
      document.documentElement.requestFullscreen().catch(() => {
        where.textContent = "This browser gives no full screen.";
      });
    } else {
      document.exitFullscreen();
    }
  }

  function toggleNotes() {
    if (!closeNotes()) {
      document.documentElement.dataset.gbNotes = "shown";
      notes.setAttribute("aria-pressed", "true");
    }
  }

  /** @returns {boolean} Whether they were open. */
  function closeNotes() {
    const wasOpen = document.documentElement.dataset.gbNotes !== undefined;
    delete document.documentElement.dataset.gbNotes;
    notes.setAttribute("aria-pressed", "false");
    return wasOpen;
  }

  function askForCode() {
    if (!closeCard()) {
      card.replaceChildren(element("p", {}, ["The code is being drawn…"]));
      card.hidden = false;
      tell("asked", relative(withPresent(false)));
      showCard();
    }
  }

  /** @returns {boolean} Whether it was open. */
  function closeCard() {
    const wasOpen = !card.hidden;
    card.hidden = true;
    return wasOpen;
  }

  /** The address to type, the code and the link of this view, as soon as Python has drawn them. */
  function showCard() {
    const link = relative(withPresent(false));
    if (card.hidden || presented === null || presented.link !== link) {
      return;
    }
    const [address] = presented.addresses;
    const whole = new URL(link, address ?? document.baseURI).href;
    const status = element("p", { class: "quiet", role: "status" });
    const copy = button("Copy the link of this view", "Copy the link of this view", () => {
      copyText(whole).then((text) => {
        status.textContent = text;
      });
    });
    const close = button("Close (Escape)", "Close", closeCard);
    const words =
      address === undefined
        ? [
            element("p", {}, ["Only this machine can open this app."]),
            element("p", { class: "quiet" }, [
              "To let the class in, start it with --server.address=0.0.0.0. The README says more.",
            ]),
          ]
        : [
            element("p", {}, ["Type this address:"]),
            element("p", { class: "address" }, [address]),
            ...presented.addresses.slice(1).map((other) => element("p", { class: "quiet" }, [`or ${other}`])),
          ];
    const picture =
      presented.code === null
        ? element("p", { class: "quiet" }, [
            address === undefined
              ? "There is no code, for it would lead nobody here."
              : "The link of this view is too long for a code. Copy it instead.",
          ])
        : element("img", { class: "code", src: presented.code, alt: "QR code with the link of this view" });
    card.replaceChildren(picture, element("div", {}, [...words, copy, close, status]));
    copy.focus();
  }

  function linger() {
    if (presented?.presents) {
      bar.classList.add("shown");
      clearTimeout(lingering);
      lingering = setTimeout(() => bar.classList.remove("shown"), LINGER);
    }
  }

  return {
    show(data, nextTell) {
      tell = nextTell;
      presented = data;
      shown = root;
      root.dataset.scheme = schemeOf(parent.host);
      root.classList.toggle("presenting", data.presents);
      bar.setAttribute("aria-hidden", String(!data.presents));
      const here = data.presents ? screenOf(window.location.href) : "";
      if (screen !== here && !isOpening()) {
        screen = here;
        place = null;
        const begins = entersLive ? "live" : "text";
        setPhase(data.presents && data.begins_with_text ? begins : null);
        entersLive = false;
      }
      if (!data.presents) {
        closeNotes();
        closeCard();
      }
      start.hidden = !data.has_switch;
      notes.hidden = !data.has_notes;
      title.replaceChildren(...withLanguage(data.presents ? data.title : ""));
      showWhere();
      showCard();
      if (data.keep !== null) {
        keep(data.keep);
      }
      if (data.wants_kept) {
        tell("kept", sessionStorage.getItem(KEPT) ?? "");
      }
      if (data.wants_visits) {
        tellVisits(tell);
      }
      if (data.move !== null && data.move.number > lastMove) {
        lastMove = data.move.number;
        open(new URL(data.move.link, document.baseURI).href);
      }
    },
    destroy() {
      clearTimeout(lingering);
      if (shown === root) {
        setPhase(null);
      }
      for (const [name, follow, isEarly] of listeners) {
        window.removeEventListener(name, /** @type {EventListener} */ (follow), isEarly);
      }
      root.remove();
    },
  };
}

/** @returns {string[]} */
function readVisits() {
  return JSON.parse(sessionStorage.getItem(VISITS) ?? "[]");
}

/** @param {string} text */
function keep(text) {
  try {
    sessionStorage.setItem(KEPT, text);
  } catch {
    // More than a browser keeps: then rather nothing than what was before.
    sessionStorage.removeItem(KEPT);
  }
}

/**
 * What scrolls the page.
 * @returns {Element | null}
 */
function scroller() {
  return document.querySelector('[data-testid="stMain"]');
}

/**
 * Scroll on where what stands on the screen is longer than the screen.
 * @param {1 | -1} distance
 * @returns {boolean} Whether there was anything to scroll to.
 */
function turnPage(distance) {
  const page = scroller();
  if (page === null) {
    return false;
  }
  const rest = distance === 1 ? page.scrollHeight - page.clientHeight - page.scrollTop : page.scrollTop;
  if (rest <= LEAST_REST) {
    return false;
  }
  page.scrollBy({ top: distance * SHARE_OF_SCREEN * page.clientHeight, behavior: "instant" });
  return true;
}

/**
 * Where a player stands that was there before the presenter.
 * @returns {{step: number, steps: number, part: number | null} | null}
 */
function readPlace() {
  const component = '[data-testid="stBidiComponentIsolated"]';
  for (const element of document.querySelectorAll(`${component}, ${component} *`)) {
    const player = element.shadowRoot?.querySelector(".player[data-steps]");
    if (player instanceof HTMLElement) {
      const { step, steps, part = "all" } = player.dataset;
      return { step: Number(step), steps: Number(steps), part: part === "all" ? null : Number(part) };
    }
  }
  return null;
}

/**
 * The presenter that was shown last: Streamlit can take the one before away after it has drawn the next.
 * @type {HTMLElement | null}
 */
let shown = null;
let toldVisits = "";
let lastMove = 0;
/**
 * Where each screen was left.
 * @type {Map<string, {address: string, isLive: boolean}>}
 */
const left = new Map();
/** Whether the screen that is being opened begins with its live part, as it was left. */
let entersLive = false;

/** @param {Tell} tell */
function tellVisits(tell) {
  const visits = readVisits();
  if (JSON.stringify(visits) !== toldVisits) {
    toldVisits = JSON.stringify(visits);
    tell("visits", visits);
  }
}

/**
 * Open a page of the app as the browser's own Back would: in this document, so that full screen and the session stay.
 * @param {string} address
 */
function open(address) {
  history.pushState(null, "", address);
  window.dispatchEvent(new PopStateEvent("popstate", { state: null }));
}

/**
 * Open a relative link, or this view, presented or not, where there is none.
 * @param {string | null | undefined} link
 * @param {boolean} presents
 */
function openOr(link, presents) {
  open(link ? new URL(link, document.baseURI).href : withPresent(presents));
}

/**
 * The address of this view, presented or not.
 * @param {boolean} presents
 * @returns {string}
 */
function withPresent(presents) {
  const address = new URL(window.location.href);
  address.searchParams.delete("present");
  if (presents) {
    address.searchParams.set("present", "1");
  } else {
    address.searchParams.delete("entry");
  }
  return address.href;
}

/**
 * An address of this app from the app's own root on.
 * @param {string} address
 * @returns {string}
 */
function relative(address) {
  const { pathname, search } = new URL(address);
  return (pathname.slice(pathname.lastIndexOf("/") + 1) || "./") + search;
}

/**
 * Which screen an address shows, however its player stands.
 * @param {string} address
 * @returns {string}
 */
function screenOf(address) {
  const { pathname, searchParams } = new URL(address);
  return [pathname, ...SCREEN.map((name) => searchParams.get(name) ?? "")].join(" ");
}

/**
 * A key as if it had been pressed with nothing in focus.
 * @param {string} key
 */
function press(key) {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}

/**
 * @param {KeyboardEvent} event
 * @returns {boolean}
 */
function isModified({ altKey, ctrlKey, metaKey }) {
  return altKey || ctrlKey || metaKey;
}

/**
 * @param {Event} event
 * @param {string} selector
 * @returns {boolean}
 */
function isOn(event, selector) {
  return event.composedPath().some((target) => target instanceof Element && target.matches(selector));
}

/**
 * @param {string} text
 * @returns {Promise<string>} What became of it.
 */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return "Copied.";
  } catch {
    // Browsers give the clipboard to safe addresses only, and a machine in the next room has none.
    return `Copy it from here: ${text}`;
  }
}

/**
 * @param {Element} host
 * @returns {"light" | "dark"}
 */
function schemeOf(host) {
  const canvas = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  canvas.fillStyle = getComputedStyle(host).getPropertyValue("--st-background-color").trim();
  canvas.fillRect(0, 0, 1, 1);
  const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
  return red + green + blue < MOST_LIGHT_OF_DARK ? "dark" : "light";
}

/**
 * A text with every run of Chinese marked as such.
 * @param {string} text
 * @returns {(Node | string)[]}
 */
function withLanguage(text) {
  return text.split(CHINESE).map((run, at) => (at % 2 === 1 ? element("span", { lang: "zh-Hant" }, [run]) : run));
}

/**
 * @param {string} tag
 * @param {Record<string, string>} [attributes]
 * @param {(Node | string)[]} [children]
 * @returns {HTMLElement}
 */
function element(tag, attributes = {}, children = []) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/**
 * @param {string} text
 * @param {string} title
 * @param {() => void} action
 * @returns {HTMLElement}
 */
function button(text, title, action) {
  const made = element("button", { type: "button", title }, [text]);
  made.addEventListener("click", (event) => {
    event.stopPropagation();
    action();
  });
  return made;
}
