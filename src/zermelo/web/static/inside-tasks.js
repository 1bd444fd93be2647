// The exercise on the page: which one, the answers, the verdicts, and random trees.

import { cuts } from "./exercise-cuts.js";
import { order } from "./exercise-order.js";
import { values } from "./exercise-values.js";
import { windows } from "./exercise-windows.js";
import { keyOf } from "./inside-store.js";

/**
 * @import { RandomTree } from "../types/messages.js"
 * @import { Mode } from "./inside-address.js"
 * @import { Answers, Checked, Exercise, Given } from "./exercise.js"
 * @import { OpenSearch } from "./inside-search.js"
 * @import { Node } from "./inside-store.js"
 */

/** @typedef {Required<RandomTree>} Random */

const MOST_NODES = 260; // more would be too many for an exercise
const MOST_LEAVES = 100; // of a random tree, as on the server

/** @type {Record<Exclude<Mode, "watch">, Exercise>} */
export const EXERCISES = { prune: cuts, values, windows, order };

export class Task {
  /** @param {Mode} mode */
  constructor(mode) {
    this.mode = mode;
    this.exercise = mode === "watch" ? null : EXERCISES[mode];
    /** @type {Answers} */
    this.answers = { marks: new Set(), texts: new Map() };
    /** @type {Checked | null} */
    this.checked = null;
  }

  /** @param {Node} node */
  mark(node) {
    const key = keyOf(node);
    if (!this.answers.marks.delete(key)) this.answers.marks.add(key);
    this.checked = null;
  }

  /**
   * Keep an answer; return whether the verdicts are gone because of it.
   *
   * @param {Node} node
   * @param {string} text
   */
  answer(node, text) {
    this.answers.texts.set(keyOf(node), text);
    const wasChecked = this.checked !== null;
    this.checked = null;
    return wasChecked;
  }

  /** @param {Given} given */
  check(given) {
    this.checked = this.exercise?.check(given, this.answers) ?? null;
  }

  /**
   * Why there is no exercise with this search; empty if there is.
   *
   * @param {OpenSearch} search
   */
  obstacle(search) {
    const { recorded, full } = search;
    if (!recorded) return "Monte Carlo tree search has no exercise; choose another search.";
    if (!full) return "Please wait: the full tree is being recorded.";
    const own = this.exercise?.obstacle({ full, search: recorded });
    if (own) return own;
    const isLarge = !full.isComplete || !recorded.isComplete || full.facts.nodes > MOST_NODES || full.facts.end;
    return isLarge ? "This tree is too large for an exercise; choose a smaller one, or a smaller depth." : "";
  }

  /**
   * What the exercise asks about; null if there is none.
   *
   * @param {OpenSearch} search
   * @returns {Given | null}
   */
  given(search) {
    const { recorded, full } = search;
    return this.exercise && recorded && full && !this.obstacle(search) ? { full, search: recorded } : null;
  }
}

/**
 * A random tree like another one, but for the changes; if it had too many leaves, the other number makes room.
 *
 * @param {Random | null} base
 * @param {Partial<Random>} changes
 * @returns {Random}
 */
export function newRandomTree(base, changes) {
  const seed = Math.floor(Math.random() * 1e6);
  /** @type {Random} */
  const wanted = { levels: 2, branches: 3, kind: "max and min", ...base, seed, ...changes };
  const other = "levels" in changes ? "branches" : "levels";
  while (wanted.branches ** wanted.levels > MOST_LEAVES) wanted[other] -= 1;
  return wanted;
}
