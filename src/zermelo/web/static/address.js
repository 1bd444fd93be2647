// The address bar holds the game: its key, its options and its moves, and the name of the session.

/** @import { SessionState } from "../types/messages.js" */

/**
 * A game that an address names.
 *
 * @typedef {object} Address
 * @property {string | null} session
 * @property {string | null} game
 * @property {Record<string, string>} options
 * @property {string} position
 * @property {string[]} moves
 */

export const read = () => parse(location.hash.slice(1));

/** The address of the start page; the bare address shows the game that was served, if there is one. */
export const START = "games";

/** Whether the address is that of the start page. */
export const isStart = () => location.hash === `#${START}` || (location.hash.length < 2 && !served());

/** The game that the server was started with, which the bare address shows; null if there is none. */
export function served() {
  const text = document.querySelector('meta[name="zermelo-first"]')?.getAttribute("content");
  return text ? parse(text) : null;
}

/**
 * Whether a session plays the wanted game with the wanted options.
 *
 * @param {SessionState} session
 * @param {Address} wanted
 */
export function isOf(session, wanted) {
  const names = new Set([...Object.keys(session.options), ...Object.keys(wanted.options)]);
  return session.game.key === wanted.game && [...names].every((name) => session.options[name] === wanted.options[name]);
}

/**
 * @param {string} text
 * @returns {Address}
 */
export function parse(text) {
  const found = new URLSearchParams(text);
  /** @type {Record<string, string>} */
  const options = {};
  for (const [name, text] of found) if (name.startsWith("o.")) options[name.slice(2)] = text;
  return {
    session: found.get("s"),
    game: found.get("game"),
    options,
    position: found.get("position") ?? "",
    moves: (found.get("moves") ?? "").split(" ").filter(Boolean),
  };
}

/**
 * Put a session into the address bar.
 *
 * @param {SessionState} session
 * @param {string[]} moves
 */
export function write(session, moves) {
  history.replaceState(null, "", `#${text(session, moves, session.id)}`);
}

/**
 * The address of a game after these moves; with an id, of its session.
 *
 * @param {Pick<SessionState, "game" | "options" | "start">} session
 * @param {string[]} moves
 * @param {string} [id]
 */
export function text(session, moves, id) {
  const query = new URLSearchParams(id ? { s: id } : {});
  for (const [name, value] of optionsOf(session.game.key, session.options)) query.set(name, value);
  if (session.start) query.set("position", session.start);
  if (moves.length) query.set("moves", moves.join(" "));
  return query.toString();
}

/**
 * @param {string} game
 * @param {Record<string, string>} options
 */
const optionsOf = (game, options) =>
  new URLSearchParams([["game", game], ...Object.entries(options).map(([name, value]) => [`o.${name}`, value])]);

/**
 * The address of a new game with these options.
 *
 * @param {string} game
 * @param {Record<string, string>} options
 */
export const optionsText = (game, options) => optionsOf(game, options).toString();
