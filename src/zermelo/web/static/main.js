// The page: the start page or a game, the socket, the user's input, and the view of a game. What is shown of a game is
// in state.js, a function of events.

import * as address from "./address.js";
import { Board, coloursOf } from "./board.js";
import { chooseLevel, countResult, suggestedLevel } from "./adaptive-level.js";
import { Clocks } from "./clock.js";
import { Dialogs } from "./dialogs.js";
import { curtainView } from "./curtain.js";
import { celebration, endingCard } from "./ending.js";
import { lineOf, movesTo, nextSlip } from "./game-line.js";
import { withValue } from "./fields.js";
import { html, render } from "./vendor/lit-html.js";
import { live } from "./vendor/directives/live.js";
import { buttonBar, costsCard, isMixture } from "./mixture.js";
import { repeat } from "./vendor/directives/repeat.js";
import * as server from "./server.js";
import { pageHead } from "./shell.js";
import { text as addressText } from "./solve-address.js";
import { analysisCard, evaluationBar, hasBar, hintLine, movesCard, seatsCard } from "./panels.js";
import { applyTheme, isOn, loadObject, loadPreference, saveObject, savePreference } from "./preferences.js";
import { atLevel, loadSettings, saveSettings, settingsOf, swapped, wantedGame } from "./settings.js";
import { isFair, levelOf, resultFor } from "./results.js";
import { recentGame, withRecent } from "./shelf.js";
import { StartPage } from "./start.js";
import {
  answeringHere,
  begin,
  canAnalyse,
  canHint,
  hintOf,
  isAgentsTurn,
  isOpen,
  isPerson,
  isStep,
  isTurned,
  isWatching,
  nudge,
  reduce,
  shapesHere,
  shown,
} from "./state.js";
import { timesOf } from "./times.js";
import { valuesOf } from "./values.js";
import { capitalise, chanceText } from "./text.js";

/**
 * @import { Costs, NewSession, Order, Player, Position, SessionState } from "../types/messages.js"
 * @import { Address } from "./address.js"
 * @import { Shape } from "./arrows.js"
 * @import { MoveValue } from "./values.js"
 * @import { Contents, PageEvent, PageState } from "./state.js"
 */

/**
 * An order that has no reply yet.
 *
 * @typedef {object} Ordered
 * @property {number} id
 * @property {Order} order
 * @property {Promise<boolean>} promise
 * @property {(isAccepted: boolean) => void} resolve
 * @property {ReturnType<typeof setTimeout>} timer
 * @property {boolean} [isSent]
 */

/** @type {Record<string, string[]>} */
const DIRECTIONS = {
  ArrowUp: ["up", "north"],
  ArrowDown: ["down", "south"],
  ArrowLeft: ["left", "west"],
  ArrowRight: ["right", "east"],
};
const AFTER_FRAME = 20; // milliseconds, so that a frame is on the screen before the address is written
const LATE = 3000; // milliseconds after which the page shows what it waits for
const MOST_BUTTONS = 250; // of more moves without a place, none has a button
const HINT_SECONDS = 1.5;
const GONE = "the server does not answer; is it still running?";

