// The board: a drawing with cells that can be clicked, dragged and reached with the arrow keys, and its overlay.

import { drawShape } from "./arrows.js";
import { placeBadges } from "./badges.js";
import { animateChanges } from "./motion.js";
import { completeMoves, isDecided, nextCells, onlyStart, touchCell } from "./move-input.js";
import { middleOf, turnBox, turnDrawing } from "./turning.js";
import { render, svg } from "./vendor/lit-html.js";

const SVG = "http://www.w3.org/2000/svg";
const DRAG = 6; // pixels after which a press is a drag
const SWIPE = 24; // pixels after which a touch is a swipe
const LETTER = 6.4; // the width of a letter of a badge, at most
const TALL = 13; // the height of a badge: the room between two pieces
const LARGEST = 1.75; // the scale from which badges no longer grow with the board
const MOST_SCALED = 4; // how much larger than drawn a board is shown, at most
const MOST_SCALED_WORDS = 2.2; // the same for a table of numbers or words
const MOST_DOTS = 24; // with more cells to choose from, none is marked: nearly all are free
const MOST_LOUD = 10; // on a crowded board only this many best moves have a rim, and those with a proved value

/**
 * @import { Board as BoardView } from "../types/messages.js"
 * @import { Shape } from "./arrows.js"
 * @import { Box, Turn } from "./turning.js"
 * @import { MoveValue } from "./values.js"
 */

/** @typedef {(moves: string[], begun: number[]) => void} OnChoice */
/** @typedef {{cell: number, x: number, y: number, wasBegun: boolean, ghost?: SVGElement}} Press */
/** @typedef {Pick<MoveValue, "text" | "short" | "kind" | "isBest" | "rank">} Worth */

/**
 * How a board is shown.
 *
 * @typedef {object} Look
 * @property {boolean} isOpen whether moves may be made on it
 * @property {string} label
 * @property {Map<string, MoveValue>} [values] of the moves
 * @property {boolean} [isTurned]
 * @property {boolean} [isStep] whether the position before was the one before or after this move: then pieces move
 * @property {Shape[]} [shapes] arrows and marks of the person
 * @property {Shape[]} [suggested] arrows of the page
 */

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 */
const element = (name, attributes) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
};

/** @param {Element} cell */
const numberOf = (cell) => Number(cell.getAttribute("data-cell"));

/** @type {(drawing: SVGSVGElement) => NodeListOf<SVGGElement>} */
const cellsOf = (drawing) => drawing.querySelectorAll("[data-cell]");

/**
 * The box of a cell before the board is turned: from the attributes of its first shape, which needs no layout; otherwise
 * as drawn.
 *
 * @param {SVGGElement} cell
 * @returns {Box}
 */
function boxOf(cell) {
  return groundOf(cell) ?? cell.getBBox();
}

/**
 * @param {Element} cell
 * @returns {Box | null}
 */
function groundOf(cell) {
  const first = cell.firstElementChild;
  const attribute = (/** @type {string} */ name) => Number(first?.getAttribute(name) ?? 0);
  if (first?.tagName === "rect")
    return { x: attribute("x"), y: attribute("y"), width: attribute("width"), height: attribute("height") };
  if (first?.tagName !== "circle") return null;
  const radius = attribute("r");
  return { x: attribute("cx") - radius, y: attribute("cy") - radius, width: 2 * radius, height: 2 * radius };
}

const ON_THE_GROUND = ":scope > :not(:first-child, .plain, .dark, .marked, .muted, .star, .last, title)";

/**
 * What stands on a cell, before the board is turned; null if it is empty.
 *
 * @param {SVGGElement} cell
 * @returns {Box | null}
 */
function occupantOf(cell) {
  if (!groundOf(cell)) return cell.getBBox();
  const pieces = /** @type {SVGGraphicsElement[]} */ ([...cell.querySelectorAll(ON_THE_GROUND)]);
  const boxes = pieces.map((piece) => {
    const box = piece.getBBox();
    const { e, f } = piece.transform.baseVal.consolidate()?.matrix ?? { e: 0, f: 0 };
    return { x: box.x + e, y: box.y + f, width: box.width, height: box.height };
  });
  if (!boxes.length) return null;
  const [left, top] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  return { x: left, y: top, width: right - left, height: Math.max(...boxes.map((box) => box.y + box.height)) - top };
}

