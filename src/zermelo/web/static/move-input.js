// From touched cells to a move: every legal move is a sequence of cells; touches select the moves that start with them.

/** @typedef {Record<string, number[]>} Touches */

/** @type {(cells: number[], begun: number[]) => boolean} */
const startsWith = (cells, begun) => begun.every((cell, place) => cells[place] === cell);

/**
 * The moves that begin with these cells.
 *
 * @type {(touches: Touches, begun: number[]) => string[]}
 */
export const movesFrom = (touches, begun) =>
  Object.keys(touches).filter((move) => touches[move].length && startsWith(touches[move], begun));

/**
 * The cells that can be touched next, each with the moves that continue there.
 *
 * @param {Touches} touches
 * @param {number[]} begun
 */
export function nextCells(touches, begun) {
  /** @type {Map<number, string[]>} */
  const found = new Map();
  for (const move of movesFrom(touches, begun)) {
    const cell = touches[move][begun.length];
    if (cell === undefined) continue;
    const moves = found.get(cell);
    if (moves) moves.push(move);
    else found.set(cell, [move]);
  }
  return found;
}

/**
 * The cell with which every move begins, if there is only one piece that moves; then it need not be touched.
 *
 * @param {Touches} touches
 */
export function onlyStart(touches) {
  const all = Object.values(touches);
  const [start] = all[0] ?? [];
  const isOnly =
    start !== undefined && all.every((cells) => cells[0] === start) && all.some((cells) => cells.length > 1);
  return isOnly ? start : null;
}

/**
 * The result of touching a cell: `{begun, moves}` where `moves` are those that are complete.
 * A cell that does not fit starts a new move; the first cell, touched twice, cancels it.
 *
 * @param {Touches} touches
 * @param {number[]} begun
 * @param {number} cell
 */
export function touchCell(touches, begun, cell) {
  let next = [...begun, cell];
  const only = onlyStart(touches);
  if (!begun.length && only !== null && cell !== only) next = [only, cell];
  if (!movesFrom(touches, next).length) next = begun[0] === cell && begun.length === 1 ? [] : [cell];
  if (!movesFrom(touches, next).length) return { begun: [], moves: [] };
  return { begun: next, moves: next.length ? completeMoves(touches, next) : [] };
}

/** @type {(touches: Touches, begun: number[]) => string[]} */
export const completeMoves = (touches, begun) =>
  movesFrom(touches, begun).filter((move) => touches[move].length === begun.length);

/**
 * Whether exactly one move is left, and it is complete.
 *
 * @type {(touches: Touches, begun: number[]) => boolean}
 */
export const isDecided = (touches, begun) => {
  const moves = movesFrom(touches, begun);
  return moves.length === 1 && touches[moves[0]].length === begun.length;
};
