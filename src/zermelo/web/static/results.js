// The result of a game for the person who plays it.

import { movesTo } from "./game-line.js";

/**
 * @import { SessionState } from "../types/messages.js"
 * @import { Result } from "./adaptive-level.js"
 * @import { PageState } from "./state.js"
 */

/**
 * The result for the only person who plays against agents; null if there is none, or the game goes on.
 *
 * @param {SessionState} session
 * @returns {Result | null}
 */
export function resultFor({ players, nodes, current, position }) {
  const people = players.flatMap(({ agent }, seat) => (agent === null ? [seat] : []));
  const payoffs = nodes[current].judgement?.value;
  if (!position.is_over || people.length !== 1 || players.length < 2 || payoffs?.length !== players.length) return null;
  const own = payoffs[people[0]] ?? 0;
  const others = Math.max(...payoffs.flatMap((payoff, seat) => (seat === people[0] ? [] : [payoff ?? 0])));
  return own > others ? "won" : own < others ? "lost" : "drawn";
}

/**
 * The level of the agents; null if they differ, or play at random.
 *
 * @param {Pick<SessionState, "players">} session
 */
export function levelOf({ players }) {
  const agents = players.filter(({ agent }) => agent !== null);
  const levels = new Set(agents.map(({ agent, level }) => (agent === "random" ? null : level)));
  return levels.size === 1 ? [...levels][0] : null;
}

/**
 * Whether the result says how strong the person is: a whole game without help, in which nothing was taken back.
 *
 * @param {Pick<PageState, "session" | "isHelped">} state
 */
export const isFair = ({ session, isHelped }) =>
  !isHelped && !session.start && movesTo(session, session.current).length === session.nodes.length - 1;
