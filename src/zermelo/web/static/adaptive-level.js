// The computer's level in each game: the one that was chosen last, or that the person's results suggest.
//
// Two wins in a row at a level raise it by one, two losses in a row lower it. A draw starts again. The browser keeps
// the level of each game; a game that was never played starts at the level that was chosen last in any game.

import { loadObject, loadPreference, saveObject, savePreference } from "./preferences.js";

/**
 * @typedef {object} LevelRecord
 * @property {number | null} level
 * @property {number} streak wins in a row at this level, or losses if it is negative
 * @property {string} counted the session that was counted last
 */

/** @typedef {"won" | "lost" | "drawn"} Result */

const ENOUGH = 2; // wins or losses in a row
/** @type {LevelRecord} */
const NONE = { level: null, streak: 0, counted: "" };

/**
 * The record after a game at a level; a session counts once.
 *
 * @param {LevelRecord} record
 * @param {{session: string, level: number, result: Result, highest: number}} game
 * @returns {LevelRecord}
 */
export function afterGame(record, { session, level, result, highest }) {
  if (record.counted === session) return record;
  const before = record.level === level ? record.streak : 0;
  const step = result === "won" ? 1 : result === "lost" ? -1 : 0;
  const streak = step * before > 0 ? before + step : step;
  if (Math.abs(streak) < ENOUGH) return { level, streak, counted: session };
  const next = Math.min(Math.max(level + step, 1), highest);
  return { level: next, streak: 0, counted: session };
}

/** @type {(game: string) => LevelRecord} */
const recordOf = (game) => ({ ...NONE, ...loadObject(`level.${game}`) });

/**
 * The level for the next game; null if the server shall choose.
 *
 * @param {string} game
 */
export function suggestedLevel(game) {
  const level = Number(recordOf(game).level ?? loadPreference("level", 0));
  return Number.isInteger(level) && level >= 1 ? level : null;
}

/**
 * Remember a level that a person chose.
 *
 * @param {string} game
 * @param {number} level
 */
export function chooseLevel(game, level) {
  savePreference("level", String(level));
  saveObject(`level.${game}`, { ...recordOf(game), level, streak: 0 });
}

/**
 * Count the result of a game.
 *
 * @param {string} game
 * @param {{session: string, level: number, result: Result, highest: number}} played
 */
export function countResult(game, played) {
  saveObject(`level.${game}`, afterGame(recordOf(game), played));
}
