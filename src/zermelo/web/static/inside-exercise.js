// The exercises: mark the cuts, or back up the values. Answers are checked against the recorded search.

import { bounds, chanceText, meanBounds, numberText, soFar, valueText } from "./inside-steps.js";
import { keyOf } from "./inside-store.js";
import { belowDice, kindName, moverName, placeName, reasonOf } from "./inside-text.js";
import { capitalise } from "./text.js";

/** The same place in another recording of the same tree: a node, a cut branch, or null below a cut. */
export function twin(store, node, other) {
  let found = other.root;
  for (const one of store.way(node).slice(1)) {
    const family = found.kind === "cut" ? null : other.children(found);
    found = family?.find((child) => child.index === one.index) ?? null;
    if (!found) return null;
  }
  return found;
}

// -- mark the cuts -----------------------------------------------------------------------------------

/** The verdicts on all marks: `{key: {isRight, words}}`, and whether all are right. */
export function checkMarks(full, cutting, marks) {
  const verdicts = new Map();
  for (const node of everyNode(full)) {
    if (node.parent < 0) continue;
    const isMarked = marks.has(keyOf(node));
    const real = twin(full, node, cutting);
    const isCut = real?.kind === "cut";
    if (isMarked) verdicts.set(keyOf(node), judgeMark(full, cutting, node, real, marks));
    else if (isCut && real.reason !== "never happens" && !isBelowMark(full, node, marks) && !isTie(cutting, real)) {
      const words = `${capitalise(placeName(full, node))} is cut, and you did not mark it. ${capitalise(reasonOf(real, cutting))}.`;
      verdicts.set(keyOf(node), { isRight: false, isMissed: true, words });
    }
  }
  const wrong = [...verdicts.values()].filter((one) => !one.isRight);
  return { verdicts, isRight: wrong.length === 0, wrong };
}

const isBelowMark = (full, node, marks) => full.way(node).slice(1, -1).some((one) => marks.has(keyOf(one)));

function judgeMark(full, cutting, node, real, marks) {
  const place = capitalise(placeName(full, node));
  if (real?.kind === "cut") {
    return { isRight: true, words: `${place}: yes. ${capitalise(reasonOf(real, cutting))}.` };
  }
  if (!real) {
    const above = full.way(node).find((one) => twin(full, one, cutting)?.kind === "cut");
    const isThere = marks.has(keyOf(above));
    return { isRight: isThere, words: isThere ? `${place} is below a branch that is already cut; one mark is enough.` : `${place} is never searched because all of ${placeName(full, above)} is cut: mark that branch instead.` };
  }
  if (isTie(cutting, real)) {
    return { isRight: true, words: `${place}: yes, the known value equals the bound exactly. The search went on only because its numbers are rounded.` };
  }
  return { isRight: false, words: `${place} is searched. ${whyNot(cutting, real)}` };
}

const ROUNDING = 1e-9;

/** Whether only rounding decided if a branch is searched: means in the window may be off in the last digit. */
function isTie(store, node) {
  const parent = store.node(node.parent);
  const [alpha, beta] = bounds(parent.window ?? [null, null]);
  if (!store.facts.hasBounds) return false;
  const step = node.kind === "cut" ? parent.left : node.entered;
  const siblings = store.children(parent);
  const known = soFar(parent, siblings, step);
  const [least, most] = parent.kind === "chance" ? meanBounds(siblings, step, store.facts.range) : [known?.[0] ?? -Infinity, known?.[0] ?? Infinity];
  return (parent.kind !== "max" && Math.abs(most - alpha) <= ROUNDING) || (parent.kind !== "min" && Math.abs(least - beta) <= ROUNDING);
}

/** Why a node was not cut: what was known when the search came to it. */
function whyNot(store, node) {
  const parent = store.node(node.parent);
  const siblings = store.children(parent);
  const known = soFar(parent, siblings, node.entered);
  const [alpha, beta] = bounds(parent.window ?? [null, null]);
  if (parent.parent < 0 && parent.kind !== "chance") return "No player chooses above the root, so all its branches are searched.";
  if (parent.kind === "chance") return "The outcomes before it leave the mean between α and β, so it still matters.";
  const who = moverName(parent, store.facts);
  if (!known) return `It is the first branch there, so nothing is known of ${who}'s node yet: there is nothing to compare.`;
  if (known.length > 1) return `${capitalise(who)} has ${numberText(known[parent.player])} there so far, and that leaves enough for others to come here.`;
  const { Max, Min } = store.facts.sides;
  if (parent.kind === "min") {
    if (belowDice(store, parent)) return `${Min} has ${numberText(known[0])} there so far, and below the dice only ${numberText(alpha)} or less is too little to matter.`;
    if (alpha === -Infinity) return `${Max} has nothing elsewhere yet (α = −∞), so no value of ${Min} can be too small.`;
    return `${Min} has ${numberText(known[0])} there so far and ${Max} has ${numberText(alpha)} elsewhere: ${numberText(known[0])} > ${numberText(alpha)}, so ${Max} might still come here.`;
  }
  if (belowDice(store, parent)) return `${Max} has ${numberText(known[0])} there so far, and below the dice only ${numberText(beta)} or more is too much to matter.`;
  if (beta === Infinity) return `${Min} has nothing elsewhere yet (β = ∞), so no value of ${Max} can be too large.`;
  return `${Max} has ${numberText(known[0])} there so far and ${Min} has ${numberText(beta)} elsewhere: ${numberText(known[0])} < ${numberText(beta)}, so ${Min} might still allow it.`;
}

