// Sentences about a step, and about the reason of a cut.

import { bounds, chanceText, meanBounds, numberText, closedChildren, soFar, stateAt, valueText, windowText } from "./inside-steps.js";
import { capitalise, countText } from "./text.js";

const joinWords = (words) => (words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : (words[0] ?? ""));

/** The name of the player to move at a node. */
export function moverName(node, facts) {
  if (node.kind === "chance" && node.player === -1) return "the dice";
  const seat = facts.seats[node.player] ?? `player ${node.player + 1}`;
  return facts.hasSides && !["Max", "Min"].includes(seat) ? `${seat} (${node.kind === "min" ? "Min" : "Max"})` : seat;
}

/** `the root`, `node b.a`, `the position after 4 4`. */
export function placeName(store, node) {
  const moves = store.moves(node);
  if (!moves.length) return "the root";
  return store.facts.is_tree ? `${node.children || node.shape ? "node" : "leaf"} ${moves.join(".")}` : `the position after ${moves.join(" ")}`;
}

const WORTH = {
  exact: "",
  lower: "at least ",
  upper: "at most ",
  estimate: "about ",
  "lower estimate": "at least about ",
  "upper estimate": "at most about ",
};

const WITHOUT_NUMBERS = {
  quiet: "beyond the depth limit only moves that are not quiet are searched",
  "never happens": "it never happens",
  "not needed": "it cannot change the value",
  "another replied": "another opponent has already replied, so only the first move in the game's order is played here",
};

/** Whether there are dice above a node: then its window bounds an outcome, and is not a value that a player has elsewhere. */
export const belowDice = (store, node) => store.way(node).slice(0, -1).some((one) => one.kind === "chance");

/** Why a branch is cut: the inequality at its parent, and what it means. */
export function reasonOf(cut, store) {
  const { facts } = store;
  if (WITHOUT_NUMBERS[cut.reason]) return WITHOUT_NUMBERS[cut.reason];
  const node = store.node(cut.parent);
  if (node.value.length > 1) return sharedReason(cut, node, store);
  const value = node.value[0];
  const [alpha, beta] = bounds(node.window ?? [null, null]);
  const other = (kind) => (facts.hasSides ? facts.sides[kind] : kind);
  if (node.kind === "chance") {
    if (value <= alpha) return `${numberText(value)} ≤ α = ${numberText(alpha)}: whatever the other outcomes are, the mean here is at most ${numberText(value)}, and ${other("Max")} has ${numberText(alpha)} elsewhere`;
    if (value >= beta) return `${numberText(value)} ≥ β = ${numberText(beta)}: whatever the other outcomes are, the mean here is at least ${numberText(value)}, and ${other("Min")} has ${numberText(beta)} elsewhere`;
  }
  const isBelowDice = belowDice(store, node);
  if (value >= beta) {
    const why = isBelowDice ? `below the dice ${numberText(beta)} or more is too much for ${other("Min")} to let it come to them` : `${other("Min")} has ${numberText(beta)} elsewhere, so ${other("Min")} will not let it come to this`;
    return `${numberText(value)} ≥ β = ${numberText(beta)}: ${other("Max")} already has ${numberText(value)} here, and ${why}`;
  }
  if (value <= alpha) {
    const why = isBelowDice ? `below the dice ${numberText(alpha)} or less is too little for ${other("Max")} to go to them` : `${other("Max")} has ${numberText(alpha)} elsewhere, so ${other("Max")} will not come here`;
    return `${numberText(value)} ≤ α = ${numberText(alpha)}: ${other("Min")} already has ${numberText(value)} here, and ${why}`;
  }
  return cut.reason;
}

/** The reason of a cut by the sum of all payoffs: `2 left ≤ 5`. */
function sharedReason(cut, node, store) {
  const [, left, bound] = /^(\S+) left ≤ (\S+)$/.exec(cut.reason) ?? [];
  if (!left) return cut.reason;
  const [mover, chooser] = [moverName(node, store.facts), moverName(store.node(node.parent), store.facts)];
  return `${cut.reason}: ${mover} already has ${numberText(node.value[node.player])} here, so of the total at most ${left} is left for ${chooser}, who has ${bound} elsewhere and will not come here`;
}

/** The step that was just made. */
export function describeStep(store, step) {
  const { facts } = store;
  if (step === 0) return "Nothing has been searched yet. Press the right arrow key for the next step.";
  const node = store.byMoment.get(step - 1);
  if (!node) return "";
  const children = store.children(node) ?? [];
  if (node.left !== step - 1) return describeEntry(store, node, children);
  if (!children.length) return describeLeaf(store, node, step);
  return describeExit(store, node, children, facts);
}

