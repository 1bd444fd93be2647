// The page's state: what each event makes of it, and what it means.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  begin,
  canAnalyse,
  canHint,
  hintOf,
  isOpen,
  isStep,
  isTurned,
  nudge,
  reduce,
  shapesHere,
  shown,
} from "../../../src/zermelo/web/static/state.js";
import { childrenOf, lineOf, movesTo } from "../../../src/zermelo/web/static/game-line.js";

const AGENT = { agent: "auto", level: 5 };
const PERSON = { agent: null, level: 5 };

const node = (number, parent, move, player, next = null) => ({ number, parent, move, player, next, judgement: null });
const position = (at, toMove, more = {}) => ({
  node: at,
  to_move: toMove,
  mover: ["white", "black"][toMove] ?? "dice",
  spoken: "",
  is_over: false,
  board: { svg: `<svg>${at}</svg>`, touches: {} },
  ...more,
});
const session = (more = {}) => ({
  id: "s",
  game: { hidden: false, seats: ["white", "black"] },
  players: [PERSON, AGENT],
  dice: "rolled",
  nodes: [node(0, null, "", -1)],
  current: 0,
  position: position(0, 0),
  curtain: null,
  ...more,
});
const snapshot = (one, seq = 7, more = {}) => ({
  seq,
  event: "snapshot",
  content: { session: one, is_paused: false, pace: 600, review: null, answering: null, compiling: null, ...more },
});
const moved = (seq, made, visited, at) => ({
  seq,
  event: "moved",
  content: { node: made, visited, current: made.number, position: at },
});
const run = (state, ...events) => events.reduce(reduce, state);

/** The state after the snapshot of a session: the number of the latest change is 7. */
const open = (one = session()) => run(begin(one, true), snapshot(one));

