// The player: where it stands, what it shows, when it moves. It knows no page; a host tells it where it lives.

import { createBefore } from "./before.js";
import { createBlend } from "./blend.js";
import { createColumns, NAMES_WIDTH } from "./bands.js";
import { createCandidates } from "./candidates.js";
import { isTakenByHand } from "./changes.js";
import { createChanging } from "./changing.js";
import { hasColours, readPalette } from "./colours.js";
import { createColumnMark, keepLargestInView } from "./columns.js";
import { createAskingState, createAttentionOutput, createContext, createNoAttention } from "./decoder.js";
import { html, setSentence, setShownWord } from "./dom.js";
import { addressOfPage, createDownloads, fileStem } from "./downloads.js";
import { createEdges } from "./edges.js";
import { gridShape } from "./grids.js";
import { createFrame } from "./frames.js";
import { createHints } from "./hints.js";
import { attachKeys, attachSwipe, goBeyond, isPresenting, tellGone, tellPlace } from "./keys.js";
import { groupAt, planMap } from "./groups.js";
import { headOverhang, headSpace, labelsWidth, WIDEST_NAMES } from "./labels.js";
import { createMap } from "./map.js";
import { range } from "./numbers.js";
import { FONTS, sourceText } from "./paper.js";
import { edgesPicture, mapPicture, stepColumns, stepPicture } from "./picture.js";
import {
  availableParts,
  nearestPosition,
  PART_NAMES,
  readLimits,
  shownLanguage,
  shownSentences,
  shownStep,
} from "./reading.js";
import { createPainter } from "./painter.js";
import { createScores } from "./scores.js";
import { createSoftmax } from "./softmax.js";
import { createStepper } from "./stepper.js";
import { drawStill } from "./still.js";
import { createTransport } from "./transport.js";
import { createWords } from "./words.js";
import { columnWidthAt, createZoom, NARROWEST_COLUMN, rowHeightAt } from "./zoom.js";

const HEADING_WIDTH = 208;
const DECODER_WIDTH = 436;
const GAP = 20;
const PHONE = 640;
const WIDE = 1000;
/** Presented, numbers are larger, and so is the narrowest column that is chosen for the visitor. */
const PRESENTED_COLUMN = 56;

/**
 * @typedef {"map" | "edges" | "step"} PictureKind
 */

/** @type {import("./downloads.js").Offer<PictureKind>[]} */
const PICTURES = [
  ["map", "Map"],
  ["edges", "Edges"],
  ["step", "This step"],
];

/**
 * @typedef {object} Host
 * @property {ShadowRoot | HTMLElement} parent
 * @property {(root: HTMLElement) => "light" | "dark"} scheme
 * @property {(position: import("./stepper.js").Position, isLeft: boolean) => void} report Tell where the player came to rest,
 *   or, isLeft, where it is left at once.
 * @property {(change: import("./reading.js").Change) => void} ask Ask for a change.
 * @property {(zoom: import("./zoom.js").Zoom) => void} zoomed Tell that another zoom was chosen.
 */

/**
 * @typedef {object} Player
 * @property {(data: import("./reading.js").PlayerData) => void} open
 * @property {(data: import("./reading.js").PlayerData) => void} look Show the same trace in another way, at the same place.
 * @property {() => void} refresh Take up a changed theme.
 * @property {(zoom: import("./zoom.js").Zoom) => void} zoomTo
 * @property {(host: Pick<Host, "report" | "ask" | "zoomed">) => void} reportTo
 * @property {() => void} destroy
 */

/**
 * @param {Host} host
 * @returns {Player}
 */
