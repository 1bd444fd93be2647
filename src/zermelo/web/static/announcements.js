// What a screen reader says: each move, the result, and whose turn it is.

import { capitalise } from "./text.js";

/** @import { Position, SessionState, TreeNode } from "../types/messages.js" */
/** @typedef {{number: number, text: string}} Heard a sentence, and how many came before it */

const MOST = 20;

/**
 * Add a sentence; only the latest are kept.
 *
 * @type {(heard: Heard[], text: string) => Heard[]}
 */
export const hear = (heard, text) => [...heard, { number: (heard.at(-1)?.number ?? 0) + 1, text }].slice(-MOST);

/**
 * A move, and what comes after it.
 *
 * @param {Pick<SessionState, "game" | "players">} session
 * @param {TreeNode} node
 * @param {Position} position
 */
export function moveText(session, node, position) {
  const what = position.spoken || node.move;
  const who = node.player < 0 ? `Chance: ${what}` : `${capitalise(session.game.seats[node.player])} plays ${what}`;
  return `${who}. ${turnText(session, position)}`.trim();
}

/**
 * Another position of the game.
 *
 * @param {Pick<SessionState, "game" | "players">} session
 * @param {TreeNode} node
 * @param {Position} position
 */
export const placeText = (session, node, position) =>
  `${node.parent === null ? "The start" : `After ${position.spoken || node.move}`}. ${turnText(session, position)}`.trim();

/**
 * Whom to pass the device to, before their view is shown; nothing if no curtain is closed.
 *
 * @type {(session: Pick<SessionState, "curtain" | "game">) => string}
 */
export const curtainText = ({ curtain, game }) =>
  curtain === null ? "" : `Pass the device to ${capitalise(game.seats[curtain])}.`;

/**
 * The result, or the person whose turn it is; nothing if an agent or the dice go on.
 *
 * @param {Pick<SessionState, "players">} session
 * @param {Position} position
 */
function turnText({ players }, position) {
  if (position.is_over) return `${position.outcome}.`;
  const isPerson = position.to_move >= 0 && players[position.to_move]?.agent === null;
  return isPerson ? `${capitalise(position.mover)} to move.` : "";
}
