// The dialogs of the inside page: the search as link and text, and the signs and keys.

import { copyField } from "./copy-field.js";
import { preferences } from "./help-dialogs.js";
import { KEYS } from "./inside-keys.js";
import { pictureButtons } from "./picture.js";
import { openDialog } from "./shell.js";
import { html } from "./vendor/lit-html.js";

/** @import { InsidePage } from "./inside-page.js" */

const SIGNS = [
  ["▲ ▽", "Max and Min; if all players maximise their own payoff, all nodes point upwards and name their player"],
  ["◯", "dice or chance; □ the end of the game; a dashed outline: evaluated, not searched"],
  ["3, ≥ 3, ≤ 3, ~ 3", "exact, at least, at most, an estimate; a … b: the mean is between these"],
  ["[α, β]", "the window on an edge: the values that Max and Min have elsewhere"],
  ["two strokes", "a branch that is cut; the reason is below it"],
  ["+12", "nodes below a closed node, or left out of a row; click to show them"],
];
export class Dialogs {
  /** @param {InsidePage} page */
  constructor(page) {
    this.page = page;
    this.copied = "";
  }

  /** @param {string} name */
  open(name) {
    this.copied = "";
    openDialog(this.page, name);
  }

  view() {
    return html`${this.share()} ${preferences(this.page)} ${this.help()}`;
  }

  share() {
    const { search } = this.page;
    if (!search) return "";
    const { look, position } = search;
    return html`<dialog id="dialog-share" aria-labelledby="title-share">
      <form method="dialog">
        <h2 id="title-share">Share this search</h2>
        ${copyField(this, "Link", location.href, 2)} ${look.game === "tree" ? copyField(this, "The tree", look.options.text ?? "", 2) : copyField(this, "The position", position?.text ?? look.position, 2)}
        ${pictureButtons("Save the picture as", () => this.page.picture())}
        <p class="summary">The link restores the search, the exercise, and a random tree or run by its number.</p>
        <div class="ends"><button class="button main">Close</button></div>
      </form>
    </dialog>`;
  }

  help() {
    const rows = (/** @type {string[][]} */ pairs) =>
      html`<table class="signs"><tbody>${pairs.map(([sign, what]) => html`<tr><th scope="row">${sign}</th><td>${what}</td></tr>`)}</tbody></table>`;
    return html`<dialog id="dialog-help" aria-labelledby="title-help">
      <form method="dialog">
        <h2 id="title-help">Signs</h2>
        ${rows(SIGNS)}
        <h2>Keys</h2>
        ${rows(KEYS)}
        <div class="ends"><button class="button main">Close</button></div>
      </form>
    </dialog>`;
  }
}