/**
 * Where a turned drawing turns: about the middle of its cells.
 *
 * @param {SVGSVGElement} drawing
 * @returns {Turn}
 */
function turnOf(drawing) {
  const boxes = [...cellsOf(drawing)].map(groundOf).filter((box) => box !== null);
  return { ...middleOf(boxes), isFlip: drawing.getAttribute("data-turn") === "flip" };
}

/**
 * Parse a drawing, without the size, title and description that it needs outside the page.
 *
 * @param {string} markup
 */
function parseDrawing(markup) {
  const holder = document.createElement("template");
  holder.innerHTML = markup;
  const drawing = /** @type {SVGSVGElement} */ (holder.content.querySelector("svg"));
  drawing.removeAttribute("width");
  drawing.removeAttribute("height");
  for (const one of drawing.querySelectorAll(":scope > title, :scope > desc")) one.remove();
  return drawing;
}

/**
 * The players' colours as custom properties: the names of the colours are those of `zermelo.draw.palette`.
 *
 * @param {Pick<BoardView, "colours">} board
 */
export const coloursOf = ({ colours }) =>
  colours
    .map(
      (name, seat) =>
        `--owner-${seat}:var(--${name});--edge-${seat}:var(--${name}-edge);--on-${seat}:var(--on-${name})`,
    )
    .join(";");

export class Board {
  /**
   * `onMove(move)` receives a move that was made, `onChoice(moves, begun)` the moves if several fit, `onShape(shape)` an
   * arrow or a mark, and `onSwipe(key)` the arrow key that stands for a swipe; it returns whether it was used.
   *
   * @param {HTMLElement} host
   * @param {{onMove: (move: string) => void, onChoice: OnChoice, onShape?: (shape: Shape) => void, onSwipe?: (key: string) => boolean}} actions
   */
  constructor(host, { onMove, onChoice, onShape = () => {}, onSwipe = () => false }) {
    this.host = host;
    this.onMove = onMove;
    this.onChoice = onChoice;
    this.onShape = onShape;
    this.onSwipe = onSwipe;
    /** @type {number[]} */
    this.begun = [];
    /** @type {number | null} */
    this.focused = null;
    /** @type {Map<string, MoveValue>} */
    this.values = new Map();
    /** @type {Map<number, SVGGElement>} the element of each cell */
    this.cells = new Map();
    /** @type {Map<number, Box>} the box of each cell, as it is shown */
    this.boxes = new Map();
    /** @type {Turn | null} */
    this.turn = null;
    this.isOpen = this.isShowing = this.isTurned = this.wasDragged = false;
    this.scale = 1;
    /** @type {{occupants: Map<number, Box | null>, labels: Box[]} | null} */
    this.crowded = null;
    /** @type {Shape[]} */
    this.shapes = [];
    /** @type {Shape[]} */
    this.suggested = [];
    /** @type {number | null} the cell where the right button was pressed */
    this.pointed = null;
    /** @type {BoardView} */
    this.board = { svg: "", cells: [], touches: {}, last: [], aliases: {}, colours: [], turning: "never" };
    this.svg = this.drawing = document.createElementNS(SVG, "svg");
    /** @type {SVGElement | null} */
    this.layer = null;
    /** @type {SVGElement | null} where pieces move */
    this.stage = null;
    /** @type {Press | null} */
    this.pressed = null;
    /** @type {{x: number, y: number} | null} where a finger touched the board */
    this.swiped = null;
    host.addEventListener("pointerdown", (event) => this.press(event));
    host.addEventListener("pointermove", (event) => this.drag(event));
    host.addEventListener("pointerup", (event) => this.release(event));
    host.addEventListener("pointercancel", () => this.drop());
    host.addEventListener("contextmenu", (event) => this.cellAt(event) !== null && event.preventDefault());
    new ResizeObserver(() => this.measure()).observe(host);
    host.addEventListener("keydown", (event) => this.key(event));
    host.addEventListener("focusin", () => this.isShowing || this.overlay());
    host.addEventListener("focusout", () => this.isShowing || this.overlay());
  }

