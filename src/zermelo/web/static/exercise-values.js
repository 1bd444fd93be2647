// The exercise "fill in the values": what is each node worth?

import { checkedOf, everyNode, markOf, titleOf } from "./exercise.js";
import { valueText } from "./inside-steps.js";
import { keyOf } from "./inside-store.js";
import { kindName, moverName, placeName } from "./inside-text.js";
import { chanceText } from "./numerals.js";
import { capitalise } from "./text.js";

/**
 * @import { KnownNode, Node, Store } from "./inside-store.js"
 * @import { Answers, Exercise, Given, Verdict, Verdicts } from "./exercise.js"
 */

const [FIELD, WIDER] = [58, 22]; // of a field for one number, and for each further one

/** @type {Exercise} */
export const values = {
  title: "Fill in values",
  question: () => "What is the value of each node? Type it beside the node.",
  obstacle: () => "",
  check: ({ full }, { texts }) => checkedOf(checkValues(full, texts)),
  styleOf,
  praise: () => "All correct.",
  explainsAll: false,
};

/**
 * Parse the number or numbers that a person typed: `3`, `-1/3`, `(5, 2, 5)`, `-inf`; null if that fails.
 *
 * @param {string} text
 */
export function parseNumbers(text) {
  const parts = text
    .replaceAll("−", "-")
    .replace(/^\s*[(<[]|[)>\]]\s*$/g, "")
    .trim()
    .split(/[\s,;]+/);
  const numbers = parts.map(numberOf);
  return numbers.some(Number.isNaN) ? null : numbers;
}

/** @param {string} text */
function numberOf(text) {
  const [, sign] = /^([+-]?)(?:∞|inf(?:inity)?|oo)$/i.exec(text) ?? [];
  if (sign !== undefined) return sign === "-" ? -Infinity : Infinity;
  const [, above, below] = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:\/(\d+))?$/.exec(text) ?? [];
  return above === undefined || Number(below) === 0 ? NaN : Number(above) / Number(below ?? 1);
}

/**
 * Whether two decimals agree, or more of them if all values are much smaller.
 *
 * @type {(a: number, b: number, size: number) => boolean}
 */
export const isClose = (a, b, size) => a === b || Math.abs(a - b) <= Math.min(0.006, 0.01 * size) + 1e-9 * Math.abs(b);

/** @type {(full: Store, node: Node) => KnownNode[]} */
const below = (full, node) => /** @type {KnownNode[]} */ (full.children(node) ?? []);
/** @type {(full: Store, node: Node) => number} */
const sizeOf = (full, node) => Math.max(...below(full, node).flatMap((child) => child.value.map(Math.abs)));

/**
 * @param {Store} full
 * @param {Map<string, string>} texts
 */
function checkValues(full, texts) {
  /** @type {Verdicts} */
  const verdicts = new Map();
  for (const node of everyNode(full)) {
    if (!node.children) continue;
    const text = (texts.get(keyOf(node)) ?? "").trim();
    verdicts.set(keyOf(node), judgeValue(full, /** @type {KnownNode} */ (node), text));
  }
  return verdicts;
}

/**
 * @param {Store} full
 * @param {KnownNode} node
 * @param {string} text
 * @returns {Verdict}
 */
function judgeValue(full, node, text) {
  const place = titleOf(full, node);
  if (!text) return { isRight: false, isMissed: true, words: `${place} has no value yet.` };
  const numbers = parseNumbers(text);
  if (!numbers)
    return {
      isRight: false,
      words: `${place}: “${text.slice(0, 20)}” is not a number; write 3, 2.5, 1/3${node.value.length > 1 ? " or (5, 2, 5)" : ""}.`,
    };
  if (numbers.length !== node.value.length) {
    return {
      isRight: false,
      words: `${place} needs ${node.value.length === 1 ? "one number" : `${node.value.length} numbers, one per player, as in ${valueText(node.value.map(() => 1))}`}.`,
    };
  }
  const isRight = numbers.every((number, nth) => isClose(number, node.value[nth], sizeOf(full, node)));
  if (isRight) return { isRight, words: `${place}: yes, ${valueText(node.value)}.` };
  return { isRight, words: `${place} is not ${valueText(numbers)}. ${whyValue(full, node, numbers)}` };
}

/**
 * @param {Store} full
 * @param {KnownNode} node
 * @param {number[]} numbers
 */
function whyValue(full, node, numbers) {
  const children = below(full, node);
  const list = children.map((child) => valueText(child.value)).join(", ");
  if (node.kind === "chance") {
    const sum = children
      .map((child) => `${chanceText(child.probability ?? 0)} · ${valueText(child.value)}`)
      .join(" + ");
    return `A chance node takes the mean: ${sum} = ${valueText(node.value)}.`;
  }
  const who = moverName(node, full.facts);
  if (node.value.length > 1) {
    return `${capitalise(who)} chooses among ${list} by the ${ordinal(node.player ?? 0)} number, and takes ${valueText(node.value)}.`;
  }
  const known = children.map((child) => child.value[0]);
  const [word, opposite, contrary] =
    node.kind === "min" ? ["smallest", "largest", Math.max(...known)] : ["largest", "smallest", Math.min(...known)];
  const slip =
    isClose(numbers[0], contrary, sizeOf(full, node)) && contrary !== node.value[0]
      ? ` You took the ${opposite}, but ${who} chooses here.`
      : "";
  return `${capitalise(who)} takes the ${word} of ${list}: ${valueText(node.value)}.${slip}`;
}

/** @type {(player: number) => string} */
const ordinal = (player) => ["first", "second", "third", "fourth", "fifth", "sixth"][player] ?? `${player + 1}th`;

/**
 * @param {Given} given
 * @param {Answers} answers
 * @param {Verdicts | undefined} verdicts
 */
function styleOf({ full }, { texts }, verdicts) {
  return (/** @type {Node} */ node) => {
    const key = keyOf(node);
    if (!node.children)
      return { title: valueText(node.value), mark: "", words: `${node.move}: worth ${valueText(node.value)}` };
    return {
      title: "",
      field: { answer: texts.get(key) ?? "", width: FIELD + WIDER * Math.max(0, (node.value?.length ?? 1) - 1) },
      mark: markOf(verdicts?.get(key)),
      words: `Value of ${placeName(full, node)}, ${kindName(node, full.facts)}`,
    };
  };
}
