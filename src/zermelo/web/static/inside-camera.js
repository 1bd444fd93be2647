// The view of a drawn tree: its scale and its place, which follow the search, and glide there.

/** @import { Spot, Spots } from "./inside-spots.js" */

const ZOOMS = [0.1, 2.5];
const MOST_FIT = 1.25;
const GLIDE = 160; // milliseconds in which nodes move to their places
export const LEAST_WHOLE = 0.66; // below this scale a tree cannot be read
const [IN_ROWS, ON_PHONES] = [0.92, 0.78]; // the scale of trees that are not shown whole
const NARROW = 520; // pixels

/** @typedef {{x: number, y: number, scale: number}} View */
/** @typedef {View & {spots: Map<string, [number, number]>}} Snapshot */

export class Camera {
  /** @param {HTMLElement} host */
  constructor(host) {
    this.host = host;
    this.scale = 1;
    this.x = this.y = 0;
    this.limit = Infinity;
    this.isMoved = false; // by the user
    this.shownAt = 0;
    /** @type {(Snapshot & {start: number}) | null} */
    this.from = null;
  }

  get box() {
    return { width: this.host.clientWidth || 600, height: this.host.clientHeight || 400 };
  }

  get rowScale() {
    return this.box.width < NARROW ? ON_PHONES : IN_ROWS;
  }

  /**
   * The scale at which all of a tree can be seen.
   *
   * @param {{width: number, height: number}} tree
   */
  fitOf(tree) {
    const { width, height } = this.box;
    return Math.min(MOST_FIT, width / tree.width, height / tree.height);
  }

  /**
   * Fit the tree into the view, with the current node; once the user has moved the tree, it stays.
   *
   * @param {Spots} spots
   * @param {Spot | undefined} here
   */
  follow(spots, here) {
    if (this.isMoved) return;
    const { width, height } = this.box;
    this.scale = spots.isInRows ? this.rowScale : Math.max(Math.min(this.fitOf(spots), this.limit), LEAST_WHOLE);
    const side = width / 2 / this.scale;
    const centre = (spots.isInRows ? spots.list[0] : (here ?? spots.list[0])).x;
    const middle = 2 * side >= spots.width - 1 ? spots.width / 2 : Math.max(side, Math.min(centre, spots.width - side));
    this.x = width / 2 - this.scale * middle;
    this.y = Math.max(0, Math.min(40, (height - this.scale * spots.height) / 2));
  }

  /**
   * @param {number} factor
   * @param {[number, number] | null} at
   */
  zoom(factor, at = null) {
    const { width, height } = this.box;
    const [u, v] = at ?? [width / 2, height / 2];
    const scale = Math.max(ZOOMS[0], Math.min(ZOOMS[1], this.scale * factor));
    this.x = u - ((u - this.x) * scale) / this.scale;
    this.y = v - ((v - this.y) * scale) / this.scale;
    this.scale = scale;
    this.isMoved = true;
  }

  /** @type {(x: number, y: number) => void} */
  moveTo(x, y) {
    [this.x, this.y] = [x, y];
    this.isMoved = true;
  }

  /** @param {Spots} spots */
  fitAll(spots) {
    const { width, height } = this.box;
    const fit = this.fitOf(spots);
    this.scale = Math.max(ZOOMS[0], fit);
    this.x = (width - this.scale * spots.width) / 2;
    this.y = Math.max(0, (height - this.scale * spots.height) / 2);
    this.isMoved = fit < LEAST_WHOLE;
  }

  /**
   * Move the tree just enough to show the node.
   *
   * @param {Spot | undefined} spot
   */
  reveal(spot) {
    if (!spot) return;
    const { width, height } = this.box;
    const room = Math.min(60, width / 4);
    const u = this.x + this.scale * spot.x;
    const v = this.y + this.scale * spot.y;
    if (u < room) this.x += room - u;
    if (u > width - room) this.x -= u - (width - room);
    if (v < 20) this.y += 20 - v;
    if (v > height - 90) this.y -= v - (height - 90);
  }

  // -- gliding -------------------------------------------------------------------------------------

  /**
   * The current positions on the screen.
   *
   * @param {Spots} spots
   * @returns {Snapshot}
   */
  snapshot(spots) {
    const { x, y, scale } = this.placeSpots(spots);
    return { x, y, scale, spots: new Map(spots.list.map((spot) => [spot.key, [spot.u ?? spot.x, spot.v ?? spot.y]])) };
  }

  /** @param {Snapshot | null} before */
  glide(before) {
    const now = performance.now();
    const isHasty = now - this.shownAt < GLIDE; // the next step arrives before this one is finished
    this.shownAt = now;
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.from = before && !isHasty && !isStill ? { ...before, start: now } : null;
  }

  /**
   * Compute the view at this moment of a glide; the spots get their positions `u`, `v`.
   *
   * @param {Spots} spots
   * @returns {View}
   */
  placeSpots(spots) {
    const passed = this.from ? Math.min(1, (performance.now() - this.from.start) / GLIDE) : 1;
    if (passed >= 1) this.from = null;
    const { from } = this;
    const share = 1 - (1 - passed) ** 3;
    const between = (/** @type {number} */ a, /** @type {number} */ b) => a + share * (b - a);
    for (const spot of spots.list) {
      const [x, y] = from?.spots.get(spot.key) ?? [spot.x, spot.y];
      spot.u = between(x, spot.x);
      spot.v = between(y, spot.y);
    }
    if (!from) return this;
    return { x: between(from.x, this.x), y: between(from.y, this.y), scale: between(from.scale, this.scale) };
  }
}
