// The board: a drawing with cells that can be clicked, dragged and reached with the arrow keys, and its overlay.

import { completeMoves, isDecided, nextCells, touchCell } from "./move-input.js";
import { render, svg } from "./vendor/lit-html.js";

const SVG = "http://www.w3.org/2000/svg";
const DRAG = 6; // pixels after which a press is a drag
const LETTER = 6.9; // the width of a letter of a badge, at most
const MOST_DOTS = 24; // with more cells to choose from, none is marked: nearly all are free
const MOST_LOUD = 10; // on a crowded board only this many best moves have a rim, and those with a proved value

const element = (name, attributes) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

/** The box of a cell: from the attributes of its first shape, which needs no layout; otherwise as drawn. */
function boxOf(cell) {
  const first = cell.firstElementChild;
  const attribute = (name) => Number(first.getAttribute(name) ?? 0);
  if (first?.tagName === "rect") return { x: attribute("x"), y: attribute("y"), width: attribute("width"), height: attribute("height") };
  if (first?.tagName !== "circle") return cell.getBBox();
  const radius = attribute("r");
  return { x: attribute("cx") - radius, y: attribute("cy") - radius, width: 2 * radius, height: 2 * radius };
}

/** Parse a drawing, without the size, title and description that it needs outside the page. */
function parseDrawing(markup) {
  const holder = document.createElement("template");
  holder.innerHTML = markup;
  const drawing = holder.content.querySelector("svg");
  drawing.removeAttribute("width");
  drawing.removeAttribute("height");
  drawing.querySelectorAll(":scope > title, :scope > desc").forEach((one) => one.remove());
  return drawing;
}

/** The CSS class for players who are named after their colours. */
export function coloursOf(game) {
  const names = game.seats.map((name) => name.toLowerCase()).join(" ");
  return { "white black": "white-first", "black white": "black-first" }[names] ?? "";
}

export class Board {
  /** `onMove(move)` receives a move that was made, `onChoice(moves, begun)` the moves if several fit. */
  constructor(host, { onMove, onChoice }) {
    Object.assign(this, { host, onMove, onChoice });
    this.begun = [];
    this.focused = null;
    this.values = new Map();
    this.cells = new Map(); // the element of each cell
    this.boxes = new Map(); // the box of each cell
    this.isOpen = false;
    host.addEventListener("pointerdown", (event) => this.press(event));
    host.addEventListener("pointermove", (event) => this.drag(event));
    host.addEventListener("pointerup", (event) => this.release(event));
    host.addEventListener("pointercancel", () => this.drop());
    host.addEventListener("keydown", (event) => this.key(event));
    host.addEventListener("focusin", () => this.isShowing || this.overlay());
    host.addEventListener("focusout", () => this.isShowing || this.overlay());
  }

  /** Draw a board; `isOpen` says whether moves may be made on it, `values` holds their values: `{text, kind, isBest}`. */
  show(board, isOpen, label, values) {
    this.isShowing = true;
    this.isOpen = isOpen;
    this.values = values;
    if (this.board !== board) {
      const hadFocus = this.host.contains(document.activeElement);
      if (this.board?.svg !== board.svg) this.draw(board.svg);
      this.board = board;
      this.begun = [];
      this.onChoice([], []);
      this.nameCells();
      this.markLast();
      if (hadFocus) this.focus(this.focused ?? 0);
    }
    this.svg?.setAttribute("aria-label", label);
    this.isShowing = false;
    this.overlay();
  }

  choose(begun) {
    this.begun = begun;
    this.overlay();
  }

  // -- drawing -------------------------------------------------------------------------------------

  /** Draw the markup; if the drawing has the same structure as the last one, replace only the parts that differ. */
  draw(markup) {
    const drawing = parseDrawing(markup);
    const before = this.drawing;
    this.drawing = drawing;
    if (before?.getAttribute("viewBox") === drawing.getAttribute("viewBox") && before.childElementCount === drawing.childElementCount) {
      const shown = [...this.svg.children];
      [...drawing.children].forEach((part, place) => {
        if (!part.isEqualNode(before.children[place])) shown[place].replaceWith(document.importNode(part, true));
      });
    } else {
      this.put(document.importNode(drawing, true));
    }
    const { cells, boxes } = this;
    this.cells = new Map();
    this.boxes = new Map();
    for (const cell of this.svg.querySelectorAll("[data-cell]")) {
      const number = Number(cell.dataset.cell);
      const box = cells.get(number) === cell ? boxes.get(number) : boxOf(cell);
      this.cells.set(number, cell);
      if (box?.width) this.boxes.set(number, box);
    }
    this.svg.setAttribute("role", this.cells.size ? "group" : "img");
    if (this.focused !== null && !this.cells.has(this.focused)) this.focused = null;
  }

