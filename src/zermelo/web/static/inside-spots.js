// Where the nodes of a tree are: the whole tree if it can be read, otherwise the open nodes in rows, as many as fit.

import { inRows, tidy } from "./inside-layout.js";
import { GAP, lookOf, ROW, TALL, widen, widthOf } from "./inside-shapes.js";
import { stateAt } from "./inside-steps.js";
import { keyOf } from "./inside-store.js";
import { shortReason } from "./inside-text.js";

/**
 * @import { Node, Tree } from "./inside-store.js"
 * @import { NodeLook, Styled } from "./inside-shapes.js"
 */

const [LEAST_DROP, MOST_DROP, ROW_DROP] = [70, 130, 84]; // from one row to the next
const MARGIN = 22;
const FEWEST = 3; // siblings of a family that is shown in part

/** @typedef {{numbers: Set<number>, here: number | null}} Way the nodes from the root to the current one, which is `here` */

/**
 * What is shown of a tree: `isOpen` says which families are shown; `canBeWhole` that all may be, but for those that
 * `isClosed`; `style` how a node looks in an exercise.
 *
 * @typedef {object} Shown
 * @property {Tree} store
 * @property {number} step
 * @property {(node: Node) => boolean} isOpen
 * @property {(node: Node) => boolean} [isClosed]
 * @property {boolean} [canBeWhole]
 * @property {Way | null} current
 * @property {string | null} selected
 * @property {((node: Node) => Styled) | null} [style]
 */

/** @typedef {"whole" | "plainer" | "rows"} Manner of a layout; a plainer one has no windows on the edges to leaves */

/**
 * A node, several cut branches, or the number of siblings that are left out.
 *
 * @typedef {NodeLook & {node: Node, key: string, isGap?: boolean, cuts?: Node[], count: number}} Entry
 */

/**
 * An entry in its place: x and y in the tree, u and v while it glides there.
 *
 * @typedef {Entry & {
 *   parent: number | null, depth: number, nth: number, children: number[], shelf: number,
 *   x: number, y: number, u?: number, v?: number, reasonFor?: [number, number],
 * }} Spot
 */

/** @type {(node: Node, key: string, state: string) => Entry} an entry that is only a text */
const note = (node, key, state) => ({
  node,
  key,
  state,
  count: 0,
  title: "",
  place: "inside",
  isTight: false,
  shape: "",
  isInner: false,
  isTuple: false,
  half: 0,
  height: 0,
  edge: [],
  more: "",
  styled: null,
  reach: 0,
  foot: 0,
  extent: [0, 0],
});

export class Spots {
  /**
   * @param {Shown} shown
   * @param {Manner} manner
   * @param {number} room the maximum width of a row
   * @param {Set<string>} wide the nodes whose families are shown whole
   */
  constructor(shown, manner, room, wide) {
    this.shown = shown;
    this.store = shown.store;
    this.step = shown.step;
    this.manner = manner;
    this.room = room;
    this.wide = wide;
    this.isInRows = manner === "rows";
    this.list = this.collect();
    this.places = new Map(this.list.map((spot) => [spot.key, spot]));
    const { width, height } = this.place();
    this.width = width;
    this.height = height;
  }

  /** @param {Node} node */
  isOpen(node) {
    if (!node.children || node.number === null) return false;
    return this.isInRows ? this.shown.isOpen(node) : !this.shown.isClosed?.(node);
  }

  /** @param {Node} node */
  isOnWay(node) {
    return node.number !== null && Boolean(this.shown.current?.numbers.has(node.number));
  }

  // -- which nodes ---------------------------------------------------------------------------------

  collect() {
    const { store } = this;
    const chosen = store.chooseVisible?.((node) => this.look(node, node.children > 0), this.room, GAP) ?? null;
    /** @type {Spot[]} */
    const spots = [];
    /** @type {(entry: Entry, parent: number | null, depth: number) => void} */
    const add = (entry, parent, depth) => {
      const nth = parent === null ? 0 : spots[parent].children.length;
      spots.push({ ...entry, parent, depth, children: [], nth, shelf: 0, x: 0, y: 0 });
      if (parent !== null) spots[parent].children.push(spots.length - 1);
    };
    add(this.entry(store.root), null, 0);
    for (let nth = 0; nth < spots.length; nth++) {
      const spot = spots[nth];
      if (spot.isGap || spot.cuts || !this.isOpen(spot.node)) continue;
      for (const entry of this.entriesBelow(spot, chosen)) add(entry, nth, spot.depth + 1);
      explain(spots, spot.children);
    }
    return spots;
  }

