// The start page and the new game: shelves, search, recent games, who plays which side, and the level that adapts.

import assert from "node:assert/strict";
import { test } from "node:test";
import { afterGame } from "../../../src/zermelo/web/static/adaptive-level.js";
import { atLevel, settingsOf, swapped, wantedGame } from "../../../src/zermelo/web/static/settings.js";
import { bestMatch, recentGame, shelvesOf, withRecent } from "../../../src/zermelo/web/static/shelf.js";

const game = (title, group, summary = "") => ({ key: title.toLowerCase(), name: title, title, group, summary });
const GAMES = [
  game("Tree", "trees"),
  game("Tic-Tac-Toe", "two", "Three in a line."),
  game("Chess", "two", "Checkmate wins."),
  game("Checkers", "two"),
  game("Pig", "dice", "One die."),
  game("Mine", "own"),
];
const PERSON = { agent: null, level: 5 };
const AGENT = { agent: "auto", level: 3 };

test("the user's own games come first, and trees last", () => {
  assert.deepEqual(
    shelvesOf(GAMES).map(({ group, games }) => [group, games.length]),
    [
      ["own", 1],
      ["two", 3],
      ["dice", 1],
      ["trees", 1],
    ],
  );
});

test("a game in a group that this page does not know is not lost", () => {
  assert.equal(shelvesOf([game("New", "puzzles")])[0].games[0].title, "New");
});

test("a search finds words of the title, of the rules and of the group", () => {
  const found = (query) => shelvesOf(GAMES, query).flatMap(({ games }) => games.map(({ title }) => title));
  assert.deepEqual(found("TICTAC"), ["Tic-Tac-Toe"]);
  assert.deepEqual(found("check"), ["Chess", "Checkers"]);
  assert.deepEqual(found("dice"), ["Pig"]);
  assert.deepEqual(found("ludo"), []);
});

test("Enter opens the game whose title begins with the words", () => {
  assert.equal(bestMatch(GAMES, "check").title, "Checkers");
  assert.equal(bestMatch(GAMES, "mate").title, "Chess");
  assert.equal(bestMatch(GAMES, "  "), null);
});

test("a game is recent once a move was played", () => {
  const session = { id: "s", game: { key: "pig" }, options: {}, title: "Pig", position: { is_over: false } };
  assert.equal(recentGame({ ...session, nodes: [{}] }), null);
  assert.equal(recentGame({ ...session, nodes: [{}, {}] }).state, "1 move");
  const over = { ...session, nodes: [{}, {}, {}], position: { is_over: true, outcome: "A draw" } };
  assert.equal(recentGame(over).state, "A draw");
});

test("the latest game of a title is in front, and only five are kept", () => {
  const one = (title, session) => ({ title, session });
  const five = ["a", "b", "c", "d", "e"].map((title) => one(title, 1));
  assert.deepEqual(
    withRecent(five, one("c", 2)).map(({ title }) => title),
    ["c", "a", "b", "d", "e"],
  );
  assert.equal(withRecent(five, one("f", 1)).length, 5);
  assert.equal(withRecent(five, null), five);
});

test("settings describe who plays, and start the same game again", () => {
  const of = (...players) => settingsOf({ players, options: {}, clock: null });
  assert.deepEqual(of(AGENT, PERSON), { people: [1], agent: "auto", options: {}, clock: null });
  assert.equal(of(PERSON, PERSON).people, "all");
  assert.deepEqual(of(AGENT, AGENT).people, []);
  assert.equal(of(PERSON).people, "all");
  assert.deepEqual(wantedGame("nim", of(PERSON, AGENT), 2), {
    game: "nim",
    options: {},
    people: [0],
    agent: "auto",
    level: 2,
  });
  const clock = { seconds: 60, increment: 2, left: [3, 4], running: 1, loser: null };
  const timed = settingsOf({ players: [PERSON, AGENT], options: {}, clock });
  assert.deepEqual(wantedGame("nim", timed, 2).clock, { seconds: 60, increment: 2 });
  assert.ok(!("level" in wantedGame("nim", of(PERSON, AGENT), null)));
});

test("sides are swapped, and a new level is for agents only", () => {
  assert.deepEqual(swapped([PERSON, AGENT]), [AGENT, PERSON]);
  assert.deepEqual(atLevel([PERSON, AGENT], 7), [PERSON, { agent: "auto", level: 7 }]);
  assert.deepEqual(atLevel([PERSON, AGENT], null), [PERSON, AGENT]);
});

const NONE = { level: null, streak: 0, counted: "" };
let sessions = 0;
const after = (record, ...results) =>
  results.reduce((one, result) => {
    sessions += 1;
    const level = one.level ?? 5;
    return afterGame(one, { session: String(sessions), level, result, highest: 8 });
  }, record);

test("two wins in a row raise the level, two losses in a row lower it", () => {
  assert.equal(after(NONE, "won").level, 5);
  assert.equal(after(NONE, "won", "won").level, 6);
  assert.equal(after(NONE, "lost", "lost").level, 4);
  assert.equal(after(NONE, "won", "won", "won").level, 6);
  assert.equal(after(NONE, "won", "won", "won", "won").level, 7);
});

test("a loss or a draw between two wins starts again", () => {
  assert.equal(after(NONE, "won", "drawn", "won").level, 5);
  assert.equal(after(NONE, "won", "lost", "won").level, 5);
});

test("the level stays on the scale, and a win at another level counts from there", () => {
  assert.equal(after({ ...NONE, level: 8 }, "won", "won").level, 8);
  assert.equal(after({ ...NONE, level: 1 }, "lost", "lost").level, 1);
  const chosen = afterGame(
    { level: 5, streak: 1, counted: "a" },
    { session: "b", level: 2, result: "won", highest: 8 },
  );
  assert.deepEqual([chosen.level, chosen.streak], [2, 1]);
});

test("a game counts once, however many tabs show its end", () => {
  const played = { session: "x", level: 3, result: "won", highest: 8 };
  const once = afterGame(NONE, played);
  assert.equal(afterGame(once, played), once);
});
