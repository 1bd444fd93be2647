// The state of a tree after a number of steps. A step is a moment of the search: a node is entered, evaluated, or left.

const MINUS = "−";

/** `3`, `6.67`, `0.333`, `−∞`: two decimals, three below 1, or two digits of what is very small. */
export function numberText(number, infinity = "∞") {
  if (number === null || number === undefined) return infinity;
  if (!Number.isFinite(number)) return number > 0 ? "∞" : `${MINUS}∞`;
  const size = Math.abs(number);
  if (size < 1e-9) return "0";
  const rounded = size < 0.01 ? number.toPrecision(2) : number.toFixed(size < 0.9995 ? 3 : size < 1000 ? 2 : 0);
  const text = size < 1e-4 ? Number(rounded).toFixed(6) : String(Number(rounded));
  return (Number(text) === 0 ? "0" : text).replace("-", MINUS);
}

const SIGNS = { exact: "", lower: "≥ ", upper: "≤ ", estimate: "~ ", "lower estimate": "≥ ~", "upper estimate": "≤ ~" };

export function valueText(value, proof = "exact") {
  if (!value) return "";
  const text = value.length === 1 ? numberText(value[0]) : `(${value.map((one) => numberText(one)).join(", ")})`;
  return SIGNS[proof] + text;
}

export const windowText = ([alpha, beta]) => `[${numberText(alpha, `${MINUS}∞`)}, ${numberText(beta)}]`;

/** A probability as a small fraction such as `1/3`, if it is one. */
export function chanceText(chance) {
  for (let below = 1; below <= 36; below++) {
    const above = Math.round(chance * below);
    if (Math.abs(above / below - chance) < 1e-9) return below === 1 ? String(above) : `${above}/${below}`;
  }
  return numberText(chance);
}

/** `hidden` before the search enters the node, `open` while it is inside, `closed` after it, `cut` if it never enters. */
export function stateAt(node, step) {
  if (node.kind === "cut") return node.left !== null && node.left < step ? "cut" : "hidden";
  if (node.visits !== undefined) return "closed";
  if (node.entered >= step) return "hidden";
  return node.left !== null && node.left < step ? "closed" : "open";
}

/** The children whose values are known. */
export const closedChildren = (children, step) => children.filter((child) => child.kind !== "cut" && stateAt(child, step) === "closed");

/** The best value so far for the player to move at an open node; null before there is one. */
export function soFar(node, children, step) {
  const known = closedChildren(children, step);
  if (!known.length) return null;
  const entry = known[0].value.length > 1 ? node.player : 0;
  const isBetter = node.kind === "min" ? (a, b) => a < b : (a, b) => a > b;
  return known.reduce((best, child) => (isBetter(child.value[entry], best.value[entry]) ? child : best)).value;
}

/** The window as it is now at an open node: alpha and beta with infinities. */
export function windowNow(node, children, step) {
  if (!node.window) return null;
  let [alpha, beta] = bounds(node.window);
  const best = soFar(node, children, step);
  if (best && node.kind === "max") alpha = Math.max(alpha, best[0]);
  if (best && node.kind === "min") beta = Math.min(beta, best[0]);
  return [alpha, beta];
}

export const bounds = ([alpha, beta]) => [alpha ?? -Infinity, beta ?? Infinity];

/** The bounds of the mean of a chance node, given the known outcomes. */
export function meanBounds(children, step, [low, high]) {
  let [least, most] = [0, 0];
  for (const child of children) {
    const [floor, ceiling] = outcomeBounds(child, step, low, high);
    least += child.probability * floor;
    most += child.probability * ceiling;
  }
  return [least, most];
}

function outcomeBounds(child, step, low, high) {
  if (child.kind === "cut" || stateAt(child, step) !== "closed") return [low, high];
  if (child.proof.startsWith("lower")) return [child.value[0], high];
  if (child.proof.startsWith("upper")) return [low, child.value[0]];
  return [child.value[0], child.value[0]];
}

/** The text in a node at a step. */
export function titleAt(node, children, step, facts) {
  const state = stateAt(node, step);
  if (node.visits !== undefined) return node.value ? valueText(node.value.map((mean) => Number(mean.toFixed(2)))) : "";
  if (node.kind === "cut") return valueText(node.value);
  if (state === "hidden") return facts.is_tree && !node.children ? valueText(node.value) : "";
  if (state === "closed") return valueText(node.value, node.proof);
  if (!children?.length) return "";
  if (node.kind === "chance") {
    if (!facts.hasBounds || !facts.range.every((bound) => bound !== null)) return "…";
    const [least, most] = meanBounds(children, step, facts.range);
    return `${numberText(least)} … ${numberText(most)}`;
  }
  const best = soFar(node, children, step);
  if (!best) return "";
  return best.length > 1 ? valueText(best) : valueText(best, node.kind === "min" ? "upper" : "lower");
}
