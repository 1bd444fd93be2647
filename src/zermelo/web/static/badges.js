// Where the values of moves stand on a board: beside pieces, never on top of them or of each other.

/** @import { Box } from "./turning.js" */
/** @typedef {{box: Box, occupant: Box | null, width: number, height: number}} Wish a cell, what stands there, the size of its badge */
/** @typedef {{x: number, y: number, others: number}} Place the middle of a badge, and how many others it stands for */

const MOST_COVERED = 0.22; // of a badge; one that would cover more of the pieces is merged with its neighbour
const ORDER = 0.01; // how much of a badge may be covered before the next place is better

/** @type {(one: Box, other: Box) => number} */
export function overlap(one, other) {
  const wide = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const high = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return wide > 0 && high > 0 ? wide * high : 0;
}

/**
 * The middles where a badge may stand, the best first: on an empty cell, in the free room of the cell, on its edges.
 *
 * @param {Wish} wish
 * @returns {[number, number][]}
 */
function candidates({ box, occupant, width, height }) {
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const [right, bottom] = [box.x + box.width, box.y + box.height];
  if (!occupant) {
    const aside = (width - box.width) / 2;
    return [[x, y], [x, bottom], [x, box.y], [x + aside, y], [x - aside, y], [x + box.width / 2, y], [x - box.width / 2, y]]; // biome-ignore format: a list of places
  }
  const below = occupant.y + occupant.height;
  const end = occupant.x + occupant.width;
  /** @type {[number, number][]} */
  const inside = [
    [x, (below + bottom) / 2],
    [x, (box.y + occupant.y) / 2],
  ];
  const free = inside.filter(([, at]) => at - height / 2 > box.y && at + height / 2 < bottom);
  return [
    ...free,
    [x, Math.max(bottom, below + height / 2 - 0.5)],
    [x, Math.min(box.y, occupant.y - height / 2 + 0.5)],
    [Math.max(right, end) + width / 2 + 2, y],
    [Math.min(box.x, occupant.x) - width / 2 - 2, y],
    [x, bottom + height / 2],
    [x, box.y - height / 2],
    [Math.max(right, end) + width / 4, below],
    [Math.min(box.x, occupant.x) - width / 4, below],
  ];
}

/**
 * Place badges, the most important first; null for one that found no room, for which its nearest neighbour stands too.
 *
 * @param {Wish[]} wishes
 * @param {Box[]} obstacles pieces and labels
 * @param {{width: number, height: number}} paper
 * @returns {(Place | null)[]}
 */
export function placeBadges(wishes, obstacles, paper) {
  /** @type {{box: Box, place: Place}[]} */
  const placed = [];
  return wishes.map((wish) => {
    const { width, height } = wish;
    const at = (/** @type {[number, number]} */ [x, y]) => ({ x: x - width / 2, y: y - height / 2, width, height });
    const inPaper = (/** @type {Box} */ box) =>
      overlap(box, { x: 0, y: 0, width: paper.width, height: paper.height }) / (width * height);
    let best = null;
    let least = placed.length ? MOST_COVERED : Infinity; // the best move always has its value
    candidates(wish).forEach((middle, order) => {
      const box = at(middle);
      if (placed.some((other) => overlap(box, other.box) > 0)) return;
      const covered = obstacles.reduce((sum, one) => sum + overlap(box, one), 0) / (width * height);
      const cost = covered + 4 * (1 - inPaper(box)) + ORDER * order;
      if (cost < least) [best, least] = [{ box, place: { x: middle[0], y: middle[1], others: 0 } }, cost];
    });
    if (best) {
      placed.push(best);
      return /** @type {{place: Place}} */ (best).place;
    }
    const near = nearest(placed, wish.box);
    if (near) near.others += 1;
    return null;
  });
}

/**
 * @param {{box: Box, place: Place}[]} placed
 * @param {Box} box
 */
function nearest(placed, box) {
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const far = (/** @type {{place: Place}} */ { place }) => Math.hypot(place.x - x, place.y - y);
  return placed.toSorted((a, b) => far(a) - far(b))[0]?.place ?? null;
}
