// The board's pure parts: where values stand, what moves, what turns, what a click means, what a screen reader says.

import assert from "node:assert/strict";
import { test } from "node:test";
import { moveText, placeText } from "../../../src/zermelo/web/static/announcements.js";
import { overlap, placeBadges } from "../../../src/zermelo/web/static/badges.js";
import { onlyStart, touchCell } from "../../../src/zermelo/web/static/move-input.js";
import { transitionsOf } from "../../../src/zermelo/web/static/transitions.js";
import { middleOf, turnBox } from "../../../src/zermelo/web/static/turning.js";

const PAPER = { width: 400, height: 400 };
const square = (column, row) => ({ x: 48 * column, y: 48 * row, width: 48, height: 48 });
const piece = (column, row) => ({ x: 48 * column + 7, y: 48 * row + 7, width: 34, height: 34 });
const boxOf = ({ x, y }, { width, height }) => ({ x: x - width / 2, y: y - height / 2, width, height });
const wish = (box, occupant, width = 40) => ({ box, occupant, width, height: 13 });

// -- values ------------------------------------------------------------------------------------------

test("the value of an empty cell stands in its middle", () => {
  const [place] = placeBadges([wish(square(2, 2), null)], [], PAPER);
  assert.deepEqual(place, { x: 120, y: 120, others: 0 });
});

test("the value of a piece stands between it and the piece below", () => {
  const pieces = [piece(2, 2), piece(2, 3)];
  const one = wish(square(2, 2), pieces[0]);
  const [place] = placeBadges([one], pieces, PAPER);
  assert.equal(place.y, 144);
  for (const other of pieces) assert.equal(overlap(boxOf(place, one), other), 0);
});

test("a value stands in the free room of a tall cell", () => {
  const point = { x: 100, y: 20, width: 38, height: 164 };
  const checkers = { x: 104, y: 21, width: 30, height: 62 };
  const one = wish(point, checkers);
  const [place] = placeBadges([one], [checkers], PAPER);
  assert.equal(overlap(boxOf(place, one), checkers), 0);
  assert.ok(place.y > 83 && place.y < 184);
});

test("values never lie on each other: the less important one is merged", () => {
  const tight = [0, 1, 2, 3].map((column) => ({ x: 20 * column, y: 50, width: 20, height: 20 }));
  const wishes = tight.map((box) => wish(box, box, 60));
  const places = placeBadges(wishes, tight, { width: 80, height: 120 });
  const boxes = places.map((place, number) => place && boxOf(place, wishes[number])).filter(Boolean);
  assert.ok(boxes.length < 4);
  boxes.forEach((one, number) => {
    for (const other of boxes.slice(number + 1)) assert.equal(overlap(one, other), 0);
  });
  const merged = places.reduce((sum, place) => sum + (place?.others ?? 0), 0);
  assert.equal(merged, 4 - boxes.length);
  assert.ok(places[0], "the best move has a value");
});

test("a value stays on the paper", () => {
  const corner = square(0, 0);
  const one = wish(corner, piece(0, 0), 90);
  const [place] = placeBadges([one], [piece(0, 0)], PAPER);
  assert.ok(place.x >= 24 && place.y >= 0);
});

// -- motion ------------------------------------------------------------------------------------------

const far = (one, other) => Math.abs(Number(one) - Number(other));

test("a piece moves, and the piece it takes leaves", () => {
  const changes = [
    { at: "12", before: "white pawn", after: "" },
    { at: "21", before: "black pawn", after: "white pawn" },
  ];
  const found = transitionsOf(changes, ["12", "21"], far);
  assert.deepEqual(found, { moved: [{ from: "12", to: "21" }], turned: [], arrived: [], left: ["21"] });
});

test("when a move is taken back the piece moves back, and what it took is there again", () => {
  const changes = [
    { at: "12", before: "", after: "white pawn" },
    { at: "21", before: "white pawn", after: "black pawn" },
  ];
  const { moved } = transitionsOf(changes, ["12", "21"], far);
  assert.deepEqual(moved, [{ from: "21", to: "12" }]);
});

