// Several traces of one sentence, stepped together: where they stand, how they are laid out, and what is marked in all.

import { createColumns } from "./bands.js";
import { hasColours, readPalette } from "./colours.js";
import { createColumnMark, keepLargestInView, scrollTogether } from "./columns.js";
import { comparisonPicture, differencePicture } from "./comparison_picture.js";
import { createDifferenceMap, createDifferenceScale, FACTS_WIDTH, planDifference } from "./difference_map.js";
import { html, surface, TRADITIONAL } from "./dom.js";
import { addressOfPage, createDownloads, fileStem } from "./downloads.js";
import { planMap } from "./groups.js";
import { createHints } from "./hints.js";
import { attachKeys, attachSwipe, goBeyond, isPresenting, tellGone, tellPlace } from "./keys.js";
import { headOverhang, headSpace, labelsWidth } from "./labels.js";
import { clamp, range } from "./numbers.js";
import { createPanel, createPanelHeading, createSentence } from "./panels.js";
import { sourceText } from "./paper.js";
import { PLAIN_VIEW } from "./reading.js";
import { drawReferenceLegend, readReference } from "./reference.js";
import { drawWeightScale } from "./scales.js";
import { createStepper } from "./stepper.js";
import { createTransport } from "./transport.js";
import { columnWidthAt, createZoom, rowHeightAt } from "./zoom.js";

const PHONE = 640;
const GAP = 24;
/** Side by side, a panel is as wide as this, or narrower where its columns have room for their numbers all the same. */
const USUAL_PANEL = 340;
const NARROWEST_PANEL = 220;
const PRINTING_COLUMN = 24;
/** Presented, three stand side by side however large their type is. */
const NARROWEST_PRESENTED_PANEL = 140;
/** Narrower columns are not chosen for the visitor: their words could hardly be read. */
const NARROWEST_COLUMN = 16;
const SCALE_WIDTH = 150;

/**
 * @typedef {"maps" | "difference"} PictureKind
 */

/** @type {import("./downloads.js").Offer<PictureKind>[]} */
const PICTURES = [
  ["maps", "Maps"],
  ["difference", "Difference"],
];

/**
 * What Python sent.
 * @typedef {object} ComparisonDocument
 * @property {import("./panels.js").ComparedTrace[]} traces
 * @property {import("./difference_map.js").Difference | null} difference
 * @property {boolean} aligned Whether all stand on one target, so that a row of one is the row of each.
 * @property {string} wordMark
 * @typedef {{start: number, writesAddress: boolean, comparison: ComparisonDocument}} ComparisonData
 */

/**
 * @typedef {object} ComparisonHost
 * @property {ShadowRoot | HTMLElement} parent
 * @property {(root: HTMLElement) => "light" | "dark"} scheme
 * @property {(step: number, isLeft: boolean) => void} report Tell where it came to rest, or, isLeft, is left at once.
 * @property {(zoom: import("./zoom.js").Zoom) => void} zoomed Tell that another zoom was chosen.
 */

/**
 * @typedef {object} Comparison
 * @property {(document: ComparisonDocument, step: number) => void} open
 * @property {() => void} refresh Take up a changed theme.
 * @property {(zoom: import("./zoom.js").Zoom) => void} zoomTo
 * @property {(host: Pick<ComparisonHost, "report" | "zoomed">) => void} reportTo
 * @property {() => void} destroy
 */

/**
 * @param {ComparisonHost} host
 * @returns {Comparison}
 */