  /**
   * Draw a board.
   *
   * @param {BoardView} board
   * @param {Look} look
   */
  show(board, { isOpen, label, values = new Map(), isTurned = false, isStep = false, shapes = [], suggested = [] }) {
    this.isShowing = true;
    this.isOpen = isOpen;
    this.values = values;
    this.shapes = shapes;
    this.suggested = suggested;
    if (this.board !== board || this.isTurned !== isTurned) {
      const hadFocus = this.host.contains(document.activeElement);
      const isMoving = isStep && !this.wasDragged && this.isTurned === isTurned;
      const pairs = this.board.svg !== board.svg || this.isTurned !== isTurned ? this.draw(board.svg, isTurned) : null;
      if (this.board !== board) {
        this.begun = [];
        this.onChoice([], []);
      }
      this.board = board;
      this.isTurned = isTurned;
      this.wasDragged = false;
      this.nameCells();
      this.markLast();
      if (pairs && isMoving) this.animate(pairs);
      if (hadFocus) this.focus(this.focused ?? 0);
    }
    this.svg.setAttribute("aria-label", label);
    this.isShowing = false;
    this.overlay();
  }

  /** @param {number[]} begun */
  choose(begun) {
    this.begun = begun;
    this.overlay();
  }

  // -- drawing -------------------------------------------------------------------------------------

  /**
   * Draw the markup; if the drawing has the same structure as the last one, replace only the parts that differ.
   *
   * @param {string} markup
   * @param {boolean} isTurned
   * @returns {Map<number, {old: SVGGElement, fresh: SVGGElement}>} the cells that look different
   */
  draw(markup, isTurned) {
    const drawing = parseDrawing(markup);
    this.turn = isTurned ? turnOf(drawing) : null;
    if (this.turn) turnDrawing(drawing, this.turn);
    const before = this.drawing;
    const pairs = new Map();
    this.drawing = drawing;
    if (
      before.getAttribute("viewBox") === drawing.getAttribute("viewBox") &&
      before.childElementCount === drawing.childElementCount
    ) {
      const shown = [...this.svg.children];
      [...drawing.children].forEach((part, place) => {
        if (part.isEqualNode(before.children[place])) return;
        const fresh = document.importNode(part, true);
        shown[place].replaceWith(fresh);
        if (part.hasAttribute("data-cell")) pairs.set(numberOf(part), { old: shown[place], fresh });
      });
    } else {
      this.put(document.importNode(drawing, true));
    }
    const { cells, boxes } = this;
    this.cells = new Map();
    this.boxes = new Map();
    for (const cell of cellsOf(this.svg)) {
      const number = numberOf(cell);
      const box = cells.get(number) === cell ? boxes.get(number) : turnBox(boxOf(cell), this.turn);
      this.cells.set(number, cell);
      if (box?.width) this.boxes.set(number, box);
    }
    this.crowded = null;
    this.svg.setAttribute("role", this.cells.size ? "group" : "img");
    if (this.focused !== null && !this.cells.has(this.focused)) this.focused = null;
    return pairs;
  }

  /**
   * Put a drawing on the page, with layers for what moves and for the overlay.
   *
   * @param {SVGSVGElement} drawing
   */
  put(drawing) {
    const [, , width, height] = (drawing.getAttribute("viewBox") ?? "").split(" ").map(Number);
    const most = drawing.querySelector(".cell") ? MOST_SCALED : MOST_SCALED_WORDS;
    drawing.style.maxWidth = `${most * width}px`;
    drawing.style.aspectRatio = `${width} / ${height}`;
    this.svg = drawing;
    this.stage = drawing.appendChild(element("g", { class: "overlay", "aria-hidden": "true" }));
    this.layer = drawing.appendChild(element("g", { class: "overlay", "aria-hidden": "true" }));
    this.host.replaceChildren(drawing);
    this.drawScale();
  }

  /** Take note of how large the board is shown, so that what is written on it stays legible and small. */
  measure() {
    const scale = this.svg.getBoundingClientRect().width / this.svg.viewBox.baseVal.width || 1;
    if (Math.abs(scale - this.scale) < 0.01) return;
    this.scale = scale;
    this.crowded = null;
    this.drawScale();
    this.overlay();
  }