  /** Put a drawing on the page, with a layer for the overlay. */
  put(drawing) {
    const [, , width, height] = drawing.getAttribute("viewBox").split(" ").map(Number);
    drawing.style.maxWidth = `${Math.min(1.75 * width, 900)}px`;
    drawing.style.aspectRatio = `${width} / ${height}`;
    this.svg = drawing;
    this.layer = drawing.appendChild(element("g", { class: "overlay", "aria-hidden": "true" }));
    this.host.replaceChildren(drawing);
  }

  /** Name the cells, and make one of them reachable with Tab. */
  nameCells() {
    const first = this.focused ?? this.cells.keys().next().value;
    for (const [number, cell] of this.cells) {
      cell.setAttribute("role", "button");
      cell.setAttribute("tabindex", number === first ? "0" : "-1");
      cell.setAttribute("aria-label", this.board.cells[number] ?? `cell ${number + 1}`);
    }
  }

  overlay() {
    if (!this.layer) return;
    const { touches } = this.board;
    const next = this.isOpen ? nextCells(touches, this.begun) : new Map();
    const starts = this.isOpen && this.begun.length ? nextCells(touches, []) : next;
    for (const [number, cell] of this.cells) {
      const begins = starts.get(number) ?? [];
      cell.classList.toggle("useful", begins.length > 0 || next.has(this.aliasOf(number)));
      cell.classList.toggle("movable", begins.some((move) => touches[move].length > 1));
      const isPressed = String(this.begun.includes(number));
      if (cell.ariaPressed !== isPressed) cell.ariaPressed = isPressed;
    }
    const isPlain = Object.values(touches).every((cells) => cells.length < 2) && next.size <= MOST_DOTS;
    const isCrowded = next.size > MOST_DOTS;
    const mark = ([cell, moves]) => {
      if (this.cells.get(cell)?.matches(".row")) return ""; // a row of a panel, where moves are buttons
      const worth = this.worth(moves);
      if (worth) return this.badge(cell, worth, isCrowded && worth.rank >= MOST_LOUD && worth.kind === "estimate");
      return this.begun.length || isPlain ? this.dot(cell) : "";
    };
    const active = document.activeElement?.closest?.("[data-cell]");
    const isFocused = active && this.host.contains(active) && active.matches(":focus-visible");
    render(
      svg`${this.begun.map((cell) => this.frame(cell, "chosen"))}${[...next].map(mark)}${isFocused ? this.frame(Number(active.dataset.cell), "focus") : ""}`,
      this.layer,
    );
  }

  /** The best value among some moves. */
  worth(moves) {
    const worths = moves.map((move) => this.values.get(move)).filter(Boolean);
    return worths.sort((a, b) => a.rank - b.rank)[0] ?? null;
  }

  frame(cell, style) {
    const box = this.boxes.get(cell);
    if (!box) return "";
    return svg`<rect class=${style} x=${box.x + 1.5} y=${box.y + 1.5} width=${box.width - 3} height=${box.height - 3} rx="3"></rect>`;
  }

  /** Tint the cells of the last move, below the pieces. */
  markLast() {
    for (const mark of this.svg.querySelectorAll(".last")) mark.remove();
    for (const cell of this.board.last) {
      const [box, node] = [this.boxes.get(cell), this.cells.get(cell)];
      if (!box) continue;
      const rx = node.matches(".hole") ? box.width / 2 : 2;
      const mark = element("rect", { class: "last", x: box.x, y: box.y, width: box.width, height: box.height, rx });
      if (["rect", "circle"].includes(node.firstElementChild.tagName)) node.firstElementChild.after(mark);
      else node.prepend(mark);
    }
  }

  dot(cell) {
    const box = this.boxes.get(cell);
    if (!box) return "";
    const [cx, cy, size] = [box.x + box.width / 2, box.y + box.height / 2, Math.min(box.width, box.height)];
    const isTaken = this.cells.get(cell).querySelector(":scope > g, :scope > circle:not(:first-child)");
    return svg`<circle class=${isTaken ? "ring" : "target"} cx=${cx} cy=${cy} r=${isTaken ? 0.44 * size : Math.max(3, 0.11 * size)}></circle>`;
  }

