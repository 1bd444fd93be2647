// The state of a tree after a number of steps. A step is a moment of the search: a node is entered, evaluated, or left.

import { numberText } from "./numerals.js";

/** @import { KnownNode, Node, NodeProbe, TreeFacts, Window } from "./inside-store.js" */

/** @type {(bound: number | null, infinite: number) => string} */
const boundText = (bound, infinite) => numberText(bound ?? infinite);

/** @type {Record<Node["proof"], string>} */
const SIGNS = { exact: "", lower: "≥ ", upper: "≤ ", estimate: "~ ", "lower estimate": "≥ ~", "upper estimate": "≤ ~" };

/**
 * @param {Window | null | undefined} value
 * @param {Node["proof"]} proof
 */
export function valueText(value, proof = "exact") {
  if (!value) return "";
  const text =
    value.length === 1 ? boundText(value[0], Infinity) : `(${value.map((one) => boundText(one, Infinity)).join(", ")})`;
  return SIGNS[proof] + text;
}

/** @type {(window: Window) => string} */
export const windowText = ([alpha, beta]) => `[${boundText(alpha, -Infinity)}, ${boundText(beta, Infinity)}]`;

/**
 * A node as it is known at a step: until Star2 searches an outcome that it has probed, only its probe is known.
 *
 * @type {(node: Node, step: number) => Node | NodeProbe}
 */
export const seenAt = (node, step) => (node.probe && step <= (node.entered ?? 0) ? node.probe : node);

/**
 * Whether an outcome is probed, or has been, and is not searched yet or never.
 *
 * @type {(node: Node, step: number) => boolean}
 */
export const isOnlyProbed = (node, step) =>
  node.probe !== undefined && (step <= (node.entered ?? 0) || node.entered === node.probe.entered);

/**
 * `hidden` before the search enters the node, `open` while it is inside, `closed` after it, `cut` if it never enters.
 *
 * @param {Node} node
 * @param {number} step
 */
export function stateAt(node, step) {
  if (node.kind === "cut") return (node.left ?? Infinity) < step ? "cut" : "hidden";
  if (node.visits !== undefined) return "closed";
  const { entered, left } = seenAt(node, step);
  if ((entered ?? Infinity) >= step) return "hidden";
  return (left ?? Infinity) < step ? "closed" : "open";
}

/**
 * The children whose values are known.
 *
 * @type {(children: Node[], step: number) => KnownNode[]}
 */
export const closedChildren = (children, step) =>
  /** @type {KnownNode[]} */ (children.filter((child) => child.kind !== "cut" && stateAt(child, step) === "closed"));

/**
 * The best value so far for the player to move at an open node, standing pat included; null before there is one.
 *
 * @param {Node} node
 * @param {Node[]} children
 * @param {number} step
 */
export function soFar(node, children, step) {
  const known = closedChildren(children, step).map((child) => child.value);
  if (node.stand_pat && (node.stand_pat.moment ?? Infinity) < step) known.unshift(node.stand_pat.value);
  if (!known.length) return null;
  const entry = known[0].length > 1 ? (node.player ?? 0) : 0;
  /** @type {(a: number, b: number) => boolean} */
  const isBetter = node.kind === "min" ? (a, b) => a < b : (a, b) => a > b;
  return known.reduce((best, value) => (isBetter(value[entry], best[entry]) ? value : best));
}

/**
 * The window as it is now at an open node: alpha and beta with infinities.
 *
 * @param {Node} node
 * @param {Node[]} children
 * @param {number} step
 */
export function windowNow(node, children, step) {
  if (!node.window) return null;
  let [alpha, beta] = bounds(node.window);
  const best = soFar(node, children, step);
  if (best && node.kind === "max") alpha = Math.max(alpha, best[0]);
  if (best && node.kind === "min") beta = Math.min(beta, best[0]);
  return [alpha, beta];
}

/** @type {(window: Window) => [number, number]} */
export const bounds = ([alpha, beta]) => [alpha ?? -Infinity, beta ?? Infinity];

/**
 * The bounds of the mean of a chance node, given the known outcomes.
 *
 * @param {Node[]} children
 * @param {number} step
 * @param {[number, number]} range
 */
export function meanBounds(children, step, [low, high]) {
  let [least, most] = [0, 0];
  for (const child of children) {
    const [floor, ceiling] = outcomeBounds(child, step, low, high);
    least += (child.probability ?? 0) * floor;
    most += (child.probability ?? 0) * ceiling;
  }
  return [least, most];
}

/**
 * @param {Node} child
 * @param {number} step
 * @param {number} low
 * @param {number} high
 */
function outcomeBounds(child, step, low, high) {
  if (child.kind === "cut" || stateAt(child, step) !== "closed") return [low, high];
  const { value, proof } = seenAt(child, step);
  if (!value) return [low, high];
  if (proof.startsWith("lower")) return [value[0], high];
  if (proof.startsWith("upper")) return [low, value[0]];
  return [value[0], value[0]];
}

/**
 * The least and the largest payoff; null if one of them is infinite.
 *
 * @param {TreeFacts} facts
 * @returns {[number, number] | null}
 */
export function rangeOf({ range: [low, high] }) {
  return low === null || high === null ? null : [low, high];
}

/**
 * The text in a node at a step.
 *
 * @param {Node} node
 * @param {Node[] | undefined} children
 * @param {number} step
 * @param {TreeFacts} facts
 */
export function titleAt(node, children, step, facts) {
  const state = stateAt(node, step);
  if (node.visits !== undefined) return node.value ? valueText(node.value.map((mean) => Number(mean.toFixed(2)))) : "";
  if (node.kind === "cut") return valueText(node.value);
  if (state === "hidden") return facts.is_tree && !node.children ? valueText(node.value) : "";
  if (state === "closed") return valueText(seenAt(node, step).value, seenAt(node, step).proof);
  if (!children?.length) return "";
  if (node.kind === "chance") {
    const range = rangeOf(facts);
    if (!facts.hasBounds || !range) return "…";
    const [least, most] = meanBounds(children, step, range);
    return `${numberText(least)} … ${numberText(most)}`;
  }
  const best = soFar(node, children, step);
  if (!best) return "";
  return best.length > 1 ? valueText(best) : valueText(best, node.kind === "min" ? "upper" : "lower");
}