export function createPlayer(host) {
  /** @type {import("./reading.js").PlayerDocument | null} */
  let current = null;
  /** @type {import("./reading.js").PlayerView} */
  let view = { scale: "fixed", grid: null, pinyin: false, simplified: false, before: null };
  let offersChanges = false;
  let isPresented = false;
  /** @type {import("./reading.js").Sentences[]} */
  let sentences = [];
  /** @type {ReturnType<typeof buildStage> | null} */
  let stage = null;
  let { report, ask, zoomed } = host;
  let chosen = 0;
  /** @type {import("./zoom.js").Zoom} */
  let zoom = null;

  const hints = createHints();
  const stepper = createStepper({
    places: allPositions,
    moved() {
      changing.close();
      // The numbers that it shows are those of the step before.
      hints.hide();
    },
    show,
    rest: (position) => report(position, false),
    leave: (position) => report(position, true),
    beyond: (distance) => goBeyond(root, distance),
  });
  const actions = { ...stepper.actions, setParts };
  const transport = createTransport(actions);
  const zoomButtons = createZoom((next) => {
    zoom = next;
    build();
    zoomed(zoom);
  });
  const edgeChoices = { threshold: 0 };
  const downloads = createDownloads({ offers: PICTURES, draw: drawPicture, name: pictureName });
  transport.element.append(downloads.element);
  const token = html("span", { class: "now-token" });
  const taken = html("span", { class: "now-taken" }, ["taken by hand"]);
  const sentence = html("span", { class: "now-sentence", "data-sentence": "any" });
  const now = html("p", { class: "now", "aria-live": "polite" }, [token, taken, sentence]);
  const body = html("div", { class: "body" });
  const changing = createChanging({ ask: askFor, mark: (positions) => stage?.choose(positions) });
  const lightColours = html("div", { "data-scheme": "light", hidden: "" });
  const root = html("div", { class: "player", role: "region", "aria-label": "Step player" }, [
    transport.element,
    now,
    body,
    hints.element,
    changing.element,
    lightColours,
  ]);
  host.parent.append(root);

  const stopKeys = attachKeys(root, actions);
  attachSwipe(root, actions);
  attachLinks(root, (first, last, step) => stage?.link(first, last, step));
  attachChoice(root, changing.choose);
  let width = 0;
  const observer = new ResizeObserver(() => {
    if (root.clientWidth > 0 && Math.abs(root.clientWidth - width) >= 1) {
      build();
    }
  });
  observer.observe(root);

  /**
   * @param {Element} anchor
   * @param {number[]} positions
   */
  function offer(anchor, positions) {
    if (current !== null) {
      stepper.stop();
      hints.hide();
      changing.offer(current.trace, { step: stepper.position().step, positions }, anchor);
    }
  }

  /**
   * @param {import("./stepper.js").Position} seenFrom
   * @returns {import("./stepper.js").Position[]}
   */
  function allPositions(seenFrom) {
    if (current === null) {
      return [seenFrom];
    }
    const { trace } = current;
    const parts = isPresented
      ? [null, ...availableParts(trace)]
      : seenFrom.part === null
        ? [null]
        : availableParts(trace);
    return trace.target_tokens.flatMap((_, step) => parts.map((part) => ({ step, part })));
  }

  /**
   * The place is told first, so that the new trace opens where the change was asked for.
   * @param {import("./reading.js").Change} change
   */
  function askFor(change) {
    stepper.stop();
    stepper.settle();
    ask(change);
  }

  /** @param {boolean} on */
  function setParts(on) {
    if (current !== null) {
      stepper.moveTo(nearestPosition(current.trace, { step: stepper.position().step, part: on ? 0 : null }));
    }
  }

  /** Draw everything anew, for a new trace, width or scheme. */
  function build() {
    if (current === null) {
      return;
    }
    root.dataset.scheme = host.scheme(root);
    if (!hasColours(root)) {
      // It is drawn as soon as it has a size on a page.
      width = 0;
      return;
    }
    // Presented, a step is seen as a whole first, then part by part.
    isPresented = isPresenting(root);
    root.classList.toggle("presenting", isPresented);
    width = root.clientWidth;
    const opened = { ...current, sentences: shownSentences(current, view) };
    stage = buildStage({
      document: opened,
      view,
      change: offersChanges ? askFor : null,
      offer: offersChanges && opened.trace.weights !== null ? offer : null,
      palette: readPalette(root),
      hints,
      width,
      zoom,
      controls: { zoom: zoomButtons.element },
      edgeChoices,
      isPresented,
      isPaper: false,
      goTo: (step) => stepper.goTo(nearestPosition(opened.trace, { step, part: stepper.position().part })),
      choose: (component) => {
        chosen = component;
        stage?.follow(component);
      },
    });
    hints.hide();
    const refocus = keepFocus(body);
    body.replaceChildren(...stage.elements);
    refocus();
    root.classList.toggle("phone", isPresented || width < PHONE);
    root.classList.toggle("wide", !isPresented && width >= WIDE);
    root.classList.toggle("with-pinyin", view.pinyin);
    zoomButtons.show(zoom, stage.columnWidth);
    downloads.show(opened.trace.weights === null ? ["step"] : ["map", "edges", "step"]);
    setVariables(root, stage.variables);
    sentences = opened.sentences;
    taken.hidden = opened.trace.intervention.forced_tokens.length === 0;
    reserveRoom(root, opened);
    show();
    stage.follow(chosen);
    stage.choose(changing.chosen());
  }

  /**
   * @param {PictureKind} kind
   * @returns {import("./paper.js").Picture}
   */
  function drawPicture(kind) {
    const opened = /** @type {import("./reading.js").PlayerDocument} */ (current);
    const palette = readPalette(lightColours);
    const source = { document: { ...opened, sentences }, view, palette, address: addressOfPage() };
    switch (kind) {
      case "map":
        return mapPicture(source);
      case "edges":
        return edgesPicture(source, edgeChoices.threshold);
      default:
        return stepPicture(source, { step: stepper.position().step, drawing: drawStep(source) });
    }
  }

  /**
   * The current step as it stands, laid out beside the page in the light colours and as wide as it needs.
   * @param {import("./picture.js").PictureSource} source
   * @returns {import("./paper.js").Drawing}
   */
  function drawStep({ document, palette }) {
    const { part = "all" } = root.dataset;
    const paper = html("div", { class: "player wide paper", "data-scheme": "light", "data-part": part, inert: "" });
    paper.classList.toggle("with-pinyin", view.pinyin);
    const columns = stepColumns(document.trace);
    const paperStage = buildStage({
      document,
      view,
      change: null,
      offer: null,
      palette,
      hints: createHints(),
      width: Math.max(WIDE, HEADING_WIDTH + WIDEST_NAMES + columns.total + GAP + DECODER_WIDTH),
      zoom: columns.width,
      controls: { zoom: html("div") },
      edgeChoices,
      isPresented: false,
      isPaper: true,
      goTo() {},
      choose() {},
    });
    setVariables(paper, { ...paperStage.variables, "--st-font": FONTS });
    paper.append(...paperStage.elements);
    host.parent.append(paper);
    paperStage.show(stepper.position().step);
    paperStage.follow(chosen);
    const still = drawStill(paper);
    paper.remove();
    return still;
  }

  /**
   * @param {PictureKind} kind
   * @returns {string}
   */
  function pictureName(kind) {
    const stem = fileStem(sourceText(/** @type {import("./reading.js").PlayerDocument} */ (current).trace));
    return kind === "step" ? `${stem}-step-${stepper.position().step + 1}` : `${stem}-${kind}`;
  }

  function show() {
    if (current === null || stage === null) {
      return;
    }
    const { step, part } = stepper.position();
    const steps = current.trace.target_tokens.length;
    root.dataset.step = String(step);
    root.dataset.part = part === null ? "all" : String(part);
    stage.show(step);
    tellPlace(root, { step, steps, part });
    const hasParts = availableParts(current.trace).length > 0;
    transport.show({ step, steps, part, hasParts, ...stepper.state() });
    const isSaid = part === null || part === 4;
    const language = shownLanguage(view);
    setShownWord(token, isSaid ? shownStep(current, view, step) : { text: "…", pinyin: "", language });
    taken.classList.toggle("shown", isSaid && isTakenByHand(current.trace, step));
    const name = part === null ? "step" : PART_NAMES[part];
    setSentence(sentence, sentences[step][name], current.wordMark, language);
  }

  return {
    open(data) {
      changing.close();
      current = data.document;
      view = data.view;
      offersChanges = data.offersChanges;
      chosen = 0;
      stepper.open(nearestPosition(current.trace, data.start));
      build();
    },
    look(data) {
      changing.close();
      view = data.view;
      offersChanges = data.offersChanges;
      build();
    },
    refresh() {
      if (root.dataset.scheme !== host.scheme(root)) {
        build();
      }
    },
    zoomTo(next) {
      if (next !== zoom) {
        zoom = next;
        build();
      }
    },
    reportTo(next) {
      ({ report, ask, zoomed } = next);
    },
    destroy() {
      stepper.destroy();
      stopKeys();
      changing.destroy();
      observer.disconnect();
      root.remove();
      tellGone();
    },
  };
}

