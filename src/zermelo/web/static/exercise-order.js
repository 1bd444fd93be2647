// The exercise "order of the leaves": which leaves does the search visit, and in which order?

import { checkedOf, everyNode, judgedWords, markOf, titleOf, twin } from "./exercise.js";
import { valueText } from "./inside-steps.js";
import { keyOf } from "./inside-store.js";
import { placeName, reasonOf } from "./inside-text.js";
import { countText } from "./text.js";

/**
 * @import { Node, Store } from "./inside-store.js"
 * @import { Answers, Checked, Exercise, Given, Verdict, Verdicts } from "./exercise.js"
 */

/** @type {Exercise} */
export const order = {
  title: "Order of the leaves",
  question: (search) =>
    `In which order does ${search} visit the leaves? Click them one after the other, or select them with the arrow keys and press Enter; a second click takes one back. Leave out those that it never visits.`,
  obstacle: () => "",
  check,
  styleOf,
  praise: ({ verdicts }) => `All correct: ${countText(verdicts.size, "leaf is", "leaves are")} visited, in this order.`,
  explainsAll: false,
};

/**
 * The leaves of the full tree in the order in which the search visits them.
 *
 * @param {Given} given
 */
function visitedLeaves({ full, search }) {
  const leaves = [...everyNode(search)].filter((node) => !node.children);
  leaves.sort((a, b) => (a.left ?? 0) - (b.left ?? 0));
  return leaves.map((leaf) => twin(search, leaf, full)).filter((leaf) => leaf !== null);
}

/**
 * @param {Given} given
 * @param {Answers} answers
 * @returns {Checked}
 */
function check(given, { marks }) {
  const { full } = given;
  const visited = visitedLeaves(given);
  const places = new Map(visited.map((leaf, nth) => [keyOf(leaf), nth]));
  const leaves = new Map([...everyNode(full)].map((node) => [keyOf(node), node]));
  /** @type {Verdicts} */
  const verdicts = new Map();
  let last = -1; // the place of the latest leaf so far
  for (const key of marks) {
    const leaf = /** @type {Node} */ (leaves.get(key));
    const place = places.get(key);
    if (place === undefined) verdicts.set(key, { isRight: false, words: whyNever(given, leaf) });
    else if (place < last) verdicts.set(key, { isRight: false, words: whyEarlier(given, leaf, visited[last]) });
    else verdicts.set(key, { isRight: true, words: `${titleOf(full, leaf)}: yes.` });
    last = Math.max(last, place ?? -1);
  }
  visited.forEach((leaf, nth) => {
    if (marks.has(keyOf(leaf))) return;
    const when = nth ? `after ${placeName(full, visited[nth - 1])}` : "first of all";
    const words = `${titleOf(full, leaf)} is visited ${when}, and you left it out.`;
    verdicts.set(keyOf(leaf), { isRight: false, isMissed: true, words });
  });
  return checkedOf(verdicts);
}

/**
 * @param {Given} given
 * @param {Node} leaf
 */
function whyNever({ full, search }, leaf) {
  const way = full.way(leaf).map((node) => ({ node, real: twin(full, node, search) }));
  const cut = way.find(({ real }) => real?.kind === "cut");
  const place = titleOf(full, leaf);
  if (!cut?.real) return `${place} is never visited.`;
  const which = cut.node === leaf ? "it" : placeName(full, cut.node);
  return `${place} is never visited, because ${which} is cut: ${reasonOf(cut.real, search)}.`;
}

/**
 * @param {Given} given
 * @param {Node} leaf
 * @param {Node} later
 */
function whyEarlier({ full, search }, leaf, later) {
  const [place, other] = [titleOf(full, leaf), placeName(full, later)];
  const rule =
    search.look.algorithm === "star2"
      ? "Star2 first probes one reply to each outcome, and then searches the outcomes"
      : "the search goes down to the leaves from left to right";
  return `${place} is visited before ${other}: ${rule}.`;
}

/**
 * @param {Given} given
 * @param {Answers} answers
 * @param {Verdicts | undefined} verdicts
 */
function styleOf({ full }, { marks }, verdicts) {
  const places = new Map([...marks].map((key, nth) => [key, nth + 1]));
  return (/** @type {Node} */ node) => {
    const key = keyOf(node);
    if (node.children) return { title: "", mark: "", words: placeName(full, node) };
    const place = places.get(key);
    const title = valueText(node.value);
    return {
      title,
      canMark: true,
      note: place ? `${place}.` : "",
      mark: verdicts?.has(key) ? markOf(verdicts.get(key)) : place ? "counted" : "",
      words: `${node.move}: leaf worth ${title}${place ? `, number ${place}` : ""}${judgedWords(verdicts, node)}`,
    };
  };
}
