// A text field with a copy button.

import { html } from "./vendor/lit-html.js";

/** @typedef {{copied: string, page: {draw(): void}}} CopyDialogs */

/**
 * Copy a text; return whether that worked. Without https there is no clipboard, and the selection is copied instead.
 *
 * @param {string} text
 * @param {HTMLTextAreaElement} field
 */
async function copyText(text, field) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    field.select(); // if nothing else works, the user can press Ctrl-C
    return document.execCommand("copy");
  }
}

/**
 * A text with a button that copies it; `dialogs.copied` is the name of the text that was copied last.
 *
 * @param {CopyDialogs} dialogs
 * @param {string} name
 * @param {string} text
 */
export function copyField(dialogs, name, text, rows = 1) {
  /** @param {Event} event */
  const copy = async (event) => {
    const button = /** @type {HTMLElement} */ (event.currentTarget);
    const field = /** @type {HTMLTextAreaElement} */ (button.parentElement?.querySelector("textarea"));
    dialogs.copied = (await copyText(text, field)) ? name : "";
    dialogs.page.draw();
  };
  return html`<div class="copied">
    <label><span>${name}</span><textarea readonly rows=${rows} .value=${text}></textarea></label>
    <button type="button" class="button" aria-label=${`Copy: ${name}`} @click=${copy}>${dialogs.copied === name ? "Copied" : "Copy"}</button>
  </div>`;
}
