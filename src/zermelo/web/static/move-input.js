// From touched cells to a move: every legal move is a sequence of cells; touches select the moves that start with them.

const startsWith = (cells, begun) => begun.every((cell, place) => cells[place] === cell);

/** The moves that begin with these cells. */
export const movesFrom = (touches, begun) => Object.keys(touches).filter((move) => touches[move].length && startsWith(touches[move], begun));

/** The cells that can be touched next, each with the moves that continue there. */
export function nextCells(touches, begun) {
  const found = new Map();
  for (const move of movesFrom(touches, begun)) {
    const cell = touches[move][begun.length];
    if (cell === undefined) continue;
    if (found.has(cell)) found.get(cell).push(move);
    else found.set(cell, [move]);
  }
  return found;
}

/**
 * The result of touching a cell: `{begun, moves}` where `moves` are those that are complete.
 * A cell that does not fit starts a new move; the first cell, touched twice, cancels it.
 */
export function touchCell(touches, begun, cell) {
  let next = [...begun, cell];
  if (!movesFrom(touches, next).length) next = begun[0] === cell && begun.length === 1 ? [] : [cell];
  if (!movesFrom(touches, next).length) return { begun: [], moves: [] };
  return { begun: next, moves: next.length ? completeMoves(touches, next) : [] };
}

export const completeMoves = (touches, begun) => movesFrom(touches, begun).filter((move) => touches[move].length === begun.length);

/** Whether exactly one move is left, and it is complete. */
export const isDecided = (touches, begun) => {
  const moves = movesFrom(touches, begun);
  return moves.length === 1 && touches[moves[0]].length === begun.length;
};
