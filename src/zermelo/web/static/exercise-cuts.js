// The exercise "mark the cuts": which branches does the search never visit?

import { checkedOf, everyNode, judgedWords, markOf, titleOf, twin } from "./exercise.js";
import { bounds, meanBounds, rangeOf, soFar, valueText } from "./inside-steps.js";
import { keyOf } from "./inside-store.js";
import { belowDice, kindName, moverName, placeName, reasonOf } from "./inside-text.js";
import { numberText } from "./numerals.js";
import { capitalise } from "./text.js";

/**
 * @import { Node, Store } from "./inside-store.js"
 * @import { Answers, Exercise, Given, Verdict, Verdicts } from "./exercise.js"
 */

const ROUNDING = 1e-9;

/** @type {Exercise} */
export const cuts = {
  title: "Mark cuts",
  question: (search) =>
    `Which branches will ${search} never search, going from left to right? Click their edges, or select them with the arrow keys and press Enter.`,
  obstacle: ({ full, search }) =>
    full === search
      ? "This search cuts nothing; choose alpha-beta, Star1 for a tree with dice, or max^n with pruning."
      : "",
  check: (given, { marks }) => checkedOf(checkMarks(given, marks)),
  styleOf,
  praise: ({ verdicts }) => (verdicts.size ? "All correct." : "Correct: nothing is cut here."),
  explainsAll: true,
};

/**
 * @param {Given} given
 * @param {Set<string>} marks
 */
function checkMarks({ full, search }, marks) {
  /** @type {Verdicts} */
  const verdicts = new Map();
  for (const node of everyNode(full)) {
    if (node.parent < 0) continue;
    const real = twin(full, node, search);
    if (marks.has(keyOf(node))) verdicts.set(keyOf(node), judgeMark(full, search, node, real, marks));
    else if (
      real?.kind === "cut" &&
      real.reason?.kind !== "never" &&
      !isBelowMark(full, node, marks) &&
      !isTie(search, real)
    ) {
      const words = `${titleOf(full, node)} is cut, and you did not mark it. ${capitalise(reasonOf(real, search))}.`;
      verdicts.set(keyOf(node), { isRight: false, isMissed: true, words });
    }
  }
  return verdicts;
}

/** @type {(full: Store, node: Node, marks: Set<string>) => boolean} */
const isBelowMark = (full, node, marks) =>
  full
    .way(node)
    .slice(1, -1)
    .some((one) => marks.has(keyOf(one)));

/**
 * @param {Store} full
 * @param {Store} search
 * @param {Node} node
 * @param {Node | null} real
 * @param {Set<string>} marks
 * @returns {Verdict}
 */
function judgeMark(full, search, node, real, marks) {
  const place = titleOf(full, node);
  if (real?.kind === "cut") {
    return { isRight: true, words: `${place}: yes. ${capitalise(reasonOf(real, search))}.` };
  }
  if (!real) {
    const above = full.way(node).find((one) => twin(full, one, search)?.kind === "cut") ?? node;
    const isThere = marks.has(keyOf(above));
    return {
      isRight: isThere,
      words: isThere
        ? `${place} is below a branch that is already cut; one mark is enough.`
        : `${place} is never searched because all of ${placeName(full, above)} is cut: mark that branch instead.`,
    };
  }
  if (isTie(search, real)) {
    return {
      isRight: true,
      words: `${place}: yes, the known value equals the bound exactly. The search went on only because its numbers are rounded.`,
    };
  }
  return { isRight: false, words: `${place} is searched. ${whyNot(search, real)}` };
}

/**
 * Whether only rounding decided if a branch is searched: means in the window may be off in the last digit.
 *
 * @param {Store} store
 * @param {Node} node
 */
function isTie(store, node) {
  const parent = /** @type {Node} */ (store.node(node.parent));
  const range = rangeOf(store.facts);
  if (!store.facts.hasBounds || !range) return false;
  const [alpha, beta] = bounds(parent.window ?? [null, null]);
  const step = (node.kind === "cut" ? parent.left : node.entered) ?? Infinity;
  const siblings = store.children(parent) ?? [];
  const known = soFar(parent, siblings, step);
  const [least, most] =
    parent.kind === "chance" ? meanBounds(siblings, step, range) : [known?.[0] ?? -Infinity, known?.[0] ?? Infinity];
  return (
    (parent.kind !== "max" && Math.abs(most - alpha) <= ROUNDING) ||
    (parent.kind !== "min" && Math.abs(least - beta) <= ROUNDING)
  );
}

/**
 * Why a node was not cut: what was known when the search came to it.
 *
 * @param {Store} store
 * @param {Node} node
 */
function whyNot(store, node) {
  const parent = /** @type {Node} */ (store.node(node.parent));
  const known = soFar(parent, store.children(parent) ?? [], node.entered ?? 0);
  const [alpha, beta] = bounds(parent.window ?? [null, null]);
  if (parent.parent < 0 && parent.kind !== "chance")
    return "No player chooses above the root, so all its branches are searched.";
  if (parent.kind === "chance") return "The outcomes before it leave the mean between α and β, so it still matters.";
  const who = moverName(parent, store.facts);
  if (!known)
    return `It is the first branch there, so nothing is known of ${who}'s node yet: there is nothing to compare.`;
  if (known.length > 1)
    return `${capitalise(who)} has ${numberText(known[parent.player ?? 0])} there so far, and that leaves enough for others to come here.`;
  const { Max, Min } = store.facts.sides;
  if (parent.kind === "min") {
    if (belowDice(store, parent))
      return `${Min} has ${numberText(known[0])} there so far, and below the dice only ${numberText(alpha)} or less is too little to matter.`;
    if (alpha === -Infinity)
      return `${Max} has nothing elsewhere yet (α = −∞), so no value of ${Min} can be too small.`;
    return `${Min} has ${numberText(known[0])} there so far and ${Max} has ${numberText(alpha)} elsewhere: ${numberText(known[0])} > ${numberText(alpha)}, so ${Max} might still come here.`;
  }
  if (belowDice(store, parent))
    return `${Max} has ${numberText(known[0])} there so far, and below the dice only ${numberText(beta)} or more is too much to matter.`;
  if (beta === Infinity) return `${Min} has nothing elsewhere yet (β = ∞), so no value of ${Max} can be too large.`;
  return `${Max} has ${numberText(known[0])} there so far and ${Min} has ${numberText(beta)} elsewhere: ${numberText(known[0])} < ${numberText(beta)}, so ${Min} might still allow it.`;
}

/**
 * @param {Given} given
 * @param {Answers} answers
 * @param {Verdicts | undefined} verdicts
 */
function styleOf({ full }, { marks }, verdicts) {
  return (/** @type {Node} */ node) => {
    const key = keyOf(node);
    const verdict = verdicts?.get(key);
    const isMarked = marks.has(key);
    const value = node.children ? "" : valueText(node.value);
    return {
      title: value,
      isCut: isMarked || Boolean(verdict?.isMissed),
      canMark: node.parent >= 0,
      mark: verdict ? markOf(verdict) : isMarked ? "marked-cut" : "",
      words: `${node.move ? `${node.move}: ` : ""}${kindName(node, full.facts)}${value ? ` worth ${value}` : ""}${isMarked ? ", marked as cut" : ""}${judgedWords(verdicts, node)}`,
    };
  };
}