  drawScale() {
    this.svg.style.setProperty("--scale", this.scale.toFixed(2));
  }

  /** @param {Map<number, {old: SVGGElement, fresh: SVGGElement}>} pairs */
  animate(pairs) {
    const middle = (/** @type {number} */ cell) => {
      const box = this.boxes.get(cell) ?? { x: 0, y: 0, width: 0, height: 0 };
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    const turned = (/** @type {{x: number, y: number}} */ { x, y }) =>
      turnBox({ x, y, width: 0, height: 0 }, this.turn);
    const isRack = this.svg.querySelector(".hole") !== null;
    const above = isRack ? Math.min(...[...this.boxes.values()].map((box) => box.y)) - 20 : null;
    if (this.stage) animateChanges(pairs, this.board.last, middle, turned, this.stage, above);
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
    const only = this.begun.length ? null : onlyStart(touches);
    const begun = only === null ? this.begun : [only];
    /** @type {Map<number, string[]>} */
    const next = this.isOpen ? nextCells(touches, begun) : new Map();
    const starts = this.isOpen && begun.length ? nextCells(touches, []) : next;
    for (const [number, cell] of this.cells) {
      const begins = starts.get(number) ?? [];
      const isUseful = begins.length > 0 || next.has(this.aliasOf(number));
      cell.classList.toggle("useful", isUseful);
      cell.classList.toggle(
        "movable",
        begins.some((move) => touches[move].length > 1),
      );
      if (cell.ariaDisabled !== String(!isUseful)) cell.ariaDisabled = String(!isUseful);
      const isPressed = this.begun.includes(number) ? "true" : null;
      if (cell.ariaPressed !== isPressed) cell.ariaPressed = isPressed;
    }
    const isPlain =
      only === null && Object.values(touches).every((cells) => cells.length < 2) && next.size <= MOST_DOTS;
    /** @type {{cell: number, worth: Worth}[]} */
    const valued = [];
    const dots = [];
    for (const [cell, moves] of next) {
      if (this.cells.get(cell)?.matches(".row")) continue; // a row of a panel, where moves are buttons
      const worth = this.worth(moves);
      const hasOwnMark = this.cells.get(cell)?.matches(".pile, .branch, .line-of"); // see board.css
      if (worth) valued.push({ cell, worth });
      else if (!hasOwnMark && (this.begun.length || isPlain)) dots.push(this.dot(cell));
    }
    const active = document.activeElement?.closest?.("[data-cell]");
    const isFocused = active && this.host.contains(active) && active.matches(":focus-visible");
    const shape =
      (/** @type {string} */ style) =>
      (/** @type {Shape} */ { from, to }) => {
        const [a, b] = [this.boxes.get(from), this.boxes.get(to)];
        return a && b ? drawShape(a, b, style) : "";
      };
    render(
      svg`${this.begun.map((cell) => this.frame(cell, "chosen"))}${dots}${this.suggested.map(shape("suggested"))}${this.shapes.map(shape("drawn"))}${this.badges(valued, next.size > MOST_DOTS)}${isFocused ? this.frame(numberOf(active), "focus") : ""}`,
      this.layer,
    );
  }

  /**
   * The best value among some moves.
   *
   * @param {string[]} moves
   */
  worth(moves) {
    const worths = moves.map((move) => this.values.get(move)).filter((value) => value !== undefined);
    return worths.sort((a, b) => a.rank - b.rank)[0] ?? null;
  }

  /**
   * @param {number} cell
   * @param {string} style
   */
  frame(cell, style) {
    const box = this.boxes.get(cell);
    if (!box) return "";
    return svg`<rect class=${style} x=${box.x + 1.5} y=${box.y + 1.5} width=${box.width - 3} height=${box.height - 3} rx="3"></rect>`;
  }

  /** Tint the cells of the last move, below the pieces. */
  markLast() {
    for (const mark of this.svg.querySelectorAll(".last")) mark.remove();
    for (const cell of this.board.last) {
      const [shown, node] = [this.boxes.get(cell), this.cells.get(cell)];
      if (!shown || !node) continue;
      const box = turnBox(shown, this.turn); // the mark turns with its cell
      const rx = node.matches(".hole, .pit") ? box.width / 2 : 2;
      const mark = element("rect", { class: "last", x: box.x, y: box.y, width: box.width, height: box.height, rx });
      const first = node.firstElementChild;
      if (first && ["rect", "circle"].includes(first.tagName)) first.after(mark);
      else node.prepend(mark);
    }
  }

  /** @param {number} cell */
  dot(cell) {
    const box = this.boxes.get(cell);
    if (!box) return "";
    const [cx, cy, size] = [box.x + box.width / 2, box.y + box.height / 2, Math.min(box.width, box.height)];
    const isTaken = this.cells.get(cell)?.querySelector(":scope > g, :scope > circle:not(:first-child)");
    return svg`<circle class=${isTaken ? "ring" : "target"} cx=${cx} cy=${cy} r=${isTaken ? 0.44 * size : Math.max(3, 0.11 * size)}></circle>`;
  }

  /**
   * The values of moves, each where it covers nothing.
   *
   * @param {{cell: number, worth: Worth}[]} valued
   * @param {boolean} isCrowded
   */
  badges(valued, isCrowded) {
    if (!valued.length) return "";
    const unit = Math.min(1, LARGEST / this.scale);
    const ranked = valued.toSorted((a, b) => a.worth.rank - b.worth.rank);
    const { occupants, labels } = this.crowd();
    const wishes = ranked.map(({ cell, worth }) => ({
      box: /** @type {Box} */ (this.boxes.get(cell)),
      occupant: occupants.get(cell) ?? null,
      width: unit * Math.max(18, LETTER * worth.short.length + 8),
      height: unit * TALL,
    }));
    const obstacles = [...occupants.values()].filter((box) => box !== null);
    const places = placeBadges(wishes, [...obstacles, ...labels], this.svg.viewBox.baseVal);
    return ranked.map(({ worth }, number) => {
      const place = places[number];
      if (!place) return "";
      const isQuiet = isCrowded && worth.rank >= MOST_LOUD && worth.kind === "estimate";
      return badge(worth, place, wishes[number].width, unit, isQuiet);
    });
  }

  /** What stands on each cell, and the boxes of what is written beside the board; measured once for each drawing. */
  crowd() {
    if (this.crowded) return this.crowded;
    /** @type {Map<number, Box | null>} */
    const occupants = new Map();
    for (const [number, cell] of this.cells) {
      const occupant = occupantOf(cell);
      occupants.set(number, occupant && turnBox(occupant, this.turn));
    }
    const texts = /** @type {NodeListOf<SVGGraphicsElement>} */ (this.svg.querySelectorAll(":scope > text"));
    /** @type {Box[]} */
    const labels = [...texts].filter((text) => text.textContent).map((text) => text.getBBox());
    this.crowded = { occupants, labels };
    return this.crowded;
  }

  // -- touching ------------------------------------------------------------------------------------

  /**
   * The cell that this one stands for: the cell where a stone lands in its column.
   *
   * @param {number} cell
   */
  aliasOf(cell) {
    return this.board.aliases?.[cell] ?? cell;
  }

  /** @param {number} touchedCell */
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

  /** @param {PointerEvent} event */
  cellAt(event) {
    const hit = document.elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-cell]");
    return hit && this.host.contains(hit) ? numberOf(hit) : null;
  }

