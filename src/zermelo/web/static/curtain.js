// The curtain: several people share a game with hidden information, and each sees only their own view.

import { curtainText } from "./announcements.js";
import { html } from "./vendor/lit-html.js";
import { capitalise } from "./text.js";

/** @import { Page } from "./main.js" */

/** @param {Page} page */
export function curtainView(page) {
  const { session } = page;
  const { curtain, game } = session;
  if (curtain === null) return "";
  return html`<div class="curtain">
    <h2>${curtainText(session)}</h2>
    <p class="note">What ${capitalise(game.seats[curtain])} sees stays covered until then.</p>
    <button class="button main" @click=${() => page.lift(curtain)}>I am ${capitalise(game.seats[curtain])}: show the game</button>
  </div>`;
}
