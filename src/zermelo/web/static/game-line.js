// The moves of a session as the page shows them: the current line, its branches and its mistakes.

/** @import { SessionState, TreeNode } from "../types/messages.js" */
/** @typedef {Pick<SessionState, "nodes" | "current">} Tree */

/** @type {WeakMap<TreeNode[], {current: number, line: TreeNode[]}>} */
const lines = new WeakMap(); // the latest line of a tree, which is asked for again and again
/** @type {WeakMap<TreeNode[], Map<number | null, TreeNode[]>>} */
const children = new WeakMap();

/**
 * The node with this number; none for null.
 *
 * @param {TreeNode[]} nodes
 * @param {number | null} number
 */
const at = (nodes, number) => (number === null ? undefined : nodes[number]);

/**
 * The nodes from the root through the current one to the end of its line.
 *
 * @param {Tree} tree
 */
export function lineOf({ nodes, current }) {
  const known = lines.get(nodes);
  if (known?.current === current) return known.line;
  const line = [];
  for (let node = at(nodes, current); node; node = at(nodes, node.parent)) line.push(node);
  line.reverse();
  for (let node = at(nodes, nodes[current].next); node; node = at(nodes, node.next)) line.push(node);
  lines.set(nodes, { current, line });
  return line;
}

/** @param {TreeNode[]} nodes */
function byParent(nodes) {
  /** @type {Map<number | null, TreeNode[]>} */
  const found = new Map();
  for (const node of nodes) {
    const family = found.get(node.parent);
    if (family) family.push(node);
    else found.set(node.parent, [node]);
  }
  return found;
}

/**
 * The moves that were played at a node.
 *
 * @param {Pick<Tree, "nodes">} tree
 * @param {TreeNode} node
 */
export function childrenOf({ nodes }, node) {
  const families = children.get(nodes) ?? byParent(nodes);
  children.set(nodes, families);
  return families.get(node.number) ?? [];
}

/**
 * The moves from the root to a node.
 *
 * @param {Pick<Tree, "nodes">} tree
 * @param {number} number
 */
export function movesTo({ nodes }, number) {
  const moves = [];
  for (let node = at(nodes, number); node && node.parent !== null; node = at(nodes, node.parent)) moves.push(node.move);
  return moves.reverse();
}

/**
 * What the move to this node gave away, as a share of winning chances; null if unknown.
 *
 * @param {Pick<Tree, "nodes">} session
 * @param {TreeNode} node
 */
export function lossOf(session, node) {
  if (node.parent === null || node.player < 0) return null;
  const before = session.nodes[node.parent].judgement;
  if (!before || before.chance === null) return null;
  if (before.best === node.move) return 0;
  if (!node.judgement || node.judgement.chance === null) return null;
  const sign = node.player === 0 ? 1 : -1;
  return Math.max(0, sign * (before.chance - node.judgement.chance));
}

/**
 * The sign and the word for a slip, the better move and the line that shows why; or null. The server says what a slip is.
 *
 * @param {Pick<SessionState, "nodes" | "slips">} session
 * @param {TreeNode} node
 */
export function slipOf(session, node) {
  const loss = lossOf(session, node);
  if (loss === null) return null;
  const found = session.slips.find(({ least }) => loss >= least);
  const before = at(session.nodes, node.parent)?.judgement;
  const better = before?.best ?? null;
  const line = before?.line?.[0] === better ? before.line : [];
  return found ? { sign: found.sign, word: found.word, loss, better, line } : null;
}

/**
 * The next node with a slip after the current one; after the end, from the start.
 *
 * @param {Tree & Pick<SessionState, "slips">} session
 */
export function nextSlip(session) {
  const line = lineOf(session);
  const here = line.findIndex((node) => node.number === session.current);
  const around = [...line.slice(here + 1), ...line.slice(0, here + 1)];
  return around.find((node) => slipOf(session, node)) ?? null;
}
