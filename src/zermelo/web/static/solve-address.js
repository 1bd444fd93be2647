// The address of a game to solve: the game, its options and the method, so that a link can share them.

/** @import { Solve } from "../types/messages.js" */

/** @typedef {Required<Omit<Solve, "beside">>} FullSolve */

export const USUAL = "kuhn";
/** @type {[NonNullable<Solve["method"]>, string][]} */
export const METHODS = [
  ["auto", "CFR+, then exactly"],
  ["lp", "Linear programme"],
  ["cfr", "CFR"],
  ["cfr+", "CFR+"],
  ["dcfr", "Discounted CFR"],
  ["pcfr+", "Predictive CFR+"],
];

/**
 * @param {string} text the address after #
 * @returns {FullSolve}
 */
export function parse(text) {
  const found = new URLSearchParams(text);
  /** @type {Record<string, string>} */
  const options = {};
  for (const [name, value] of found) if (name.startsWith("o.")) options[name.slice(2)] = value;
  const method = METHODS.find(([name]) => name === found.get("method"))?.[0] ?? "auto";
  return { game: found.get("game") ?? USUAL, options, method };
}

/** @param {Solve} wanted */
export function text({ game, options, method }) {
  const query = new URLSearchParams({ game });
  for (const [name, value] of Object.entries(options ?? {})) query.set(`o.${name}`, value);
  if (method && method !== "auto") query.set("method", method);
  return query.toString();
}
