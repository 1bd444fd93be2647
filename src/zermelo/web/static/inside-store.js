// A recorded search, as far as the page has loaded it.

import * as server from "./inside-server.js";
import { bounds } from "./inside-steps.js";

/**
 * @import { CutReason, Look, LookFacts, Probe, RecordingFacts, StandPat, TreeItem } from "../types/messages.js"
 */

/** @typedef {Omit<Probe, "value"> & {value: number[] | null}} NodeProbe */

/**
 * A node or a cut branch, with values in the game's unit.
 *
 * @typedef {Omit<TreeItem, "value" | "probe" | "stand_pat"> & {
 *   value: number[] | null, probe?: NodeProbe, stand_pat?: Omit<StandPat, "value"> & {value: number[]},
 * }} Node
 */

/** @typedef {Node & {value: number[]}} KnownNode whose value is known */
/** @typedef {(number | null)[]} Window */

/**
 * What the page knows of the players: `hasSides` if they are Max and Min.
 *
 * @typedef {LookFacts & {hasBounds?: boolean, hasSides: boolean, sides: {Max: string, Min: string}}} TreeFacts
 */

/** @typedef {RecordingFacts & TreeFacts} StoreFacts */

/**
 * A tree that can be drawn: recorded, or growing.
 *
 * @typedef {object} Tree
 * @property {TreeFacts} facts
 * @property {Node} root
 * @property {boolean} [isGrowing]
 * @property {(number: number) => Node | undefined} node
 * @property {(node: Node) => Node[] | undefined} children undefined if they are not loaded
 * @property {(node: Node) => Node[]} way
 * @property {(node: Node) => string[]} moves
 * @property {(node: Node, step: number) => boolean} best
 * @property {((look: (node: Node) => {extent: number[], reach: number}, room: number, gap: number) => Set<number>)} [chooseVisible] the nodes to draw
 */

/**
 * The kind of a value; an estimate outside its window is only a bound of an estimate.
 *
 * @param {Pick<Node, "proof" | "window" | "value" | "children">} node
 * @returns {Node["proof"]}
 */
function proofOf({ proof, window, value, children }) {
  if (proof !== "estimate" || !window || !children || !value || value.length > 1) return proof;
  const [alpha, beta] = bounds(window);
  return value[0] <= alpha ? "upper estimate" : value[0] >= beta ? "lower estimate" : proof;
}

/**
 * The moments of a node: entered, left, and those of its probe and of standing pat.
 *
 * @type {(node: Node) => number[]}
 */
const momentsOf = ({ entered, left, probe, stand_pat }) =>
  [entered, left, probe?.entered, probe?.left, stand_pat?.moment].filter((moment) => typeof moment === "number");

const SIDED = ["minimax", "alphabeta", "quiescence", "star1", "star2", "expectiminimax", "paranoid"];

export class Store {
  /**
   * @param {Look} look
   * @param {RecordingFacts} facts
   */
  constructor(look, facts) {
    this.look = look;
    this.unit = facts.unit;
    /** @type {StoreFacts} */
    this.facts = {
      ...facts,
      value: this.inUnits(facts.value),
      range: this.inUnits(facts.range),
      hasBounds: ["star1", "star2"].includes(look.algorithm),
      hasSides: SIDED.includes(look.algorithm) && facts.seats.length <= 2,
      sides: { Max: facts.seats[0] ?? "Max", Min: facts.seats[1] ?? "Min" },
    };
    /** @type {Map<number, Node>} */
    this.nodes = new Map();
    /** @type {Map<number, Node[]>} */
    this.families = new Map();
    /** @type {Map<number, Node>} */
    this.byMoment = new Map();
    this.add(facts.items ?? []);
  }

  /**
   * Convert values to the game's unit, such as pawns.
   *
   * @template {(number | null)[] | null | undefined} Values
   * @param {Values} values
   * @returns {Values}
   */
  inUnits(values) {
    const inUnit = (/** @type {number | null} */ value) => (value === null ? null : value / this.unit);
    return /** @type {Values} */ (this.unit === 1 ? values : (values?.map(inUnit) ?? null));
  }

  /**
   * @param {CutReason} reason
   * @returns {CutReason}
   */
  reasonInUnits({ kind, value, bound }) {
    const [most, least] = this.inUnits([value, bound]);
    return { kind, value: most, bound: least };
  }

  get isComplete() {
    return this.nodes.size >= this.facts.nodes;
  }

  /** @param {TreeItem[]} items */
  add(items) {
    /** @type {Map<number, Node[]>} */
    const changed = new Map();
    for (const item of items) {
      const node = /** @type {Node} */ (item);
      node.value = this.inUnits(node.value);
      node.window = this.inUnits(node.window);
      if (node.probe) node.probe.value = this.inUnits(node.probe.value);
      if (node.stand_pat) node.stand_pat.value = this.inUnits(node.stand_pat.value);
      if (node.reason) node.reason = this.reasonInUnits(node.reason);
      node.proof = proofOf(node);
      if (node.number !== null) {
        this.nodes.set(node.number, node);
        for (const moment of momentsOf(node)) this.byMoment.set(moment, node);
      }
      if (node.parent < 0) continue;
      const siblings = changed.get(node.parent);
      if (siblings) siblings.push(node);
      else changed.set(node.parent, [node]);
    }
    for (const [parent, family] of changed) {
      this.families.set(
        parent,
        family.sort((a, b) => a.index - b.index),
      );
    }
  }

  get root() {
    return /** @type {Node} */ (this.nodes.get(0));
  }

  /** @param {number} number */
  node(number) {
    return this.nodes.get(number);
  }

  /**
   * The children of a node; undefined if they are not loaded.
   *
   * @param {Node} node
   */
  children(node) {
    return node.children === 0 ? [] : node.number === null ? [] : this.families.get(node.number);
  }

  /**
   * The path from the root to the node.
   *
   * @param {Node} node
   */
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
   * Whether a node is on the line of best play, once the search has left the root.
   *
   * @param {Node} node
   * @param {number} step
   */
  best(node, step) {
    if (node.kind === "cut" || node.visits !== undefined || (this.root.left ?? Infinity) >= step) return false;
    const way = this.way(node);
    return way.slice(1).every((one, nth) => this.bestChild(way[nth]) === one);
  }

  /**
   * The child that gave a node its value; none at dice.
   *
   * @param {Node} node
   */
  bestChild(node) {
    if (node.kind === "chance" || !node.value) return undefined;
    return (this.children(node) ?? []).find(
      (child) => child.kind !== "cut" && String(child.value) === String(node.value),
    );
  }

  /** Load the line of best play; return the numbers of its nodes. */
  async line() {
    const found = [];
    /** @type {Node | undefined} */
    let node = this.root;
    while (node) {
      await this.load(node);
      found.push(node.number);
      node = this.bestChild(node);
    }
    return new Set(found);
  }

  /** @param {Node} node */
  async load(node) {
    if (!this.children(node)) this.add((await server.children(this.look, node.number ?? 0)).items);
  }

  /**
   * Load the path to the node of this step.
   *
   * @param {number} step
   */
  async prepare(step) {
    if (step === 0) return;
    const node = this.byMoment.get(step - 1);
    if (node && this.way(node).every((one) => this.children(one))) return;
    this.add((await server.moment(this.look, step - 1)).items);
  }
}

/** @type {(node: Node) => string} */
export const keyOf = (node) => (node.number === null ? `${node.parent}/${node.index}` : String(node.number));
