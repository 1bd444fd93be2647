// Sentences about a step, and about the reason of a cut.

import {
  bounds,
  isOnlyProbed,
  meanBounds,
  rangeOf,
  seenAt,
  closedChildren,
  soFar,
  stateAt,
  valueText,
  windowText,
} from "./inside-steps.js";
import { chanceText, numberText } from "./numerals.js";
import { capitalise, countText } from "./text.js";

/**
 * @import { CutReason } from "../types/messages.js"
 * @import { Node, NodeProbe, StoreFacts, TreeFacts, Tree } from "./inside-store.js"
 * @import { Store } from "./inside-store.js"
 */

/** @type {(words: string[]) => string} */
const joinWords = (words) =>
  words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : (words[0] ?? "");

/**
 * The name of the player to move at a node.
 *
 * @param {Pick<Node, "kind" | "player">} node
 * @param {TreeFacts} facts
 */
export function moverName(node, facts) {
  if (node.kind === "chance" && node.player === -1) return "the dice";
  const player = node.player ?? 0;
  const seat = facts.seats[player] ?? `player ${player + 1}`;
  return facts.hasSides && !["Max", "Min"].includes(seat) ? `${seat} (${node.kind === "min" ? "Min" : "Max"})` : seat;
}

/**
 * `the root`, `node b.a`, `the position after 4 4`.
 *
 * @param {Tree} store
 * @param {Node} node
 */
export function placeName(store, node) {
  const moves = store.moves(node);
  if (!moves.length) return "the root";
  return store.facts.is_tree
    ? `${node.children || node.shape ? "node" : "leaf"} ${moves.join(".")}`
    : `the position after ${moves.join(" ")}`;
}

/** @type {Record<Node["proof"], string>} */
const WORTH = {
  exact: "",
  lower: "at least ",
  upper: "at most ",
  estimate: "about ",
  "lower estimate": "at least about ",
  "upper estimate": "at most about ",
};

/**
 * The reason of a cut in a few words, and as a sentence if the numbers do not say it.
 *
 * @type {Record<CutReason["kind"], (value: string, bound: string) => [short: string, long: string]>}
 */
const CUTS = {
  alpha: (value, bound) => [`${value} ≤ α = ${bound}`, ""],
  beta: (value, bound) => [`${value} ≥ β = ${bound}`, ""],
  left: (value, bound) => [`${value} left ≤ ${bound}`, ""],
  never: () => ["never happens", "it never happens"],
  replied: () => [
    "another replied",
    "another opponent has already replied, so only the first move in the game's order is played here",
  ],
  quiet: () => ["quiet", "beyond the depth limit only moves that are not quiet are searched"],
  unneeded: () => ["not needed", "it cannot change the value"],
};

/** @type {(reason: CutReason) => [short: string, long: string]} */
const wordsOfCut = ({ kind, value, bound }) => CUTS[kind](numberText(value ?? NaN), numberText(bound ?? NaN));

/**
 * The reason of a cut in a few words: `2 ≤ α = 3`; empty if the node is not cut.
 *
 * @type {(node: Node) => string}
 */
export const shortReason = ({ reason }) => (reason ? wordsOfCut(reason)[0] : "");

/**
 * Whether there are dice above a node: then its window bounds an outcome, and is not a value that a player has elsewhere.
 *
 * @type {(store: Tree, node: Node) => boolean}
 */
export const belowDice = (store, node) =>
  store
    .way(node)
    .slice(0, -1)
    .some((one) => one.kind === "chance");

/**
 * Why a branch is cut: the inequality at its parent, and what it means.
 *
 * @param {Node} cut
 * @param {Store} store
 */
export function reasonOf(cut, store) {
  const node = store.node(cut.parent);
  if (!cut.reason || !node) return "";
  const [short, long] = wordsOfCut(cut.reason);
  if (long) return long;
  const { kind, value, bound } = cut.reason;
  const why = { value: numberText(value ?? NaN), bound: numberText(bound ?? NaN), cut: node, store };
  return `${short}: ${kind === "left" ? leftWords(why) : kind === "alpha" ? alphaWords(why) : betaWords(why)}`;
}

/** @typedef {{value: string, bound: string, cut: Node, store: Store}} Why a value and a bound cut below a node */

/** @type {(kind: "Max" | "Min", facts: StoreFacts) => string} */
const sideName = (kind, facts) => (facts.hasSides ? facts.sides[kind] : kind);

/** @param {Why} why */
function alphaWords({ value, bound, cut, store }) {
  const [max, min] = [sideName("Max", store.facts), sideName("Min", store.facts)];
  if (cut.kind === "chance")
    return `whatever the other outcomes are, the mean here is at most ${value}, and ${max} has ${bound} elsewhere`;
  return belowDice(store, cut)
    ? `${min} already has ${value} here, and below the dice ${bound} or less is too little for ${max} to go to them`
    : `${min} already has ${value} here, and ${max} has ${bound} elsewhere, so ${max} will not come here`;
}

