// A growing tree: Monte Carlo tree search after any number of simulations, forwards and backwards.

import * as server from "./inside-server.js";
import { valueText } from "./inside-steps.js";

/**
 * @import { GrownTree, GrowthFacts, Look } from "../types/messages.js"
 * @import { Node, TreeFacts } from "./inside-store.js"
 */

/** @typedef {GrowthFacts & TreeFacts} GrowingFacts */
/** @typedef {Node & {number: number, visits: number, branches: number}} GrownNode */

const SPARE = 44; // room for the number of siblings that are left out

export class Growth {
  /**
   * @param {Look} look
   * @param {GrowthFacts} facts
   */
  constructor(look, facts) {
    this.look = look;
    /** @type {GrowingFacts} */
    this.facts = {
      ...facts,
      hasSides: facts.seats.length <= 2,
      sides: { Max: facts.seats[0], Min: facts.seats[1] },
    };
    this.isGrowing = true;
    this.isCompiling = false;
    this.simulations = this.grown = this.size = this.questions = this.answered = 0;
    this.lastWay = [0];
    /** @type {GrownTree["steps"]} */
    this.steps = ["begin"];
    /** @type {(number | null)[] | null} */
    this.payoffs = null;
    /** @type {Map<number, GrownNode>} */
    this.nodes = new Map([
      [
        0,
        {
          number: 0,
          parent: -1,
          index: 0,
          kind: "max",
          player: 0,
          move: "",
          visits: 0,
          value: null,
          children: 0,
          branches: 0,
          proof: "estimate",
          probability: null,
        },
      ],
    ]);
    /** @type {Map<number, GrownNode[]>} */
    this.families = new Map();
  }

  get root() {
    return /** @type {GrownNode} */ (this.nodes.get(0));
  }

  get here() {
    return this.nodes.get(this.lastWay[this.lastWay.length - 1]) ?? this.root;
  }

  get isComplete() {
    return true;
  }

  /** @param {number} simulations */
  async prepare(simulations) {
    const question = ++this.questions;
    const found = await server.grow(this.look, simulations);
    if (question < this.answered) return; // a later question was answered first
    this.answered = question;
    this.simulations = found.simulations;
    this.grown = Math.max(this.grown, found.simulations);
    this.size = found.size;
    this.isCompiling = found.is_compiling;
    this.lastWay = found.way;
    this.payoffs = found.payoffs;
    this.steps = found.steps;
    const items = /** @type {GrownNode[]} */ (found.items);
    this.nodes = new Map(items.map((node) => [node.number, node]));
    this.families = new Map();
    for (const node of items) {
      if (node.parent < 0) continue;
      const siblings = this.families.get(node.parent);
      if (siblings) siblings.push(node);
      else this.families.set(node.parent, [node]);
    }
    for (const family of this.families.values()) family.sort((a, b) => a.index - b.index);
  }

  /** @param {number} number */
  node(number) {
    return this.nodes.get(number);
  }

  /** @param {Node} node */
  children(node) {
    return this.families.get(node.number ?? 0) ?? [];
  }

  async load() {}

  /** @param {Node} node */
  way(node) {
    const found = [node];
    for (let above = this.node(node.parent); above; above = this.node(above.parent)) found.unshift(above);
    return found;
  }

  /** @param {Node} node */
  moves(node) {
    return this.way(node)
      .slice(1)
      .map((one) => one.move);
  }

  /**
   * Whether a node is the move to play: the one with the most visits.
   *
   * @param {Node} node
   */
  best(node) {
    if (node.parent !== 0 || this.root.kind === "chance") return false;
    const family = this.children(this.root);
    return family.find((one) => one.visits === Math.max(...family.map((other) => other.visits))) === node;
  }

  /**
   * The nodes to draw, by their visits, as many in each row as fit; `look` returns the room that a node needs.
   *
   * @param {(node: GrownNode) => {extent: number[], reach: number}} look
   * @param {number} room
   * @param {number} gap
   */
  chooseVisible(look, room, gap) {
    /** @type {Set<number>} */
    const chosen = new Set();
    /** @type {number[]} */
    const rows = [];
    /** @type {Map<number, number>} */
    const depths = new Map();
    const parents = new Set();
    /** @type {(node: GrownNode | undefined, isForced: boolean) => void} */
    const add = (node, isForced) => {
      if (!node) return;
      if (chosen.has(node.number) || (node.parent >= 0 && !chosen.has(node.parent))) return;
      const depth = node.parent < 0 ? 0 : (depths.get(node.parent) ?? 0) + 1;
      const { extent, reach } = look(node);
      const [left, right] = extent;
      const isFirst = !parents.has(node.parent);
      const length = (rows[depth] ?? 0) + left + right + gap + (isFirst ? SPARE + Math.max(0, reach - left) : 0);
      if (length > room && !isForced) return;
      parents.add(node.parent);
      rows[depth] = length;
      depths.set(node.number, depth);
      chosen.add(node.number);
    };
    for (const number of this.lastWay) add(this.nodes.get(number), true);
    for (const node of [...this.nodes.values()].sort((a, b) => b.visits - a.visits || a.number - b.number))
      add(node, false);
    return chosen;
  }

  /**
   * The UCB1 score of a node: its mean for the player who chooses, and the bonus for few visits.
   *
   * @param {GrownNode} node
   */
  score(node) {
    const parent = this.nodes.get(node.parent);
    if (!parent || parent.kind === "chance" || !node.visits || !node.value) return null;
    const seat = parent.player ?? 0;
    const mean = node.value.length > 1 ? node.value[seat] : parent.kind === "min" ? -node.value[0] : node.value[0];
    const bonus = this.facts.exploration * Math.sqrt(Math.log(parent.visits) / node.visits);
    return { mean, bonus, sum: mean + bonus, seat: this.facts.seats[seat] };
  }

  /**
   * The child that the next simulation visits: the one with the highest UCB1; null while some are untried.
   *
   * @param {GrownNode} node
   */
  next(node) {
    const family = this.children(node);
    if (node.kind === "chance" || node.branches > node.children) return null;
    const sum = (/** @type {GrownNode} */ one) => this.score(one)?.sum ?? -Infinity;
    return family.length ? family.reduce((best, one) => (sum(one) > sum(best) ? one : best)) : null;
  }

  describe() {
    if (!this.simulations) return "No simulation yet. → makes the first one.";
    const moves = this.lastWay.slice(1).map((number) => this.nodes.get(number)?.move);
    const line = moves.length ? `followed ${moves.join(", ")}` : "stayed at the root";
    const rest = this.here.kind === "terminal" ? "the game ended there" : "a random game from there ended";
    return `Simulation ${this.simulations.toLocaleString("en")} ${line}; ${rest} and paid ${valueText(this.payoffs)}, which is added to all nodes of the path.`;
  }
}