export function createComparison(host) {
  /** @type {ComparisonDocument | null} */
  let current = null;
  /** @type {ReturnType<typeof buildStage> | null} */
  let stage = null;
  let { report, zoomed } = host;
  /** @type {import("./zoom.js").Zoom} */
  let zoom = null;
  let width = 0;

  const hints = createHints();
  const stepper = createStepper({
    places: () => range(0, current === null ? 0 : stepCount(current) - 1).map(wholeStep),
    moved: hints.hide,
    show,
    rest: ({ step }) => report(step, false),
    leave: ({ step }) => report(step, true),
    beyond: (distance) => goBeyond(root, distance),
  });
  const transport = createTransport(stepper.actions);
  const zoomButtons = createZoom((next) => {
    zoom = next;
    build();
    zoomed(zoom);
  });
  const downloads = createDownloads({ offers: PICTURES, draw: drawPicture, name: pictureName });
  transport.element.append(zoomButtons.element, downloads.element);
  const body = html("div", { class: "comparison-body" });
  const lightColours = html("div", { "data-scheme": "light", hidden: "" });
  const root = html("div", { class: "player comparison", role: "region", "aria-label": "Comparison" }, [
    transport.element,
    body,
    hints.element,
    lightColours,
  ]);
  host.parent.append(root);

  const stopKeys = attachKeys(root, stepper.actions);
  attachSwipe(root, stepper.actions);
  attachLinks(root, (from, i, step) => stage?.link(from, i, step));
  const observer = new ResizeObserver(() => {
    if (root.clientWidth > 0 && Math.abs(root.clientWidth - width) >= 1) {
      build();
    }
  });
  observer.observe(root);

  /** Draw everything anew, for new traces, another width or scheme. */
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
    const isPresented = isPresenting(root);
    root.classList.toggle("presenting", isPresented);
    width = root.clientWidth;
    const palette = readPalette(root);
    stage = buildStage({
      document: current,
      palette,
      hints,
      width,
      zoom,
      isPresented,
      goTo: (step) => stepper.goTo(wholeStep(step)),
    });
    hints.hide();
    body.replaceChildren(...stage.elements);
    root.classList.toggle("phone", width < PHONE);
    zoomButtons.element.hidden = stage.columnWidth === null;
    zoomButtons.show(zoom, stage.columnWidth ?? NARROWEST_COLUMN);
    downloads.show(current.difference === null ? ["maps"] : ["maps", "difference"]);
    for (const [name, value] of Object.entries(stage.variables)) {
      root.style.setProperty(name, value);
    }
    show();
  }

  function show() {
    if (current === null || stage === null) {
      return;
    }
    const { step } = stepper.position();
    const steps = stepCount(current);
    root.dataset.step = String(step);
    stage.show(step);
    tellPlace(root, { step, steps, part: null });
    transport.show({ step, steps, part: null, hasParts: false, ...stepper.state() });
  }

  /**
   * @param {PictureKind} kind
   * @returns {import("./paper.js").Picture}
   */
  function drawPicture(kind) {
    const document = /** @type {ComparisonDocument} */ (current);
    const source = { document, palette: readPalette(lightColours), address: addressOfPage() };
    return kind === "difference" && document.difference !== null
      ? differencePicture(source, document.difference)
      : comparisonPicture(source);
  }

  /**
   * @param {PictureKind} kind
   * @returns {string}
   */
  function pictureName(kind) {
    return `${fileStem(sourceText(/** @type {ComparisonDocument} */ (current).traces[0].trace))}-${kind}`;
  }

  return {
    open(document, step) {
      current = document;
      stepper.open(wholeStep(clamp(Math.trunc(step) || 0, 0, stepCount(document) - 1)));
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
      ({ report, zoomed } = next);
    },
    destroy() {
      stepper.destroy();
      stopKeys();
      observer.disconnect();
      root.remove();
      tellGone();
    },
  };
}

/**
 * @param {number} step
 * @returns {import("./stepper.js").Position}
 */
function wholeStep(step) {
  return { step, part: null };
}

/**
 * The steps of the longest translation.
 * @param {ComparisonDocument} document
 * @returns {number}
 */
function stepCount({ traces }) {
  return Math.max(...traces.map(({ trace }) => trace.target_tokens.length));
}

/**
 * Pointing at a cell of a map, or focusing it, marks the same in the other maps.
 * @param {HTMLElement} root
 * @param {(from: number, i: number | null, step: number | null) => void} link
 */
function attachLinks(root, link) {
  /** @param {Event} event */
  function follow(event) {
    const cell = event.target instanceof Element ? event.target.closest(".map-cell") : null;
    const panel = cell?.closest("[data-map]");
    if (cell === null || !panel) {
      link(-1, null, null);
    } else {
      const { source, step } = /** @type {SVGElement} */ (cell).dataset;
      link(Number(/** @type {HTMLElement} */ (panel).dataset.map), Number(source), Number(step));
    }
  }
  const unlink = () => link(-1, null, null);
  root.addEventListener("pointerover", follow);
  root.addEventListener("focusin", follow);
  root.addEventListener("pointerleave", unlink);
  root.addEventListener("focusout", unlink);
}

