// The windows of the inside: what is looked at as text, to give on, and the signs and keys.

import { copyField } from "./copy-field.js";
import { html } from "./vendor/lit-html.js";

const SIGNS = [
  ["▲ ▽", "Max and Min; where everybody wants their own most, all nodes point upwards and say whose they are"],
  ["◯", "dice or chance; □ an end, a dashed rim an evaluation instead of a search"],
  ["3, ≥ 3, ≤ 3, ~ 3", "exact, at least, at most, an estimate; a … b: the mean is between these"],
  ["[α, β]", "the window on an edge: what Max and what Min have elsewhere"],
  ["two strokes", "a branch that is cut; the reason stands below"],
  ["+12", "what is below a closed node, or left out of a row; click to see it"],
];
const KEYS = [
  ["← → or , .", "a step back, a step on"],
  ["Home, End, Space", "first step, last step, play and pause"],
  ["Tab, arrows, Enter", "into the tree, walk, choose and open, again to close; in an exercise mark"],
  ["Escape", "back from the chosen node to where the search is"],
  ["Shift and arrows", "move the tree; + − 0 zoom; drag, pinch, or Ctrl and the wheel"],
  ["/", "the tree or the position as text"],
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
        <h2 id="title-share">This search, to give on</h2>
        ${copyField(this, "Link", location.href, 2)} ${isTree ? copyField(this, "The tree", lookedAt.options.text, 2) : copyField(this, "The position", this.page.position?.text ?? lookedAt.position, 2)}
        <p class="summary">The link brings back the search, the exercise, and a random tree or run by its number.</p>
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