/** @param {Why} why */
function betaWords({ value, bound, cut, store }) {
  const [max, min] = [sideName("Max", store.facts), sideName("Min", store.facts)];
  if (cut.kind === "chance")
    return `whatever the other outcomes are, the mean here is at least ${value}, and ${min} has ${bound} elsewhere`;
  return belowDice(store, cut)
    ? `${max} already has ${value} here, and below the dice ${bound} or more is too much for ${min} to let it come to them`
    : `${max} already has ${value} here, and ${min} has ${bound} elsewhere, so ${min} will not let it come to this`;
}

/**
 * A cut by the sum of all payoffs: what is left of it is too little.
 *
 * @param {Why} why
 */
function leftWords({ value, bound, cut, store }) {
  const parent = store.node(cut.parent);
  const [mover, chooser] = [moverName(cut, store.facts), parent ? moverName(parent, store.facts) : "the others"];
  return `${mover} already has ${numberText(cut.value?.[cut.player ?? 0] ?? NaN)} here, so of the total at most ${value} is left for ${chooser}, who has ${bound} elsewhere and will not come here`;
}

/**
 * The step that was just made.
 *
 * @param {Store} store
 * @param {number} step
 */
export function describeStep(store, step) {
  const { facts } = store;
  if (step === 0) return "Nothing has been searched yet. Press the right arrow key for the next step.";
  const node = store.byMoment.get(step - 1);
  if (!node) return "";
  const children = store.children(node) ?? [];
  const { probe, stand_pat: standPat } = node;
  if (probe?.entered === step - 1) return describeProbe(store, node);
  if (probe?.left === step - 1) return describeProbed(store, node, probe, step);
  if (standPat?.moment === step - 1)
    return children.length
      ? describeStandPat(store, node, standPat.value)
      : describeQuiet(store, node, standPat.value[0], step);
  if (node.left !== step - 1) return describeEntry(store, node, children);
  if (!children.length) return describeLeaf(store, node, step);
  return describeExit(store, node, children, facts);
}

/**
 * @param {Store} store
 * @param {Node} node
 * @param {Node[]} children
 */
function describeEntry(store, node, children) {
  const place = placeName(store, node);
  const below = children.length ? ` ${countText(children.length, "branch", "branches")}.` : "";
  const who =
    node.kind === "chance"
      ? node.player === -1
        ? "The dice decide"
        : `${capitalise(moverName(node, store.facts))} moves by chance`
      : `${capitalise(moverName(node, store.facts))} chooses`;
  const window = node.window ? ` The window is ${windowText(node.window)}: only values between these matter.` : "";
  if (!node.probe) return `${who} at ${place}.${below}${window}`;
  const known = `The probe has found ${valueText(node.probe.value, node.probe.proof)}, and its reply counts as searched`;
  return `Now all of ${place} is searched. ${known}.${window}`;
}

// -- probes and standing pat ---------------------------------------------------------------------------

/**
 * @param {Store} store
 * @param {Node} node
 */
function describeProbe(store, node) {
  const [place, who] = [placeName(store, node), moverName(node, store.facts)];
  const bound = node.kind === "max" ? "at least" : "at most";
  return `Star2 probes ${place} by one reply: since ${who} chooses there, the outcome is worth ${bound} what this reply is worth.`;
}

/**
 * @param {Store} store
 * @param {Node} node
 * @param {NodeProbe} probe
 * @param {number} step
 */
function describeProbed(store, node, { value, proof }, step) {
  const text = `The probe of ${placeName(store, node)} is done: it is worth ${WORTH[proof]}${valueText(value)}.`;
  return text + effect(store, node, step);
}

/**
 * @param {Store} store
 * @param {Node} node
 * @param {number[]} value
 */
function describeStandPat(store, node, value) {
  const who = capitalise(moverName(node, store.facts));
  const bound = node.kind === "max" ? "at least" : "at most";
  return `${who} may stand pat at ${placeName(store, node)}: without a noisy move the evaluation ${valueText(value)} counts, so the node is worth ${bound} about that. Only noisy moves are searched.`;
}

/**
 * A leaf of a quiescence search: no noisy move, or the evaluation alone cuts.
 *
 * @param {Store} store
 * @param {Node} node
 * @param {number} value
 * @param {number} step
 */
function describeQuiet(store, node, value, step) {
  const [alpha, beta] = bounds(node.window ?? [null, null]);
  const who = capitalise(moverName({ ...node, kind: node.player === 0 ? "max" : "min" }, store.facts));
  const isCut = node.player === 0 ? value >= beta : value <= alpha;
  const text = `${capitalise(placeName(store, node))} is worth ${valueText(node.value, "estimate")} by the evaluation`;
  const other = node.player === 0 ? `≥ β = ${numberText(beta)}` : `≤ α = ${numberText(alpha)}`;
  const why = isCut ? `${who} stands pat, and ${numberText(value)} ${other} cuts all moves` : "no move is noisy here";
  return `${text}: ${why}.${effect(store, node, step)}`;
}