  badge(cell, worth, isQuiet) {
    const box = this.boxes.get(cell);
    if (!box) return "";
    const width = Math.max(18, LETTER * worth.short.length + 9);
    const isSmall = box.height < 30;
    const x = box.x + box.width / 2;
    const y = isSmall ? box.y + box.height / 2 : box.y + box.height - 6;
    return svg`<g class="badge ${worth.kind}${worth.isBest ? " top" : ""}${isQuiet ? " quiet" : ""}">
      <rect x=${x - width / 2} y=${y - 8} width=${width} height="15" rx="7.5"></rect>
      <text x=${x} y=${y + 3.5}>${worth.short}</text>
    </g>`;
  }

  // -- touching ------------------------------------------------------------------------------------

  /** The cell that this one stands for: the cell where a stone lands in its column. */
  aliasOf(cell) {
    return this.board.aliases?.[cell] ?? cell;
  }

  touch(touchedCell) {
    if (!this.isOpen) return;
    const cell = this.aliasOf(touchedCell);
    const { touches } = this.board;
    const { begun, moves } = touchCell(touches, this.begun, cell);
    this.begun = begun;
    if (begun.length && isDecided(touches, begun)) {
      this.begun = [];
      this.onChoice([], []);
      this.overlay();
      this.onMove(moves[0]);
      return;
    }
    this.onChoice(begun.length ? completeMoves(touches, begun) : [], begun);
    this.overlay();
  }

  cellAt(event) {
    const hit = document.elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-cell]");
    return hit && this.host.contains(hit) ? Number(hit.dataset.cell) : null;
  }

  press(event) {
    if (event.button !== 0) return;
    const cell = this.cellAt(event);
    if (cell === null) return;
    this.pressed = { cell, x: event.clientX, y: event.clientY, wasBegun: this.begun.length > 0 };
    this.focused = cell;
  }

  drag(event) {
    const from = this.pressed;
    if (!from || !this.isOpen) return;
    if (!from.ghost) {
      if (Math.hypot(event.clientX - from.x, event.clientY - from.y) < DRAG) return;
      const node = this.cells.get(from.cell);
      if (!node.classList.contains("movable")) return;
      this.begun = [];
      this.touch(from.cell);
      const piece = [...node.children].find((one) => one.tagName === "g") ?? node.querySelector("circle:last-of-type");
      from.ghost = element("g", { class: "overlay dragged" });
      if (piece) from.ghost.append(piece.cloneNode(true));
      this.host.setPointerCapture?.(event.pointerId);
    }
    const scale = this.svg.viewBox.baseVal.width / this.svg.getBoundingClientRect().width;
    from.ghost.setAttribute("transform", `translate(${(event.clientX - from.x) * scale} ${(event.clientY - from.y) * scale})`);
    if (!from.ghost.isConnected) this.svg.append(from.ghost);
  }

  release(event) {
    const from = this.pressed;
    this.pressed = null;
    if (!from) return;
    const cell = this.cellAt(event);
    from.ghost?.remove();
    if (from.ghost) {
      if (cell !== null && cell !== from.cell) this.touch(cell);
      else this.overlay();
    } else if (cell === from.cell) {
      this.touch(cell);
    }
  }

  drop() {
    this.pressed?.ghost?.remove();
    this.pressed = null;
    this.overlay();
  }

  // -- keys ----------------------------------------------------------------------------------------

  key(event) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const active = document.activeElement?.closest?.("[data-cell]");
    if (!active) return;
    const cell = Number(active.dataset.cell);
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.touch(cell);
    } else if (event.key === "Escape" && this.begun.length) {
      event.preventDefault();
      this.begun = [];
      this.onChoice([], []);
      this.overlay();
    } else if (ways[event.key]) {
      event.preventDefault();
      event.stopPropagation();
      const next = this.neighbour(cell, ways[event.key]);
      if (next !== null) this.focus(next);
    }
  }

  /** The nearest cell in a direction. */
  neighbour(cell, [right, down]) {
    const from = this.boxes.get(cell);
    if (!from) return null;
    const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
    const [x, y] = middle(from);
    let best = null;
    let least = Infinity;
    for (const [number, box] of this.boxes) {
      const [u, v] = middle(box);
      const along = (u - x) * right + (v - y) * down;
      const aside = Math.abs((u - x) * down) + Math.abs((v - y) * right);
      if (along < 1 || aside > 1.8 * along) continue;
      const distance = along + 2.5 * aside;
      if (distance < least) [best, least] = [number, distance];
    }
    return best;
  }

  focus(cell) {
    const next = this.cells.get(cell);
    if (!next) return;
    this.cells.get(this.focused)?.setAttribute("tabindex", "-1");
    for (const one of this.svg.querySelectorAll('[data-cell][tabindex="0"]')) one.setAttribute("tabindex", "-1");
    this.focused = cell;
    next.setAttribute("tabindex", "0");
    next.focus();
  }
}
