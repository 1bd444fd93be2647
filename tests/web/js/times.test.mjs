import assert from "node:assert/strict";
import { test } from "node:test";
import { clockText, isSameTime, timeLeft, timesOf, timeText } from "../../../src/zermelo/web/static/times.js";

const CLOCK = { seconds: 300, increment: 3, left: [65_000, 12_340], running: 0, loser: null };

test("a clock has minutes, hours if it needs them, and tenths at the end", () => {
  const texts = [3_600_000, 3_599_000, 300_000, 65_000, 20_000, 19_999, 940, 0, -50].map(clockText);
  assert.deepEqual(texts, ["1:00:00", "59:59", "5:00", "1:05", "0:20", "19.9", "0.9", "0.0", "0.0"]);
});

test("only the clock of the side to move runs down, and not below zero", () => {
  assert.equal(timeLeft(CLOCK, 0, 5_000), 60_000);
  assert.equal(timeLeft(CLOCK, 1, 5_000), 12_340);
  assert.equal(timeLeft(CLOCK, 0, 90_000), 0);
});

test("the time control of a game is that of the next one", () => {
  assert.deepEqual(timesOf(CLOCK), { seconds: 300, increment: 3 });
  assert.equal(timesOf(null), null);
  assert.ok(isSameTime({ seconds: 60 }, { seconds: 60, increment: 0 }));
  assert.ok(!isSameTime({ seconds: 60 }, null));
  assert.equal(timeText({ seconds: 300 }), "5 minutes each");
  assert.equal(timeText({ seconds: 300, increment: 3 }), "5:00 each, and 3 s a move");
});
