// The layout of nodes. Trees that fit are tidy: parents centred over their children, subtrees as close as their outlines
// allow. Larger trees are laid out in rows from the top: a row never moves because of the rows below it.

/** @typedef {[number, number]} Extent to the left and to the right of a centre line, or of a row of one */

/**
 * The centre lines of boxes; box 0 is the root and children have higher numbers. `extents` are [left, right].
 *
 * @param {Extent[]} extents
 * @param {number[][]} children
 * @param {number} gap
 */
export function tidy(extents, children, gap) {
  const shifts = new Array(extents.length).fill(0);
  /** @type {Extent[][]} */
  const outlines = new Array(extents.length);
  for (let box = extents.length - 1; box >= 0; box--) {
    const below = children[box];
    const places = placesOf(
      below.map((child) => outlines[child]),
      gap,
    );
    const middle = places.length ? (places[0] + places[places.length - 1]) / 2 : 0;
    below.forEach((child, nth) => {
      shifts[child] = places[nth] - middle;
      outlines[child] = outlines[child].map((row) => moved(row, shifts[child]));
    });
    const [left, right] = extents[box];
    outlines[box] = [[-left, right], ...mergeOutlines(below.map((child) => outlines[child]))];
    for (const child of below) outlines[child] = [];
  }
  const centres = new Array(extents.length).fill(0);
  centres[0] = -Math.min(...outlines[0].map(([left]) => left));
  children.forEach((below, box) => {
    for (const child of below) centres[child] = centres[box] + shifts[child];
  });
  return centres;
}

/** @type {(extent: Extent, by: number) => Extent} */
const moved = ([left, right], by) => [left + by, right + by];

/** @type {(extent: Extent) => Extent} */
const mirror = ([left, right]) => [-right, -left];

/**
 * The places of subtrees side by side, without a preference for a side.
 *
 * @param {Extent[][]} outlines
 * @param {number} gap
 */
function placesOf(outlines, gap) {
  if (!outlines.length) return [];
  const fromLeft = pack(outlines, gap);
  const mirrored = [...outlines].reverse().map((outline) => outline.map(mirror));
  const fromRight = pack(mirrored, gap)
    .reverse()
    .map((place) => fromLeft[fromLeft.length - 1] - place);
  return fromLeft.map((place, nth) => (place + fromRight[nth]) / 2);
}

/**
 * Each subtree as far left as those before it allow.
 *
 * @param {Extent[][]} outlines
 * @param {number} gap
 */
function pack(outlines, gap) {
  /** @type {number[]} */
  const front = [];
  return outlines.map((outline) => {
    let place = front.length ? -Infinity : 0;
    outline.forEach(([left], level) => {
      if (level < front.length) place = Math.max(place, front[level] + gap - left);
    });
    outline.forEach(([, right], level) => {
      front[level] = Math.max(front[level] ?? -Infinity, place + right);
    });
    return place;
  });
}

/** @param {Extent[][]} outlines */
function mergeOutlines(outlines) {
  /** @type {Extent[]} */
  const found = [];
  for (const outline of outlines)
    outline.forEach(([left, right], level) => {
      found[level] = found[level] ? [Math.min(found[level][0], left), Math.max(found[level][1], right)] : [left, right];
    });
  return found;
}

/**
 * The same, in rows: every family as near below its parent as its neighbours and the width allow.
 *
 * @param {Extent[]} extents
 * @param {number[][]} children
 * @param {number} gap
 * @param {number} width
 */
export function inRows(extents, children, gap, width) {
  const centres = new Array(extents.length).fill(0);
  centres[0] = width / 2;
  for (let row = [0]; row.length; row = row.flatMap((box) => children[box])) {
    const families = row.filter((box) => children[box].length).sort((a, b) => centres[a] - centres[b]);
    const spans = families.map((box) => spanOf(children[box], extents, gap));
    const wanted = families.map((box, nth) => centres[box] - spans[nth].middle);
    const starts = fitStarts(
      wanted,
      spans.map((span) => span.length),
      gap,
      width,
    );
    families.forEach((box, nth) => {
      children[box].forEach((child, place) => {
        centres[child] = starts[nth] + spans[nth].centres[place];
      });
    });
  }
  return centres;
}

/**
 * A family side by side: its length, the places of its centres, and the middle between the first and the last.
 *
 * @param {number[]} family
 * @param {Extent[]} extents
 * @param {number} gap
 */
function spanOf(family, extents, gap) {
  let length = -gap;
  const centres = family.map((child) => {
    const [left, right] = extents[child];
    const centre = length + gap + left;
    length = centre + right;
    return centre;
  });
  return { length, centres, middle: (centres[0] + centres[centres.length - 1]) / 2 };
}

/**
 * Starts near the wanted ones that do not overlap and, if there is room, stay between 0 and the width.
 *
 * @param {number[]} wanted
 * @param {number[]} lengths
 * @param {number} gap
 * @param {number} width
 */
function fitStarts(wanted, lengths, gap, width) {
  /** @type {{start: number, length: number, members: number[]}[]} neighbours that touch, their average start, their length */
  const groups = [];
  wanted.forEach((start, nth) => {
    let group = { start, length: lengths[nth], members: [nth] };
    for (
      let before = groups.at(-1);
      before && before.start + before.length + gap > group.start;
      before = groups.at(-1)
    ) {
      groups.pop();
      const [m, n] = [before.members.length, group.members.length];
      const shifted = group.start - before.length - gap;
      group = {
        start: (m * before.start + n * shifted) / (m + n),
        length: before.length + gap + group.length,
        members: [...before.members, ...group.members],
      };
    }
    groups.push(group);
  });
  let end = width;
  for (const group of [...groups].reverse()) {
    group.start = Math.min(group.start, end - group.length);
    end = group.start - gap;
  }
  let front = 0;
  /** @type {number[]} */
  const starts = [];
  for (const group of groups) {
    let start = Math.max(group.start, front);
    for (const nth of group.members) {
      starts[nth] = start;
      start += lengths[nth] + gap;
    }
    front = start;
  }
  return starts;
}
