// The look of a node and its edge: texts, room and shapes. All shapes keep their proportions: a value that does not fit
// into a shape is written beside it, or below it while the node is closed.

import { isOnlyProbed, stateAt, titleAt, valueText, windowNow, windowText } from "./inside-steps.js";
import { withValue } from "./fields.js";
import { chanceText } from "./numerals.js";
import { html, nothing, svg } from "./vendor/lit-html.js";

/**
 * @import { Node, Tree } from "./inside-store.js"
 * @import { Spot } from "./inside-spots.js"
 */

/** @typedef {[number, number]} Point */
/** @typedef {[style: string, text: string][]} Row of texts on an edge */
/** @typedef {"value" | "tight" | "small"} Font */

/**
 * What an exercise shows at a node: its title, whether its edge is cut or can be marked, and a field for an answer.
 *
 * @typedef {object} Styled
 * @property {string} title
 * @property {string} words for screen readers
 * @property {string} mark `right`, `wrong` or another class
 * @property {boolean} [isCut]
 * @property {boolean} [canMark]
 * @property {string} [note] below the node
 * @property {{answer: string, width: number}} [field]
 */

/**
 * The look of a node: its shape and texts, and the room they need: `extent` to both sides, `foot` below.
 *
 * @typedef {object} NodeLook
 * @property {string} title
 * @property {"inside" | "beside" | "below"} place of the title
 * @property {boolean} isTight
 * @property {string} state
 * @property {string} shape
 * @property {boolean} isInner
 * @property {boolean} isTuple
 * @property {number} half
 * @property {number} height
 * @property {Row[]} edge
 * @property {string} more
 * @property {Styled | null} styled
 * @property {number} reach
 * @property {number} foot
 * @property {[number, number]} extent
 */

/**
 * How a node is looked at.
 *
 * @typedef {object} Manner
 * @property {Tree} store
 * @property {number} step
 * @property {Styled | null} styled
 * @property {boolean} isOpen
 * @property {boolean} isSmall
 * @property {boolean} isFaint
 * @property {boolean} hasWindow
 * @property {boolean} isFlat
 */

export const TALL = 46;
export const HALF = 27; // of a triangle's side
export const SQUARE = 28;
export const GAP = 12;
export const ROW = 14; // of small words
const ABOVE = 9; // from a node up to the words on its edge
const INSIDE = 38; // of words in a circle
const SMALLER = 0.72; // closed nodes, where room is short
const SLANTS = [0.7, 0.52]; // the share of the distance of two nodes that their edges leave for one or two rows of text
const BEND = 0.75; // the share of a curved edge that is nearly vertical at its ends
const FONTS = { value: "600 14px", tight: "600 12px", small: "12px" };

const pen = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
const family = 'system-ui, "Segoe UI", "DejaVu Sans", sans-serif';
/** @type {Map<string, number>} */
const widths = new Map();

/**
 * The width of a text, in pixels of an unscaled tree.
 *
 * @param {string} text
 * @param {Font} font
 */
