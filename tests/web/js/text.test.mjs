import assert from "node:assert/strict";
import { test } from "node:test";
import { chanceText, countText, unbroken } from "../../../src/zermelo/web/static/text.js";

test("dice roll, and everything else that is decided by chance is not called dice", () => {
  assert.equal(chanceText({ odds: { 1: 0.5, 2: 0.5 } }, false), "The dice are rolling");
  assert.equal(chanceText({ odds: { "2@a1": 0.9, "4@a1": 0.1 } }, false), "Chance decides");
  assert.equal(chanceText({ odds: {} }, false), "Chance decides");
  assert.equal(chanceText({ odds: { 53: 1 } }, true), "Choose the roll");
  assert.equal(chanceText({ odds: { "2@a1": 1 } }, true), "Choose what happens by chance");
});

test("numbers keep their per cent signs, and counts their nouns", () => {
  assert.equal(unbroken("58 % instead of 41 %"), "58\u00a0% instead of 41\u00a0%");
  assert.equal(countText(1, "move"), "1 move");
  assert.equal(countText(2345, "branch", "branches"), "2,345 branches");
});
