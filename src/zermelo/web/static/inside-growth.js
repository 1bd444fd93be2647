// A growing tree: Monte Carlo tree search after any number of simulations, forwards and backwards.

import * as server from "./inside-server.js";
import { valueText } from "./inside-steps.js";

const SPARE = 44; // room for the number of siblings that are left out

export class Growth {
  constructor(look, facts) {
    this.look = look;
    this.facts = facts;
    facts.hasSides = facts.seats.length <= 2;
    facts.sides = { Max: facts.seats[0], Min: facts.seats[1] };
    this.isGrowing = true;
    this.isCompiling = false;
    this.simulations = this.grown = this.size = this.questions = this.answered = 0;
    this.lastWay = [0];
    this.payoffs = null;
    this.nodes = new Map([[0, { number: 0, parent: -1, index: 0, kind: "max", player: 0, move: "", visits: 0, value: null, children: 0, branches: 0, proof: "estimate" }]]);
    this.families = new Map();
  }

  get root() {
    return this.nodes.get(0);
  }

  get here() {
    return this.nodes.get(this.lastWay.at(-1)) ?? this.root;
  }

  get isComplete() {
    return true;
  }

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
    this.nodes = new Map(found.items.map((node) => [node.number, node]));
    this.families = new Map();
    for (const node of found.items) {
      if (node.parent < 0) continue;
      if (!this.families.has(node.parent)) this.families.set(node.parent, []);
      this.families.get(node.parent).push(node);
    }
    for (const family of this.families.values()) family.sort((a, b) => a.index - b.index);
  }

  node(number) {
    return this.nodes.get(number);
  }

  children(node) {
    return this.families.get(node.number) ?? [];
  }

  async load() {}

  way(node) {
    const found = [node];
    while (found[0].parent >= 0) found.unshift(this.nodes.get(found[0].parent));
    return found;
  }

  moves(node) {
    return this.way(node).slice(1).map((one) => one.move);
  }

  /** Whether a node is the move to play: the one with the most visits. */
  best(node) {
    if (node.parent !== 0 || this.root.kind === "chance") return false;
    const family = this.families.get(0);
    return family.find((one) => one.visits === Math.max(...family.map((other) => other.visits))) === node;
  }

  /** The nodes to draw, by their visits, as many in each row as fit; `look` returns the room that a node needs. */
  chooseVisible(look, room, gap) {
    const [chosen, rows, depths, parents] = [new Set(), [], new Map(), new Set()];
    const add = (node, isForced) => {
      if (chosen.has(node.number) || (node.parent >= 0 && !chosen.has(node.parent))) return;
      const depth = node.parent < 0 ? 0 : depths.get(node.parent) + 1;
      const [left, right] = look(node).extent;
      const length = (rows[depth] ?? 0) + left + right + gap + (parents.has(node.parent) ? 0 : SPARE);
      if (length > room && !isForced) return;
      parents.add(node.parent);
      rows[depth] = length;
      depths.set(node.number, depth);
      chosen.add(node.number);
    };
    for (const number of this.lastWay) add(this.nodes.get(number), true);
    for (const node of [...this.nodes.values()].sort((a, b) => b.visits - a.visits || a.number - b.number)) add(node, false);
    return chosen;
  }

  /** The UCB1 score of a node: its mean for the player who chooses, and the bonus for few visits. */
  score(node) {
    const parent = this.nodes.get(node.parent);
    if (!parent || parent.kind === "chance" || !node.visits) return null;
    const mean = node.value.length > 1 ? node.value[parent.player] : parent.kind === "min" ? -node.value[0] : node.value[0];
    const bonus = this.facts.exploration * Math.sqrt(Math.log(parent.visits) / node.visits);
    return { mean, bonus, sum: mean + bonus, seat: this.facts.seats[parent.player] };
  }

  /** The child that the next simulation visits: the one with the highest UCB1; null while some are untried. */
  next(node) {
    const family = this.children(node);
    if (node.kind === "chance" || node.branches > node.children) return null;
    return family.reduce((best, one) => (!best || this.score(one).sum > this.score(best).sum ? one : best), null);
  }

  describe() {
    if (!this.simulations) return "No simulation yet. Press the right arrow key for the next one.";
    const moves = this.lastWay.slice(1).map((number) => this.nodes.get(number)?.move);
    const line = moves.length ? `followed ${moves.join(", ")}` : "stayed at the root";
    const rest = this.here.kind === "terminal" ? "the game ended there" : "a random game from there ended";
    return `Simulation ${this.simulations.toLocaleString("en")} ${line}; ${rest} and paid ${valueText(this.payoffs)}, which is added to all nodes of the path.`;
  }
}
