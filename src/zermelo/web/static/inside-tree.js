// The drawn tree: only open nodes are laid out, and only visible ones are drawn. It can be dragged, zoomed and navigated.

import { Camera, LEAST_WHOLE } from "./inside-camera.js";
import { listenToPointers } from "./inside-gestures.js";
import { outline, pathOf, strokes, TALL, wordsBeside, wordsOn } from "./inside-shapes.js";
import { Spots } from "./inside-spots.js";
import { describeNode, shortReason } from "./inside-text.js";
import { repeat } from "./vendor/directives/repeat.js";
import { html, nothing, render, svg } from "./vendor/lit-html.js";

/**
 * @import { Node } from "./inside-store.js"
 * @import { Point } from "./inside-shapes.js"
 * @import { Manner, Shown, Spot } from "./inside-spots.js"
 */

/**
 * Where the actions on a tree go.
 *
 * @typedef {object} TreeActions
 * @property {(node: Node) => void} select
 * @property {(node: Node) => void} mark
 * @property {(node: Node, text: string) => void} answer
 */

const COMFORT = 0.85; // below this scale a tree has no windows on the edges to leaves
const ASIDE = 300; // pixels drawn beyond the edges of the view
const MARGIN = 22;

export class TreeView {
  /**
   * @param {HTMLElement} host
   * @param {string} name
   * @param {TreeActions} actions
   * @param {Shown} shown
   */
  constructor(host, name, actions, shown) {
    this.host = host;
    this.name = name;
    this.actions = actions;
    this.shown = shown;
    this.camera = new Camera(host);
    this.focused = "0";
    /** @type {Set<string>} */
    this.wide = new Set();
    /** @type {Manner | null} */
    this.manner = null;
    this.laidFor = 0;
    this.isWaiting = false;
    this.spots = this.lay();
    listenToPointers(
      host,
      this.camera,
      ({ edge, key }) => this.press(edge, key),
      () => this.soon(),
    );
    host.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.onResize()).observe(host);
  }

  /** @param {Shown} shown */
  show(shown) {
    const before = this.shown;
    const isNew = before.store !== shown.store || Boolean(before.style) !== Boolean(shown.style);
    const snapshot = isNew ? null : this.camera.snapshot(this.spots);
    this.shown = shown;
    if (isNew) {
      this.wide.clear();
      this.camera.isMoved = false;
      this.manner = null;
    }
    this.spots = this.lay();
    this.follow();
    this.camera.glide(snapshot);
    this.draw();
  }

  // -- the layout ----------------------------------------------------------------------------------

  /** Lay out the whole tree if it can be read; otherwise the open nodes in rows, as many as fit. */
  lay() {
    const { store, style, canBeWhole } = this.shown;
    const room = this.camera.box.width / this.camera.rowScale - 2 * MARGIN;
    /** @type {Manner[]} */
    const manners = this.manner ? [this.manner] : canBeWhole ? ["whole", "plainer", "rows"] : ["rows"];
    let spots = new Spots(this.shown, manners[0], room, this.wide);
    for (const manner of manners) {
      if (manner !== spots.manner) spots = new Spots(this.shown, manner, room, this.wide);
      const isLast = manner === "plainer" && (store.facts.is_tree || style);
      const least = manner === "whole" ? COMFORT : LEAST_WHOLE;
      if (isLast || this.camera.fitOf(spots) >= least) break;
    }
    this.manner = spots.manner;
    return spots;
  }

  get here() {
    const { current, selected } = this.shown;
    return this.spots.places.get(String(current?.here ?? selected ?? 0));
  }

  follow() {
    this.camera.follow(this.spots, this.here);
    if (!this.shown.store.isGrowing) this.camera.reveal(this.here);
  }

  get fit() {
    return this.camera.fitOf(this.spots);
  }

  /**
   * Limit the scale to that of the tree beside it.
   *
   * @param {number} scale
   */
  limitTo(scale) {
    if (this.camera.limit === scale) return;
    this.camera.limit = scale;
    this.follow();
    this.draw();
  }

  onResize() {
    const { width } = this.camera.box;
    if (width !== this.laidFor) this.manner = null;
    this.laidFor = width;
    this.spots = this.lay();
    this.follow();
    this.draw();
  }

  /** @param {number} factor */
  zoom(factor) {
    this.camera.zoom(factor);
    this.draw();
  }

  fitAll() {
    this.camera.fitAll(this.spots);
    this.draw();
  }

  // -- drawing -------------------------------------------------------------------------------------

  draw() {
    const { camera, spots } = this;
    const { width, height } = camera.box;
    const view = camera.placeSpots(spots);
    const isSeen = isIn(view, width, height);
    if (!spots.places.has(this.focused)) this.focused = "0";
    const seen = spots.list.filter((spot) => isSeen(spot) || spot.key === this.focused);
    const edges = spots.list.filter(
      (spot) => spot.parent !== null && (isSeen(spot) || isSeen(spots.list[spot.parent])),
    );
    render(
      html`<svg class="search-tree zermelo" width=${width} height=${height}>
        <g transform="translate(${view.x.toFixed(1)} ${view.y.toFixed(1)}) scale(${view.scale.toFixed(4)})">
          ${this.content(seen, edges)}
        </g>
      </svg>`,
      this.host,
    );
    if (camera.from) this.soon();
  }

  /**
   * Draw the whole tree, and hand the drawing to a function; it is gone afterwards.
   *
   * @template Found
   * @param {(drawing: SVGSVGElement) => Found} take
   */
  withPicture(take) {
    const { camera, spots } = this;
    camera.from = null;
    camera.placeSpots(spots);
    const holder = document.createElement("div");
    holder.className = "off-screen";
    this.host.append(holder);
    const edges = spots.list.filter((spot) => spot.parent !== null);
    render(
      html`<svg class="search-tree zermelo" width=${spots.width} height=${spots.height} viewBox="0 0 ${spots.width} ${spots.height}">
        ${this.content(spots.list, edges)}
      </svg>`,
      holder,
    );
    const found = take(/** @type {SVGSVGElement} */ (holder.querySelector("svg")));
    holder.remove();
    return found;
  }

  /**
   * The nodes and the edges; coloured edges are drawn on top.
   *
   * @param {Spot[]} seen
   * @param {Spot[]} edges
   */
  content(seen, edges) {
    edges.sort((a, b) => this.isAccented(a) - this.isAccented(b));
    return svg`<g aria-hidden="true">
        ${repeat(seen, keyOfSpot, (spot) => this.stem(spot))}${repeat(edges, keyOfSpot, (spot) => this.edge(spot))}
      </g>
      <g role="tree" aria-label=${this.name}>${repeat(seen, keyOfSpot, (spot) => this.spot(spot))}</g>`;
  }

  /** Draw at the next frame. */
  soon() {
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      this.draw();
    });
  }

  /** @param {Spot} spot */
  isBest(spot) {
    return !spot.styled && this.shown.store.best(spot.node, this.shown.step);
  }

  /** @param {Spot} spot */
  isAccented(spot) {
    return Number(
      !this.shown.style && !spot.isGap && !spot.cuts && (this.spots.isOnWay(spot.node) || this.isBest(spot)),
    );
  }

  /**
   * The stem of a node whose edges start below the texts of its neighbours.
   *
   * @param {Spot} spot
   */
  stem(spot) {
    if (!spot.shelf) return nothing;
    const family = spot.children.map((nth) => this.spots.list[nth]);
    const style = family.some((one) => this.isAccented(one))
      ? "way"
      : family.every((one) => one.state === "hidden")
        ? "hidden"
        : "";
    const [x, y] = placeOf(spot);
    return svg`<path class="line ${style}" d=${`M${x.toFixed(1)} ${(y + spot.height).toFixed(1)}v${spot.shelf.toFixed(1)}`}></path>`;
  }

  /** @param {Spot} spot */
  edge(spot) {
    const parent = this.spots.list[spot.parent ?? 0];
    const { root } = this.shown.store;
    const [x, y] = placeOf(parent);
    /** @type {Point} */
    const start = [x, y + parent.height + parent.shelf];
    const end = placeOf(spot);
    const isCurved = this.spots.isInRows;
    const line = `M${start.map((one) => one.toFixed(1)).join(" ")}${pathOf(start, end, isCurved)}`;
    if (spot.isGap) return svg`<path class="line faint" d=${line}></path>`;
    const isCut = Boolean(spot.styled ? spot.styled.isCut : spot.state === "cut");
    const mark = isCut ? (spot.styled?.mark ?? "") : "";
    const visits = spot.node.visits ? Math.min(7, 1 + 6 * (spot.node.visits / (root.visits ?? 1))) : null;
    const style = `line ${spot.state} ${this.spots.isOnWay(spot.node) ? "way" : ""} ${!isCut && this.isBest(spot) ? "best" : ""} ${mark} ${isCut ? "severed" : ""}`;
    return svg`<path class=${style} style=${visits ? `stroke-width: ${visits.toFixed(1)}` : nothing} d=${line}></path>
      ${isCut ? strokes(start, end, mark, isCurved) : nothing}
      ${wordsBeside(spot.edge, start, end, { thickness: visits ?? 1, state: spot.state, isCurved })}
      ${spot.styled?.canMark ? svg`<path class="hit" data-edge=${spot.key} d=${line}></path>` : nothing}`;
  }

  /** @param {Spot} spot */
  spot(spot) {
    if (spot.isGap || spot.cuts) return this.left(spot);
    const { node } = spot;
    const { store, step, current, selected } = this.shown;
    const isOpen = this.spots.isOpen(node) && store.children(node) !== undefined;
    const words = spot.styled?.words ?? describeNode(store, node, store.children(node), step);
    const isHere = node.number !== null && current?.here === node.number;
    const style = `node ${spot.state} ${isHere ? "here" : ""} ${this.spots.isOnWay(node) ? "way" : ""} ${selected === spot.key ? "selected" : ""} ${spot.styled?.mark ?? ""}`;
    const siblings = spot.parent === null ? 1 : this.spots.list[spot.parent].children.length;
    return svg`<g role="treeitem" class=${style} data-key=${spot.key} data-kind=${node.kind} data-place=${store.moves(node).join(".") || "root"}
        tabindex=${this.focused === spot.key ? 0 : -1} aria-level=${spot.depth + 1} aria-posinset=${spot.nth + 1} aria-setsize=${siblings} aria-label=${words}
        aria-expanded=${node.children > 0 && node.number !== null ? String(isOpen) : nothing} aria-selected=${selected === spot.key ? "true" : "false"}
        transform=${transformOf(spot)}>
      ${outline(spot)} ${wordsOn(spot, (one, text) => this.actions.answer(one, text))}
      ${spot.state === "cut" && spot.reasonFor ? this.reason(spot, spot.reasonFor) : nothing}
    </g>`;
  }

  /**
   * What is left out of a row: the number of siblings, or of branches that were cut.
   *
   * @param {Spot} spot
   */
  left(spot) {
    const reason = shortReason(spot.node);
    const words = spot.cuts ? `${spot.count} branches cut, ${reason}` : `${spot.count} more branches`;
    return svg`<g role="treeitem" class="node more ${spot.cuts ? "cut" : ""}" data-key=${spot.key} tabindex=${this.focused === spot.key ? 0 : -1} aria-label=${words} aria-level=${spot.depth + 1} aria-selected="false" transform=${transformOf(spot)}>
      <rect class="touch" x=${-spot.half} y="-4" width=${2 * spot.half} height="36"></rect>
      <text class="small middle accented" y="12">${spot.title}</text>
      ${spot.cuts ? svg`<text class="small middle muted reason" y="27">${reason}</text>` : nothing}</g>`;
  }

  /**
   * @param {Spot} spot
   * @param {[number, number]} reasonFor
   */
  reason(spot, reasonFor) {
    const [first, last] = reasonFor.map((nth) => this.spots.list[nth]);
    const foot = Math.max(first.height, last.height);
    return svg`<text class="small middle muted reason" x=${(last.x - first.x) / 2} y=${foot + 15}>${shortReason(spot.node)}</text>`;
  }

  // -- actions -------------------------------------------------------------------------------------

  /**
   * @param {string | undefined} edge
   * @param {string | undefined} key
   */
  press(edge, key) {
    const marked = edge && this.spots.places.get(edge);
    if (marked) this.actions.mark(marked.node);
    else if (key) this.act(key, true);
  }

  /**
   * @param {string} key
   * @param {boolean} [isFocused]
   */
  act(key, isFocused = false) {
    const spot = this.spots.places.get(key);
    if (!spot) return;
    if (spot.isGap || spot.cuts) {
      const parent = this.spots.list[spot.parent ?? 0].key;
      this.wide.add(parent);
      this.spots = this.lay();
      this.focus(parent);
      return;
    }
    if (isFocused) this.focus(key, false);
    if (spot.styled?.canMark) this.actions.mark(spot.node);
    else if (!spot.styled) this.actions.select(spot.node);
  }

  /**
   * @param {string} key
   * @param {boolean} [isRevealed]
   */
  focus(key, isRevealed = true) {
    this.focused = key;
    if (isRevealed) this.camera.reveal(this.spots.places.get(key));
    this.draw();
    /** @type {SVGElement | null} */ (this.host.querySelector(`[data-key="${key}"]`))?.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {Element} */ (event.target);
    if (target.closest("input") || event.ctrlKey || event.metaKey || event.altKey) return;
    /** @type {Record<string, [number, number]>} */
    const ways = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const way = ways[event.key];
    if (event.shiftKey && way) {
      this.camera.moveTo(this.camera.x + 60 * way[0], this.camera.y + 60 * way[1]);
      this.draw();
    } else if (event.key === "+" || event.key === "=") this.zoom(1.25);
    else if (event.key === "-") this.zoom(0.8);
    else if (event.key === "0") this.fitAll();
    else if (target.closest("[data-key]") && (way || event.key === "Enter" || event.key === " ")) this.walk(event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string} key */
  walk(key) {
    const spot = this.spots.places.get(this.focused);
    if (!spot) return;
    if (key === "Enter" || key === " ") this.act(this.focused);
    else if (key === "ArrowDown") this.walkDown(spot);
    else if (spot.parent === null) return;
    else if (key === "ArrowUp") this.focus(this.spots.list[spot.parent].key);
    else {
      const family = this.spots.list[spot.parent].children.map((nth) => this.spots.list[nth].key);
      const next = family[family.indexOf(spot.key) + (key === "ArrowRight" ? 1 : -1)];
      if (next) this.focus(next);
    }
  }

  /** @param {Spot} spot */
  walkDown(spot) {
    if (spot.children.length) this.focus(this.spots.list[spot.children[0]].key);
    else if (spot.node.children > 0 && !spot.styled) this.actions.select(spot.node);
  }
}

/** @type {(spot: Spot) => string} */
const keyOfSpot = (spot) => spot.key;

/** @type {(spot: Spot) => Point} */
const placeOf = ({ x, y, u, v }) => [u ?? x, v ?? y];

/** @param {Spot} spot */
function transformOf(spot) {
  const [x, y] = placeOf(spot);
  return `translate(${x.toFixed(1)} ${y.toFixed(1)})`;
}

/**
 * Whether a spot is in the view, or near it.
 *
 * @type {(view: {x: number, y: number, scale: number}, width: number, height: number) => (spot: Spot) => boolean}
 */
function isIn({ x, y, scale }, width, height) {
  const [left, right] = [(-x - ASIDE) / scale, (width - x + ASIDE) / scale];
  const [top, foot] = [(-y - ASIDE) / scale, (height - y + ASIDE) / scale];
  return (spot) => {
    const [u, v] = placeOf(spot);
    return u + spot.extent[1] > left && u - spot.extent[0] < right && v < foot && v + TALL > top;
  };
}
