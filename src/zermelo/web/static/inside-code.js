// The pseudocode beside the tree: the current line, and the line at which the call above it waits.

import { loadPreference, savePreference } from "./preferences.js";
import { isOnlyProbed } from "./inside-steps.js";
import { html } from "./vendor/lit-html.js";

/**
 * @import { CodeLine } from "../types/messages.js"
 * @import { OpenSearch } from "./inside-search.js"
 * @import { Store } from "./inside-store.js"
 */

/** @typedef {CodeLine["steps"][number]} Step */
/** @typedef {{now: Step[], waiting: Step[]}} CurrentSteps */

/**
 * What a recorded search does at a step, and what the call above is waiting for.
 *
 * @param {Store} store
 * @param {number} step
 * @returns {CurrentSteps}
 */
export function stepsAt(store, step) {
  if (step === 0) return { now: ["begin"], waiting: [] };
  const moment = step - 1;
  const node = store.byMoment.get(moment);
  if (!node?.steps) return { now: [], waiting: [] };
  const { probe, stand_pat: standPat } = node;
  const parent = store.node(node.parent);
  const isReply = parent?.probe && isOnlyProbed(parent, step);
  const above = (isReply ? parent.probe?.steps.enter : parent?.steps?.call) ?? null;
  const waiting = above && node.steps.leave !== "known outcome" ? [above] : [];
  if (probe?.entered === moment || probe?.left === moment) return { now: [probe.steps.leave], waiting: [] };
  if (standPat?.moment === moment && node.left !== moment) return { now: ["stand pat"], waiting };
  return { now: [node.left === moment ? node.steps.leave : (node.steps.enter ?? node.steps.leave)], waiting };
}

/**
 * The card with the pseudocode; it can be closed, and stays so at the next visit.
 *
 * @param {OpenSearch} search
 */
export function codeCard({ store, growth, recorded, step }) {
  const { now, waiting } = growth ? { now: growth.steps, waiting: [] } : stepsAt(/** @type {Store} */ (recorded), step);
  const isIn = (/** @type {CodeLine} */ line, /** @type {Step[]} */ steps) =>
    steps.some((one) => line.steps.includes(one));
  const keep = (/** @type {Event} */ event) =>
    savePreference("inside-code", /** @type {HTMLDetailsElement} */ (event.target).open ? "open" : "closed");
  return html`<details class="card code" ?open=${loadPreference("inside-code", "open") === "open"} @toggle=${keep}>
    <summary><h2>Pseudocode</h2></summary>
    <ol class="code-lines" aria-label="Pseudocode">${store.facts.pseudocode.map((line) => {
      const isNow = isIn(line, now);
      const depth = (line.text.length - line.text.trimStart().length) / 2;
      return html`<li class=${isNow ? "now" : isIn(line, waiting) ? "waiting" : ""} aria-current=${isNow ? "step" : "false"} style=${`--depth:${depth}`}><code>${line.text.trim()}</code></li>`;
    })}</ol>
  </details>`;
}