// -- back up the values ------------------------------------------------------------------------------

/** Parse the number or numbers that a person typed: `3`, `-1/3`, `(5, 2, 5)`; null if that fails. */
export function parseValues(text) {
  const parts = text.replaceAll("−", "-").replace(/^\s*[(<[]|[)>\]]\s*$/g, "").trim().split(/[\s,;]+/);
  const numbers = parts.map((part) => {
    const [, above, below] = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:\/(\d+))?$/.exec(part) ?? [];
    return above === undefined || Number(below) === 0 ? NaN : Number(above) / Number(below ?? 1);
  });
  return numbers.some(Number.isNaN) ? null : numbers;
}

/** Two decimals are enough, unless all values are much smaller. */
const isClose = (a, b, size) => Math.abs(a - b) <= Math.min(0.006, 0.01 * size) + 1e-9 * Math.abs(b);
const sizeOf = (full, node) => Math.max(...full.children(node).flatMap((child) => child.value.map(Math.abs)));

export function checkValues(full, answers) {
  const verdicts = new Map();
  for (const node of everyNode(full)) {
    if (!node.children) continue;
    const text = (answers.get(keyOf(node)) ?? "").trim();
    verdicts.set(keyOf(node), judgeValue(full, node, text));
  }
  const wrong = [...verdicts.values()].filter((one) => !one.isRight);
  return { verdicts, isRight: wrong.length === 0, wrong };
}

function judgeValue(full, node, text) {
  const place = capitalise(placeName(full, node));
  if (!text) return { isRight: false, isMissed: true, words: `${place} has no value yet.` };
  const numbers = parseValues(text);
  if (!numbers) return { isRight: false, words: `${place}: “${text.slice(0, 20)}” is not a number; write 3, 2.5, 1/3${node.value.length > 1 ? " or (5, 2, 5)" : ""}.` };
  if (numbers.length !== node.value.length) {
    return { isRight: false, words: `${place} needs ${node.value.length === 1 ? "one number" : `${node.value.length} numbers, one per player, as in ${valueText(node.value.map(() => 1))}`}.` };
  }
  const isRight = numbers.every((number, nth) => isClose(number, node.value[nth], sizeOf(full, node)));
  if (isRight) return { isRight, words: `${place}: yes, ${valueText(node.value)}.` };
  return { isRight, words: `${place} is not ${valueText(numbers)}. ${whyValue(full, node, numbers)}` };
}

function whyValue(full, node, numbers) {
  const children = full.children(node);
  const list = children.map((child) => valueText(child.value)).join(", ");
  if (node.kind === "chance") {
    const sum = children.map((child) => `${chanceText(child.probability)} · ${valueText(child.value)}`).join(" + ");
    return `A chance node takes the mean: ${sum} = ${valueText(node.value)}.`;
  }
  const who = moverName(node, full.facts);
  if (node.value.length > 1) {
    return `${capitalise(who)} chooses among ${list} by the ${ordinal(node.player)} number, and takes ${valueText(node.value)}.`;
  }
  const values = children.map((child) => child.value[0]);
  const [word, opposite, contrary] = node.kind === "min" ? ["smallest", "largest", Math.max(...values)] : ["largest", "smallest", Math.min(...values)];
  const slip = isClose(numbers[0], contrary, sizeOf(full, node)) && contrary !== node.value[0] ? ` You took the ${opposite}, but ${who} chooses here.` : "";
  return `${capitalise(who)} takes the ${word} of ${list}: ${valueText(node.value)}.${slip}`;
}

const ordinal = (player) => ["first", "second", "third", "fourth", "fifth", "sixth"][player] ?? `${player + 1}th`;

// -- styles of nodes ---------------------------------------------------------------------------------

/** The style of a node while branches are marked. */
export function markStyle(full, marks, verdicts) {
  return (node) => {
    const key = keyOf(node);
    const verdict = verdicts?.get(key);
    const isCut = marks.has(key) || Boolean(verdict?.isMissed);
    const mark = verdict ? (verdict.isRight ? "right" : "wrong") : marks.has(key) ? "marked-cut" : "";
    const value = node.children ? "" : valueText(node.value);
    const words = `${node.move ? `${node.move}: ` : ""}${kindName(node, full.facts)}${value ? ` worth ${value}` : ""}${marks.has(key) ? ", marked as cut" : ""}${verdict ? `, ${verdict.isRight ? "right" : "wrong"}` : ""}`;
    return { title: value, isCut, canMark: node.parent >= 0, mark, words };
  };
}

/** The style of a node while values are typed. */
export function valueStyle(full, answers, verdicts) {
  return (node) => {
    const key = keyOf(node);
    const verdict = verdicts?.get(key);
    const mark = verdict ? (verdict.isRight ? "right" : "wrong") : "";
    if (!node.children) return { title: valueText(node.value), isCut: false, mark: "", words: `${node.move}: worth ${valueText(node.value)}` };
    return { title: "", field: true, answer: answers.get(key) ?? "", isCut: false, mark, words: `Value of ${placeName(full, node)}, ${kindName(node, full.facts)}` };
  };
}

export function* everyNode(store) {
  const waiting = [store.root];
  while (waiting.length) {
    const node = waiting.shift();
    yield node;
    waiting.push(...(store.children(node) ?? []).filter((child) => child.kind !== "cut"));
  }
}

