// The dialogs of the inside page: the search as link and text, and the signs and keys.

import { copyField } from "./copy-field.js";
import { html } from "./vendor/lit-html.js";

const SIGNS = [
  ["▲ ▽", "Max and Min; if all players maximise their own payoff, all nodes point upwards and name their player"],
  ["◯", "dice or chance; □ the end of the game; a dashed outline: evaluated, not searched"],
  ["3, ≥ 3, ≤ 3, ~ 3", "exact, at least, at most, an estimate; a … b: the mean is between these"],
  ["[α, β]", "the window on an edge: the values that Max and Min have elsewhere"],
  ["two strokes", "a branch that is cut; the reason is below it"],
  ["+12", "nodes below a closed node, or left out of a row; click to show them"],
];
const KEYS = [
  ["← → or , .", "one step back or forward"],
  ["Home, End, Space", "first step, last step, play and pause"],
  ["Tab, arrows, Enter", "go into the tree, move, select and open (again to close); in an exercise, mark"],
  ["Escape", "go from the selected node back to the search"],
  ["Shift and arrows", "move the tree; + − 0 zoom; or drag, pinch, or use Ctrl and the wheel"],
  ["/", "type the tree or the position"],
];

export class Dialogs {
  constructor(page) {
    this.page = page;
    this.copied = "";
  }

  open(name) {
    this.copied = "";
    this.page.draw();
    this.page.root.querySelector(`#dialog-${name}`).showModal();
  }

  view() {
    return html`${this.share()} ${this.help()}`;
  }

  share() {
    const { lookedAt } = this.page;
    if (!lookedAt) return "";
    const isTree = lookedAt.game === "tree";
    return html`<dialog id="dialog-share" aria-labelledby="title-share">
      <form method="dialog">
        <h2 id="title-share">Share this search</h2>
        ${copyField(this, "Link", location.href, 2)} ${isTree ? copyField(this, "The tree", lookedAt.options.text, 2) : copyField(this, "The position", this.page.position?.text ?? lookedAt.position, 2)}
        <p class="summary">The link restores the search, the exercise, and a random tree or run by its number.</p>
        <div class="ends"><button class="button main">Close</button></div>
      </form>
    </dialog>`;
  }

  help() {
    const rows = (pairs) => html`<table class="signs"><tbody>${pairs.map(([sign, what]) => html`<tr><th scope="row">${sign}</th><td>${what}</td></tr>`)}</tbody></table>`;
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