function describeEntry(store, node, children) {
  const place = placeName(store, node);
  const below = children.length ? ` ${countText(children.length, "branch", "branches")}.` : "";
  const who = node.kind === "chance" ? (node.player === -1 ? "The dice decide" : `${capitalise(moverName(node, store.facts))} moves by chance`) : `${capitalise(moverName(node, store.facts))} chooses`;
  const window = node.window ? ` The window is ${windowText(node.window)}: only values between these matter.` : "";
  return `${who} at ${place}.${below}${window}`;
}

function describeLeaf(store, node, step) {
  const estimate = node.kind === "horizon" ? " by the evaluation, since the search stops here" : "";
  const text = `${capitalise(placeName(store, node))} is worth ${valueText(node.value)}${estimate}.`;
  return text + effect(store, node, step);
}

/** The effect of a value on the parent. */
function effect(store, node, step) {
  const parent = store.node(node.parent);
  if (!parent) return "";
  const { facts } = store;
  const siblings = store.children(parent);
  if (parent.kind === "chance") {
    if (!facts.hasBounds || facts.range.includes(null)) return ` It counts ${chanceText(node.probability)} in the mean.`;
    const [least, most] = meanBounds(siblings, step, facts.range);
    return ` The mean is now between ${numberText(least)} and ${numberText(most)}.`;
  }
  const before = soFar(parent, siblings, step - 1);
  const after = soFar(parent, siblings, step);
  const who = capitalise(moverName(parent, facts));
  if (facts.seats.length > 2 && after.length === 1 && parent.kind === "min") {
    const held = ` ${who} holds ${moverName(store.root, facts)} to`;
    return !before ? `${held} ${valueText(after)} so far.` : before === after ? `${held} ${valueText(before)} still.` : `${held} ${valueText(after)} instead of ${valueText(before)}.`;
  }
  if (!before) return ` ${who} has ${valueText(after)} so far.`;
  return before === after ? ` ${who} keeps ${valueText(before)}.` : ` ${who} now has ${valueText(after)} instead of ${valueText(before)}.`;
}

function describeExit(store, node, children, facts) {
  const place = capitalise(placeName(store, node));
  let text = `${place} is worth ${WORTH[node.proof]}${valueText(node.value)}.`;
  for (const reason of new Set(children.filter((child) => child.kind === "cut").map((child) => child.reason))) {
    const cut = children.filter((child) => child.reason === reason);
    const names = cut.length > 6 ? `${cut.length} branches` : `${cut.length === 1 ? "branch" : "branches"} ${joinWords(cut.map((child) => child.move))}`;
    text += ` ${capitalise(reasonOf(cut[0], store))}. ${capitalise(names)} ${cut.length === 1 ? "is" : "are"} cut.`;
  }
  if (node.parent < 0) {
    const line = facts.line.length ? ` Best: ${facts.line.join(" ")}.` : "";
    return `${text}${line} The search has visited ${facts.nodes.toLocaleString("en")} nodes.`;
  }
  return text + effect(store, node, node.left + 1);
}

/** A node for screen readers. */
export function describeNode(store, node, children, step) {
  const move = node.move ? `${node.move}: ` : "";
  const chance = node.probability !== null && node.probability !== undefined ? `, chance ${chanceText(node.probability)}` : "";
  if (node.visits !== undefined) return `${move}${kindName(node, store.facts)}, ${node.visits} visits, mean ${valueText(node.value)}${chance}`;
  const state = stateAt(node, step);
  if (node.kind === "cut") return `${move}${state === "cut" ? `cut, ${node.reason}` : "not searched yet"}${chance}`;
  const kind = kindName(node, store.facts);
  const window = node.window && state !== "hidden" ? `, window ${windowText(node.window)}` : "";
  if (state === "hidden") return `${move}${kind}, not searched yet${chance}`;
  if (state === "closed") return `${move}${kind}, value ${valueText(node.value, node.proof)}${window}${chance}`;
  const known = closedChildren(children ?? [], step).length;
  return `${move}${kind}, being searched, ${known} of ${node.children} branches known${window}${chance}`;
}

export function kindName(node, facts) {
  if (node.kind === "terminal") return "end";
  if (node.kind === "horizon") return "evaluated";
  if (node.kind === "chance") return "chance node";
  return `${moverName(node, facts)} node`;
}
