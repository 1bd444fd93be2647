// The end of a game: who won for the person, and which results count.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isFair, levelOf, resultFor } from "../../../src/zermelo/web/static/results.js";

const PERSON = { agent: null, level: 5 };
const AGENT = { agent: "auto", level: 3 };
const node = (number, parent, value = null) => ({
  number,
  parent,
  player: 0,
  judgement: value && { value },
  next: null,
});
const session = (players, value, more = {}) => ({
  players,
  nodes: [node(0, null), node(1, 0, value)],
  current: 1,
  position: { is_over: true },
  start: "",
  ...more,
});

test("a person wins or loses against agents", () => {
  assert.equal(resultFor(session([PERSON, AGENT], [1, -1])), "won");
  assert.equal(resultFor(session([AGENT, PERSON], [1, -1])), "lost");
  assert.equal(resultFor(session([AGENT, PERSON], [0, 0])), "drawn");
  assert.equal(resultFor(session([PERSON, AGENT, AGENT], [2, 2, -4])), "drawn");
  assert.equal(resultFor(session([PERSON, AGENT, AGENT], [-4, 2, 2])), "lost");
});

test("there is no such result among people, among agents, alone, or before the end", () => {
  assert.equal(resultFor(session([PERSON, PERSON], [1, -1])), null);
  assert.equal(resultFor(session([AGENT, AGENT], [1, -1])), null);
  assert.equal(resultFor(session([PERSON], [7])), null);
  assert.equal(resultFor(session([PERSON, AGENT], [1, -1], { position: { is_over: false } })), null);
  assert.equal(resultFor(session([PERSON, AGENT], null)), null);
});

test("agents have a level if it is the same for all, and they do not play at random", () => {
  assert.equal(levelOf({ players: [PERSON, AGENT, AGENT] }), 3);
  assert.equal(levelOf({ players: [PERSON, AGENT, { ...AGENT, level: 4 }] }), null);
  assert.equal(levelOf({ players: [PERSON, { agent: "random", level: 5 }] }), null);
  assert.equal(levelOf({ players: [PERSON, PERSON] }), null);
});

test("a game counts if it was played from the start, without help, and without taking back", () => {
  const won = session([PERSON, AGENT], [1, -1]);
  assert.ok(isFair({ session: won, isHelped: false }));
  assert.ok(!isFair({ session: won, isHelped: true }));
  assert.ok(!isFair({ session: { ...won, start: "xxx" }, isHelped: false }));
  const taken = { ...won, nodes: [...won.nodes, node(2, 0)] };
  assert.ok(!isFair({ session: taken, isHelped: false }));
});
