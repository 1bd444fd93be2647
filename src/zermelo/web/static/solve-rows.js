// The rows of the table of a strategy: which are shown, and what they say in words.

/** @import { SetRow } from "../types/messages.js" */

/** @typedef {{player: number | null, words: string}} Filter the rows that are shown: of one player, with these words */

/**
 * The rows that a filter lets through, each with its place in the whole table.
 *
 * @param {SetRow[]} rows
 * @param {Filter} filter
 */
export function filtered(rows, { player, words }) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return rows
    .map((row, place) => ({ row, place }))
    .filter(({ row }) => {
      const text = `${row.view} ${row.moves.some((move) => move.is_bluff) ? "bluff" : ""}`.toLowerCase();
      return (player === null || row.player === player) && wanted.every((word) => text.includes(word));
    });
}

/**
 * What a selected row says in words.
 *
 * @param {SetRow} row
 * @param {string} seat
 */
export function describeRow(row, seat) {
  const parts = row.moves.map(
    ({ move, worth, text }) => `${move} ${text}${worth === null ? "" : `, wins ${signed(worth)}`}`,
  );
  const often =
    row.reach > 0 ? `Play comes here in ${percent(row.reach)} of the games.` : "This play never comes here.";
  const bluff = row.moves.find((move) => move.is_bluff);
  const why = bluff ? ` ${bluff.move} is a bluff: it loses unless the opponent believes it.` : "";
  return `${seat} knows: ${row.view}. ${parts.join("; ")}. ${often}${why}`;
}

/** @param {number} value */
const signed = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;

/** @param {number} share */
const percent = (share) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
