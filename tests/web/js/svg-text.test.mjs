// Pictures of the page as files: colours and names.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileName, plainColour } from "../../../src/zermelo/web/static/svg-text.js";

test("a computed colour becomes one that every program knows", () => {
  assert.deepEqual(plainColour("rgb(10, 102, 194)"), ["rgb(10, 102, 194)", 1]);
  assert.deepEqual(plainColour("rgba(10, 102, 194, 0.5)"), ["rgb(10, 102, 194)", 0.5]);
  assert.deepEqual(plainColour("color(srgb 0.2 0.4 1 / 0.22)"), ["rgb(51, 102, 255)", 0.22]);
  assert.deepEqual(plainColour("rgba(0, 0, 0, 0)"), ["none", 1]);
  assert.deepEqual(plainColour("none"), ["none", 1]);
});

test("a file has a name of words", () => {
  assert.equal(fileName("Connect Four", "after 5 moves"), "zermelo-connect-four-after-5-moves");
  assert.equal(fileName("max^n", "tree", "step 3"), "zermelo-maxn-tree-step-3");
});