test("a pawn that is promoted moves as what it becomes", () => {
  const changes = [
    { at: "8", before: "pawn", after: "" },
    { at: "0", before: "", after: "queen" },
  ];
  assert.deepEqual(transitionsOf(changes, ["8", "0"], far).moved, [{ from: "8", to: "0" }]);
});

test("in castling the rook moves too", () => {
  const changes = [
    { at: "60", before: "king", after: "" },
    { at: "61", before: "", after: "rook" },
    { at: "62", before: "", after: "king" },
    { at: "63", before: "rook", after: "" },
  ];
  const { moved } = transitionsOf(changes, ["60", "62"], far);
  assert.deepEqual(moved, [
    { from: "60", to: "62" },
    { from: "63", to: "61" },
  ]);
});

test("discs of the other colour turn, and the new one arrives", () => {
  const changes = [
    { at: "19", before: "", after: "black" },
    { at: "27", before: "white", after: "black" },
  ];
  assert.deepEqual(transitionsOf(changes, ["19"], far), { moved: [], turned: ["27"], arrived: ["19"], left: [] });
});

test("of several equal pieces the nearest one moves", () => {
  const changes = [
    { at: "3", before: "seed", after: "" },
    { at: "9", before: "seed", after: "" },
    { at: "8", before: "", after: "seed" },
  ];
  const { moved, left } = transitionsOf(changes, [], far);
  assert.deepEqual(moved, [{ from: "9", to: "8" }]);
  assert.deepEqual(left, ["3"]);
});

// -- turning -----------------------------------------------------------------------------------------

test("a turned board has its last cell where the first was", () => {
  const cells = [square(0, 0), square(2, 2)];
  const turn = { ...middleOf(cells), isFlip: false };
  assert.deepEqual(turnBox(cells[0], turn), cells[1]);
  assert.deepEqual(turnBox(turnBox(cells[0], turn), turn), cells[0]);
  assert.deepEqual(turnBox(cells[0], { ...turn, isFlip: true }), square(0, 2));
  assert.equal(turnBox(cells[0], null), cells[0]);
});

// -- touching ----------------------------------------------------------------------------------------

test("where only one piece moves it need not be touched first", () => {
  const maze = { North: [5, 3], East: [5, 6], Stop: [5] };
  assert.equal(onlyStart(maze), 5);
  assert.deepEqual(touchCell(maze, [], 6), { begun: [5, 6], moves: ["East"] });
  assert.deepEqual(touchCell(maze, [], 5).begun, [5]);
  assert.deepEqual(touchCell(maze, [], 8).begun, []);
});

test("elsewhere a move begins with the piece", () => {
  assert.equal(onlyStart({ a: [1, 2], b: [3, 4] }), null);
  assert.equal(onlyStart({ a: [1] }), null);
  assert.equal(onlyStart({}), null);
  assert.equal(onlyStart({ pass: [], a: [1, 2] }), null);
});

// -- screen readers ----------------------------------------------------------------------------------

const session = { game: { seats: ["white", "black"] }, players: [{ agent: null }, { agent: "auto" }] };
const at = (toMove, more = {}) => ({
  to_move: toMove,
  mover: session.game.seats[toMove],
  spoken: "",
  is_over: false,
  ...more,
});

test("a move is said in words if there are any, with the person whose turn it is", () => {
  const knight = { player: 1, move: "Nf6", parent: 0 };
  assert.equal(moveText(session, knight, at(0, { spoken: "knight f6" })), "Black plays knight f6. White to move.");
  assert.equal(moveText(session, { ...knight, player: 0, move: "e4" }, at(1)), "White plays e4.");
  assert.equal(moveText(session, { player: -1, move: "5", parent: 0 }, at(0)), "Chance: 5. White to move.");
});

test("the result is said with the last move", () => {
  const over = at(0, { is_over: true, outcome: "White wins" });
  assert.equal(moveText(session, { player: 0, move: "Qh7#", parent: 0 }, over), "White plays Qh7#. White wins.");
});

test("another position is named after its move", () => {
  assert.equal(placeText(session, { player: 1, move: "e5", parent: 1 }, at(0)), "After e5. White to move.");
  assert.equal(placeText(session, { player: -1, move: "", parent: null }, at(0)), "The start. White to move.");
});
