// What all exercises have in common: a tree, answers, and verdicts on them.

import { capitalise } from "./text.js";
import { placeName } from "./inside-text.js";
import { keyOf } from "./inside-store.js";

/**
 * @import { Node, Store } from "./inside-store.js"
 * @import { Styled } from "./inside-shapes.js"
 */

/** @typedef {{isRight: boolean, isMissed?: boolean, words: string}} Verdict on one node */
/** @typedef {Map<string, Verdict>} Verdicts by the keys of the nodes */
/** @typedef {{verdicts: Verdicts, wrong: Verdict[]}} Checked */

/**
 * What is asked about: the tree without cuts, and the search.
 *
 * @typedef {{full: Store, search: Store}} Given
 */

/**
 * The answers: marked nodes in the order of the marks, and typed texts.
 *
 * @typedef {{marks: Set<string>, texts: Map<string, string>}} Answers
 */

/**
 * An exercise.
 *
 * @typedef {object} Exercise
 * @property {string} title
 * @property {(search: string) => string} question
 * @property {(given: Given) => string} obstacle why there is no exercise with this search; empty if there is
 * @property {(given: Given, answers: Answers) => Checked} check
 * @property {(given: Given, answers: Answers, verdicts: Verdicts | undefined) => (node: Node) => Styled} styleOf
 * @property {(checked: Checked) => string} praise
 * @property {boolean} explainsAll whether verdicts on right answers are shown too
 */

/**
 * The same place in another recording of the same tree: a node, a cut branch, or null below a cut.
 *
 * @param {Store} store
 * @param {Node} node
 * @param {Store} other
 */
export function twin(store, node, other) {
  let found = other.root;
  for (const one of store.way(node).slice(1)) {
    const family = found.kind === "cut" ? undefined : other.children(found);
    const next = family?.find((child) => child.index === one.index);
    if (!next) return null;
    found = next;
  }
  return found;
}

/**
 * All visited nodes, level by level.
 *
 * @param {Store} store
 */
export function* everyNode(store) {
  const waiting = [store.root];
  for (let node = waiting.shift(); node; node = waiting.shift()) {
    yield node;
    waiting.push(...(store.children(node) ?? []).filter((child) => child.kind !== "cut"));
  }
}

/**
 * @param {Verdicts} verdicts
 * @returns {Checked}
 */
export function checkedOf(verdicts) {
  return { verdicts, wrong: [...verdicts.values()].filter((one) => !one.isRight) };
}

/** @type {(verdict: Verdict | undefined) => string} */
export const markOf = (verdict) => (verdict ? (verdict.isRight ? "right" : "wrong") : "");

/** @type {(store: Store, node: Node) => string} */
export const titleOf = (store, node) => capitalise(placeName(store, node));

/** @type {(verdicts: Verdicts | undefined, node: Node) => string} */
export const judgedWords = (verdicts, node) => {
  const verdict = verdicts?.get(keyOf(node));
  return verdict ? `, ${verdict.isRight ? "right" : "wrong"}` : "";
};
