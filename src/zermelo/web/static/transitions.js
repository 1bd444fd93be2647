// What moves on a board from one position to the next, found by comparing what stands on the cells.

/**
 * @typedef {object} Change a place that looks different: a cell, or one in a stack on a cell
 * @property {string} at
 * @property {string} before what stood there; "" for nothing
 * @property {string} after what stands there
 */

/**
 * @typedef {object} Transitions
 * @property {{from: string, to: string}[]} moved
 * @property {string[]} arrived places with something new
 * @property {string[]} turned places whose piece is another one now
 * @property {string[]} left places whose piece was taken
 */

/**
 * Pieces that left one cell and stand on another have moved. The last move says which one if there are several; a piece
 * that it moves may look different now, such as a promoted pawn.
 *
 * @param {Change[]} changes
 * @param {string[]} last the places of the last move
 * @param {(one: string, other: string) => number} distance
 * @returns {Transitions}
 */
export function transitionsOf(changes, last, distance) {
  const gone = new Map(changes.filter(({ before }) => before).map(({ at, before }) => [at, before]));
  const come = new Map(changes.filter(({ after }) => after).map(({ at, after }) => [at, after]));
  const empty = new Set(changes.filter(({ after }) => !after).map(({ at }) => at));
  /** @type {{from: string, to: string}[]} */
  const moved = [];
  const move = (/** @type {string} */ from, /** @type {string} */ to) => {
    moved.push({ from, to });
    gone.delete(from);
    come.delete(to);
  };
  const [first, end] = [last[0], last[last.length - 1]];
  const ways = [
    [first, end],
    [end, first], // the move was taken back
  ];
  for (const [from, to] of ways) {
    const isOne = empty.has(from) || gone.get(from) === come.get(to);
    if (from !== to && gone.has(from) && come.has(to) && isOne) move(from, to);
  }
  for (const [to, piece] of [...come]) {
    const origins = [...gone].filter(([from, one]) => one === piece && from !== to && empty.has(from));
    const [nearest] = origins.map(([from]) => from).sort((a, b) => distance(a, to) - distance(b, to));
    if (nearest !== undefined) move(nearest, to);
  }
  const turned = [...come.keys()].filter((at) => gone.has(at));
  return {
    moved,
    turned,
    arrived: [...come.keys()].filter((at) => !gone.has(at)),
    left: [...gone.keys()].filter((at) => !turned.includes(at)),
  };
}
