import assert from "node:assert/strict";
import { test } from "node:test";
import { nextSlip, slipOf } from "../../../src/zermelo/web/static/game-line.js";

const judged = (chance, best = null, line = []) => ({ chance, best, line });
const SLIPS = [
  { least: 0.3, sign: "??", word: "blunder" },
  { least: 0.07, sign: "?!", word: "inaccuracy" },
];
const SESSION = {
  current: 0,
  slips: SLIPS,
  nodes: [
    { number: 0, parent: null, next: 1, move: "", player: -1, judgement: judged(0.5, "a", ["a", "b", "c"]) },
    { number: 1, parent: 0, next: 2, move: "z", player: 0, judgement: judged(0.1, "y", ["x"]) },
    { number: 2, parent: 1, next: null, move: "w", player: 1, judgement: judged(0.2) },
  ],
};

test("a blunder names the better move and the line that shows why", () => {
  const slip = slipOf(SESSION, SESSION.nodes[1]);
  assert.equal(slip.word, "blunder");
  assert.ok(Math.abs(slip.loss - 0.4) < 1e-9);
  assert.deepEqual([slip.better, slip.line], ["a", ["a", "b", "c"]]);
});

test("a line that does not begin with the better move is not shown, and neither is that of an older file", () => {
  assert.deepEqual(slipOf(SESSION, SESSION.nodes[2]).line, []);
  const [root, ...rest] = SESSION.nodes;
  const older = { ...root, judgement: { chance: 0.5, best: "a" } };
  assert.deepEqual(slipOf({ ...SESSION, nodes: [older, ...rest] }, SESSION.nodes[1]).line, []);
});

test("the next mistake is searched for round the line", () => {
  assert.equal(nextSlip(SESSION).number, 1);
  assert.equal(nextSlip({ ...SESSION, current: 2 }).number, 1);
});
