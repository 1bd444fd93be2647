// How a person plays a game: the side, the opponent and the options. The browser remembers them for each game.

import { loadObject, saveObject } from "./preferences.js";
import { timesOf } from "./times.js";

/**
 * @import { ClockSettings, NewSession, Player, SessionState } from "../types/messages.js"
 */

/**
 * @typedef {object} Settings
 * @property {"all" | number[]} people the seats of people; the computer plays the others
 * @property {string} agent
 * @property {Record<string, string>} options
 * @property {ClockSettings | null} clock
 */

/** @type {Settings} a person at the first seat, against the computer */
const USUAL = { people: [0], agent: "auto", options: {}, clock: null };

/**
 * The settings that a session is played with.
 *
 * @param {Pick<SessionState, "players" | "options" | "clock">} session
 * @returns {Settings}
 */
export function settingsOf({ players, options, clock }) {
  const seats = players.flatMap(({ agent }, seat) => (agent === null ? [seat] : []));
  const agent = players.find((player) => player.agent !== null)?.agent ?? USUAL.agent;
  return { people: seats.length === players.length ? "all" : seats, agent, options, clock: timesOf(clock) };
}

/** @type {(game: string) => Settings} */
export const loadSettings = (game) => ({ ...USUAL, ...loadObject(`settings.${game}`) });

/** @type {(game: string, settings: Settings) => void} */
export const saveSettings = (game, settings) => saveObject(`settings.${game}`, settings);

/**
 * What the server needs to know for a new game with these settings.
 *
 * @param {string} game
 * @param {Settings} settings
 * @param {number | null} level
 * @returns {NewSession}
 */
export const wantedGame = (game, { people, agent, options, clock }, level) => ({
  game,
  options,
  people,
  agent,
  ...(clock ? { clock } : {}),
  ...(level === null ? {} : { level }),
});

/**
 * The same players, each at the next seat.
 *
 * @param {Player[]} players
 */
export const swapped = (players) => [...players.slice(-1), ...players.slice(0, -1)];

/**
 * The same players, with the agents at another level.
 *
 * @param {Player[]} players
 * @param {number | null} level
 */
export const atLevel = (players, level) =>
  level === null ? players : players.map((player) => (player.agent === null ? player : { ...player, level }));
