// The state of the page as a pure function of events: no DOM, no network, no clock.
//
// Most events come from the server, as {seq, event, content}. A change has the number after the latest one; progress has
// the number of the latest change. The page's own events have no number: lost, connected, ordered, late, followed,
// paced, deepened, hinted, turned, drawn, wiped.

import { curtainText, hear, moveText, placeText } from "./announcements.js";

/**
 * @import { Heard } from "./announcements.js"
 * @import { Shape } from "./arrows.js"
 * @import { AnalysisView, EventContents, Order, Position, Progress } from "../types/messages.js"
 * @import { ReviewProgress, SessionState, TreeNode, Whole } from "../types/messages.js"
 */

/** @typedef {{id: number, order: Order}} Pending */

/**
 * @typedef {object} PageState
 * @property {SessionState} session
 * @property {number | null} seq
 * @property {boolean} isBehind an event was missed, so a snapshot is needed
 * @property {boolean} isLost
 * @property {boolean} isLate an order takes long
 * @property {boolean} isPaused
 * @property {boolean} isAnalysing
 * @property {number} pace
 * @property {ReviewProgress | null} review how far the review is
 * @property {Progress | null} answering how far the agent is that searches for its move
 * @property {string | null} compiling a sentence while the game is being compiled
 * @property {Progress | null} thinking how far the analysis is
 * @property {AnalysisView | null} analysis
 * @property {number} seconds
 * @property {boolean} isHinting a person asked for a good move here
 * @property {boolean} isHelped a person asked for a hint or for the analysis in this game
 * @property {boolean} hasJustEnded the last move ended the game while it was watched
 * @property {string} error
 * @property {Pending[]} pending orders without a reply
 * @property {boolean} isFlipped the board is seen from the other side than usual
 * @property {Record<number, Shape[]>} shapes arrows and marks on the board, by node
 * @property {Heard[]} heard what a screen reader was told
 */

/**
 * The contents of the page's own events.
 *
 * @typedef {object} OwnContents
 * @property {undefined} connected
 * @property {undefined} lost
 * @property {Pending} ordered
 * @property {number} late
 * @property {boolean} followed
 * @property {number} paced
 * @property {undefined} deepened
 * @property {undefined} hinted
 * @property {undefined} turned
 * @property {Shape} drawn
 * @property {undefined} wiped
 */

/** @typedef {EventContents & OwnContents} Contents */
/** @typedef {{event: string, seq?: number, content?: any}} PageEvent */
/** @typedef {(state: PageState, content: any) => PageState} Handler */

const CHANGES = new Set(["moved", "went", "seated", "judged"]);
/** @type {Shape[]} */
const NO_SHAPES = [];
const FIRST_SECONDS = 5;
const LONGEST_SECONDS = 300;

/**
 * The state when a session is entered, before its socket is open.
 *
 * @type {(session: SessionState, isAnalysing?: boolean, pace?: number) => PageState}
 */
export const begin = (session, isAnalysing = false, pace = 600) => ({
  session,
  seq: null,
  isBehind: false,
  isLost: false,
  isLate: false,
  isPaused: false,
  isAnalysing,
  pace,
  review: null,
  answering: null,
  compiling: null,
  thinking: null,
  analysis: null,
  seconds: FIRST_SECONDS,
  isHinting: false,
  isHelped: isAnalysing,
  hasJustEnded: false,
  error: "",
  pending: [],
  isFlipped: false,
  shapes: {},
  heard: [],
});

/**
 * The state after an event; the same object if nothing changes.
 *
 * @param {PageState} state
 * @param {PageEvent} event
 * @returns {PageState}
 */
export function reduce(state, { seq, event, content }) {
  if (event === "snapshot") return takeSnapshot(state, seq ?? null, content);
  const handle = /** @type {Record<string, Handler | undefined>} */ (HANDLERS)[event];
  if (!handle) return state;
  if (seq === undefined) return handle(state, content);
  if (state.seq === null) return state; // the snapshot comes
  const isChange = CHANGES.has(event);
  const expected = state.seq + (isChange ? 1 : 0);
  if (isChange && seq < expected) return state; // the snapshot has it already
  if (seq > expected) return isChange ? behind(state) : handle(behind(state), content);
  return handle(isChange ? { ...state, seq } : state, content);
}

/** @type {(state: PageState) => PageState} */
const behind = (state) => (state.isBehind ? state : { ...state, isBehind: true });

/**
 * @param {PageState} state
 * @param {number | null} seq
 * @param {Whole} content
 */
function takeSnapshot(state, seq, content) {
  const { session, is_paused: isPaused, pace, review, answering, compiling } = content;
  const isHere = session.current === state.session.current && session.id === state.session.id;
  const before = state.session.position;
  const position = isHere ? keepBoard(before, session.position) : session.position;
  const next = { ...state, seq, isBehind: false, isLost: false, isPaused, pace, review, answering, compiling };
  next.session = { ...session, position };
  if (isHere && position.board === before.board) return next; // after a try, or behind a curtain, the board is another
  const hasJustEnded = isEnd(state.session, session);
  const news = hasJustEnded ? `${position.outcome}.` : curtainText(session);
  return { ...arrive(next), hasJustEnded, heard: news ? hear(state.heard, news) : state.heard };
}