/**
 * @param {HTMLElement} element
 * @param {Record<string, string>} variables
 */
function setVariables(element, variables) {
  for (const [name, value] of Object.entries(variables)) {
    element.style.setProperty(name, value);
  }
}

/**
 * Give each sentence the room of its longest, so that nothing moves from step to step.
 * @param {HTMLElement} root
 * @param {import("./reading.js").PlayerDocument} document
 */
function reserveRoom(root, { sentences, wordMark }) {
  const elements = /** @type {HTMLElement[]} */ (Array.from(root.querySelectorAll("[data-sentence]")));
  for (const element of elements) {
    const name = element.dataset.sentence;
    const all = sentences.flatMap((one) => Object.entries(one).filter(([key]) => name === "any" || key === name));
    const longest = all.reduce((best, [, text]) => (text.length > best.length ? text : best), "");
    element.style.minHeight = "";
    setSentence(element, longest, wordMark);
  }
  const heights = elements.map((element) => element.offsetHeight);
  for (const [index, element] of elements.entries()) {
    element.style.minHeight = `${heights[index]}px`;
  }
}

/**
 * Pointing at a source token, a target token or the cell of both, or focusing it, links it to the same in every picture.
 * @param {HTMLElement} root
 * @param {(first: number | null, last: number | null, step: number | null) => void} link
 */