/**
 * @typedef {object} ComparisonOptions
 * @property {ComparisonDocument} document
 * @property {import("./colours.js").Palette} palette
 * @property {import("./hints.js").Hints} hints
 * @property {number} width
 * @property {import("./zoom.js").Zoom} zoom
 * @property {boolean} isPresented
 * @property {(step: number) => void} goTo
 */

/**
 * All panels at one width in one scheme.
 * @param {ComparisonOptions} options
 */
function buildStage({ document, palette, hints, width, zoom, isPresented, goTo }) {
  const { traces, difference, aligned, wordMark } = document;
  const plans = traces.map(({ trace }) => (trace.weights === null ? null : planMap(sourceOf(trace))));
  const layout = layOut({ plans, width, zoom, isPresented, count: traces[0].trace.source_tokens.length });
  const { columns, namesWidth, rowHeight, panelWidth, overhang, perRow } = layout;
  /**
   * @param {import("./reading.js").MapTrace} trace
   * @param {import("./groups.js").Plan} plan
   * @param {string[]} sentences
   * @returns {import("./map.js").MapScene}
   */
  const sceneOf = (trace, plan, sentences) => ({
    trace,
    plan,
    view: PLAIN_VIEW,
    palette,
    columns,
    rowHeight,
    namesWidth,
    isNumbered: !isPresented,
    hints,
    goTo,
    document: { sentences: sentences.map((step) => ({ step })), wordMark, changed: null },
    language: TRADITIONAL,
    offer: null,
  });

  const panels = traces.map((compared, index) => {
    const plan = plans[index];
    const reference = compared.reference === null ? {} : { reference: readReference(compared.reference) };
    const scene = plan === null ? null : { ...sceneOf(compared.trace, plan, compared.sentences), ...reference };
    return createPanel(compared, scene, { wordMark, hints });
  });
  const maps = panels.flatMap(({ map, element }) => (map === null ? [] : [{ map, element }]));
  const elements = [
    createLegend(document, palette),
    html(
      "div",
      { class: "panels", style: `grid-template-columns: repeat(${perRow}, minmax(0, 1fr))` },
      panels.map((panel) => panel.element),
    ),
  ];
  const said = difference === null ? null : createSentence(difference.sentences, wordMark);
  if (difference !== null && said !== null) {
    const { trace } = traces[difference.first];
    const plan = planDifference(sourceOf(trace), difference);
    const map = createDifferenceMap(sceneOf(trace, plan, difference.sentences), difference);
    const element = createDifferencePanel(document, difference, [said.element, map.frame.element]);
    element.style.setProperty("--frame-width", `${Math.min(width, layout.frameWidth + FACTS_WIDTH)}px`);
    maps.push({ map, element });
    elements.push(element);
  }

  const marks = maps.map(({ map, element }, index) => {
    element.dataset.map = String(index);
    const mark = createColumnMark(columns);
    map.frame.element.firstElementChild?.append(mark.element);
    return mark;
  });
  const frames = maps.map(({ map }) => map.frame);
  scrollTogether(frames, aligned);
  let current = 0;
  const leading = traces.find(({ trace }) => trace.weights !== null)?.trace.weights ?? [];
  /** The columns follow the first map, whose frame takes the others along. */
  function keepColumnsInView() {
    keepLargestInView(frames[0], columns, namesWidth, leading[Math.min(current, leading.length - 1)]);
  }
  function keepInView() {
    if (frames.length > 0) {
      keepColumnsInView();
    }
    for (const { map } of maps) {
      map.keepInView(current);
    }
  }
  frames[0]?.whenMeasured(keepColumnsInView);
  for (const { map } of maps) {
    map.frame.whenMeasured(() => map.keepInView(current));
  }

  return {
    elements,
    columnWidth: maps.length === 0 ? null : columns.width,
    variables: {
      "--names-width": `${namesWidth}px`,
      "--columns-left": `${namesWidth}px`,
      "--columns-width": `${columns.total}px`,
      "--column-width": `${columns.width}px`,
      "--row-height": `${rowHeight}px`,
      "--frame-width": `${Math.min(panelWidth, namesWidth + columns.total + overhang)}px`,
    },
    /** @param {number} step */
    show(step) {
      current = step;
      keepInView();
      for (const panel of panels) {
        panel.show(step);
      }
      if (difference !== null) {
        said?.show(step);
        maps[maps.length - 1].map.show(step);
      }
    },
    /**
     * @param {number} from The map that is pointed at.
     * @param {number | null} i
     * @param {number | null} step
     */
    link(from, i, step) {
      for (const [index, { map }] of maps.entries()) {
        map.link(i, aligned || index === from ? step : null);
        marks[index].show(i === null ? null : { first: i, last: i });
      }
    },
  };
}