  /**
   * @param {Spot} spot
   * @param {Set<number> | null} chosen
   */
  entriesBelow(spot, chosen) {
    const family = this.store.children(spot.node) ?? [];
    const entries = chosen
      ? this.chosenOf(spot, family, chosen)
      : this.isInRows
        ? this.rowOf(spot, family)
        : family.map((child) => this.entry(child));
    return this.isInRows ? entries : addRoomForWords(entries);
  }

  /**
   * @param {Node} node
   * @param {{hasWindow?: boolean, isFaint?: boolean}} [manner]
   * @returns {Entry}
   */
  entry(node, manner = {}) {
    return { node, key: keyOf(node), count: 1, ...this.look(node, this.isOpen(node), manner) };
  }

  /**
   * @param {Node} node
   * @param {boolean} isOpen
   * @param {{hasWindow?: boolean, isFaint?: boolean}} [manner]
   */
  look(node, isOpen, { hasWindow = true, isFaint = false } = {}) {
    return lookOf(node, {
      store: this.store,
      step: this.step,
      styled: this.shown.style?.(node) ?? null,
      isOpen,
      isFaint,
      hasWindow: hasWindow && (this.manner !== "plainer" || node.children > 0 || this.isOnWay(node)),
      isFlat: this.isInRows,
      isSmall: this.isInRows && !isOpen,
    });
  }

  // -- rows ----------------------------------------------------------------------------------------

  /** @param {Entry[]} entries */
  fits(entries) {
    return entries.reduce((sum, entry) => sum + entry.extent[0] + entry.extent[1] + GAP, -GAP) <= this.room;
  }

  /**
   * The part of a family that fits into a row: without windows, without room for later texts, with bundled cuts, in part.
   *
   * @param {Spot} spot
   * @param {Node[]} family
   */
  rowOf(spot, family) {
    const full = addRoomForWords(family.map((child) => this.entry(child)));
    if (this.fits(full)) return full;
    const plain = addRoomForWords(family.map((child) => this.entry(child, { hasWindow: this.isOnWay(child) })));
    if (this.fits(plain)) return plain;
    const spare = addRoomForWords(
      family.map((child) =>
        this.entry(child, { hasWindow: this.isOnWay(child), isFaint: stateAt(child, this.step) === "hidden" }),
      ),
    );
    if (this.wide.has(spot.key) || this.fits(spare)) return spare;
    const bundled = bundleCuts(spare);
    return this.fits(bundled) ? bundled : this.partOf(bundled, spot);
  }

  /**
   * The needed entries, and as many of the others as fit.
   *
   * @param {Entry[]} entries
   * @param {Spot} spot
   */
  partOf(entries, spot) {
    const isNeeded = (/** @type {Entry} */ { node, key }) =>
      this.isOnWay(node) || this.shown.selected === key || this.store.best(node, this.step);
    const kept = new Set(entries.filter(isNeeded));
    for (const entry of entries) {
      if (kept.has(entry)) continue;
      kept.add(entry);
      if (kept.size > FEWEST && !this.fits(withGaps(entries, kept, spot))) {
        kept.delete(entry);
        break;
      }
    }
    return withGaps(entries, kept, spot);
  }

  /**
   * The children of a growing tree that are shown.
   *
   * @param {Spot} spot
   * @param {Node[]} family
   * @param {Set<number>} chosen
   */
  chosenOf(spot, family, chosen) {
    const shown = family.filter((child) => child.number !== null && chosen.has(child.number));
    const entries = shown.map((child) => this.entry(child));
    const left = spot.node.children - entries.length;
    return addRoomForWords(entries.length && left > 0 ? [...entries, gap(spot, entries.length, left)] : entries);
  }

  // -- where they are --------------------------------------------------------------------------------

  /** Give all nodes their places; return the width and the height of the tree. */
  place() {
    const spots = this.list;
    const extents = spots.map((spot) => spot.extent);
    const families = spots.map((spot) => spot.children);
    const centres = this.isInRows ? inRows(extents, families, GAP, this.room) : tidy(extents, families, GAP);
    spots.forEach((spot, nth) => {
      spot.x = MARGIN + centres[nth];
    });
    const [tops, shelves] = this.rows();
    for (const spot of spots) {
      spot.y = tops[spot.depth];
      spot.shelf = spot.children.length ? shelves[spot.depth] + TALL - spot.height : 0;
    }
    const right = Math.max(this.isInRows ? this.room : 0, ...spots.map((spot) => spot.x + spot.extent[1] - MARGIN));
    const last = tops.length - 1;
    return { width: right + 2 * MARGIN, height: tops[last] + TALL + shelves[last] + MARGIN };
  }

