// Pieces in motion: from what the cells showed before and show now, short movements over the finished drawing.

import { transitionsOf } from "./transitions.js";

/** @typedef {{x: number, y: number, key: string, node: SVGGraphicsElement, frame: string | null}} Piece */
/** @typedef {{old: SVGGElement, fresh: SVGGElement}} Pair a cell before and now */

const SVG = "http://www.w3.org/2000/svg";
const SLIDE = 180; // milliseconds
const FADE = 160;
const FALL = 22; // times the square root of the height
const MOST = 60; // with more pieces that change, none moves

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * The pieces on a cell by place: one in its middle, or those of a stack.
 *
 * @param {string} name
 * @param {SVGGElement} cell
 * @param {{x: number, y: number}} middle
 * @param {(point: {x: number, y: number}) => {x: number, y: number}} turned where a point of the drawing is shown
 */
function piecesOn(name, cell, middle, turned) {
  /** @type {Map<string, Piece>} */
  const found = new Map();
  const frame = cell.getAttribute("transform");
  const single = /** @type {SVGGraphicsElement | null} */ (cell.querySelector(":scope > g"));
  if (single) {
    const stone = cell.matches(".hole") ? (single.firstElementChild ?? single) : single; // not the ring of a winning line
    return found.set(name, { ...middle, key: stone.innerHTML, node: single, frame });
  }
  const stack = /** @type {NodeListOf<SVGGraphicsElement>} */ (
    cell.querySelectorAll(":scope > circle:not(:first-child)")
  );
  [...stack].forEach((node, level) => {
    const at = turned({ x: Number(node.getAttribute("cx")), y: Number(node.getAttribute("cy")) });
    found.set(`${name}.${level}`, { ...at, key: node.getAttribute("class") ?? "", node, frame });
  });
  return found;
}

/**
 * Move what is different between two drawings; the new one is on the page already, so that no click has to wait.
 *
 * @param {Map<number, Pair>} pairs
 * @param {number[]} last the cells of the last move
 * @param {(cell: number) => {x: number, y: number}} middleOf
 * @param {(point: {x: number, y: number}) => {x: number, y: number}} turned
 * @param {Element} layer where pieces are shown while they move
 * @param {number | null} above the upper edge of the board if pieces fall from there
 */
export function animateChanges(pairs, last, middleOf, turned, layer, above) {
  if (isStill()) return;
  /** @type {Map<string, Piece>} */
  const before = new Map();
  /** @type {Map<string, Piece>} */
  const after = new Map();
  for (const [cell, { old, fresh }] of pairs) {
    for (const [at, piece] of piecesOn(String(cell), old, middleOf(cell), turned)) before.set(at, piece);
    for (const [at, piece] of piecesOn(String(cell), fresh, middleOf(cell), turned)) after.set(at, piece);
  }
  const places = [...new Set([...before.keys(), ...after.keys()])];
  const changes = places
    .map((at) => ({ at, before: before.get(at)?.key ?? "", after: after.get(at)?.key ?? "" }))
    .filter((change) => change.before !== change.after);
  if (changes.length > MOST) return;
  const pieceAt = (/** @type {string} */ at) => /** @type {Piece} */ (after.get(at) ?? before.get(at));
  const distance = (/** @type {string} */ a, /** @type {string} */ b) =>
    Math.hypot(pieceAt(a).x - pieceAt(b).x, pieceAt(a).y - pieceAt(b).y);
  const found = transitionsOf(changes, last.map(String), distance);
  const was = (/** @type {string} */ at) => /** @type {Piece} */ (before.get(at));
  const is = (/** @type {string} */ at) => /** @type {Piece} */ (after.get(at));
  for (const at of found.left) run(was(at), layer, { opacity: [1, 0] }, FADE);
  for (const { from, to } of found.moved) replace(is(to), layer, slideFrom(was(from), is(to)), SLIDE);
  for (const at of found.turned) turnOver(was(at), is(at), layer);
  for (const at of found.arrived) {
    const piece = is(at);
    if (above === null) replace(piece, layer, { opacity: [0, 1] }, FADE);
    else
      replace(piece, layer, slideFrom({ x: piece.x, y: above }, piece), FALL * Math.sqrt(piece.y - above), "ease-in");
  }
}

/** @type {(from: {x: number, y: number}, to: Piece) => PropertyIndexedKeyframes} */
const slideFrom = (from, to) => ({ transform: [`translate(${from.x - to.x}px, ${from.y - to.y}px)`, "none"] });

/**
 * Animate a copy of a piece above everything.
 *
 * @param {Piece} piece
 * @param {Element} layer
 * @param {PropertyIndexedKeyframes} frames
 * @param {number} duration
 * @param {string} [easing]
 */
function run({ node, frame, x, y }, layer, frames, duration, easing = "ease-out") {
  const holder = /** @type {SVGGElement} */ (document.createElementNS(SVG, "g"));
  const inner = document.createElementNS(SVG, "g");
  if (frame) inner.setAttribute("transform", frame);
  inner.append(node.cloneNode(true));
  holder.append(inner);
  holder.style.transformOrigin = `${x}px ${y}px`;
  layer.append(holder);
  const done = () => holder.remove();
  holder.animate(frames, { duration, easing, fill: "forwards" }).finished.then(done, done);
}

/**
 * The same for a piece that is on the board already: it appears when its copy has arrived.
 *
 * @param {Piece} piece
 * @param {Element} layer
 * @param {PropertyIndexedKeyframes} frames
 * @param {number} duration
 * @param {string} [easing]
 */
function replace(piece, layer, frames, duration, easing) {
  run(piece, layer, frames, duration, easing);
  piece.node.animate({ opacity: [0, 0] }, duration);
}

/**
 * A disc turns its other side up; anything else fades into what it is now.
 *
 * @param {Piece} before
 * @param {Piece} after
 * @param {Element} layer
 */
function turnOver(before, after, layer) {
  const isDisc = after.node.querySelector(":scope > circle") !== null;
  if (isDisc) {
    run(before, layer, { transform: ["none", "scaleX(0)", "scaleX(0)"] }, 2 * FADE, "linear");
    replace(after, layer, { transform: ["scaleX(0)", "scaleX(0)", "none"] }, 2 * FADE, "linear");
  } else {
    run(before, layer, { opacity: [1, 0] }, FADE);
  }
}
