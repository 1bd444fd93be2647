// A tree that grows: Monte Carlo tree search after so many simulations, forwards and backwards.

import * as server from "./inside-server.js";
import { numberText, valueText } from "./inside-steps.js";

export class Growth {
  constructor(look, facts) {
    this.look = look;
    this.facts = facts;
    facts.hasSides = facts.seats.length <= 2;
    facts.sides = { Max: facts.seats[0], Min: facts.seats[1] };
    this.simulations = this.grown = this.size = this.questions = this.answered = 0;
    this.lastWay = [0];
    this.payoffs = null;
    this.nodes = new Map([[0, { number: 0, parent: -1, index: 0, kind: "max", player: 0, move: "", visits: 0, value: null, children: 0, proof: "estimate" }]]);
    this.families = new Map();
  }

  get root() {
    return this.nodes.get(0);
  }

  get here() {
    return this.nodes.get(this.lastWay.at(-1)) ?? this.root;
  }

  get isWhole() {
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

  /** Whether a move would be played: the one that was tried most. */
  best(node) {
    if (node.parent !== 0 || this.root.kind === "chance") return false;
    const family = this.families.get(0);
    return family.find((one) => one.visits === Math.max(...family.map((other) => other.visits))) === node;
  }

  /** What made the search go to a node: its mean for whoever chose, and what it is owed for being tried seldom. */
  score(node) {
    const parent = this.nodes.get(node.parent);
    if (!parent || parent.kind === "chance" || !node.visits) return "";
    const mean = node.value.length > 1 ? node.value[parent.player] : parent.kind === "min" ? -node.value[0] : node.value[0];
    const bonus = this.facts.exploration * Math.sqrt(Math.log(parent.visits) / node.visits);
    const text = (number) => numberText(Number(number.toFixed(2)));
    return `${text(mean + bonus)} = ${text(mean)} + ${text(bonus)} for ${this.facts.seats[parent.player]}`;
  }

  words() {
    if (!this.simulations) return "No simulation yet. Step on with the right arrow key.";
    const moves = this.lastWay.slice(1).map((number) => this.nodes.get(number)?.move);
    const line = moves.length ? `went down ${moves.join(", ")}` : "stayed at the root";
    return `Simulation ${this.simulations.toLocaleString("en")} ${line}; the game went on at random from there and paid ${valueText(this.payoffs)}, which is booked on all nodes of the way.`;
  }
}