function attachLinks(root, link) {
  /** @param {Event} event */
  function follow(event) {
    const holder =
      event.target instanceof Element ? event.target.closest("[data-source], .map-label, .edge-label") : null;
    const { source, last = source, step } = /** @type {HTMLElement | null} */ (holder)?.dataset ?? {};
    // A step of the map before is not one of this trace.
    const isBefore = holder !== null && holder.closest(".before") !== null;
    link(readNumber(source), readNumber(last), isBefore ? null : readNumber(step));
  }
  const unlink = () => link(null, null, null);
  root.addEventListener("pointerover", follow);
  root.addEventListener("focusin", follow);
  root.addEventListener("pointerleave", unlink);
  root.addEventListener("focusout", unlink);
}

/**
 * @param {string | undefined} text
 * @returns {number | null}
 */
function readNumber(text) {
  return text === undefined ? null : Number(text);
}

/**
 * While words are chosen for a change, a click on anything in a column chooses its word and does nothing else.
 * @param {HTMLElement} root
 * @param {(positions: number[]) => boolean} choose
 */
function attachChoice(root, choose) {
  root.addEventListener(
    "click",
    (event) => {
      const holder = event.target instanceof Element ? event.target.closest("[data-source]") : null;
      if (holder !== null) {
        const { source, last = source } = /** @type {HTMLElement} */ (holder).dataset;
        if (choose(range(Number(source), Number(last)))) {
          event.stopPropagation();
        }
      }
    },
    true,
  );
}

/** What keeps the focus when everything is drawn anew. */
const FOCUSABLE = [
  ".source-word",
  ".map-frame .map-cell",
  ".candidate",
  ".edge",
  ".threshold input",
  ".component input",
];

/**
 * Remember what has the focus, to give it to what stands in the same place afterwards.
 * @param {HTMLElement} body
 * @returns {() => void}
 */
function keepFocus(body) {
  const focused = /** @type {Document | ShadowRoot} */ (body.getRootNode()).activeElement;
  const selector = FOCUSABLE.find((one) => focused?.matches(one));
  if (focused === null || selector === undefined || !body.contains(focused)) {
    return () => {};
  }
  const place = Array.from(body.querySelectorAll(selector)).indexOf(focused);
  return () => {
    const next = Array.from(body.querySelectorAll(selector)).at(place);
    /** @type {HTMLElement | undefined} */ (next)?.focus({ preventScroll: true });
  };
}

