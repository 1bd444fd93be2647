// The moves of a session as the page shows them: the current line, its branches and its mistakes.

const SLIPS = [
  [0.3, "??", "blunder"],
  [0.15, "?", "mistake"],
  [0.07, "?!", "inaccuracy"],
];

/** The nodes from the root through the current one to the end of its line. */
export function lineOf(session) {
  const line = [];
  for (let node = session.nodes[session.current]; node; node = session.nodes[node.parent]) line.unshift(node);
  for (let node = session.nodes[line.at(-1).next]; node; node = session.nodes[node.next]) line.push(node);
  return line;
}

export const childrenOf = (session, node) => session.nodes.filter((one) => one.parent === node.number);

export function movesTo(session, number) {
  const moves = [];
  for (let node = session.nodes[number]; node.parent !== null; node = session.nodes[node.parent]) moves.unshift(node.move);
  return moves;
}

/** What the move to this node gave away, as a share of winning chances; null if unknown. */
export function lossOf(session, node) {
  if (node.parent === null || node.player < 0) return null;
  const before = session.nodes[node.parent].judgement;
  if (!before || before.chance === null) return null;
  if (before.best === node.move) return 0;
  if (!node.judgement || node.judgement.chance === null) return null;
  const sign = node.player === 0 ? 1 : -1;
  return Math.max(0, sign * (before.chance - node.judgement.chance));
}

/** The sign and the word for a slip, or null. */
export function slipOf(session, node) {
  const loss = lossOf(session, node);
  const found = SLIPS.find(([least]) => loss !== null && loss >= least);
  return found ? { sign: found[1], word: found[2], loss } : null;
}

/** The next node with a slip after the current one; after the end, from the start. */
export function nextSlip(session) {
  const line = lineOf(session);
  const here = line.findIndex((node) => node.number === session.current);
  const around = [...line.slice(here + 1), ...line.slice(0, here + 1)];
  return around.find((node) => slipOf(session, node)) ?? null;
}
