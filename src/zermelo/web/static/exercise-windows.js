// The exercise "type α and β": with which window does the search enter a node?

import { checkedOf, everyNode, markOf, titleOf, twin } from "./exercise.js";
import { isClose, parseNumbers } from "./exercise-values.js";
import { bounds, soFar, valueText, windowText } from "./inside-steps.js";
import { keyOf } from "./inside-store.js";
import { belowDice, kindName, placeName } from "./inside-text.js";
import { numberText } from "./numerals.js";

/**
 * @import { Node, Store } from "./inside-store.js"
 * @import { Answers, Exercise, Given, Verdict, Verdicts } from "./exercise.js"
 */

const FIELD = 86;
const MOST = 8; // nodes that are asked about

/** @type {Exercise} */
export const windows = {
  title: "Type α and β",
  question: (search) =>
    `With which window [α, β] does ${search} enter each node that has a field? Type both bounds, as in 3, ∞; inf is understood too.`,
  obstacle: ({ full, search }) =>
    !search.root.window
      ? "This search has no window; choose alpha-beta, or Star1 for a tree with dice."
      : askedNodes(full, search).size
        ? ""
        : "Only leaves are below the root; choose a tree with more levels.",
  check: ({ full, search }, { texts }) => {
    /** @type {Verdicts} */
    const verdicts = new Map();
    for (const [node, real] of askedNodes(full, search))
      verdicts.set(keyOf(node), judge(search, real, (texts.get(keyOf(node)) ?? "").trim()));
    return checkedOf(verdicts);
  },
  styleOf,
  praise: () => "All correct.",
  explainsAll: false,
};

/**
 * The nodes that are asked about, each with its twin in the search: visited inner nodes below the root, from the top.
 *
 * @param {Store} full
 * @param {Store} search
 */
function askedNodes(full, search) {
  /** @type {Map<Node, Node>} */
  const found = new Map();
  for (const node of everyNode(full)) {
    if (found.size === MOST) break;
    const real = node.parent < 0 || !node.children ? null : twin(full, node, search);
    if (real?.window && real.kind !== "cut") found.set(node, real);
  }
  return found;
}

/**
 * @param {Store} search
 * @param {Node} node
 * @param {string} text
 * @returns {Verdict}
 */
function judge(search, node, text) {
  const place = titleOf(search, node);
  const window = node.window ?? [null, null];
  if (!text) return { isRight: false, isMissed: true, words: `${place} has no window yet.` };
  const numbers = parseNumbers(text);
  if (numbers?.length !== 2)
    return { isRight: false, words: `${place}: “${text.slice(0, 20)}” is not a window; write α and β, as in 3, ∞.` };
  const isSame = (/** @type {number[]} */ other) =>
    numbers.every((number, nth) => isClose(number, other[nth], Math.abs(other[nth])));
  const [alpha, beta] = bounds(window);
  if (isSame([alpha, beta])) return { isRight: true, words: `${place}: yes, ${windowText(window)}.` };
  const why = `${place} is entered with ${windowText(window)}. ${whyWindow(search, node)}`;
  if (isSame([beta, alpha])) return { isRight: false, words: `${why} You wrote β first.` };
  const parent = search.node(node.parent);
  const isParents = parent?.window && isSame(bounds(parent.window));
  const slip = isParents
    ? ` ${valueWords(numbers)} was the window of ${placeName(search, parent)} when it was entered.`
    : "";
  return { isRight: false, words: why + slip };
}

/** @type {(numbers: number[]) => string} */
const valueWords = (numbers) => `[${numbers.map((one) => numberText(one)).join(", ")}]`;

/**
 * Where the bounds of a window come from.
 *
 * @param {Store} search
 * @param {Node} node
 */
function whyWindow(search, node) {
  const [alpha, beta] = bounds(node.window ?? [null, null]);
  if (belowDice(search, node)) {
    const dice = search.way(node).findLast((one) => one !== node && one.kind === "chance");
    const range = dice?.window ? ` ${windowText(dice.window)}` : "";
    return `Below the dice, α and β are what this outcome must be worth for the mean of the dice to leave their window${range}, whatever the other outcomes are.`;
  }
  const { Max, Min } = search.facts.sides;
  return [
    boundWords(search, node, "max", `α = ${numberText(alpha)}`, Max),
    boundWords(search, node, "min", `β = ${numberText(beta)}`, Min),
  ].join(" ");
}

/**
 * Which node above gave a bound.
 *
 * @param {Store} search
 * @param {Node} node
 * @param {"max" | "min"} kind
 * @param {string} bound
 * @param {string} who
 */
function boundWords(search, node, kind, bound, who) {
  /** @type {{above: Node, value: number} | null} */
  let best = null;
  for (const above of search.way(node).slice(0, -1)) {
    const known = above.kind === kind ? soFar(above, search.children(above) ?? [], node.entered ?? 0) : null;
    if (known && (!best || (kind === "max" ? known[0] > best.value : known[0] < best.value)))
      best = { above, value: known[0] };
  }
  return best
    ? `${bound}: ${who} has ${numberText(best.value)} so far at ${placeName(search, best.above)}.`
    : `${bound}: ${who} has nothing above it yet.`;
}

/**
 * @param {Given} given
 * @param {Answers} answers
 * @param {Verdicts | undefined} verdicts
 */
function styleOf({ full, search }, { texts }, verdicts) {
  const asked = new Set([...askedNodes(full, search).keys()].map(keyOf));
  return (/** @type {Node} */ node) => {
    const key = keyOf(node);
    const title = node.children ? "" : valueText(node.value);
    const kind = kindName(node, full.facts);
    if (!asked.has(key)) return { title, mark: "", words: `${node.move}: ${title ? `worth ${title}` : kind}` };
    return {
      title,
      field: { answer: texts.get(key) ?? "", width: FIELD },
      mark: markOf(verdicts?.get(key)),
      words: `Window of ${placeName(full, node)}, ${kind}: α and β`,
    };
  };
}
