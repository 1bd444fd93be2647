// Regret minimisation step by step, and the exercise.

import assert from "node:assert/strict";
import test from "node:test";
import { check, probabilityOf, questionOf } from "../../../src/zermelo/web/static/exercise-regrets.js";
import { describeStep, learnedAt, matched, numberText } from "../../../src/zermelo/web/static/regrets-steps.js";

const RECORD = {
  seats: ["Player 1"],
  sets: [{ player: 0, view: "K", moves: ["check", "bet"] }],
  steps: [
    { iteration: 1, set: 0, before: [0, 0], regrets: [-0.5, 0.5], strategy: [0, 1], average: [0.5, 0.5] },
    {
      iteration: 2,
      set: 0,
      before: [-0.5, 0.5],
      regrets: [0.25, 0.5],
      strategy: [1 / 3, 2 / 3],
      average: [0.25, 0.75],
    },
  ],
};

test("regrets are matched in proportion, and all moves are equal without a positive one", () => {
  assert.deepEqual(matched([1, -2, 3]), [0.25, 0, 0.75]);
  assert.deepEqual(matched([-1, 0]), [0.5, 0.5]);
});

test("after some steps each set has its latest state", () => {
  assert.deepEqual(learnedAt(RECORD, 0)[0].strategy, [0.5, 0.5]);
  assert.deepEqual(learnedAt(RECORD, 2)[0].regrets, [0.25, 0.5]);
});

test("a step is described in words", () => {
  assert.match(describeStep(RECORD, 0), /^At first/);
  assert.match(describeStep(RECORD, 1), /falls by 0.5 to −0.5; .*Only bet has a positive regret/);
  assert.match(
    describeStep(RECORD, 2),
    /check grows by 0.75 to 0.25; the regret for bet stays 0.5.*check 33 %, bet 67 %/,
  );
});

test("probabilities are understood as people write them", () => {
  assert.deepEqual(["1/3", " 0.25 ", ".5", "25 %", "0,25"].map(probabilityOf), [1 / 3, 0.25, 0.5, 0.25, 0.25]);
  assert.deepEqual(["", "x", "1/0", "-1"].map(probabilityOf), [null, null, null, null]);
});

test("answers are checked and explained", () => {
  const question = { set: 0, regrets: [0.5, 0.25, -1] };
  const right = check(question, ["2/3", "33 %", "0"]);
  assert.ok(right.every((one) => one.isRight));
  assert.match(right[0].words, /0\.5 of 0\.75/);
  const wrong = check(question, ["0.5", "", "1/4"]);
  assert.deepEqual(
    wrong.map((one) => one.isRight),
    [false, false, false],
  );
  assert.match(wrong[1].words, /type a number/);
  assert.match(wrong[2].words, /not positive/);
  assert.match(check({ set: 0, regrets: [-1, 0] }, ["1/2", "1/2"])[0].words, /each of the 2 moves has 1\/2/);
});

test("a question has the same regrets for everyone, rounded so that they can be computed with", () => {
  for (let number = 0; number < 9; number++) {
    const { set, regrets } = questionOf(RECORD, number);
    assert.deepEqual({ set, regrets }, questionOf(RECORD, number));
    assert.ok(regrets.every((one) => numberText(one).length <= 5));
  }
});