export class Page {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.start = new StartPage(this);
    this.isAtStart = false;
    this.arrivals = 0; // how often the address was followed
    this.followed = ""; // the part of the address that is shown; another one is where the person wants to go
    this.state = /** @type {PageState} */ ({}); // until a session is entered
    /** @type {SessionState} as it is shown */
    this.session = this.state.session;
    /** @type {server.Stream | null} */
    this.stream = null;
    /** @type {Board | null} */
    this.board = null;
    this.isDrawing = this.isWriting = false;
    /** @type {string[]} */
    this.choices = [];
    /** @type {{position: Position, moves: string[], node: number} | null} */
    this.preview = null;
    /** @type {string | null} */
    this.previewKey = null;
    /** @type {number | null} the node whose board was drawn last; null for a preview */
    this.drawnNode = null;
    this.hasPendingNews = false; // news arrived that are not drawn yet
    /** @type {Ordered[]} those without a reply; only the first is sent */
    this.orders = [];
    this.lastOrder = 0;
    /** @type {{id: string, node: number, costs: Costs} | null} of a finished game */
    this.costs = null;
    this.showsAllLines = false; // whether all lines are listed, or only the best
    /** @type {Map<string, Position>} */
    this.previews = new Map();
    this.clocks = new Clocks(root);
    applyTheme();
    this.dialogs = new Dialogs(this);
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.followAddress());
  }

  /** Show what the address names now, from its top; who reads with a screen reader goes there too. */
  async followAddress() {
    await this.arrive();
    window.scrollTo(0, 0);
    this.focusMain();
  }

  /** Scrolling to it would hide the head. */
  focusMain() {
    this.root.querySelector("main")?.focus({ preventScroll: true });
  }

  /** Show what the address names: the start page, or a game. */
  async arrive() {
    this.arrivals += 1;
    const arrival = this.arrivals;
    this.followed = location.hash;
    if (address.isStart()) {
      await this.goToStart();
      return;
    }
    try {
      const { session, error } = await this.findSession(address.read());
      if (arrival === this.arrivals) this.enter(session, error);
    } catch (error) {
      if (!(error instanceof server.Refused)) throw error;
      if (arrival === this.arrivals) await this.goToStart(error.message);
    }
  }

  /** Leave the game, if there is one, and show the start page. */
  async goToStart(error = "") {
    this.stream?.close();
    this.forgetOrders();
    this.stream = this.board = this.preview = null;
    this.clocks.show(null);
    this.choices = [];
    this.isAtStart = true;
    this.start.error = error;
    this.start.query = "";
    document.title = "Zermelo";
    this.draw();
    await this.start.load();
  }

  /**
   * The session of the address bar, or a new game; and what was wrong with the session. Without an address it is the
   * game that is served.
   *
   * @param {Address} wanted
   */
  async findSession(wanted) {
    const served = wanted.session || wanted.game ? null : address.served();
    const known = wanted.session ?? (served ? loadPreference("session", null) : null);
    let problem = "";
    if (known) {
      try {
        const session = await server.load(known);
        if (!served || address.isOf(session, served)) return { session, error: "" };
      } catch (error) {
        if (!(error instanceof server.Refused) || ![400, 404, 422].includes(error.status ?? 0)) throw error;
        if (error.status === 400) problem = error.message;
      }
    }
    const { game, options, position, moves } = served ?? wanted;
    if (!game) throw new server.Refused(problem || "this game no longer exists; start a new one");
    const begun = { game, options, position, moves };
    const settings = { ...loadSettings(game), options };
    try {
      const session = await server.create({ ...wantedGame(game, settings, suggestedLevel(game)), ...begun });
      return { session, error: problem };
    } catch (error) {
      if (!(error instanceof server.Refused) || settings.agent === "auto") throw error;
      return { session: await server.create(begun), error: problem }; // the agent that played last may not fit here
    }
  }

  /**
   * Show a session from now on.
   *
   * @param {SessionState} session
   */
  enter(session, error = "") {
    this.stream?.close();
    this.previews.clear();
    this.preview = null;
    this.isAtStart = false;
    this.forgetOrders();
    const asked = loadObject("analysed");
    const isAnalysing = asked?.session === session.id ? asked.isOn : isOn("analysing", "no");
    this.state = { ...begin(session, isAnalysing, Number(loadPreference("pace", "600"))), error };
    this.session = session;
    savePreference("session", session.id);
    this.stream = new server.Stream(
      session.id,
      (event) => this.receive(event),
      (isFirst) => this.open(isFirst),
    );
    this.draw();
    this.writeAddress();
  }

  /**
   * When the server can be reached, at first or again.
   *
   * @param {boolean} isFirst
   */
  open(isFirst) {
    this.dispatch("connected");
    if (isFirst) this.send({ do: "set_pace", milliseconds: this.state.pace });
    if (this.state.isAnalysing) this.send({ do: "follow", is_on: true });
    this.sendNext();
  }

  // -- events --------------------------------------------------------------------------------------

  /**
   * @template {keyof Contents} Name
   * @param {Name} event
   * @param {Contents[Name]} [content]
   */
  dispatch(event, content) {
    this.receive({ event, content });
  }

  /**
   * Take over an event, and draw what it changes.
   *
   * @param {PageEvent} event
   */
  receive(event) {
    const before = this.state;
    this.state = reduce(before, event);
    if (event.event === "accepted" || event.event === "refused")
      this.settle(event.content.id, event.event === "accepted");
    if (event.event === "lost") this.forgetOrders();
    if (this.state.isBehind && !before.isBehind) this.send({ do: "snapshot" });
    if (this.state === before) return;
    const session = this.session;
    this.session = shown(this.state);
    const isElsewhere = this.state.session.current !== before.session.current;
    if (isElsewhere) this.preview = null;
    if (this.state.session.nodes !== before.session.nodes) this.writeAddress();
    if (this.state.hasJustEnded && !before.hasJustEnded) this.countResult();
    const isOrderOnly = event.event === "ordered" || event.event === "accepted";
    const isSame = session === this.session && this.state.error === before.error && this.state.isLate === before.isLate;
    if (isOrderOnly && isSame && !this.hasPendingNews) return;
    if (isProgress(event.event) && this.state.pending.length)
      this.hasPendingNews = true; // the ordered move comes first
    else this.draw();
  }

  /** Write the address once the board is on the screen. */
  writeAddress() {
    if (this.isWriting) return;
    this.isWriting = true;
    const write = () => {
      this.isWriting = false;
      if (this.isAtStart || location.hash !== this.followed) return;
      address.write(this.session, movesTo(this.session, this.session.current));
      this.followed = location.hash;
      saveObject("recent", withRecent(loadObject("recent") ?? [], recentGame(this.session)));
    };
    if (document.hidden) write();
    else requestAnimationFrame(() => setTimeout(write, AFTER_FRAME));
  }

  // -- orders --------------------------------------------------------------------------------------

  /**
   * Order a change; the promise says whether the server accepted it. Orders are sent one after the other.
   *
   * @param {Order} order
   * @returns {Promise<boolean>}
   */
  order(order) {
    if (this.state.isLost) {
      this.dispatch("refused", { id: null, error: GONE });
      return Promise.resolve(false);
    }
    const same = this.orders.find((one) => JSON.stringify(one.order) === JSON.stringify(order));
    if (same) return same.promise;
    this.lastOrder += 1;
    const id = this.lastOrder;
    const { promise, resolve } = /** @type {PromiseWithResolvers<boolean>} */ (Promise.withResolvers());
    const timer = setTimeout(() => this.dispatch("late", id), LATE);
    this.orders.push({ id, order, promise, resolve, timer });
    this.dispatch("ordered", { id, order });
    this.sendNext();
    return promise;
  }

  /**
   * Send an order; false if the connection is lost.
   *
   * @param {Order} order
   */
  send(order) {
    return this.stream?.send(order) ?? false;
  }

  sendNext() {
    const [first] = this.orders;
    if (first && !first.isSent) first.isSent = this.send({ ...first.order, id: first.id });
  }

  /**
   * Give an order that has no answer of its own; if the connection is lost, say so.
   *
   * @param {Order} order
   */
  tell(order) {
    if (!this.send(order)) this.dispatch("refused", { id: null, error: GONE });
  }

  /**
   * @param {number | null} id
   * @param {boolean} isAccepted
   */
  settle(id, isAccepted) {
    const place = this.orders.findIndex((one) => one.id === id);
    if (place < 0) return;
    const [{ timer, resolve }] = this.orders.splice(place, 1);
    clearTimeout(timer);
    resolve(isAccepted);
    this.sendNext();
  }

  forgetOrders() {
    for (const { timer, resolve } of this.orders) {
      clearTimeout(timer);
      resolve(false);
    }
    this.orders = [];
  }

  // -- analysis ------------------------------------------------------------------------------------

  canAnalyse() {
    return canAnalyse(this.session);
  }

  /** Analyse this position again, for longer. */
  deeper() {
    if (!this.state.isAnalysing || !this.canAnalyse()) return;
    this.dispatch("deepened");
    this.tell({ do: "analyse", node: this.session.current, seconds: this.state.seconds });
  }

  /** Show one good move and why; if the position is not being analysed, search for it. */
  hint() {
    if (!canHint(this.session) || this.state.isHinting) return;
    this.dispatch("hinted");
    if (!this.state.isAnalysing) this.tell({ do: "analyse", node: this.session.current, seconds: HINT_SECONDS });
  }

  stop() {
    this.tell({ do: "stop" });
  }

  /**
   * Analyse this game from now on, or no longer; the next game begins as the preferences say.
   *
   * @param {boolean} isWanted
   */
  switchAnalysis(isWanted) {
    saveObject("analysed", { session: this.session.id, isOn: isWanted });
    this.dispatch("followed", isWanted);
    this.send({ do: "follow", is_on: isWanted });
  }

  /**
   * List the lines of all moves, or of the best.
   *
   * @param {boolean} showsAllLines
   */
  listAll(showsAllLines) {
    this.showsAllLines = showsAllLines;
    this.draw();
  }

  /** Analyse every position of the line that has no judgement yet. */
  startReview() {
    if (this.session.game.hidden) this.showCosts();
    else this.tell({ do: "review" });
  }

  /** After a game with hidden information: what each decision cost against an equilibrium. */
  async showCosts() {
    const { id, current } = this.session;
    try {
      const costs = await server.costs(id, current);
      this.costs = { id, node: current, costs };
    } catch (error) {
      this.dispatch("refused", { id: null, error: server.messageOf(error) });
    }
    this.draw();
  }

  /** The decisions of the finished game that is shown, if asked for. */
  costsCard() {
    if (!this.costs || this.costs.id !== this.session.id) return "";
    const line = lineOf(this.session);
    if (!line.some(({ number }) => number === this.costs?.node)) return "";
    return costsCard(this.costs.costs, (ply) => this.go(line[ply + 1]?.number));
  }

  // -- playing -------------------------------------------------------------------------------------

  letMove() {
    this.tell({ do: "resume", node: this.session.current });
  }

  /**
   * Play a move at a node; without a node, at the node that is current when the order is obeyed.
   *
   * @param {string} move
   * @param {number | null} node
   */
  play(move, node = this.session.current) {
    return this.order({ do: "play", move, node });
  }

  /**
   * Show what the person at a seat sees, at this page only and until it is another one's turn.
   *
   * @param {number} seat
   */
  lift(seat) {
    this.tell({ do: "lift", seat });
    this.focusMain();
  }

  /** @param {number | null | undefined} number */
  go(number) {
    if (number === null || number === undefined || number === this.session.current) return;
    this.order({ do: "go", node: number });
  }

  /**
   * Set the players; the change is shown at once, and reverted if the server refuses it.
   *
   * @param {Player[]} players
   */
  async sit(players, dice = this.session.dice) {
    const { game, options, players: before, clock } = this.session;
    const changed = players.find((player, seat) => player.agent !== null && player.level !== before[seat].level);
    if (!(await this.order({ do: "sit", players, dice }))) return;
    saveSettings(game.key, settingsOf({ players, options, clock }));
    if (changed) chooseLevel(game.key, changed.level);
  }

  /**
   * Start a game in the place of this one: Back leads to the start page.
   *
   * @param {NewSession} wanted
   */
  async begin(wanted) {
    this.enter(await server.create(wanted));
  }

  /** Start the same game again; the computer's level follows the results. */
  playAgain(isSwapped = false) {
    const { game, options, start, dice, players, clock } = this.session;
    const level = isOn("adaptive") && levelOf(this.session) !== null ? suggestedLevel(game.key) : null;
    const seated = atLevel(isSwapped ? swapped(players) : players, level);
    saveSettings(game.key, settingsOf({ players: seated, options, clock }));
    this.begin({ game: game.key, options, position: start, players: seated, dice, clock: timesOf(clock) }).catch(
      (error) => this.dispatch("refused", { id: null, error: server.messageOf(error) }),
    );
  }

  /** Let the result of this game change the level of the next one, if it says how strong the person is. */
  countResult() {
    const { id, game, levels } = this.session;
    const result = resultFor(this.session);
    const level = levelOf(this.session);
    if (result === null || level === null || !isFair(this.state) || !isOn("adaptive")) return;
    countResult(game.key, { session: id, level, result, highest: levels.length });
  }

  back() {
    this.go(this.session.nodes[this.session.current].parent);
  }

  forward() {
    this.go(this.session.nodes[this.session.current].next);
  }

  first() {
    this.go(0);
  }

  last() {
    this.go(lineOf(this.session).at(-1)?.number);
  }

  undo() {
    this.order({ do: "undo" });
  }

  redo() {
    this.order({ do: "redo" });
  }

  toggleRunning() {
    this.tell(this.state.isPaused ? { do: "resume", node: null } : { do: "pause" });
  }

  /** @param {number} pace */
  setPace(pace) {
    this.dispatch("paced", pace);
    savePreference("pace", String(pace));
    this.send({ do: "set_pace", milliseconds: pace });
  }

  nextMistake() {
    this.go(nextSlip(this.session)?.number);
  }

  // -- preview -------------------------------------------------------------------------------------

  /**
   * Show the position after some moves, for as long as a line is pointed at.
   *
   * @param {string[]} moves
   * @param {number} node where they begin
   */
  async showPreview(moves, node = this.session.current) {
    const key = `${node} ${moves.join(" ")}`;
    this.previewKey = key;
    if (!this.previews.has(key)) {
      await new Promise((done) => setTimeout(done, 60));
      if (this.previewKey !== key) return;
      try {
        this.previews.set(key, await server.preview(this.session.id, node, moves));
      } catch {
        return;
      }
    }
    const position = this.previews.get(key);
    if (this.previewKey !== key || !position) return;
    this.preview = { position, moves, node };
    this.draw();
  }

  hidePreview() {
    this.previewKey = null;
    if (this.preview) {
      this.preview = null;
      this.draw();
    }
  }

  // -- keys ----------------------------------------------------------------------------------------

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/** @type {Element} */ (event.target).closest("input, select, textarea, dialog")) return;
    if (/^[a-z]$/.test(event.key) && !isOn("letters", "yes")) return;
    if (this.isAtStart) {
      this.keyAtStart(event);
      return;
    }
    if (event.key === "Escape") this.dispatch("wiped");
    if (DIRECTIONS[event.key] && this.hasDirections()) {
      event.preventDefault();
      this.push(event.key);
      return;
    }
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => this.back(),
      ArrowRight: () => this.forward(),
      ",": () => this.back(),
      ".": () => this.forward(),
      Home: () => this.first(),
      End: () => this.last(),
      u: () => this.undo(),
      r: () => this.redo(),
      n: () => this.dialogs.openNew(),
      m: () => this.nextMistake(),
      f: () => this.turnBoard(),
      s: () => this.stop(),
      d: () => this.deeper(),
      h: () => this.hint(),
      a: () => this.switchAnalysis(!this.state.isAnalysing),
      "/": () => /** @type {HTMLElement | null} */ (this.root.querySelector("#typed"))?.focus(),
      "?": () => this.dialogs.open("help"),
    };
    if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    }
  }

  /** @param {KeyboardEvent} event */
  keyAtStart(event) {
    if (event.key !== "/" && event.key !== "?") return;
    event.preventDefault();
    if (event.key === "?") this.dialogs.open("help");
    else document.getElementById("search")?.focus();
  }

  /**
   * The move for an arrow key, in games whose moves are directions.
   *
   * @param {string} key
   */
  wayOf(key) {
    return this.isOpen()
      ? this.session.position.moves.find((move) => DIRECTIONS[key].includes(move.toLowerCase()))
      : undefined;
  }

  /**
   * Play the move for an arrow key; whether moves are directions here.
   *
   * @param {string} key
   */
  push(key) {
    const way = this.wayOf(key);
    if (way) this.play(way);
    return this.hasDirections();
  }

  /** Whether moves are directions: then the arrow keys do not navigate the game. */
  hasDirections() {
    return this.session.position.moves.some(isDirection) || this.session.nodes.some(({ move }) => isDirection(move));
  }

  /** Whether a person may move here. */
  isOpen() {
    return isOpen(this.session);
  }

  // -- drawing -------------------------------------------------------------------------------------

  draw() {
    this.root.querySelector(":scope > .loading")?.remove();
    if (this.isAtStart) render(html`${this.head()} ${this.start.view()} ${this.dialogs.view()}`, this.root);
    else if (this.session) this.drawGame();
  }

  drawGame() {
    this.hasPendingNews = false;
    render(this.view(), this.root);
    this.clocks.show(this.session.clock);
    const host = /** @type {HTMLElement} */ (this.root.querySelector(".board"));
    this.board ??= new Board(host, {
      onMove: (move) => this.play(move),
      onChoice: (moves) => {
        const isNew = moves.length > 0 || this.choices.length > 0;
        this.choices = moves;
        if (isNew && !this.isDrawing) this.draw();
      },
      onShape: (shape) => this.dispatch("drawn", shape),
      onSwipe: (key) => this.push(key),
    });
    this.isDrawing = true;
    const { position, title } = this.session;
    const { board } = this.preview?.position ?? position;
    const isOpen = !this.preview && this.isOpen();
    const values = isOpen ? this.shownValues() : new Map();
    const node = this.preview ? null : position.node;
    this.board.show(board, {
      isOpen,
      label: `${title}, ${this.turn()}`,
      values,
      isTurned: isTurned(this.state),
      isStep: node !== null && this.drawnNode !== null && isStep(this.session, node, this.drawnNode),
      shapes: this.preview ? [] : shapesHere(this.state),
      suggested: this.suggested(),
    });
    this.drawnNode = node;
    this.isDrawing = false;
    document.title = `${title} · Zermelo`;
  }

  /**
   * How often to play each move, where something is hidden; none if not asked for.
   *
   * @returns {Map<string, [number, string]>}
   */
  shownShares() {
    const hint = hintOf(this.state);
    const analysis = this.state.isAnalysing ? this.state.analysis : hint === "searching" ? null : hint;
    const moves = isMixture(analysis) ? (analysis?.moves ?? []) : [];
    return new Map(moves.map(({ move, probability = 0, text }) => [move, [probability, text]]));
  }

  /** The values of all moves, or only that of the hint; none if not asked for. */
  shownValues() {
    if (this.state.isAnalysing) return valuesOf(this.state.analysis);
    const hint = hintOf(this.state);
    if (hint === null || hint === "searching") return new Map();
    return new Map(
      [...valuesOf(hint)]
        .filter(([move]) => move === hint.best)
        .map(([move, value]) => [move, { ...value, short: "hint" }]),
    );
  }

  /**
   * The arrow of a hint, or of the first move of the line that is pointed at.
   *
   * @returns {Shape[]}
   */
  suggested() {
    const hint = hintOf(this.state);
    const hinted = hint === null || hint === "searching" ? null : hint.best;
    const isFromHere = this.preview?.node === this.session.current;
    const pointed = isFromHere ? this.preview?.moves[0] : undefined;
    const first = this.preview ? pointed : hinted;
    const cells = this.session.position.board.touches[first ?? ""] ?? [];
    return cells.length > 1 ? [{ from: cells[0], to: cells[cells.length - 1] }] : [];
  }

  turnBoard() {
    if (this.session.position.board.turning !== "never") this.dispatch("turned");
  }

  turn() {
    const { position, dice } = this.session;
    if (position.is_over) return `${position.outcome}.`;
    if (position.to_move < 0) return chanceText(position, dice === "chosen");
    return `${capitalise(position.mover)} ${isPerson(this.session, position.to_move) ? "to move" : "is thinking"}`;
  }

  /** Whose turn it is, beside their colour: one person at the page is "you". */
  turnShown() {
    const { position, players } = this.session;
    const isAlone = players.filter(({ agent }) => agent === null).length === 1;
    const isYours = this.isOpen() && position.to_move >= 0 && isAlone;
    const dot =
      position.to_move < 0 || position.is_over ? "" : html`<span class="dot owner-${position.to_move}"></span>`;
    return html`${dot}<span class="turn ${position.is_over ? "over" : ""}">${isYours ? "Your turn" : this.turn()}</span>`;
  }

  /** The die, if the last move was the roll of one. */
  die() {
    const { player, move } = this.session.nodes[this.session.current];
    const face = player < 0 && /^[1-6]$/.test(move) ? "⚀⚁⚂⚃⚄⚅"[Number(move) - 1] : "";
    return face && html`<span class="die" role="img" aria-label=${`Rolled a ${move}`}>${face}</span>`;
  }

  progressText() {
    if (this.state.isLost) return "The server does not answer; trying again …";
    if (this.state.isLate) return "Waiting for the rules of the game …";
    const answering = isAgentsTurn(this.session) ? answeringHere(this.state) : null;
    const progress = answering || this.state.thinking;
    if (!progress) return "";
    if (progress.state === "waiting")
      return progress.ahead ? `Waiting; ${progress.ahead} ahead in the queue …` : "Waiting for a free worker …";
    return answering ? "Thinking …" : "";
  }

  /** The head of the page, with what belongs to the game between the name and the buttons. */
  head(/** @type {unknown} */ middle = html`<span class="title"></span>`) {
    return pageHead(this, { middle, help: "Keys" });
  }

  view() {
    const { position, title, game, note } = this.session;
    return html`
      ${this.head(
        html`<p class="title" title=${game.summary}><b>${title}</b> ${game.summary}</p>
        <button class="button main" @click=${() => this.dialogs.openNew()}>New game</button>
        <button class="button bare icon" title="Position and game as text" aria-label="Position and game as text" @click=${() => this.dialogs.openShare()}>⇄</button>`,
      )}
      <main class="table" tabindex="-1" style=${coloursOf(position.board)}>
        <section class="stage" aria-label="Board">
          <div class="arena ${hasBar(this) ? "" : "open"}">
            ${evaluationBar(this)}
            ${curtainView(this)}
            <div ?hidden=${this.session.curtain !== null} class="board ${this.preview ? "preview" : ""} ${this.hasDirections() ? "swiped" : ""}" data-note=${this.preview ? `after ${this.preview.moves.join(" ")}` : ""}></div>
            ${celebration(this)}
          </div>
          <div class="hidden-label" role="log" aria-label="Events">${repeat(
            this.state.heard,
            (one) => one.number,
            (one) => html`<p>${one.text}</p>`,
          )}</div>
          <div class="status">
            ${this.turnShown()}
            ${this.die()}
            <span class="thought">${this.progressText()}</span>
            ${this.nudge()}
            ${this.moveButtons()}
          </div>
          ${this.state.error ? html`<p class="error" role="alert">${this.state.error}</p>` : ""}
          ${this.state.compiling ? html`<p class="note" role="status">${this.state.compiling}</p>` : ""}
          ${note ? html`<p class="note" role="status">${note}</p>` : ""}
          ${this.pad()}
          ${this.toolbar()}
        </section>
        <div class="side">
          ${endingCard(this)} ${this.costsCard()} ${hintLine(this)} ${seatsCard(this)} ${analysisCard(this)} ${movesCard(this)}
        </div>
      </main>
      ${this.dialogs.view()}
    `;
  }

  /** Arrows to touch, in games whose moves are directions; only touch screens show them. */
  pad() {
    if (!this.hasDirections()) return "";
    const signs = { ArrowUp: "↑", ArrowLeft: "←", ArrowRight: "→", ArrowDown: "↓" };
    const values = this.shownValues();
    const isBest = (/** @type {string | undefined} */ way) => (values.get(way ?? "")?.isBest ? "best" : "");
    const button = (/** @type {[string, string]} */ [key, sign]) => {
      const way = this.wayOf(key);
      return html`<button class="button ${isBest(way)}" data-way=${key} ?disabled=${!way} aria-label=${DIRECTIONS[key][0]} @click=${() => this.push(key)}>${sign} ${worthOf(values, way)}</button>`;
    };
    return html`<div class="pad" role="group" aria-label="Directions">${Object.entries(signs).map(button)}</div>`;
  }

  /** Buttons for moves without cells on the board, and for those that share the chosen cells. */
  moveButtons() {
    const { position } = this.session;
    const { touches } = position.board;
    if (!this.isOpen()) return "";
    const isPanel = this.root.querySelector(".board .row") !== null;
    const placeless = position.moves.filter((move) => isPanel || !touches[move]?.length);
    const shownMoves = this.choices.length ? this.choices : placeless.length <= MOST_BUTTONS ? placeless : [];
    if (!shownMoves.length) return "";
    const values = this.shownValues();
    const best = (/** @type {string} */ move) => (values.get(move)?.isBest ? "best" : "");
    const way = (/** @type {string} */ move) => (isDirection(move) ? "way" : "");
    const shares = this.shownShares();
    return html`<div class="choices" role="group" aria-label="Moves">
      ${repeat(
        shownMoves,
        (move) => move,
        (move) => html`<button class="button choice ${best(move)} ${way(move)}" @click=${() => this.play(move)}>
          ${move}${position.odds[move] ? html` <span class="worth">${(100 * position.odds[move]).toFixed(1)} %</span>` : ""}
          ${worthOf(values, move)} ${shares.has(move) ? buttonBar(...(shares.get(move) ?? [0, ""])) : ""}
        </button>`,
      )}
      ${
        this.choices.length
          ? html`<button class="button bare" @click=${() => {
              this.choices = [];
              this.board?.choose([]);
              this.draw();
            }}>Cancel</button>`
          : ""
      }
    </div>`;
  }

  /** A button that makes an agent move: now, or after it was stopped. */
  nudge() {
    const kind = nudge(this.state);
    if (kind === "now") return html`<button class="button" @click=${() => this.stop()}>Move now</button>`;
    if (kind === "move")
      return html`<button class="button" @click=${() => this.letMove()}>Let ${this.session.position.mover} move</button>`;
    return "";
  }

  toolbar() {
    const { session } = this;
    const node = session.nodes[session.current];
    /** @type {(label: string, sign: string, act: () => void, isOff?: boolean) => unknown} */
    const tool = (label, sign, act, isOff = false) =>
      html`<button class="button icon" title=${label} aria-label=${label} ?disabled=${isOff} @click=${act}>${sign}</button>`;
    return html`<div class="tools">
      ${tool("First position", "⇤", () => this.first(), node.parent === null)}
      ${tool("Back", "←", () => this.back(), node.parent === null)}
      ${tool("Forward", "→", () => this.forward(), node.next === null)}
      ${tool("Last position", "⇥", () => this.last(), node.next === null)}
      <button class="button" ?disabled=${node.parent === null} @click=${() => this.undo()}>Undo</button>
      <button class="button" ?disabled=${node.next === null} @click=${() => this.redo()}>Redo</button>
      <button class="button" ?disabled=${!canHint(session) || this.state.isHinting} title=${session.game.hidden ? "Show what to play, from what you have seen" : "Show a good move"} @click=${() => this.hint()}>Hint</button>
      ${session.game.hidden ? html`<a class="button" href=${`/solve#${addressText({ game: session.game.key, options: session.options })}`} title="Solve the whole game: an equilibrium, with its bluffs">Solve</a>` : ""}
      ${session.game.hidden || session.position.is_over ? "" : html`<a class="button" href="/inside#${address.text(session, movesTo(session, session.current))}">Look inside</a>`}
      ${
        isWatching(session)
          ? html`<button class="button" aria-pressed=${!this.state.isPaused} @click=${() => this.toggleRunning()}>${this.state.isPaused ? "Play" : "Pause"}</button>
            <label class="switch">Pace
              <input type="range" min="0" max="3000" step="100" .value=${live(String(3000 - this.state.pace))} @input=${withValue((pace) => this.dispatch("paced", 3000 - Number(pace)))} @change=${withValue((pace) => this.setPace(3000 - Number(pace)))}>
            </label>`
          : ""
      }
      ${session.position.board.turning === "never" ? "" : html`<button class="button" aria-pressed=${isTurned(this.state)} @click=${() => this.turnBoard()}>Turn</button>`}
      <span class="gap"></span>
      <form class="typed" @submit=${(/** @type {SubmitEvent} */ event) => this.playTyped(event)}>
        <label class="hidden-label" for="typed">Type a move</label>
        <input id="typed" class="field" autocomplete="off" spellcheck="false" placeholder="type a move" list="legal" maxlength="200" ?disabled=${session.position.is_over || session.curtain !== null} @focus=${() => this.draw()}>
        <datalist id="legal">${this.suggestions().map((move) => html`<option value=${move}></option>`)}</datalist>
        <button class="button" ?disabled=${session.position.is_over || session.curtain !== null}>Play</button>
      </form>
    </div>`;
  }

  /** The moves that are suggested while the user types. */
  suggestions() {
    return document.activeElement?.id === "typed" ? this.session.position.moves.slice(0, 200) : [];
  }

  /** @param {SubmitEvent} event */
  async playTyped(event) {
    event.preventDefault();
    const field = /** @type {HTMLFormElement} */ (event.target).querySelector("input");
    const text = field?.value.trim();
    if (field && text && (await this.play(text, null))) field.value = "";
  }
}

/** @type {(move: string) => boolean} */
const isDirection = (move) => Object.values(DIRECTIONS).flat().includes(move.toLowerCase());

/**
 * The value of a move beside its name; nothing if it is unknown.
 *
 * @param {Map<string, MoveValue>} values
 * @param {string | undefined} move
 */
function worthOf(values, move) {
  const value = values.get(move ?? "");
  return value ? html`<span class="kind ${value.kind}">${value.short}</span>` : "";
}

const PROGRESS = new Set(["analysis", "thinking", "answering", "compiling", "running", "review", "judged"]);
/** @type {(event: string) => boolean} */
const isProgress = (event) => PROGRESS.has(event);

const root = /** @type {HTMLElement} */ (document.getElementById("page"));
const page = new Page(root);
page.arrive();