/**
 * @param {import("./reading.js").MapTrace} trace
 * @returns {import("./groups.js").MapSource}
 */
function sourceOf(trace) {
  return { trace, readings: null, view: PLAIN_VIEW };
}

/**
 * How many panels stand side by side, and the columns and rows that all maps share.
 * @param {{plans: (import("./groups.js").Plan | null)[], width: number, zoom: import("./zoom.js").Zoom, isPresented: boolean, count: number}} options
 */
function layOut({ plans, width, zoom, isPresented, count }) {
  const drawn = plans.filter((plan) => plan !== null);
  const number = Math.max(1, drawn.length);
  const namesWidth = Math.max(0, ...drawn.map((plan) => labelsWidth(plan.rows, !isPresented)));
  const narrowestPanel = isPresented
    ? NARROWEST_PRESENTED_PANEL
    : clamp(namesWidth + count * PRINTING_COLUMN, NARROWEST_PANEL, USUAL_PANEL);
  const most = clamp(Math.floor((width + GAP) / (narrowestPanel + GAP)), 1, number);
  // Four do not stand as three and one.
  const perRow = Math.ceil(number / Math.ceil(number / most));
  const panelWidth = Math.floor((width - (perRow - 1) * GAP) / perRow);
  const room = panelWidth - namesWidth;
  /** @param {import("./bands.js").Columns} columns */
  const overhangOf = (columns) => (drawn.length === 0 ? 0 : headOverhang(headSpace(drawn[0], columns)));
  const widest = columnWidthAt(zoom, room, count, NARROWEST_COLUMN);
  // Words that lean need a part of the room beside the last column; narrower columns have words that stand upright.
  const widths = typeof zoom === "number" ? [] : range(1, widest).reverse();
  const isFitting = (/** @type {number} */ width) => width * count + overhangOf(createColumns(count, width)) <= room;
  const columnWidth = columnWidthAt(zoom, count * (widths.find(isFitting) ?? 1), count, NARROWEST_COLUMN);
  const columns = createColumns(count, columnWidth);
  const overhang = overhangOf(columns);
  return {
    columns,
    namesWidth,
    panelWidth,
    overhang,
    perRow,
    rowHeight: rowHeightAt(columnWidth, PLAIN_VIEW.pinyin),
    frameWidth: namesWidth + columns.total + overhang,
  };
}

/**
 * Which colour, and which outline, stands for what.
 * @param {ComparisonDocument} document
 * @param {import("./colours.js").Palette} palette
 * @returns {HTMLElement}
 */
function createLegend({ traces, difference }, palette) {
  const legend = html("div", { class: "legend" });
  if (traces.some(({ trace }) => trace.weights !== null)) {
    const label = "Scale of colours: weight, from 0 to 1, the same in every map";
    const scale = surface(SCALE_WIDTH + 4, 42, { role: "img", "aria-label": label });
    scale.append(drawWeightScale(palette, SCALE_WIDTH, PLAIN_VIEW.scale));
    legend.append(scale);
  }
  if (difference !== null) {
    legend.append(createDifferenceScale(palette));
  }
  if (traces.some(({ reference }) => reference !== null && reference.length > 0)) {
    legend.append(drawReferenceLegend(palette));
  }
  return legend;
}

/**
 * @param {ComparisonDocument} document
 * @param {import("./difference_map.js").Difference} difference
 * @param {HTMLElement[]} content
 * @returns {HTMLElement}
 */
function createDifferencePanel({ traces }, difference, content) {
  const [first, second] = [traces[difference.first].title, traces[difference.second].title];
  const title = `${first} − ${second}`;
  const note = `Above 0 where ${first} looks more, below 0 where ${second} does. The distance of two rows is their Jensen-Shannon distance, from 0 to 1.`;
  return html("section", { class: "difference", "aria-label": `Difference: ${title}` }, [
    createPanelHeading(title, note),
    ...content,
  ]);
}