export function widthOf(text, font) {
  const key = `${font}${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    if (widths.size > 5000) widths.clear();
    pen.font = `${FONTS[font]} ${family}`;
    width = pen.measureText(text).width;
    widths.set(key, width);
  }
  return width;
}

const INNER = ["max", "min", "chance"];

/**
 * The width of words in a shape: in a triangle that of the corners of the letters which are nearest to its tip.
 *
 * @param {string} shape
 * @param {number} height
 * @param {number} half
 * @param {number} letters
 */
export function roomIn(shape, height, half, letters) {
  if (shape === "chance") return (INSIDE / TALL) * height;
  const share = shape === "max" ? (baseOf(shape, height) - letters) / height : 1 - baseOf(shape, height) / height;
  return 2 * half * share - 4;
}

/** @type {(shape: string, height: number) => number} the base line of the words in a shape */
const baseOf = (shape, height) =>
  shape === "max" ? 0.84 * height : shape === "min" ? 8 + 0.22 * height : height / 2 + 5;

/**
 * The texts on a node and its edge, and the room they need.
 *
 * @param {Node} node
 * @param {Manner} manner
 * @returns {NodeLook}
 */
export function lookOf(node, { store, step, styled, isOpen, isSmall, isFaint, hasWindow, isFlat }) {
  const children = store.children(node);
  const state = stateAt(node, step);
  const shape = node.kind === "cut" ? (node.shape ?? "terminal") : node.kind;
  const isInner = INNER.includes(shape);
  const size = isSmall ? SMALLER : 1;
  const title = styled?.title ?? titleAt(node, children, step, store.facts);
  const isTuple = store.facts.seats.length > 2 && isInner && (node.player ?? -1) >= 0;
  const isFixed = isFaint || node.kind === "cut" || node.visits !== undefined || styled;
  const final = isFixed ? "" : valueText(node.value, node.proof); // room for the final value, so that nodes do not move
  const words = Math.max(widthOf(title, "value"), widthOf(final, "value"));
  const half = !isInner ? Math.max(SQUARE / 2, words / 2 + 7) : size * (shape === "chance" ? TALL / 2 : HALF);
  const height = isInner ? size * TALL : SQUARE;
  const fits = isInner && words <= roomIn(shape, height, half, 10);
  const tightWords = Math.max(widthOf(title, "tight"), widthOf(final, "tight"));
  const isTight = isInner && !fits && tightWords <= roomIn(shape, height, half, 8.5);
  const place = !isInner || (!isTuple && (isTight || fits)) ? "inside" : isOpen ? "beside" : "below";
  /** @type {[number, number]} */
  const extent = [half, half];
  if (place === "beside") extent[1] = half + 6 + words;
  if (place === "below") extent.fill(Math.max(half, words / 2));
  if (styled?.field) extent[1] = half + 6 + styled.field.width;
  const more =
    styled?.note ??
    (!isOpen && !styled && node.children > 0 && node.number !== null
      ? `+${shortCount(node.below ?? node.children)}`
      : "");
  if (more) widen(extent, widthOf(more, "small") / 2);
  const written = (place === "below" ? 16 : 0) + (more ? ROW : 0);
  const edge = edgeOf(node, state, step, children, styled, hasWindow, isFlat);
  const entry = hasWindow && !styled && !isFaint && node.window ? windowText(node.window) : "";
  const ahead = entry && isFlat ? `${node.move} ${entry}` : entry;
  const reserve = Math.max(...[...edge.map(textOf), ahead].map((row) => widthOf(row, "small")));
  const slant = SLANTS[!isFlat && (entry || edge.length > 1) ? 1 : 0];
  const apart = reserve ? ((reserve + 10) / slant - GAP) / 2 : 0; // so that texts fit between two edges
  return {
    title,
    place,
    isTight,
    state,
    shape,
    isInner,
    isTuple,
    half,
    height,
    edge,
    more,
    styled,
    reach: reserve ? reserve + 8 : 0,
    foot: Math.max(0, height + written + 2 - TALL),
    extent: widen(extent, apart),
  };
}

/**
 * Make an extent at least so wide to both sides.
 *
 * @param {[number, number]} extent
 * @param {number} half
 */
export function widen(extent, half) {
  extent[0] = Math.max(extent[0], half);
  extent[1] = Math.max(extent[1], half);
  return extent;
}

/** @type {(count: number) => string} `64k` for 63,904: there is little room below a node */
const shortCount = (count) =>
  count < 10_000
    ? count.toLocaleString("en")
    : count < 999_500
      ? `${Math.round(count / 1000)}k`
      : `${(count / 1e6).toFixed(1)}M`;

/**
 * The rows of text on the edge to a node: its move with probability or visits, and the window; or all in one row.
 *
 * @param {Node} node
 * @param {string} state
 * @param {number} step
 * @param {Node[] | undefined} children
 * @param {Styled | null} styled
 * @param {boolean} hasWindow
 * @param {boolean} isFlat
 * @returns {Row[]}
 */
function edgeOf(node, state, step, children, styled, hasWindow, isFlat) {
  const chance = node.probability != null ? chanceText(node.probability) : "";
  const visits = node.visits !== undefined && node.parent >= 0 ? `×${node.visits.toLocaleString("en")}` : "";
  const move = [node.move, chance, visits].filter(Boolean).join(" · ");
  const range =
    styled || !hasWindow || state === "hidden" || isOnlyProbed(node, step)
      ? null
      : state === "open"
        ? windowNow(node, children ?? [], step)
        : node.window;
  const window = range ? windowText(range.map((bound) => (Number.isFinite(bound) ? bound : null))) : "";
  const both = /** @type {Row} */ ([
    ["move", move],
    ["muted window", window],
  ]);
  const parts = both.filter(([, text]) => text);
  return isFlat && parts.length ? [parts] : parts.map((part) => [part]);
}

/** @type {(row: Row) => string} */
const textOf = (row) => row.map(([, text]) => text).join(" ");

// -- nodes -------------------------------------------------------------------------------------------

/** @param {NodeLook} look */
export function outline({ half, height, shape, isInner }) {
  const style = `shape ${isInner ? "" : "plain"}`;
  if (shape === "max") return svg`<path class=${style} d=${`M0 0L${half} ${height}H${-half}Z`}></path>`;
  if (shape === "min") return svg`<path class=${style} d=${`M${-half} 0H${half}L0 ${height}Z`}></path>`;
  if (shape === "chance") return svg`<circle class=${style} cy=${height / 2} r=${height / 2}></circle>`;
  const corner = shape === "horizon" ? SQUARE / 2 : 2;
  return svg`<rect class="${style} ${shape === "horizon" ? "dashed" : ""}" x=${-half} width=${2 * half} height=${SQUARE} rx=${corner}></rect>`;
}

/**
 * The texts in, beside and below a node.
 *
 * @param {Spot} spot
 * @param {(node: Node, text: string) => void} onAnswer
 */
export function wordsOn(spot, onAnswer) {
  const { shape, height, place } = spot;
  const base = baseOf(shape, height);
  const foot = height + 15;
  return svg`${spot.styled?.field ? field(spot, spot.styled, onAnswer) : nothing}
    ${spot.title && place === "beside" ? svg`<text class="start strong value" x=${spot.half + 6} y=${height / 2 + 5}>${spot.title}</text>` : nothing}
    ${spot.title && place !== "beside" ? svg`<text class="middle strong value ${spot.isTight ? "tight" : ""}" y=${place === "below" ? foot : base}>${spot.title}</text>` : nothing}
    ${spot.isTuple ? svg`<text class="small middle muted" y=${base - 1}>P${(spot.node.player ?? 0) + 1}</text>` : nothing}
    ${spot.more ? svg`<text class="small middle accented more" y=${foot + (place === "below" ? 14 : -1)}>${spot.more}</text>` : nothing}`;
}

/**
 * @param {Spot} spot
 * @param {Styled} styled
 * @param {(node: Node, text: string) => void} onAnswer
 */
function field(spot, styled, onAnswer) {
  return svg`<foreignObject x=${spot.half + 5} y=${TALL / 2 - 13} width=${styled.field?.width ?? 0} height="26">
    ${html`<input class="in-node" aria-label=${styled.words} data-answer=${spot.key} autocomplete="off" spellcheck="false" .value=${styled.field?.answer ?? ""}
      @input=${withValue((text) => onAnswer(spot.node, text))}>`}
  </foreignObject>`;
}

// -- edges -------------------------------------------------------------------------------------------

/**
 * An edge as a path: straight in a tidy tree; curved in rows, so that it reaches its node from above.
 *
 * @type {(start: Point, end: Point, isCurved: boolean) => string}
 */
export function pathOf([x, y], [u, v], isCurved) {
  const [a, c, d] = [x, u, v].map((one) => one.toFixed(1));
  if (!isCurved) return `L${c} ${d}`;
  const bend = BEND * (v - y);
  return `C${a} ${(y + bend).toFixed(1)} ${c} ${(v - bend).toFixed(1)} ${c} ${d}`;
}

/**
 * The point of an edge at a share of its length.
 *
 * @param {Point} start
 * @param {Point} end
 * @param {number} share
 * @param {boolean} isCurved
 */
function pointAt([x, y], [u, v], share, isCurved) {
  if (!isCurved) return [x + share * (u - x), y + share * (v - y)];
  const [near, far] = [3 * (1 - share) ** 2 * share, 3 * (1 - share) * share ** 2];
  return [x + (far + share ** 3) * (u - x), y + (near * BEND + far * (1 - BEND) + share ** 3) * (v - y)];
}

/**
 * The texts of an edge: beside the line, on its upper side, next to the node.
 *
 * @param {Row[]} rows
 * @param {Point} start
 * @param {Point} end
 * @param {{thickness: number, state: string, isCurved: boolean}} manner
 */
export function wordsBeside(rows, start, end, { thickness, state, isCurved }) {
  const side = end[0] < start[0] - 1 ? -1 : 1;
  const share = isCurved ? 0.94 : 1 - (ABOVE - 5) / Math.max(1, end[1] - start[1]); // brackets reach below the line of letters
  const at = pointAt(start, end, share, isCurved)[0] + side * (5 + thickness / 2);
  const words = (/** @type {Row} */ row) =>
    row.length === 1
      ? row[0][1]
      : row.map(([style, text], nth) => svg`<tspan class=${style} dx=${nth ? 4 : 0}>${text}</tspan>`);
  return rows.map(
    (row, nth) =>
      svg`<text class="small ${side < 0 ? "end" : "start"} ${row[0][0]} ${state}" x=${at.toFixed(1)} y=${(end[1] - ABOVE - ROW * (rows.length - 1 - nth)).toFixed(1)}>${words(row)}</text>`,
  );
}

/**
 * Two strokes across an edge that is cut.
 *
 * @param {Point} start
 * @param {Point} end
 * @param {string} mark
 * @param {boolean} isCurved
 */
export function strokes(start, end, mark, isCurved) {
  const [a, b] = pointAt(start, end, isCurved ? 0.7 : 0.4, isCurved).map((one) => Number(one.toFixed(1)));
  return svg`<path class="line slash ${mark}" d=${`M${a - 6} ${b + 1}L${a + 6} ${b - 5}M${a - 6} ${b + 6}L${a + 6} ${b}`}></path>`;
}
