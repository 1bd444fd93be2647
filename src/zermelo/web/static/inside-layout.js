// Tidy trees: parents centred over their children, subtrees as close as their outlines allow, never overlapping.
// The same packing as the drawings of the command: from the left, from the right, and the mean of both.

/** The centre lines of boxes; box 0 is the root and children have higher numbers. `extents` are [left, right]. */
export function tidy(extents, children, gap) {
  const shifts = new Array(extents.length).fill(0);
  const outlines = new Array(extents.length);
  for (let box = extents.length - 1; box >= 0; box--) {
    const below = children[box];
    const places = placesOf(below.map((child) => outlines[child]), gap);
    const middle = places.length ? (places[0] + places.at(-1)) / 2 : 0;
    below.forEach((child, nth) => {
      shifts[child] = places[nth] - middle;
      outlines[child] = outlines[child].map(([left, right]) => [left + shifts[child], right + shifts[child]]);
    });
    const [left, right] = extents[box];
    outlines[box] = [[-left, right], ...merged(below.map((child) => outlines[child]))];
    for (const child of below) outlines[child] = null;
  }
  const centres = new Array(extents.length).fill(0);
  centres[0] = -Math.min(...outlines[0].map(([left]) => left));
  children.forEach((below, box) => below.forEach((child) => (centres[child] = centres[box] + shifts[child])));
  return centres;
}

function placesOf(outlines, gap) {
  if (!outlines.length) return [];
  const fromLeft = packed(outlines, gap);
  const mirrored = [...outlines].reverse().map((outline) => outline.map(([left, right]) => [-right, -left]));
  const fromRight = packed(mirrored, gap).reverse().map((place) => fromLeft.at(-1) - place);
  return fromLeft.map((place, nth) => (place + fromRight[nth]) / 2);
}

/** Each subtree as far left as those before it allow. */
function packed(outlines, gap) {
  const front = [];
  return outlines.map((outline) => {
    let place = front.length ? -Infinity : 0;
    outline.forEach(([left], level) => {
      if (level < front.length) place = Math.max(place, front[level] + gap - left);
    });
    outline.forEach(([, right], level) => (front[level] = Math.max(front[level] ?? -Infinity, place + right)));
    return place;
  });
}

function merged(outlines) {
  const found = [];
  for (const outline of outlines)
    outline.forEach(([left, right], level) => {
      found[level] = found[level] ? [Math.min(found[level][0], left), Math.max(found[level][1], right)] : [left, right];
    });
  return found;
}
