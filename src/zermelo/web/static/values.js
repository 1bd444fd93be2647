// How values are shown: a sign and a shape show how a value is proved, never colour alone.

/** @import { AnalysisView } from "../types/messages.js" */

/** @type {Record<string, string>} */
const PROOFS = {
  exact: "proved",
  lower: "proved to be at least this",
  upper: "proved to be at most this",
  estimate: "an estimate",
};

/** @param {string} kind */
export const proofOf = (kind) => PROOFS[kind] ?? "";

/** @typedef {{text: string, short: string, kind: string, isBest: boolean, rank: number}} MoveValue */

/**
 * The values of all moves, by move.
 *
 * @param {AnalysisView | null} analysis
 */
export function valuesOf(analysis) {
  /** @type {Map<string, MoveValue>} */
  const found = new Map();
  const moves = analysis?.moves ?? [];
  moves.forEach((move, rank) => {
    if (move.value.every((one) => one === null)) return;
    const isBest = rank === 0 || (move.text === moves[0].text && move.kind === moves[0].kind && move.kind === "exact");
    found.set(move.move, { text: move.text, short: move.short, kind: move.kind, isBest, rank });
  });
  return found;
}

/** @param {number} count */
const grouped = (count) => Math.round(count).toLocaleString("en");

/**
 * `1,234 nodes`, `3.4 million nodes`.
 *
 * @param {number} count
 */
export function countText(count) {
  if (count >= 1e9) return `${(count / 1e9).toFixed(1)} billion`;
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)} million`;
  return grouped(count);
}

/**
 * Depth, nodes, speed and use of the table in one line.
 *
 * @param {Record<string, number | null | undefined>} stats
 */
export function effortOf(stats) {
  const parts = [];
  if (stats.depth != null) parts.push(`depth ${stats.depth}`);
  if (stats.simulations != null) parts.push(`${countText(stats.simulations)} simulations`);
  if (stats.nodes != null) parts.push(`${countText(stats.nodes)} nodes`);
  if (stats.nodes_per_second) parts.push(`${countText(stats.nodes_per_second)} nodes/s`);
  if (stats.table_fullness != null) parts.push(`table ${Math.round(100 * stats.table_fullness)} % full`);
  if (stats.seconds != null) parts.push(`${stats.seconds.toFixed(1)} s`);
  return parts.join(" · ");
}
