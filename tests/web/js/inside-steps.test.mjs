// The state of a recorded tree at a step: probes of Star2, and standing pat in quiescence search.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isOnlyProbed,
  meanBounds,
  seenAt,
  soFar,
  stateAt,
  titleAt,
  windowNow,
} from "../../../src/zermelo/web/static/inside-steps.js";

/** An outcome that is probed at moments 3 to 5, and searched from 9 to 11. */
const OUTCOME = {
  number: 3,
  kind: "min",
  player: 1,
  probability: 0.5,
  value: [2],
  proof: "exact",
  entered: 9,
  left: 11,
  children: 2,
  probe: { entered: 3, left: 5, value: [4], proof: "upper" },
};
const FACTS = { is_tree: true, hasBounds: true, range: [-10, 10] };

test("a probed outcome is open, known, open again and known again", () => {
  const states = [3, 4, 5, 6, 9, 10, 11, 12].map((step) => stateAt(OUTCOME, step));
  assert.deepEqual(states, ["hidden", "open", "open", "closed", "closed", "open", "open", "closed"]);
});

test("until it is searched, an outcome is worth what its probe has proved", () => {
  assert.deepEqual(
    [6, 12].map((step) => titleAt(OUTCOME, [], step, FACTS)),
    ["≤ 4", "2"],
  );
  assert.equal(seenAt(OUTCOME, 9).proof, "upper");
  assert.deepEqual(
    [9, 10].map((step) => isOnlyProbed(OUTCOME, step)),
    [true, false],
  );
});

test("a probe bounds the mean from one side, the search from both", () => {
  const other = { ...OUTCOME, probe: undefined, entered: 20, left: 21 };
  assert.deepEqual(
    [3, 6, 12].map((step) => meanBounds([OUTCOME, other], step, FACTS.range)),
    [
      [-10, 10],
      [-10, 7],
      [-4, 6],
    ],
  );
});

test("who may stand pat has the evaluation before any move", () => {
  const node = {
    kind: "max",
    player: 0,
    value: [2],
    window: [null, 3],
    entered: 0,
    left: 6,
    stand_pat: { moment: 1, value: [0.5] },
  };
  const child = (entered, value) => ({ kind: "terminal", value: [value], entered, left: entered, proof: "exact" });
  const children = [child(2, 0.25), child(4, 2)];
  assert.deepEqual(
    [1, 2, 3, 5].map((step) => soFar(node, children, step)),
    [null, [0.5], [0.5], [2]],
  );
  assert.deepEqual(windowNow(node, children, 2), [0.5, 3]);
  assert.equal(titleAt(node, children, 2, FACTS), "≥ 0.5");
});