/** Freeze everything, so that a reducer that changes its input fails. */
function frozen(value) {
  if (value && typeof value === "object") Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

const FIRST = moved(8, node(1, 0, "b1b2", 0), [1], position(1, 1));
const SECOND = moved(9, node(2, 1, "a3b2", 1), [2], position(2, 0));

test("a move is added to the tree, and its parent leads to it", () => {
  const after = run(frozen(open()), FIRST);
  assert.deepEqual(movesTo(after.session, 1), ["b1b2"]);
  assert.equal(after.session.nodes[0].next, 1);
  assert.equal(after.session.current, 1);
  assert.equal(after.seq, 8);
});

test("no event changes the state that it is applied to", () => {
  const events = [
    FIRST,
    SECOND,
    { seq: 10, event: "went", content: { visited: [0], current: 0, position: position(0, 0) } },
    { seq: 11, event: "seated", content: { players: [AGENT, AGENT], dice: "rolled", position: position(0, 0) } },
    { seq: 12, event: "judged", content: { node: 1, judgement: { chance: 0.5 } } },
    { seq: 12, event: "analysis", content: { node: 0, moves: [] } },
    { seq: 12, event: "thinking", content: { node: 0, state: "thinking" } },
    { seq: 12, event: "answering", content: { node: 0, state: "thinking" } },
    { seq: 12, event: "running", content: { is_paused: true, pace: 100 } },
    { seq: 12, event: "review", content: { done: 1, total: 2 } },
    { event: "ordered", content: { id: 1, order: { do: "undo" } } },
    { event: "late", content: 1 },
    { event: "refused", content: { id: 1, error: "no" } },
    { event: "followed", content: false },
    { event: "paced", content: 5 },
    { event: "deepened" },
    { event: "hinted" },
    { event: "turned" },
    { event: "drawn", content: { from: 1, to: 2 } },
    { event: "wiped" },
    { event: "lost" },
    { event: "connected" },
  ];
  let state = open();
  for (const event of events) {
    const next = reduce(frozen(state), frozen(event));
    assert.notEqual(next, state, event.event);
    state = next;
  }
});

test("every node that was visited on the way leads on", () => {
  const branch = moved(10, node(3, 0, "a1a2", 0), [0, 3], position(3, 1));
  const { session: after } = run(open(), FIRST, SECOND, branch);
  assert.equal(after.nodes[0].next, 3);
  assert.deepEqual(
    childrenOf(after, after.nodes[0]).map((one) => one.move),
    ["b1b2", "a1a2"],
  );
  assert.deepEqual(
    lineOf(after).map((one) => one.number),
    [0, 3],
  );
});

test("the same events in two tabs make the same state", () => {
  const early = run(open(), FIRST, SECOND);
  const late = run(begin(session(), true), snapshot(early.session, 9));
  assert.deepEqual(late.session, early.session);
  assert.equal(late.seq, early.seq);
});

test("a change that the snapshot contains already is left out", () => {
  const state = open();
  assert.equal(run(state, { ...FIRST, seq: 7 }), state);
  const unopened = begin(session(), true);
  assert.equal(run(unopened, FIRST), unopened);
});

test("who misses a number waits for a snapshot", () => {
  const behind = run(open(), SECOND);
  assert.equal(behind.isBehind, true);
  assert.equal(behind.session.current, 0);
  assert.equal(run(behind, { ...SECOND, seq: 10 }).session.current, 0);
  const whole = run(open(), FIRST, SECOND).session;
  const after = run(behind, snapshot(whole, 9));
  assert.deepEqual([after.isBehind, after.session.current], [false, 2]);
});

test("progress with a later number shows that a change was missed", () => {
  const after = run(open(), { seq: 8, event: "running", content: { is_paused: true, pace: 0 } });
  assert.deepEqual([after.isBehind, after.isPaused], [true, true]);
});

test("an analysis is of the current position or of none", () => {
  const analysis = { seq: 7, event: "analysis", content: { node: 0, moves: [] } };
  const thinking = { seq: 7, event: "thinking", content: { node: 0, state: "thinking" } };
  const state = run(open(), thinking, analysis);
  assert.equal(state.analysis.node, 0);
  const after = run(state, FIRST);
  assert.deepEqual([after.analysis, after.thinking], [null, null]);
  assert.equal(run(after, { ...analysis, seq: 8 }).analysis, null);
  assert.equal(run(state, { event: "followed", content: false }, analysis).analysis, null);
  assert.equal(run(state, { seq: 7, event: "thinking", content: { node: 0, state: "done" } }).thinking, null);
});

test("a deeper analysis is for one position", () => {
  const state = run(open(), { event: "deepened" }, { event: "deepened" });
  assert.equal(state.seconds, 80);
  assert.equal(run(state, FIRST).seconds, 5);
});

test("players that were ordered are shown, and taken back if they are refused", () => {
  const order = { do: "sit", players: [PERSON, PERSON], dice: "rolled" };
  const state = run(open(), { event: "ordered", content: { id: 1, order } });
  assert.deepEqual(shown(state).players, [PERSON, PERSON]);
  const refused = run(state, { seq: 7, event: "refused", content: { id: 1, error: "not now" } });
  assert.deepEqual(shown(refused).players, [PERSON, AGENT]);
  assert.deepEqual([refused.error, refused.pending], ["not now", []]);
});

test("players that were ordered stay when they are seated", () => {
  const order = { do: "sit", players: [PERSON, PERSON], dice: "rolled" };
  const seated = {
    seq: 8,
    event: "seated",
    content: { players: [PERSON, PERSON], dice: "rolled", position: position(0, 0) },
  };
  const state = run(open(), { event: "ordered", content: { id: 1, order } }, seated, {
    seq: 8,
    event: "accepted",
    content: { id: 1 },
  });
  assert.deepEqual(shown(state).players, [PERSON, PERSON]);
  assert.equal(shown(state), state.session);
});

test("a move that is begun on the board stays if the board does", () => {
  const state = open();
  const seated = {
    seq: 8,
    event: "seated",
    content: { players: [PERSON, PERSON], dice: "rolled", position: structuredClone(position(0, 0)) },
  };
  assert.equal(run(state, seated).session.position.board, state.session.position.board);
  const again = snapshot(structuredClone(state.session), 9);
  assert.equal(run(state, again).session.position.board, state.session.position.board);
});

test("a refusal of nothing that was ordered is shown as well", () => {
  const state = run(open(), { seq: 7, event: "refused", content: { id: null, error: "the search crashed" } });
  assert.equal(state.error, "the search crashed");
  assert.equal(run(state, FIRST).error, "");
});

test("an order that takes long is late until there is a reply", () => {
  const ordered = { event: "ordered", content: { id: 1, order: { do: "undo" } } };
  const late = run(open(), ordered, { event: "late", content: 1 });
  assert.equal(late.isLate, true);
  assert.equal(run(late, { seq: 7, event: "accepted", content: { id: 1 } }).isLate, false);
  assert.equal(run(open(), { event: "late", content: 1 }).isLate, false);
});

test("a lost connection drops what was ordered and what was searched", () => {
  const ordered = {
    event: "ordered",
    content: { id: 1, order: { do: "sit", players: [AGENT, AGENT], dice: "rolled" } },
  };
  const answering = { seq: 7, event: "answering", content: { node: 0, state: "thinking" } };
  const lost = run(open(), ordered, answering, { event: "lost" });
  assert.deepEqual([lost.isLost, lost.pending, lost.answering], [true, [], null]);
  assert.deepEqual(shown(lost).players, [PERSON, AGENT]);
  const back = run(lost, { event: "connected" }, snapshot(lost.session, 3));
  assert.deepEqual([back.isLost, back.seq], [false, 3]);
});

test("the page shows that the game is being compiled until it is", () => {
  const text = "Chess is being compiled; until then the answers are from a small search.";
  const compiling = run(open(), { seq: 7, event: "compiling", content: text });
  assert.equal(compiling.compiling, text);
  const elsewhere = run(compiling, FIRST);
  assert.equal(elsewhere.compiling, text);
  assert.equal(run(elsewhere, { seq: 8, event: "compiling", content: null }).compiling, null);
  assert.equal(run(begin(session(), true), snapshot(session(), 7, { compiling: text })).compiling, text);
});

test("a snapshot in the middle of a review shows how far it is", () => {
  const state = run(begin(session(), true), snapshot(session(), 7, { review: { done: 3, total: 9 }, is_paused: true }));
  assert.deepEqual([state.review, state.isPaused], [{ done: 3, total: 9 }, true]);
  assert.equal(run(state, { seq: 7, event: "review", content: null }).review, null);
});

test("an agent can be told to move now, or to move at all", () => {
  const state = run(open(), FIRST);
  assert.equal(nudge(state), null); // it moves by itself
  assert.equal(nudge(run(state, { seq: 8, event: "answering", content: { node: 1, state: "thinking" } })), "now");
  assert.equal(nudge(run(state, { seq: 8, event: "running", content: { is_paused: true, pace: 0 } })), "move");
  const back = run(state, SECOND, {
    seq: 10,
    event: "went",
    content: { visited: [1], current: 1, position: position(1, 1) },
  });
  assert.equal(nudge(back), "move");
  assert.equal(nudge(open()), null); // a person's turn
});

test("a person may move on their turn, choose dice by hand, and not after the end", () => {
  assert.equal(isOpen(session()), true);
  assert.equal(isOpen(session({ position: position(0, 1) })), false);
  assert.equal(isOpen(session({ position: position(0, -1) })), false);
  assert.equal(isOpen(session({ position: position(0, -1), dice: "chosen" })), true);
  assert.equal(isOpen(session({ position: position(0, 0, { is_over: true }) })), false);
});

test("no roll and no end is analysed, and where something is hidden only a person's own turn", () => {
  assert.equal(canAnalyse(session()), true);
  assert.equal(canAnalyse(session({ position: position(0, 1) })), true);
  assert.equal(canAnalyse(session({ game: { hidden: true } })), true);
  assert.equal(canAnalyse(session({ game: { hidden: true }, position: position(0, 1) })), false);
  assert.equal(canAnalyse(session({ position: position(0, -1) })), false);
  assert.equal(canAnalyse(session({ position: position(0, 0, { is_over: true }) })), false);
});

test("an event that is not known changes nothing", () => {
  const state = open();
  assert.equal(run(state, { seq: 99, event: "from a later version", content: null }), state);
});

// -- hints and the end -----------------------------------------------------------------------------

const ANALYSIS = { seq: 7, event: "analysis", content: { node: 0, best: "b1b2", moves: [] } };
const quiet = (one = session()) => run(begin(one), snapshot(one));

test("a hint takes an analysis although the analysis is off, and shows it when it is done", () => {
  assert.equal(run(quiet(), ANALYSIS).analysis, null);
  const asked = run(
    quiet(),
    { event: "hinted" },
    { seq: 7, event: "thinking", content: { node: 0, state: "thinking" } },
  );
  assert.equal(hintOf(asked), "searching");
  const early = run(asked, ANALYSIS);
  assert.equal(hintOf(early), "searching");
  const done = run(early, { seq: 7, event: "thinking", content: { node: 0, state: "done" } });
  assert.equal(hintOf(done).best, "b1b2");
  assert.equal(hintOf(run(early, { seq: 7, event: "compiling", content: "a moment" })).best, "b1b2");
});

test("a hint is for its position only", () => {
  const after = run(quiet(), { event: "hinted" }, ANALYSIS, FIRST);
  assert.equal(hintOf(after), null);
  assert.ok(after.isHelped);
});

test("while the analysis is on a hint needs no search", () => {
  const state = run(open(), ANALYSIS, { seq: 7, event: "thinking", content: { node: 0, state: "thinking" } });
  assert.equal(hintOf(run(state, { event: "hinted" })).best, "b1b2");
});

test("a hint that is refused is no longer waited for", () => {
  const refused = run(quiet(), { event: "hinted" }, { event: "refused", content: { id: null, error: "busy" } });
  assert.equal(hintOf(refused), null);
});

test("there is a hint on a person's turn, also where something is hidden", () => {
  assert.ok(canHint(session()));
  assert.ok(!canHint(session({ position: position(0, 1) })));
  assert.ok(!canHint(session({ position: position(0, 0, { is_over: true }) })));
  assert.ok(canHint(session({ game: { hidden: true } })));
  assert.ok(!canHint(session({ game: { hidden: true }, position: position(0, 1) })));
});

test("who looks at the analysis is helped in this game", () => {
  assert.ok(!quiet().isHelped);
  assert.ok(run(quiet(), { event: "followed", content: true }).isHelped);
  assert.ok(run(quiet(), { event: "followed", content: true }, { event: "followed", content: false }).isHelped);
});

const END = moved(8, node(1, 0, "b1b2", 0), [1], position(1, -1, { is_over: true, outcome: "White wins" }));

test("a game has just ended after its last move, and no longer after going back and forth", () => {
  const over = run(quiet(), END);
  assert.ok(over.hasJustEnded);
  const back = run(over, { seq: 9, event: "went", content: { visited: [0], current: 0, position: position(0, 0) } });
  assert.ok(!back.hasJustEnded);
  const again = { seq: 10, event: "went", content: { visited: [1], current: 1, position: END.content.position } };
  assert.ok(!run(back, again).hasJustEnded);
});

test("the end of a game with hidden information comes with a snapshot", () => {
  const end = session({ nodes: [node(0, null, "", -1), END.content.node], current: 1, position: END.content.position });
  const after = run(quiet(), snapshot(end, 8));
  assert.ok(after.hasJustEnded);
  assert.deepEqual(
    after.heard.map((one) => one.text),
    ["White wins."],
  );
  assert.ok(!quiet(end).hasJustEnded);
});

// -- the board ---------------------------------------------------------------------------------------

const facing = (turning, players) => {
  const one = session({ players });
  return open({ ...one, position: { ...one.position, board: { ...one.position.board, turning } } });
};

test("the board is turned for a person in the second seat, and by hand", () => {
  assert.equal(isTurned(facing("usual", [AGENT, PERSON])), true);
  assert.equal(isTurned(facing("usual", [PERSON, AGENT])), false);
  assert.equal(isTurned(facing("usual", [PERSON, PERSON])), false);
  assert.equal(isTurned(facing("possible", [AGENT, PERSON])), false);
  const turn = { event: "turned" };
  assert.equal(isTurned(run(facing("usual", [AGENT, PERSON]), turn)), false);
  assert.equal(isTurned(run(facing("possible", [PERSON, AGENT]), turn)), true);
  assert.equal(isTurned(run(facing("never", [AGENT, PERSON]), turn)), false);
  assert.equal(isTurned(run(facing("possible", [PERSON, AGENT]), turn, turn)), false);
});

test("arrows and marks belong to a position, and a move from it clears them", () => {
  const [arrow, mark] = [
    { from: 1, to: 2 },
    { from: 3, to: 3 },
  ];
  const draw = (shape) => ({ event: "drawn", content: shape });
  const drawn = run(open(), draw(arrow), draw(mark));
  assert.deepEqual(shapesHere(drawn), [arrow, mark]);
  assert.deepEqual(shapesHere(run(drawn, draw({ ...arrow }))), [mark]);
  assert.deepEqual(shapesHere(run(drawn, { event: "wiped" })), []);
  const back = { seq: 9, event: "went", content: { visited: [0], current: 0, position: position(0, 0) } };
  assert.deepEqual(shapesHere(run(drawn, FIRST)), []);
  assert.deepEqual(shapesHere(run(drawn, FIRST, back)), []);
  const later = run(open(), FIRST, draw(arrow), back);
  assert.deepEqual(shapesHere(later), []);
  const there = { seq: 10, event: "went", content: { visited: [1], current: 1, position: position(1, 1) } };
  assert.deepEqual(shapesHere(run(later, there)), [arrow]);
});

test("moves are told to screen readers, the latest last", () => {
  const back = { seq: 10, event: "went", content: { visited: [1], current: 1, position: position(1, 1) } };
  const { heard } = run(open(), FIRST, SECOND, back);
  assert.deepEqual(
    heard.map((one) => one.text),
    ["White plays b1b2.", "Black plays a3b2. White to move.", "After b1b2."],
  );
  assert.deepEqual(
    heard.map((one) => one.number),
    [1, 2, 3],
  );
});

test("only from a position to the next or back do pieces move", () => {
  const { session: one } = run(open(), FIRST, SECOND);
  assert.equal(isStep(one, 1, 2), true);
  assert.equal(isStep(one, 2, 1), true);
  assert.equal(isStep(one, 0, 2), false);
  assert.equal(isStep(one, 1, 1), false);
});

test("a clock is shown as it was last sent, and a side that has lost on time ends the game where it is", () => {
  const clock = { seconds: 60, increment: 0, left: [59_000, 0], running: null, loser: 1 };
  const over = position(1, -1, { is_over: true, outcome: "White wins on time" });
  const lost = { seq: 9, event: "went", content: { visited: [], current: 1, position: over } };
  const after = run(open(), FIRST, lost, { seq: 9, event: "clock", content: clock });
  assert.deepEqual(after.session.clock, clock);
  assert.equal(after.session.position, over);
  assert.equal(after.hasJustEnded, true);
  assert.equal(after.heard.at(-1).text, "White wins on time.");
});

test("a curtain says whom to pass the device to, and until it is lifted nothing is analysed", () => {
  const hidden = { game: { hidden: true, seats: ["white", "black"] }, players: [PERSON, PERSON] };
  const before = open(session(hidden));
  const passed = session({ ...hidden, curtain: 1, current: 1, nodes: [node(0, null, "", -1), node(1, 0, "…", 0)] });
  const closed = run(before, snapshot({ ...passed, position: position(1, 1) }, 7));
  assert.equal(closed.heard.at(-1).text, "Pass the device to Black.");
  assert.equal(canAnalyse(closed.session), false);
  const view = position(1, 1, { board: { svg: "<svg>own cards</svg>", touches: {} } });
  const lifted = run(closed, snapshot({ ...passed, curtain: null, position: view }, 7));
  assert.equal(canAnalyse(lifted.session), true);
  assert.equal(lifted.heard.length, closed.heard.length);
});

test("after a try that failed the analysis of the same node is forgotten", () => {
  const analysed = { ...open(), analysis: { node: 0, best: "b2" }, isHinting: true };
  assert.ok(run(analysed, snapshot(session())).analysis);
  const tried = run(analysed, snapshot(session({ position: position(0, 0, { board: { svg: "<svg>b2</svg>" } }) })));
  assert.deepEqual([tried.analysis, tried.isHinting], [null, false]);
});
