// The address bar holds the tree or the game, the search and the exercise, so that a link can share them.

/** @import { Look, RandomTree } from "../types/messages.js" */

/** @typedef {"watch" | "prune" | "values" | "windows" | "order"} Mode */
/** @typedef {Required<Look>} FullLook */
/** @typedef {{look: FullLook, mode: Mode, random: Required<RandomTree> | null}} InsideAddress */

const TREE = "tree";
/** @type {Mode[]} */
const MODES = ["watch", "prune", "values", "windows", "order"];

export const read = () => parse(location.hash.slice(1));

/**
 * @param {string} text
 * @returns {InsideAddress}
 */
export function parse(text) {
  const found = new URLSearchParams(text);
  /** @type {Record<string, string>} */
  const options = {};
  for (const [name, text] of found) if (name.startsWith("o.")) options[name.slice(2)] = text;
  const tree = found.get(TREE);
  if (tree !== null) options.text = tree;
  const number = (/** @type {string} */ name) => (/^\d+$/.test(found.get(name) ?? "") ? Number(found.get(name)) : null);
  const seed = number("seed");
  return {
    look: {
      game: found.get("game") ?? TREE,
      options,
      position: found.get("position") ?? "",
      moves: (found.get("moves") ?? "").split(" ").filter(Boolean),
      algorithm: /** @type {Look["algorithm"]} */ (found.get("algorithm") ?? "auto"),
      depth: number("depth"),
      seed: number("run") ?? 0,
    },
    mode: MODES.find((mode) => mode === found.get("mode")) ?? "watch",
    random:
      seed === null
        ? null
        : {
            seed,
            levels: number("levels") ?? 2,
            branches: number("branches") ?? 3,
            kind: /** @type {RandomTree["kind"] & string} */ (found.get("kind") ?? "max and min"),
          },
  };
}

/** @param {InsideAddress} address */
export const write = (address) => history.replaceState(null, "", `#${text(address)}`);

/**
 * The part of the address after `#`.
 *
 * @param {InsideAddress} address
 */
export function text({ look, mode, random }) {
  const query = new URLSearchParams();
  if (random) for (const [name, value] of Object.entries(random)) query.set(name, String(value));
  else if (look.game === TREE) query.set(TREE, look.options.text ?? "");
  else {
    query.set("game", look.game);
    for (const [name, value] of Object.entries(look.options)) query.set(`o.${name}`, value);
    if (look.position) query.set("position", look.position);
    if (look.moves.length) query.set("moves", look.moves.join(" "));
  }
  query.set("algorithm", look.algorithm);
  if (look.depth !== null) query.set("depth", String(look.depth));
  if (look.algorithm === "mcts" && look.seed) query.set("run", String(look.seed));
  if (mode !== "watch") query.set("mode", mode);
  return query.toString();
}
