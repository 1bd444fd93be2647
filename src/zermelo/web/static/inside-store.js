// A recorded search, as far as the page has loaded it.

import * as server from "./inside-server.js";
import { bounds, numberText } from "./inside-steps.js";

/** The kind of a value; an estimate outside its window is only a bound of an estimate. */
function proofOf({ proof, window, value, children }) {
  if (proof !== "estimate" || !window || !children || value.length > 1) return proof;
  const [alpha, beta] = bounds(window);
  return value[0] <= alpha ? "upper estimate" : value[0] >= beta ? "lower estimate" : proof;
}

const SIDED = ["minimax", "alphabeta", "quiescence", "star1", "star2", "expectiminimax", "paranoid"];

export class Store {
  constructor(look, facts) {
    this.look = look;
    this.facts = facts;
    facts.hasBounds = ["star1", "star2"].includes(look.algorithm);
    facts.hasSides = SIDED.includes(look.algorithm) && facts.seats.length <= 2;
    facts.sides = { Max: facts.seats[0] ?? "Max", Min: facts.seats[1] ?? "Min" };
    this.nodes = new Map();
    this.families = new Map();
    this.byMoment = new Map();
    facts.value = this.inUnits(facts.value);
    facts.range = this.inUnits(facts.range);
    this.add(facts.items ?? []);
  }

  /** Convert values to the game's unit, such as pawns. */
  inUnits(values) {
    return this.facts.unit === 1 ? values : values && values.map((value) => (value === null ? null : value / this.facts.unit));
  }

  get isComplete() {
    return this.nodes.size >= this.facts.nodes;
  }

  add(items) {
    const changed = new Map();
    for (const node of items) {
      node.value = this.inUnits(node.value);
      node.window = this.inUnits(node.window);
      node.proof = proofOf(node);
      if (node.number !== null) {
        this.nodes.set(node.number, node);
        if (node.entered !== undefined) this.byMoment.set(node.entered, node);
        if (node.left !== null && node.left !== undefined) this.byMoment.set(node.left, node);
      }
      if (node.parent < 0) continue;
      if (!changed.has(node.parent)) changed.set(node.parent, []);
      changed.get(node.parent).push(node);
    }
    for (const [parent, family] of changed) {
      this.families.set(parent, family.sort((a, b) => a.index - b.index));
      for (const child of family) if (/[αβ]/.test(child.reason ?? "")) child.reason = inequality(this.nodes.get(parent), child.reason);
    }
  }

  get root() {
    return this.nodes.get(0);
  }

  node(number) {
    return this.nodes.get(number);
  }

  /** The children of a node; undefined if they are not loaded. */
  children(node) {
    return node.children === 0 ? [] : node.number === null ? [] : this.families.get(node.number);
  }

  /** The path from the root to the node. */
  way(node) {
    const found = [node];
    while (found[0].parent >= 0) found.unshift(this.nodes.get(found[0].parent));
    return found;
  }

  moves(node) {
    return this.way(node).slice(1).map((one) => one.move);
  }

  /** Whether a node is on the line of best play, once the search has left the root. */
  best(node, step) {
    if (node.kind === "cut" || node.visits !== undefined || this.root.left === null || this.root.left >= step) return false;
    const way = this.way(node);
    return way.slice(1).every((one, nth) => this.bestChild(way[nth]) === one);
  }

  /** The child that gave a node its value; none at dice. */
  bestChild(node) {
    if (node.kind === "chance" || !node.value) return undefined;
    return (this.children(node) ?? []).find((child) => child.kind !== "cut" && String(child.value) === String(node.value));
  }

  /** Load the line of best play; return the numbers of its nodes. */
  async line() {
    const found = [];
    for (let node = this.root; node; node = this.bestChild(node)) {
      await this.load(node);
      found.push(node.number);
    }
    return new Set(found);
  }

  async load(node) {
    if (!this.children(node)) this.add((await server.children(this.look, node.number)).items);
  }

  /** Load the path to the node of this step. */
  async prepare(step) {
    if (step === 0) return;
    const node = this.byMoment.get(step - 1);
    if (node && this.way(node).every((one) => this.children(one))) return;
    this.add((await server.moment(this.look, step - 1)).items);
  }
}

/** Why the remaining branches of a node were cut: `2 ≤ α = 3`; a probe already has its reason. */
function inequality({ value, window }, reason) {
  if (!value || !window) return reason;
  const [alpha, beta] = bounds(window);
  if (value[0] >= beta) return `${numberText(value[0])} ≥ β = ${numberText(beta)}`;
  return value[0] <= alpha ? `${numberText(value[0])} ≤ α = ${numberText(alpha)}` : reason;
}

export const keyOf = (node) => (node.number === null ? `${node.parent}/${node.index}` : String(node.number));
