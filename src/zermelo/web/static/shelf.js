// The games of the start page: their groups, what a search finds, and the games that were played recently.

/**
 * @import { GameFacts, SessionState } from "../types/messages.js"
 */

/** @typedef {{group: string, title: string, games: GameFacts[]}} Shelf */

/**
 * A game that was played in this browser.
 *
 * @typedef {object} RecentGame
 * @property {string} session
 * @property {string} game
 * @property {Record<string, string>} options
 * @property {string} title
 * @property {string} state how far it is, in words
 */

/** @type {[string, string][]} the groups in their order; the server says which game is in which */
const GROUPS = [
  ["own", "Your own games"],
  ["two", "For two"],
  ["dice", "With dice and luck"],
  ["hidden", "Hidden cards and choices"],
  ["many", "For many"],
  ["alone", "On your own"],
  ["trees", "Trees"],
];
const MOST_RECENT = 5;

/**
 * The shelves with the games that a search finds; a shelf without games is left out.
 *
 * @param {GameFacts[]} games
 * @param {string} [query]
 * @returns {Shelf[]}
 */
export function shelvesOf(games, query = "") {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const known = new Set(GROUPS.map(([group]) => group));
  return GROUPS.map(([group, title]) => ({
    group,
    title,
    games: games.filter((game) => {
      const text =
        `${game.title} ${game.title.replaceAll("-", "")} ${game.name} ${game.summary} ${title}`.toLowerCase();
      const isHere = game.group === group || (group === "many" && !known.has(game.group));
      return isHere && words.every((word) => text.includes(word));
    }),
  })).filter((shelf) => shelf.games.length);
}

/**
 * The game that a search means: the first one whose title begins with it, or else the first one found.
 *
 * @param {GameFacts[]} games
 * @param {string} query
 */
export function bestMatch(games, query) {
  const text = query.trim().toLowerCase();
  const found = text ? shelvesOf(games, text).flatMap((shelf) => shelf.games) : [];
  return found.find((game) => game.title.toLowerCase().startsWith(text)) ?? found[0] ?? null;
}

/**
 * What is remembered of a session; null if nothing was played in it yet.
 *
 * @param {SessionState} session
 * @returns {RecentGame | null}
 */
export function recentGame({ id, game, options, title, nodes, position }) {
  if (nodes.length < 2) return null;
  const moves = nodes.length === 2 ? "1 move" : `${nodes.length - 1} moves`;
  return { session: id, game: game.key, options, title, state: position.is_over ? position.outcome : moves };
}

/**
 * The recent games with a new one in front; one for each title.
 *
 * @param {RecentGame[]} recent
 * @param {RecentGame | null} latest
 */
export function withRecent(recent, latest) {
  if (!latest) return recent;
  return [latest, ...recent.filter((one) => one.title !== latest.title)].slice(0, MOST_RECENT);
}
