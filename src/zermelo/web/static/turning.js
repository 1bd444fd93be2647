// A board seen from the other side: turned round, or top to bottom; what is written on it stays upright.

/** @typedef {{x: number, y: number, width: number, height: number}} Box */
/** @typedef {{x: number, y: number, isFlip: boolean}} Turn the middle of the board, and whether it is only turned over */

const RISE = 5; // from the base line of a text to its middle

/** @type {(boxes: Iterable<Box>) => {x: number, y: number}} */
export function middleOf(boxes) {
  const all = [...boxes];
  const middle = (/** @type {number[]} */ ends) => (Math.min(...ends) + Math.max(...ends)) / 2;
  return {
    x: middle(all.flatMap((box) => [box.x, box.x + box.width])),
    y: middle(all.flatMap((box) => [box.y, box.y + box.height])),
  };
}

/**
 * The box on the other side; turned twice, it is where it was.
 *
 * @type {(box: Box, turn: Turn | null) => Box}
 */
export function turnBox(box, turn) {
  if (!turn) return box;
  const x = turn.isFlip ? box.x : 2 * turn.x - box.x - box.width;
  return { ...box, x, y: 2 * turn.y - box.y - box.height };
}

/**
 * Turn a drawing of a board: names of ranks and files move along their edge, the caption stays.
 *
 * @param {SVGSVGElement} drawing
 * @param {Turn} turn
 */
export function turnDrawing(drawing, turn) {
  for (const part of drawing.children) {
    if (part.matches(".paper, .caption, title, desc")) continue;
    if (part.tagName === "text") turnLabel(part, turn);
    else turnPart(part, turn);
  }
}

/** @type {(part: Element, name: string) => number} */
const number = (part, name) => Number(part.getAttribute(name) ?? 0);

/**
 * @param {Element} label
 * @param {Turn} turn
 */
function turnLabel(label, turn) {
  if (!label.matches(".file")) label.setAttribute("y", String(2 * (turn.y + RISE) - number(label, "y")));
  if (turn.isFlip || label.matches(".rank")) return;
  label.setAttribute("x", String(2 * turn.x - number(label, "x")));
  if (label.matches(".start, .end")) for (const side of ["start", "end"]) label.classList.toggle(side);
}

/**
 * @param {Element} part
 * @param {Turn} turn
 */
function turnPart(part, { x, y, isFlip }) {
  part.setAttribute("transform", isFlip ? `matrix(1 0 0 -1 0 ${2 * y})` : `rotate(180 ${x} ${y})`);
  if (isFlip) {
    for (const text of part.querySelectorAll("text"))
      text.setAttribute("transform", `matrix(1 0 0 -1 0 ${2 * (number(text, "y") - RISE)})`);
  } else {
    keepUpright(part);
  }
}

/**
 * Pieces are drawn about the middle to which they are moved, and turn about it.
 *
 * @param {Element} part
 */
function keepUpright(part) {
  for (const inner of part.children) {
    const moved = inner.getAttribute("transform");
    if (moved) inner.setAttribute("transform", `${moved} rotate(180)`);
    else if (inner.tagName === "text")
      inner.setAttribute("transform", `rotate(180 ${number(inner, "x")} ${number(inner, "y") - RISE})`);
    else keepUpright(inner);
  }
}