  /** @param {PointerEvent} event */
  press(event) {
    const cell = this.cellAt(event);
    if (event.button === 2) this.pointed = cell;
    if (event.button !== 0) return;
    this.swiped = event.pointerType === "touch" ? { x: event.clientX, y: event.clientY } : null;
    if (cell === null) return;
    this.pressed = { cell, x: event.clientX, y: event.clientY, wasBegun: this.begun.length > 0 };
    this.focused = cell;
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const from = this.pressed;
    if (!from || !this.isOpen) return;
    if (!from.ghost) {
      if (Math.hypot(event.clientX - from.x, event.clientY - from.y) < DRAG) return;
      const node = this.cells.get(from.cell);
      if (!node?.classList.contains("movable")) return;
      this.begun = [];
      this.touch(from.cell);
      const piece = [...node.children].find((one) => one.tagName === "g") ?? node.querySelector("circle:last-of-type");
      from.ghost = element("g", { class: "overlay dragged" });
      const frame = element("g", this.turn ? { transform: node.getAttribute("transform") ?? "" } : {});
      if (piece) frame.append(piece.cloneNode(true));
      from.ghost.append(frame);
      this.host.setPointerCapture?.(event.pointerId);
    }
    const scale = this.svg.viewBox.baseVal.width / this.svg.getBoundingClientRect().width;
    from.ghost.setAttribute(
      "transform",
      `translate(${(event.clientX - from.x) * scale} ${(event.clientY - from.y) * scale})`,
    );
    if (!from.ghost.isConnected) this.svg.append(from.ghost);
  }