/**
 * @param {Store} store
 * @param {Node} node
 * @param {number} step
 */
function describeLeaf(store, node, step) {
  const estimate = node.kind === "horizon" ? " by the evaluation, since the search stops here" : "";
  const text = `${capitalise(placeName(store, node))} is worth ${valueText(node.value)}${estimate}.`;
  return text + effect(store, node, step);
}

/**
 * The effect of a value on the parent.
 *
 * @param {Store} store
 * @param {Node} node
 * @param {number} step
 */
function effect(store, node, step) {
  const parent = store.node(node.parent);
  if (!parent) return "";
  const { facts } = store;
  const siblings = store.children(parent) ?? [];
  if (parent.kind === "chance") {
    const range = rangeOf(facts);
    if (!facts.hasBounds || !range) return ` It counts ${chanceText(node.probability ?? 0)} in the mean.`;
    const [least, most] = meanBounds(siblings, step, range);
    return ` The mean is now between ${numberText(least)} and ${numberText(most)}.`;
  }
  const before = soFar(parent, siblings, step - 1);
  const after = soFar(parent, siblings, step);
  if (!after) return "";
  const who = capitalise(moverName(parent, facts));
  if (facts.seats.length > 2 && after.length === 1 && parent.kind === "min") {
    const held = ` ${who} holds ${moverName(store.root, facts)} to`;
    return !before
      ? `${held} ${valueText(after)} so far.`
      : before === after
        ? `${held} ${valueText(before)} still.`
        : `${held} ${valueText(after)} instead of ${valueText(before)}.`;
  }
  if (!before) return ` ${who} has ${valueText(after)} so far.`;
  return before === after
    ? ` ${who} keeps ${valueText(before)}.`
    : ` ${who} now has ${valueText(after)} instead of ${valueText(before)}.`;
}

/**
 * @param {Store} store
 * @param {Node} node
 * @param {Node[]} children
 * @param {StoreFacts} facts
 */
function describeExit(store, node, children, facts) {
  const place = capitalise(placeName(store, node));
  let text = `${place} is worth ${WORTH[node.proof]}${valueText(node.value)}.`;
  const cuts = children.filter((child) => child.kind === "cut");
  for (const reason of new Set(cuts.map(shortReason))) {
    const cut = cuts.filter((child) => shortReason(child) === reason);
    const names =
      cut.length > 6
        ? `${cut.length} branches`
        : `${cut.length === 1 ? "branch" : "branches"} ${joinWords(cut.map((child) => child.move))}`;
    text += ` ${capitalise(reasonOf(cut[0], store))}. ${capitalise(names)} ${cut.length === 1 ? "is" : "are"} cut.`;
  }
  if (node.parent < 0) {
    const line = facts.line.length ? ` Best: ${facts.line.join(" ")}.` : "";
    return `${text}${line} The search has visited ${facts.nodes.toLocaleString("en")} nodes.`;
  }
  return text + effect(store, node, (node.left ?? 0) + 1);
}

/**
 * A node for screen readers.
 *
 * @param {Tree} store
 * @param {Node} node
 * @param {Node[] | undefined} children
 * @param {number} step
 */
export function describeNode(store, node, children, step) {
  const move = node.move ? `${node.move}: ` : "";
  const chance =
    node.probability !== null && node.probability !== undefined ? `, chance ${chanceText(node.probability)}` : "";
  if (node.visits !== undefined)
    return `${move}${kindName(node, store.facts)}, ${node.visits} visits, mean ${valueText(node.value)}${chance}`;
  const state = stateAt(node, step);
  if (node.kind === "cut")
    return `${move}${state === "cut" ? `cut, ${shortReason(node)}` : "not searched yet"}${chance}`;
  const kind = kindName(node, store.facts);
  const window =
    node.window && state !== "hidden" && !isOnlyProbed(node, step) ? `, window ${windowText(node.window)}` : "";
  if (state === "hidden") return `${move}${kind}, not searched yet${chance}`;
  const { value, proof } = seenAt(node, step);
  if (state === "closed") return `${move}${kind}, value ${valueText(value, proof)}${window}${chance}`;
  const known = closedChildren(children ?? [], step).length;
  return `${move}${kind}, being searched, ${known} of ${node.children} branches known${window}${chance}`;
}

/**
 * @param {Node} node
 * @param {TreeFacts} facts
 */
export function kindName(node, facts) {
  if (node.kind === "terminal") return "end";
  if (node.kind === "horizon") return "evaluated";
  if (node.kind === "chance") return "chance node";
  return `${moverName(node, facts)} node`;
}
