// Probabilities of moves: what to play, and how often, where something is hidden.

import { bar } from "./solve-table.js";
import { html } from "./vendor/lit-html.js";

/**
 * @import { AnalysisView, Costs, DecisionCost } from "../types/messages.js"
 * @import { Page } from "./main.js"
 */

/** @type {(analysis: AnalysisView | null) => boolean} */
export const isMixture = (analysis) => analysis?.moves[0]?.probability !== undefined;

/**
 * The lines of the analysis card: a bar for each move, from the view of the player to move.
 *
 * @param {Page} page
 * @param {AnalysisView} analysis
 */
export const mixtureLines = (page, analysis) => html`
  <p class="verdict"><span class="proof">How often to play each move, ${analysis.about}.</span></p>
  <ol class="mixture">${analysis.moves.map(
    ({ move, probability = 0, text }) => html`<li>
      <button class="variation" aria-label=${`${move}, ${text}`} @click=${() => page.play(move)}>
        ${bar({ move, probability, text, worth: null, is_bluff: false })}
      </button>
    </li>`,
  )}</ol>`;

/**
 * The bar in the button of a move.
 *
 * @param {number} probability
 * @param {string} text
 */
export const buttonBar = (probability, text) =>
  html`<span class="odds"><span class="track" aria-hidden="true"><span class="fill" style=${`--share:${(100 * probability).toFixed(2)}%`}></span></span>${text}</span>`;

/**
 * After the game: what each decision cost.
 *
 * @param {Costs} costs
 * @param {(ply: number) => void} go
 */
export function costsCard(costs, go) {
  const own = (/** @type {DecisionCost} */ one) => html`<li class=${one.cost >= 0.005 ? "dear" : ""}>
    <button class="decision" @click=${() => go(one.ply)}>
      <span class="dot owner-${one.player}"></span>
      <span><b>${one.move}</b> with “${one.view}”: ${one.words}.</span>
    </button>
  </li>`;
  const total = (/** @type {number} */ player) => {
    const seat = costs.decisions.find((one) => one.player === player)?.seat;
    const given = costs.totals[player];
    if (!seat) return "";
    return html`<li>${seat} gave away <b>${given < 0.005 ? "nothing" : `${given.toFixed(2)} ${costs.unit}`}</b>.</li>`;
  };
  return html`<section class="card costs" aria-label="What each decision cost">
    <h2>What each decision cost</h2>
    <ul class="totals">${costs.totals.map((_, player) => total(player))}</ul>
    <ol>${costs.decisions.map(own)}</ol>
    <p class="note">${costs.about}</p>
  </section>`;
}
