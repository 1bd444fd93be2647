// The address and the table of the page that solves games.

import assert from "node:assert/strict";
import test from "node:test";
import { parse, text } from "../../../src/zermelo/web/static/solve-address.js";
import { describeRow, filtered } from "../../../src/zermelo/web/static/solve-rows.js";

const move = (name, probability, isBluff = false) => ({
  move: name,
  probability,
  text: `${100 * probability} %`,
  worth: -1,
  is_bluff: isBluff,
});
const ROWS = [
  { player: 0, view: "J -", reach: 1, moves: [move("check", 1)] },
  { player: 1, view: "J check", reach: 0.3, moves: [move("check", 0.5), move("bet", 0.5, true)] },
  { player: 1, view: "K bet", reach: 0, moves: [move("call", 1)] },
];

test("an address keeps the game, its options and the method", () => {
  const wanted = { game: "leduc", options: { ranks: "4" }, method: "dcfr" };
  assert.deepEqual(parse(text(wanted)), wanted);
  assert.deepEqual(parse(""), { game: "kuhn", options: {}, method: "auto" });
  assert.equal(parse("method=magic").method, "auto");
});

test("rows are found by player, by words and by bluffs", () => {
  const places = (player, words) => filtered(ROWS, { player, words }).map(({ place }) => place);
  assert.deepEqual(places(null, ""), [0, 1, 2]);
  assert.deepEqual(places(1, ""), [1, 2]);
  assert.deepEqual(places(null, "j"), [0, 1]);
  assert.deepEqual(places(null, "bluff"), [1]);
  assert.deepEqual(places(0, "K"), []);
});

test("a row is described in words", () => {
  assert.match(describeRow(ROWS[1], "Player 2"), /^Player 2 knows: J check\. .* bet is a bluff/);
  assert.match(describeRow(ROWS[2], "Player 2"), /This play never comes here/);
});
