// Texts to be taken along.

import { html } from "./vendor/lit-html.js";

/** A text with a button that copies it; `dialogs.copied` is the name of the last one that was. */
export function copyField(dialogs, name, text, rows = 1) {
  const copy = () => {
    navigator.clipboard?.writeText(text);
    dialogs.copied = name;
    dialogs.page.draw();
  };
  return html`<div class="copied">
    <label><span>${name}</span><textarea readonly rows=${rows} .value=${text}></textarea></label>
    <button type="button" class="button" aria-label=${`Copy: ${name}`} @click=${copy}>${dialogs.copied === name ? "Copied" : "Copy"}</button>
  </div>`;
}
