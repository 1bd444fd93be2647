// The end of a game: who won, what a person can do next, and a quiet celebration.

import { suggestedLevel } from "./adaptive-level.js";
import { lineOf } from "./game-line.js";
import { isOn } from "./preferences.js";
import { levelOf, resultFor } from "./results.js";
import { html } from "./vendor/lit-html.js";
import { countText } from "./text.js";

/**
 * @import { Result } from "./adaptive-level.js"
 * @import { Page } from "./main.js"
 */

const PAPERS = 36; // pieces of paper that fall when a person wins

/** @type {Record<Result, string>} */
const HEADLINES = { won: "You win!", lost: "You lose this time.", drawn: "It is a draw." };

/** @param {Page} page */
export function endingCard(page) {
  const { session, state } = page;
  if (!session.position.is_over) return "";
  const result = resultFor(session);
  const { game, players, levels } = session;
  const count = lineOf(session).filter(({ player }) => player >= 0).length;
  const level = levelOf(session);
  const next = isOn("adaptive") && result ? suggestedLevel(game.key) : null;
  const isMixed = new Set(players.map(({ agent }) => agent)).size > 1;
  return html`<section class="ending card ${result ?? ""}" aria-label="The end of the game">
    <div>
      <h2>${result ? HEADLINES[result] : `${session.position.outcome}.`}</h2>
      <p class="note">${result ? `${session.position.outcome}, after ${countText(count, "move")}.` : `After ${countText(count, "move")}.`}
        ${next !== null && level !== null && next !== level ? `The next game is at level ${next} · ${levels[next - 1]}.` : ""}</p>
    </div>
    <div class="tools">
      <button class="button main" @click=${() => page.playAgain()}>Play again</button>
      ${isMixed ? html`<button class="button" @click=${() => page.playAgain(true)}>Swap sides</button>` : ""}
      <button class="button" ?disabled=${state.review !== null} @click=${() => page.startReview()}>Review the game</button>
    </div>
  </section>`;
}

/**
 * Paper that falls over the board when a person has just won; not if motion shall be reduced, see style.css.
 *
 * @param {Page} page
 */
export function celebration({ session, state }) {
  if (!state.hasJustEnded || resultFor(session) !== "won" || !isOn("celebrate")) return "";
  const papers = Array.from({ length: PAPERS }, (_, number) => {
    const spread = (/** @type {number} */ by) => ((number * by) % PAPERS) / PAPERS;
    return `--left:${(100 * spread(7)).toFixed(1)}%;--wait:${(0.7 * spread(11)).toFixed(2)}s;--spin:${Math.round(360 * spread(5) - 180)}deg;--sway:${Math.round(60 * spread(13) - 30)}px`;
  });
  return html`<div class="celebration" aria-hidden="true">${papers.map((style, number) => html`<i class="owner-${number % 3}" style=${style}></i>`)}</div>`;
}