/**
 * @typedef {object} StageOptions
 * @property {import("./reading.js").PlayerDocument} document
 * @property {import("./reading.js").PlayerView} view
 * @property {((change: import("./reading.js").Change) => void) | null} change
 * @property {((anchor: Element, positions: number[]) => void) | null} offer
 * @property {import("./colours.js").Palette} palette
 * @property {import("./hints.js").Hints} hints
 * @property {number} width
 * @property {import("./zoom.js").Zoom} zoom
 * @property {{zoom: HTMLElement}} controls
 * @property {import("./edges.js").EdgeChoices} edgeChoices
 * @property {boolean} isPresented
 * @property {boolean} isPaper Only the parts of a step, for a picture.
 * @property {(step: number) => void} goTo
 * @property {(component: number) => void} choose
 */

/**
 * All pictures of one trace at one width in one scheme.
 * @param {StageOptions} options
 */
function buildStage({
  document,
  view,
  change,
  offer,
  palette,
  hints,
  width,
  zoom,
  controls,
  edgeChoices,
  isPresented,
  isPaper,
  goTo,
  choose,
}) {
  const { trace } = document;
  const hasAttention = trace.weights !== null;
  // Presented, however wide the screen is, nothing stands beside the columns, as on a phone.
  const isPhone = isPresented || width < PHONE;
  const isWide = !isPresented && width >= WIDE;
  const plan = hasAttention ? planMap({ trace, readings: document.readings, view }) : null;
  // The names of the bands need their room too, also where rows have no numbers.
  const namesWidth = Math.max(NAMES_WIDTH, plan === null ? 0 : labelsWidth(plan.rows, !isPresented));
  const side = namesWidth + (isPhone ? 0 : HEADING_WIDTH);
  const room = width - (isWide ? DECODER_WIDTH + GAP : 0);
  const count = trace.source_tokens.length;
  /** @param {import("./bands.js").Columns} columns */
  const overhang = (columns) => (plan === null ? 0 : headOverhang(headSpace(plan, columns)));
  // What leans at the width of all the room needs a part of that room beside the last column.
  const narrowest = isPresented ? PRESENTED_COLUMN : NARROWEST_COLUMN;
  const widest = createColumns(count, columnWidthAt(zoom, room - side, count, narrowest));
  const columnWidth = columnWidthAt(zoom, room - side - overhang(widest), count, narrowest);
  const rowHeight = rowHeightAt(columnWidth, view.pinyin);
  const columns = createColumns(count, columnWidth);
  const limits = readLimits(trace);
  /** @type {import("./bands.js").Scene} */
  const scene = {
    document,
    trace,
    view,
    limits,
    palette,
    hints,
    columns,
    namesWidth,
    isNumbered: !isPresented,
    isPresented,
    language: shownLanguage(view),
    plan,
    rowHeight,
    goTo,
    choose,
    paintColumns: (paint) => painter.add(paint),
    change,
    offer,
  };
  const stateWidth = columnWidth - (columns.numberSize === null ? 2 : 6);
  const shape = gridShape(trace.encoder_states[0].length, stateWidth, columnWidth >= 72 ? 40 : 64, { isPresented });

  const encoderViews = [createWords(scene, shape)];
  if (hasAttention) {
    encoderViews.push(createScores(scene), createSoftmax(scene), createBlend(scene, shape));
  } else {
    encoderViews.push(createNoAttention(scene));
  }
  const decoderViews = [createAskingState(scene)];
  if (trace.contexts !== null) {
    decoderViews.push(createContext(scene, shape));
  }
  if (trace.attention_outputs !== null) {
    decoderViews.push(createAttentionOutput(scene));
  }
  const wordViews = trace.candidates === null ? [] : [createCandidates(scene)];
  const views = [...encoderViews, ...decoderViews, ...wordViews];

  const bandsMark = createColumnMark(columns);
  const bands = html("div", { class: "bands" }, [...encoderViews.map((view) => view.element), bandsMark.element]);
  const frame = createFrame("bands-frame", bands);
  const painter = createPainter(frame, columns, { side, isPaper });
  const decoder = html("div", { class: "decoder" }, [
    html(
      "div",
      { class: "vectors" },
      decoderViews.map((view) => view.element),
    ),
    ...wordViews.map((view) => view.element),
  ]);
  const elements = [html("div", { class: "stage" }, [frame.element, decoder])];

  const map = plan === null || isPaper ? null : createMap({ ...scene, plan }, { ...controls, above: isPhone });
  const mapMark = createColumnMark(columns);
  if (map !== null) {
    map.frame.element.firstElementChild?.append(mapMark.element);
    const before =
      document.before === null ? null : createBefore(scene, document.before, isWide ? DECODER_WIDTH : width);
    const beside = before?.element ?? html("div", { class: "sentences-frame" }, [map.sentences]);
    elements.push(
      html("section", { class: "map-section", "aria-label": "Map" }, [...map.above, map.frame.element, beside]),
    );
    scrollTogether(frame, map.frame, map.sentences);
    if (before !== null) {
      map.frame.onScroll(() => before.scrollTo(map.frame.top()));
    }
    if (before !== null && isWide) {
      before.alignWith(map.frame.element, map.headsHeight);
    }
  }
  const edges = plan === null || isPaper ? null : createEdges({ ...scene, plan }, edgeChoices, side);
  if (edges !== null) {
    elements.push(edges.element);
  }
  let current = 0;
  /**
   * @param {number} step
   * @returns {number} How far the columns are scrolled then.
   */
  const keepInView = (step) => {
    // The bands first: the map's own scrolling would take them along to where it stands.
    const left = trace.weights === null ? 0 : keepLargestInView(frame, columns, side, trace.weights[step]);
    // Presented, the bands are hidden where the map is shown, and take it nowhere then.
    if (isPresented && map !== null && trace.weights !== null) {
      keepLargestInView(map.frame, columns, side, trace.weights[step]);
    }
    map?.keepInView(step);
    return left;
  };
  frame.whenMeasured(() => keepInView(current));
  map?.frame.whenMeasured(() => keepInView(current));

  return {
    elements,
    columnWidth,
    variables: {
      "--heading-width": `${HEADING_WIDTH}px`,
      "--names-width": `${namesWidth}px`,
      "--frame-width": `${Math.min(room, side + columns.total + overhang(columns))}px`,
      "--columns-width": `${columns.total}px`,
      "--column-width": `${columns.width}px`,
      "--columns-left": `${side}px`,
      "--row-height": `${rowHeight}px`,
      "--heads-height": `${map?.headsHeight ?? 0}px`,
    },
    /** @param {number} step */
    show(step) {
      current = step;
      const left = keepInView(step);
      painter.begin();
      for (const view of views) {
        view.show(step);
      }
      painter.paint(left);
      map?.show(step);
      edges?.show(step);
    },
    /** @param {number} component */
    follow(component) {
      for (const view of views) {
        view.follow?.(component);
      }
    },
    /**
     * Mark the columns that are chosen for a change.
     * @param {number[]} positions
     */
    choose(positions) {
      for (const { element: mark } of [bandsMark, mapMark]) {
        for (const old of mark.parentElement?.querySelectorAll(".column-mark.chosen") ?? []) {
          old.remove();
        }
        for (const i of positions) {
          const chosen = createColumnMark(columns);
          chosen.show({ first: i, last: i });
          chosen.element.classList.add("chosen");
          mark.before(chosen.element);
        }
      }
    },
    /**
     * @param {number | null} first
     * @param {number | null} last
     * @param {number | null} step
     */
    link(first, last, step) {
      const group = plan === null || first === null ? null : plan.columns[groupAt(plan.columns, first)];
      bandsMark.show(first === null || last === null ? null : { first, last });
      mapMark.show(group);
      map?.link(first, step);
      edges?.link(first, step);
    },
  };
}

/**
 * The columns of the bands and of the map stay under each other, the sentences beside their rows.
 * @param {import("./frames.js").Frame} bands
 * @param {import("./frames.js").Frame} map
 * @param {HTMLElement} sentences
 */
function scrollTogether(bands, map, sentences) {
  bands.onScroll(() => map.scrollTo({ left: bands.left() }));
  map.onScroll(() => {
    bands.scrollTo({ left: map.left() });
    sentences.style.transform = `translateY(${-map.top()}px)`;
  });
}
