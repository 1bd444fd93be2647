// The table of a strategy: a row for each information set, a bar for the probability of each move.

import { filtered } from "./solve-rows.js";
import { html, nothing } from "./vendor/lit-html.js";
import { repeat } from "./vendor/directives/repeat.js";

/**
 * @import { MoveShare, SolutionView } from "../types/messages.js"
 * @import { Filter } from "./solve-rows.js"
 */

const LEAST = 0.0005; // a move that is played less often has no bar

/**
 * @param {SolutionView} solution
 * @param {Filter} filter
 * @param {number | null} selected
 * @param {(place: number) => void} select
 */
export function strategyTable(solution, filter, selected, select) {
  const shown = filtered(solution.rows, filter);
  return html`<div class="strategy-room" tabindex="0" role="region" aria-label="Information sets">
    <table class="strategy">
      <thead><tr><th scope="col">Player</th><th scope="col">Knows</th><th scope="col">Plays</th></tr></thead>
      <tbody>${repeat(
        shown,
        ({ place }) => place,
        ({ row, place }) => html`<tr class=${place === selected ? "selected" : ""} @click=${() => select(place)}>
          <td><span class="dot owner-${row.player}"></span> <span class="seat-name">${solution.seats[row.player]}</span></td>
          <td><button class="knows" aria-pressed=${place === selected} @click=${(/** @type {Event} */ event) => {
            event.stopPropagation();
            select(place);
          }}>${row.view}</button></td>
          <td class="plays">${row.moves.map(bar)}</td>
        </tr>`,
      )}</tbody>
    </table>
    ${shown.length ? "" : html`<p class="note" role="status">No information set has these words.</p>`}
  </div>`;
}

/** @param {MoveShare} share */
export const bar = ({
  move,
  probability,
  text,
  is_bluff: isBluff,
}) => html`<span class="share ${isBluff ? "bluff" : ""} ${probability < LEAST ? "never" : ""}">
  <span class="name">${move}</span>
  <span class="track" aria-hidden="true"><span class="fill" style=${`--share:${(100 * probability).toFixed(2)}%`}></span></span>
  <span class="number">${text}</span>${isBluff ? html`<span class="badge">bluff</span>` : nothing}
</span>`;
