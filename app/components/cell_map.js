/**
 * A map whose cells are buttons. A click, or Enter, chooses a cell; arrow keys go from cell to cell.
 * It knows nothing of what is asked.
 */

/**
 * @typedef {{text: string, label: string, background: string, colour: string}} Cell
 * @typedef {{source: string[], target: string[], rows: Cell[][], chosen: number[] | null, right: number[][],
 *   locked: boolean}} Shown
 */

const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

const CHINESE = /[\u2e80-\u9fff\uf900-\ufaff]/;

/** Whether a pair of numbers is this cell. */
function isAt(cell, t, i) {
  return cell !== null && cell[0] === t && cell[1] === i;
}

/** The heading of a row or a column. */
function heading(word, scope) {
  const cell = document.createElement("th");
  cell.scope = scope;
  cell.textContent = word;
  if (CHINESE.test(word)) {
    cell.lang = "zh-Hant";
  }
  return cell;
}

/** The button of one cell. */
function cellButton(cell, t, i, shown) {
  const button = document.createElement("button");
  const isRight = shown.right.some((one) => isAt(one, t, i));
  button.type = "button";
  button.textContent = cell.text;
  button.dataset.cell = `${t},${i}`;
  button.style.background = cell.background;
  button.style.color = cell.colour;
  button.classList.toggle("right", isRight);
  button.setAttribute("aria-label", isRight ? `${cell.label}, right` : cell.label);
  button.setAttribute("aria-pressed", String(isAt(shown.chosen, t, i)));
  button.setAttribute("aria-disabled", String(shown.locked));
  return button;
}

/** The whole map. */
function table(shown) {
  const drawn = document.createElement("table");
  const head = drawn.createTHead().insertRow();
  head.append(document.createElement("td"), ...shown.source.map((word) => heading(word, "col")));
  const body = drawn.createTBody();
  shown.rows.forEach((row, t) => {
    const line = body.insertRow();
    line.append(heading(shown.target[t], "row"));
    row.forEach((cell, i) => {
      line.insertCell().append(cellButton(cell, t, i, shown));
    });
  });
  return drawn;
}

/** Let Tab reach one cell only; the arrow keys go on from there. */
function makeReachable(buttons, reached) {
  for (const button of buttons) {
    button.tabIndex = button === reached ? 0 : -1;
  }
}

/** Go to the neighbour in the direction of an arrow key, if there is one. */
function move(frame, event) {
  const step = MOVES[event.key];
  const from = event.target.dataset?.cell?.split(",").map(Number);
  if (!step || !from) {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
  const next = frame.querySelector(`[data-cell="${from[0] + step[0]},${from[1] + step[1]}"]`);
  if (next) {
    makeReachable(frame.querySelectorAll("button"), next);
    next.focus();
  }
}

/** Streamlit calls this on every change of the data and of the theme. */
export default function drawCellMap({ data, parentElement, setStateValue }) {
  const focused = parentElement.querySelector("button:focus")?.dataset.cell;
  const frame = document.createElement("div");
  frame.className = "frame";
  frame.append(table(data));
  parentElement.querySelector(".frame")?.remove(); // and not the style sheet, which lies beside it
  parentElement.append(frame);
  const buttons = [...frame.querySelectorAll("button")];
  const pressed = buttons.find((button) => button.getAttribute("aria-pressed") === "true");
  const again = buttons.find((button) => button.dataset.cell === focused);
  makeReachable(buttons, again ?? pressed ?? buttons[0]);
  again?.focus();
  frame.addEventListener("keydown", (event) => move(frame, event));
  frame.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button || data.locked) {
      return;
    }
    for (const one of buttons) {
      one.setAttribute("aria-pressed", String(one === button));
    }
    makeReachable(buttons, button);
    setStateValue("cell", button.dataset.cell.split(",").map(Number));
  });
}
