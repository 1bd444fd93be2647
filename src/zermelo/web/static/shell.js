// What the pages share: the head with its buttons, and how dialogs are opened.

import { START } from "./address.js";
import { nextTheme } from "./preferences.js";
import { html } from "./vendor/lit-html.js";

/**
 * @typedef {object} Shell a page with dialogs
 * @property {() => void} draw
 * @property {{open: (name: string) => void}} dialogs
 */

/**
 * The head of a page: the name, which leads to all games; what belongs to the page; and the buttons of all pages.
 *
 * @param {Shell} page
 * @param {{middle: unknown, help?: string}} parts `help` is the name of the page's help, if it has one
 */
export const pageHead = ({ dialogs }, { middle, help }) => html`<header class="head">
  <h1><a href=${`/#${START}`} title="All games">Zermelo</a></h1>
  ${middle}
  <button class="button bare icon" title="Light or dark" aria-label="Light or dark" @click=${() => nextTheme()}>◐</button>
  <button class="button bare icon" title="Preferences" aria-label="Preferences" @click=${() => dialogs.open("preferences")}>⚙</button>
  ${help ? html`<button class="button bare icon" title=${help} aria-label=${help} @click=${() => dialogs.open("help")}>?</button>` : ""}
</header>`;

/** @param {string} name */
const dialogOf = (name) => /** @type {HTMLDialogElement} */ (document.getElementById(`dialog-${name}`));

/**
 * Draw the page, with what its dialogs show now, and open one of them.
 *
 * @param {Shell} page
 * @param {string} name
 */
export function openDialog(page, name) {
  page.draw();
  dialogOf(name).showModal();
}

/** @param {string} name */
export const closeDialog = (name) => dialogOf(name).close();