  /** @param {PointerEvent} event */
  release(event) {
    const from = this.pressed;
    const cell = this.cellAt(event);
    this.pressed = null;
    if (event.button === 2 && this.pointed !== null && cell !== null) this.onShape({ from: this.pointed, to: cell });
    if (event.button === 2) this.pointed = null;
    if (this.isSwipe(event)) {
      this.drop();
      return;
    }
    if (!from) return;
    from.ghost?.remove();
    if (from.ghost) {
      this.wasDragged = cell !== null && cell !== from.cell;
      if (cell !== null && this.wasDragged) this.touch(cell);
      else this.overlay();
    } else if (cell === from.cell) {
      this.touch(cell);
    }
  }

  /**
   * Whether a finger was moved far enough over the board, in a game whose moves are directions.
   *
   * @param {PointerEvent} event
   */
  isSwipe(event) {
    const from = this.swiped;
    this.swiped = null;
    if (!from) return false;
    const [right, down] = [event.clientX - from.x, event.clientY - from.y];
    if (Math.max(Math.abs(right), Math.abs(down)) < SWIPE) return false;
    const isAcross = Math.abs(right) > Math.abs(down);
    const key = isAcross ? (right > 0 ? "ArrowRight" : "ArrowLeft") : down > 0 ? "ArrowDown" : "ArrowUp";
    return this.onSwipe(key);
  }

  drop() {
    this.pressed?.ghost?.remove();
    this.pressed = null;
    this.overlay();
  }

  // -- keys ----------------------------------------------------------------------------------------

  /** @param {KeyboardEvent} event */
  key(event) {
    /** @type {Record<string, [number, number]>} */
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const active = document.activeElement?.closest?.("[data-cell]");
    if (!active) return;
    const cell = numberOf(active);
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (event.shiftKey) this.onShape({ from: cell, to: cell });
      else this.touch(cell);
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

  /**
   * The nearest cell in a direction.
   *
   * @param {number} cell
   * @param {[number, number]} direction
   */
  neighbour(cell, [right, down]) {
    const from = this.boxes.get(cell);
    if (!from) return null;
    const middle = (/** @type {Box} */ box) => [box.x + box.width / 2, box.y + box.height / 2];
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

  /** @param {number} cell */
  focus(cell) {
    const next = this.cells.get(cell);
    if (!next) return;
    for (const one of this.svg.querySelectorAll('[data-cell][tabindex="0"]')) one.setAttribute("tabindex", "-1");
    this.focused = cell;
    next.setAttribute("tabindex", "0");
    next.focus();
  }
}

/**
 * @param {Worth} worth
 * @param {{x: number, y: number, others: number}} place
 * @param {number} width
 * @param {number} unit
 * @param {boolean} isQuiet
 */
function badge(worth, { x, y, others }, width, unit, isQuiet) {
  const text = others ? `${worth.short}+` : worth.short;
  return svg`<g class="badge ${worth.kind}${worth.isBest ? " top" : ""}${isQuiet ? " quiet" : ""}">
    <rect x=${x - width / 2} y=${y - (unit * TALL) / 2} width=${width} height=${unit * TALL} rx=${(unit * TALL) / 2}></rect>
    <text x=${x} y=${y + 3.5 * unit} style=${`font-size:${(isQuiet ? 8.8 : 9.8) * unit}px`}>${text}</text>
  </g>`;
}