/**
 * Whether a game was played to its end between two states of a session.
 *
 * @type {(before: SessionState, after: SessionState) => boolean}
 */
const isEnd = (before, after) =>
  before.id === after.id && after.nodes.length > before.nodes.length && after.position.is_over;

/** @type {{[Name in Exclude<keyof Contents, "snapshot">]: (state: PageState, content: Contents[Name]) => PageState}} */
const HANDLERS = {
  moved: (state, { node, visited, current, position }) => {
    const nodes = [...state.session.nodes];
    nodes[node.number] = node;
    const heard = hear(state.heard, moveText(state.session, node, position));
    const before = node.parent === null ? state : wipe(state, node.parent);
    return { ...goTo({ ...before, heard }, nodes, visited, current, position), hasJustEnded: position.is_over };
  },
  went: (state, { visited, current, position }) => {
    const { nodes } = state.session;
    const isOutOfTime = visited.length === 0 && position.is_over;
    const text = isOutOfTime ? `${position.outcome}.` : placeText(state.session, nodes[current], position);
    const next = goTo({ ...state, heard: hear(state.heard, text) }, [...nodes], visited, current, position);
    return isOutOfTime ? { ...next, hasJustEnded: true } : next;
  },
  seated: (state, { players, dice, position }) => {
    const { session } = state;
    return { ...state, session: { ...session, players, dice, position: keepBoard(session.position, position) } };
  },
  judged: (state, { node, judgement }) => {
    const nodes = [...state.session.nodes];
    nodes[node] = { ...nodes[node], judgement };
    return { ...state, session: { ...state.session, nodes } };
  },
  clock: (state, clock) => ({ ...state, session: { ...state.session, clock } }),
  running: (state, { is_paused: isPaused, pace }) => ({ ...state, isPaused, pace }),
  review: (state, review) => ({ ...state, review, thinking: review ? null : state.thinking }),
  answering: (state, answering) => ({ ...state, answering }),
  compiling: (state, compiling) => ({ ...state, compiling }),
  thinking: (state, thinking) => ({
    ...state,
    thinking: ["done", "stopped"].includes(thinking.state) ? null : thinking,
  }),
  analysis: (state, analysis) =>
    analysis.node === state.session.current && (state.isAnalysing || state.isHinting) ? { ...state, analysis } : state,
  accepted: (state, { id }) => without(state, id),
  refused: (state, { id, error }) => ({ ...without(state, id), error, isHinting: state.isHinting && !!state.analysis }),

  // the page's own events
  connected: (state) => (state.isLost ? { ...state, isLost: false } : state),
  lost: (state) => ({ ...state, isLost: true, isLate: false, seq: null, answering: null, thinking: null, pending: [] }),
  ordered: (state, { id, order }) => ({ ...state, error: "", pending: [...state.pending, { id, order }] }),
  late: (state, id) => (state.pending.some((one) => one.id === id) ? { ...state, isLate: true } : state),
  followed: (state, isAnalysing) => ({
    ...state,
    isAnalysing,
    isHelped: state.isHelped || isAnalysing,
    ...(isAnalysing ? {} : { analysis: null, thinking: null, isHinting: false }),
  }),
  paced: (state, pace) => ({ ...state, pace }),
  deepened: (state) => ({ ...state, seconds: Math.min(4 * state.seconds, LONGEST_SECONDS) }),
  hinted: (state) => ({ ...state, isHinting: true, isHelped: true, error: "" }),
  turned: (state) => ({ ...state, isFlipped: !state.isFlipped }),
  drawn: (state, shape) => {
    const here = state.session.current;
    const isSame = (/** @type {Shape} */ { from, to }) => from === shape.from && to === shape.to;
    const before = shapesHere(state);
    const after = before.some(isSame) ? before.filter((one) => !isSame(one)) : [...before, shape];
    return { ...state, shapes: { ...state.shapes, [here]: after } };
  },
  wiped: (state) => wipe(state, state.session.current),
};

/**
 * Without the arrows and marks at a node.
 *
 * @param {PageState} state
 * @param {number} node
 */
function wipe(state, node) {
  if (!state.shapes[node]?.length) return state;
  return { ...state, shapes: { ...state.shapes, [node]: NO_SHAPES } };
}

/**
 * @param {PageState} state
 * @param {TreeNode[]} nodes
 * @param {number[]} visited
 * @param {number} current
 * @param {Position} position
 */
function goTo(state, nodes, visited, current, position) {
  for (const number of visited) {
    const { parent } = nodes[number];
    if (parent !== null) nodes[parent] = { ...nodes[parent], next: number };
  }
  const isElsewhere = current !== state.session.current;
  const next = { ...state, session: { ...state.session, nodes, current, position } };
  return isElsewhere ? arrive(next) : next;
}

