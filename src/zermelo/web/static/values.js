// How values are shown: a sign and a shape show how a value is proved, never colour alone.

const PROOFS = {
  exact: "proved",
  lower: "proved to be at least this",
  upper: "proved to be at most this",
  estimate: "an estimate",
};

export const proofOf = (kind) => PROOFS[kind] ?? "";

/** The values of all moves, by move. */
export function valuesOf(analysis) {
  const found = new Map();
  (analysis?.moves ?? []).forEach((move, rank) => {
    if (move.value.every((one) => one === null)) return;
    const isBest = rank === 0 || (move.text === analysis.moves[0].text && move.kind === analysis.moves[0].kind && move.kind === "exact");
    found.set(move.move, { text: move.text, short: move.short, kind: move.kind, isBest, rank });
  });
  return found;
}

const grouped = (count) => Math.round(count).toLocaleString("en");

/** `1,234 nodes`, `3.4 million nodes`. */
export function countText(count) {
  if (count >= 1e9) return `${(count / 1e9).toFixed(1)} billion`;
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)} million`;
  return grouped(count);
}

/** Depth, nodes, speed and use of the table in one line. */
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