  /**
   * The top of each row, and the room below its nodes.
   *
   * @returns {[number[], number[]]}
   */
  rows() {
    /** @type {number[]} */
    const drops = [];
    /** @type {number[]} */
    const shelves = [];
    for (const spot of this.list) {
      const reach = spot.parent === null ? 0 : 0.24 * Math.abs(spot.x - this.list[spot.parent].x);
      drops[spot.depth] = this.isInRows
        ? ROW_DROP
        : Math.min(MOST_DROP, Math.max(drops[spot.depth] ?? LEAST_DROP, reach));
      shelves[spot.depth] = Math.max(shelves[spot.depth] ?? 0, spot.foot);
    }
    const tops = [MARGIN];
    for (let depth = 1; depth < drops.length; depth++)
      tops[depth] = tops[depth - 1] + TALL + shelves[depth - 1] + drops[depth];
    return [tops, shelves];
  }
}

/**
 * Add room for the texts on the outer edges of a family.
 *
 * @param {Entry[]} entries
 */
function addRoomForWords(entries) {
  if (entries.length < 2) return entries;
  const [first, last] = [entries[0], entries[entries.length - 1]];
  first.extent[0] = Math.max(first.extent[0], first.reach);
  last.extent[1] = Math.max(last.extent[1], last.reach);
  return entries;
}

/**
 * Bundle neighbours that are cut for the same reason.
 *
 * @param {Entry[]} entries
 */
function bundleCuts(entries) {
  /** @type {Entry[]} */
  const found = [];
  for (const entry of entries) {
    const last = found[found.length - 1];
    const isSame = entry.state === "cut" && last?.state === "cut" && shortReason(last.node) === shortReason(entry.node);
    if (!isSame) found.push(entry);
    else found[found.length - 1] = bundle([...(last.cuts ?? [last.node]), entry.node]);
  }
  return found;
}

/**
 * @param {Node[]} cuts
 * @returns {Entry}
 */
function bundle(cuts) {
  const title = `${cuts.length} cut`;
  const half = Math.max(widthOf(title, "small"), widthOf(shortReason(cuts[0]), "small")) / 2 + 4;
  const entry = note(cuts[0], `${keyOf(cuts[0])}*`, "cut");
  return { ...entry, cuts, count: cuts.length, title, half, height: TALL, extent: [half, half] };
}

/**
 * The kept entries, with the number of those left out between them.
 *
 * @param {Entry[]} entries
 * @param {Set<Entry>} kept
 * @param {Spot} spot
 */
function withGaps(entries, kept, spot) {
  /** @type {Entry[]} */
  const found = [];
  for (const entry of entries) {
    const last = found[found.length - 1];
    if (kept.has(entry)) found.push(entry);
    else if (last?.isGap) widenGap(last, entry.count);
    else found.push(gap(spot, found.length, entry.count));
  }
  return found;
}

/**
 * @param {Spot} spot
 * @param {number} nth
 * @param {number} count
 */
function gap(spot, nth, count) {
  const entry = { ...note(spot.node, `${spot.key}+${nth}`, "hidden"), isGap: true };
  widenGap(entry, count);
  return entry;
}

/**
 * @param {Entry} entry
 * @param {number} more
 */
function widenGap(entry, more) {
  entry.count += more;
  entry.title = `+${entry.count.toLocaleString("en")}`;
  entry.half = widthOf(entry.title, "small") / 2 + 3;
  entry.extent = [entry.half, entry.half];
}

/**
 * Write the reason of cuts once, in the middle of neighbours that were cut for the same reason.
 *
 * @param {Spot[]} spots
 * @param {number[]} below
 */
function explain(spots, below) {
  for (let first = 0; first < below.length; first++) {
    const { node, isGap, styled } = spots[below[first]];
    const reason = shortReason(node);
    if (isGap || !reason || styled) continue;
    const isSame = (/** @type {Spot | undefined} */ spot) => spot && !spot.isGap && shortReason(spot.node) === reason;
    let last = first;
    while (isSame(spots[below[last + 1]])) last++;
    const count = last - first + 1;
    const room = (widthOf(reason, "small") - GAP * (count - 1)) / 2 / count;
    for (let nth = first; nth <= last; nth++) {
      const spot = spots[below[nth]];
      widen(spot.extent, room);
      spot.foot = Math.max(spot.foot, spot.height + ROW + 4 - TALL);
    }
    spots[below[first]].reasonFor = [below[first], below[last]];
    first = last;
  }
}