/**
 * What belonged to the position before is over.
 *
 * @type {(state: PageState) => PageState}
 */
const arrive = (state) => ({
  ...state,
  analysis: null,
  thinking: null,
  seconds: FIRST_SECONDS,
  isHinting: false,
  hasJustEnded: false,
  error: "",
});

/**
 * Keep the board object if the board is the same, so that a move that is begun on it stays.
 *
 * @param {Position} before
 * @param {Position} position
 */
function keepBoard(before, position) {
  const isSame = JSON.stringify(before.board) === JSON.stringify(position.board);
  return isSame ? { ...position, board: before.board } : position;
}

/**
 * @param {PageState} state
 * @param {number | null} id
 */
function without(state, id) {
  if (!state.pending.some((one) => one.id === id)) return state;
  return { ...state, isLate: false, pending: state.pending.filter((one) => one.id !== id) };
}

// -- what the state means --------------------------------------------------------------------------

/**
 * The session as it is shown: with the players that were ordered, until the server refuses them.
 *
 * @param {Pick<PageState, "session" | "pending">} state
 * @returns {SessionState}
 */
export function shown({ session, pending }) {
  const seating = pending.map(({ order }) => order).findLast((order) => order.do === "sit");
  return seating ? { ...session, players: seating.players, dice: seating.dice ?? session.dice } : session;
}

/** @type {(session: Pick<SessionState, "players">, seat: number) => boolean} */
export const isPerson = ({ players }, seat) => seat >= 0 && players[seat].agent === null;

/** The arrows and marks on the board. */
export const shapesHere = (/** @type {Pick<PageState, "session" | "shapes">} */ { session, shapes }) =>
  shapes[session.current] ?? NO_SHAPES;

/**
 * Whether the board is seen from the second seat: if only a person sits there, or if it was turned by hand.
 *
 * @type {(state: Pick<PageState, "session" | "pending" | "isFlipped">) => boolean}
 */
export function isTurned(state) {
  const session = shown(state);
  const { turning } = session.position.board;
  const isSecond = turning === "usual" && !isPerson(session, 0) && isPerson(session, 1);
  return turning !== "never" && isSecond !== state.isFlipped;
}

/**
 * Whether one of two nodes follows the other.
 *
 * @type {(session: Pick<SessionState, "nodes">, one: number, other: number) => boolean}
 */
export const isStep = ({ nodes }, one, other) => nodes[one]?.parent === other || nodes[other]?.parent === one;

/**
 * Whether only agents play.
 *
 * @type {(session: Pick<SessionState, "players">) => boolean}
 */
export const isWatching = ({ players }) => players.every((player) => player.agent !== null);

/**
 * Whether an agent or the dice are to move.
 *
 * @param {SessionState} session
 */
export function isAgentsTurn(session) {
  const { position, dice } = session;
  if (position.is_over) return false;
  return position.to_move < 0 ? dice === "rolled" : !isPerson(session, position.to_move);
}

/**
 * Whether a person may move.
 *
 * @type {(session: SessionState) => boolean}
 */
export const isOpen = (session) => !session.position.is_over && !isAgentsTurn(session);

/**
 * Whether this position can be analysed: where something is hidden, by the person to move, from what they have seen.
 *
 * @type {(session: SessionState) => boolean}
 */
export const canAnalyse = (session) =>
  !session.position.is_over &&
  session.position.to_move >= 0 &&
  session.curtain === null &&
  (!session.game.hidden || isPerson(session, session.position.to_move));

/**
 * The progress of the agent to move, if it searches.
 *
 * @type {(state: Pick<PageState, "session" | "answering">) => Progress | null}
 */
export const answeringHere = ({ session, answering }) => (answering?.node === session.current ? answering : null);

/**
 * What a person can ask of the agent to move: "now" to end its search, "move" if it waits; otherwise null.
 *
 * @param {PageState} state
 */
export function nudge(state) {
  const session = shown(state);
  if (!isAgentsTurn(session)) return null;
  if (answeringHere(state)) return "now";
  const isBack = session.nodes[session.current].next !== null;
  return isBack || (state.isPaused && !isWatching(session)) ? "move" : null;
}

/**
 * Whether a person may ask for a good move: it is their turn.
 *
 * @type {(session: SessionState) => boolean}
 */
export const canHint = (session) => canAnalyse(session) && isPerson(session, session.position.to_move);

/**
 * The analysis that answers the person who asked for a hint: "searching" until it is good enough, null if none was asked for.
 *
 * @param {PageState} state
 * @returns {AnalysisView | "searching" | null}
 */
export function hintOf({ isHinting, isAnalysing, analysis, thinking, compiling }) {
  if (!isHinting) return null;
  const isEarly = thinking !== null && !isAnalysing && !compiling;
  return analysis && !isEarly ? analysis : "searching";
}
