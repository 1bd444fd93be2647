// A search that was opened: its tree, the current step, the open and the selected nodes, and the position on the board.

import { Growth } from "./inside-growth.js";
import * as server from "./inside-server.js";
import { keyOf, Store } from "./inside-store.js";

/**
 * @import { GrowthFacts, InsideBoard, RecordingFacts } from "../types/messages.js"
 * @import { FullLook } from "./inside-address.js"
 * @import { Node } from "./inside-store.js"
 * @import { Way } from "./inside-spots.js"
 */

const OPEN_WHOLE = 150; // nodes and cuts; larger trees are opened along the path of the search

/** @type {Record<string, FullLook["algorithm"]>} the search without cuts for each search with cuts */
const PLAIN = {
  alphabeta: "minimax",
  quiescence: "minimax",
  star1: "expectiminimax",
  star2: "expectiminimax",
  "maxn-shallow": "maxn",
};

export class OpenSearch {
  /**
   * @param {FullLook} look
   * @param {RecordingFacts | GrowthFacts} facts
   * @param {{draw(): void, fail(error: unknown): void}} page
   */
  constructor(look, facts, page) {
    this.look = look;
    this.page = page;
    this.growth = "most" in facts ? new Growth(look, facts) : null;
    this.recorded = "most" in facts ? null : new Store(look, facts);
    /** @type {Store | null} */
    this.plain = null; // the same tree without cuts
    this.wantsPlain = false; // beside the other
    this.step = 0;
    /** @type {number | null} */
    this.targetStep = null;
    /** @type {Set<number | null> | null} */
    this.line = null;
    /** @type {Node | null} */
    this.selected = null;
    /** @type {Set<string>} */
    this.opened = new Set();
    /** @type {Set<string>} */
    this.collapsed = new Set();
    /** @type {InsideBoard | null} */
    this.position = null;
    /** @type {Node | null} */
    this.followed = null;
    this.isFollowing = false;
  }

  /** @returns {Store | Growth} */
  get store() {
    return this.growth ?? /** @type {Store} */ (this.recorded);
  }

  /** Whether the search cuts branches of the tree of another search. */
  get hasCuts() {
    return this.look.algorithm in PLAIN;
  }

  /** The recorded tree without cuts; null while it is being loaded. */
  get full() {
    return this.hasCuts ? this.plain : this.recorded;
  }

  /** Load the same tree without cuts, for comparison and for exercises. */
  async loadPlain() {
    if (!this.hasCuts) return;
    const look = { ...this.look, algorithm: PLAIN[this.look.algorithm] };
    this.plain = new Store(look, /** @type {RecordingFacts} */ (await server.open(look)));
    this.page.draw();
  }

  // -- steps ---------------------------------------------------------------------------------------

  get last() {
    return this.growth ? this.growth.facts.most : /** @type {Store} */ (this.recorded).facts.moments;
  }

  /**
   * Go to a step, or as near as the tree has grown; it goes on growing.
   *
   * @param {number} step
   */
  async goTo(step) {
    const wanted = Math.max(0, Math.min(step, this.last));
    this.targetStep = wanted;
    let line = null;
    try {
      if (this.recorded && wanted === this.last) line = await this.recorded.line();
      const plain = this.wantsPlain ? this.plain : null;
      await Promise.all([this.store.prepare(wanted), plain?.prepare(this.plainStep(plain, wanted))]);
    } catch (error) {
      this.targetStep = null;
      this.page.fail(error);
      return;
    }
    if (this.growth) this.step = this.growth.simulations;
    if (this.targetStep !== wanted) return;
    this.line = line;
    if (!this.growth) this.step = wanted;
    this.selected = this.growth?.node(this.selected?.number ?? -1) ?? null; // it stays selected while the tree grows
    this.follow();
    this.page.draw();
    if (this.growth && this.step < wanted) await this.goTo(wanted); // show the tree while it grows
  }

  /**
   * The step of the search without cuts: the same number, or the end if this search has ended.
   *
   * @param {Store} plain
   * @param {number} [step]
   */
  plainStep({ facts }, step = this.step) {
    return step >= this.last ? facts.moments : Math.min(step, facts.moments);
  }

  /**
   * The current node of the search.
   *
   * @returns {Node}
   */
  get here() {
    return this.growth ? this.growth.here : nodeAt(/** @type {Store} */ (this.recorded), this.step);
  }

  get shownNode() {
    return this.selected ?? this.here;
  }

  /** Show the current position of the search on the board. */
  async follow() {
    const node = this.shownNode;
    if (this.store.facts.is_tree) return;
    this.followed = node;
    if (this.isFollowing) return;
    this.isFollowing = true;
    try {
      this.position = await server.board(this.look, this.store.moves(node));
    } catch (error) {
      if (!(error instanceof server.Refused)) throw error;
    }
    this.isFollowing = false;
    this.page.draw();
    if (this.followed !== node) this.follow();
  }

  // -- open and selected nodes -----------------------------------------------------------------------

  /** @param {Node} node */
  isOpen(node) {
    const key = keyOf(node);
    if (this.collapsed.has(key)) return false;
    if (this.opened.has(key) || this.growth || node.number === 0) return true;
    return this.way.numbers.has(node.number ?? -1) || (this.step >= this.last && Boolean(this.line?.has(node.number)));
  }

  /** @returns {Way} */
  get way() {
    if (this.growth) return { numbers: new Set(this.growth.lastWay), here: this.growth.lastWay.at(-1) ?? null };
    return wayAt(/** @type {Store} */ (this.recorded), this.step);
  }

  /**
   * Select a node. A closed one opens; an open one closes when it is selected again.
   *
   * @param {Node} node
   * @param {boolean} isShownOpen
   */
  async select(node, isShownOpen) {
    const isAgain = this.selected !== null && keyOf(this.selected) === keyOf(node);
    const isOpen = isShownOpen && Boolean(this.store.children(node));
    this.selected = this.growth && isAgain ? null : node;
    if (node.children && !this.growth && (!isOpen || isAgain)) await this.toggle(node, isOpen);
    this.follow();
    this.page.draw();
  }

  /** Go back to the current node of the search. */
  unselect() {
    this.selected = null;
    this.follow();
    this.page.draw();
  }

  /**
   * @param {Node} node
   * @param {boolean} isOpen
   */
  async toggle(node, isOpen) {
    const key = keyOf(node);
    (isOpen ? this.collapsed : this.opened).add(key);
    (isOpen ? this.opened : this.collapsed).delete(key);
    try {
      if (!isOpen) await this.recorded?.load(node);
    } catch (error) {
      this.page.fail(error);
    }
  }
}

/** @type {(store: Store, step: number) => Node} */
const nodeAt = (store, step) => store.byMoment.get(step - 1) ?? store.root;

/**
 * The nodes from the root to the current node of a search; after its end, only the root.
 *
 * @type {(store: Store, step: number) => Way}
 */
export function wayAt(store, step) {
  const node = store.byMoment.get(step - 1) ?? (step > store.facts.moments ? store.root : null);
  if (!node) return { numbers: new Set([0]), here: null };
  return { numbers: new Set(store.way(node).map((one) => one.number ?? -1)), here: node.number };
}

/**
 * Whether all of a tree is loaded and it is so small that it may be drawn whole.
 *
 * @param {Store | Growth} store
 */
export const isSmall = (store) =>
  store instanceof Store && store.isComplete && store.facts.nodes + store.facts.cuts <= OPEN_WHOLE;
