// The page: its state, its requests to the server, and its view.

import * as address from "./address.js";
import { Board, coloursOf } from "./board.js";
import { Dialogs } from "./dialogs.js";
import { lineOf, movesTo, nextSlip } from "./game-line.js";
import { html, render } from "./vendor/lit-html.js";
import * as server from "./server.js";
import { analysisCard, evaluationBar, hasBar, movesCard, seatsCard } from "./panels.js";
import { applyTheme, loadPreference, nextTheme, savePreference, preferredLevel } from "./preferences.js";
import { valuesOf } from "./values.js";
import { capitalise } from "./text.js";

const FAVOURITE = "connect-four";
const FIRST_SECONDS = 5;
const LONGEST_SECONDS = 300;
const DIRECTIONS = { ArrowUp: ["up", "north"], ArrowDown: ["down", "south"], ArrowLeft: ["left", "west"], ArrowRight: ["right", "east"] };
const AFTER_FRAME = 20; // milliseconds, so that a frame is on the screen before the next thing is done
const LATE = 3000; // milliseconds after which the page shows what it waits for
const ROLL_PAUSE = 450; // milliseconds to show a roll before the next move

class Page {
  constructor(root) {
    this.root = root;
    this.games = [];
    this.session = null;
    this.analysis = null;
    this.thinking = null;
    this.answering = null;
    this.error = "";
    this.choices = [];
    this.preview = null;
    this.isLost = false;
    this.isStuck = false;
    this.isLate = false;
    this.isAnalysing = loadPreference("analysing", "yes") === "yes";
    this.isRunning = true;
    this.review = null;
    this.pace = Number(loadPreference("pace", "600"));
    this.seconds = FIRST_SECONDS;
    this.analysedNode = null;
    this.pendingChanges = 0; // requests that the server has not answered yet
    this.hasPendingNews = false; // news arrived that are not drawn yet
    this.showsAllLines = false; // whether all lines are listed, or only the best
    this.previews = new Map();
    applyTheme();
    this.dialogs = new Dialogs(this);
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => location.reload()); // another game was put into the address bar
  }

  async begin() {
    const wanted = address.read();
    this.enter(await this.findSession(wanted));
    this.games = await server.games();
    this.draw();
  }

  /** The session of the address bar, or the last one, or a new game. */
  async findSession(wanted) {
    const known = wanted.session ?? (wanted.game ? null : loadPreference("session", null));
    if (known) {
      try {
        return await server.load(known);
      } catch (error) {
        if (![400, 404, 422].includes(error.status)) throw error;
        if (error.status === 400) this.error = error.message;
      }
    }
    const game = wanted.game ?? FAVOURITE;
    try {
      return await server.create({ game, options: wanted.options, position: wanted.position, moves: wanted.moves, level: preferredLevel() });
    } catch (error) {
      this.error = error.message;
      return server.create({ game: FAVOURITE, level: preferredLevel() });
    }
  }

  /** Show a session from now on. */
  enter(session) {
    this.stream?.close();
    this.previews.clear();
    this.analysis = this.thinking = this.answering = null;
    this.isRunning = true;
    this.review = null;
    this.session = session;
    this.root.querySelector(".loading")?.remove();
    savePreference("session", session.id);
    this.stream = new server.Stream(session.id, (kind, content) => this.receive(kind, content), () => this.reopen());
    this.update();
  }

  reopen() {
    this.isLost = false;
    this.analysedNode = null;
    if (this.review) this.reviewAgain();
    this.update();
  }

  // -- news ----------------------------------------------------------------------------------------

  receive(kind, content) {
    if (kind === "lost") {
      this.isLost = true;
      this.answering = this.thinking = null;
    } else if (kind === "session") {
      this.accept(content);
      return;
    } else if (kind === "analysis") {
      if (content.node === this.session.current) this.analysis = content;
    } else if (kind === "judgement") {
      const node = this.session.nodes[content.node];
      if (node) node.judgement = content;
      if (this.review?.node === content.node) this.reviewNext();
    } else if (kind === "thinking") {
      const isOver = content.state === "done" || content.state === "stopped";
      this.thinking = isOver ? null : content;
      const isFruitless = content.state === "failed" || content.state === "stopped"; // no judgement will follow
      if (isFruitless && this.review?.node === content.node) this.reviewNext();
    } else if (kind === "answering") {
      this.answering = ["done", "stopped", "failed"].includes(content.state) ? null : content;
      if (!this.answering) this.checkStuck();
    } else if (kind === "error") {
      this.error = content;
      this.review = null; // if the review was refused, no news about it will follow
    }
    if (this.pendingChanges) this.hasPendingNews = true; // a pending move comes before news about the old position
    else this.draw();
  }

  /** Accept the latest state of the session from the server. */
  accept(session) {
    if (session.id !== this.session.id || session.version <= this.session.version) return; // every change arrives twice
    const isElsewhere = session.current !== this.session.current;
    if (!isElsewhere && JSON.stringify(session.position.board) === JSON.stringify(this.session.position.board)) {
      session.position.board = this.session.position.board; // keep a move that is begun on the board
    }
    this.session = session;
    if (isElsewhere) {
      this.analysis = this.preview = null;
      this.answering = null;
      this.isStuck = false;
      this.seconds = FIRST_SECONDS;
      this.error = "";
    }
    this.update();
  }

  /** After a change: draw; once that is on the screen, write the address and continue the analysis. */
  update() {
    this.draw();
    const goOn = () => {
      address.write(this.session, movesTo(this.session, this.session.current));
      if (this.analyse()) this.draw();
      this.moveOn();
    };
    if (document.hidden) goOn();
    else requestAnimationFrame(() => setTimeout(goOn, AFTER_FRAME));
  }

  // -- analysis ------------------------------------------------------------------------------------

  canAnalyse() {
    const { position, game } = this.session;
    return !position.is_over && position.to_move >= 0 && !game.hidden;
  }

  /** Request an analysis of the position, unless it was requested already; return whether it was requested now. */
  analyse(isAgain = false) {
    const { current } = this.session;
    if (!this.isAnalysing || !this.canAnalyse() || this.review) return false;
    if (this.analysedNode === current && !isAgain) return false;
    if (!this.stream.send({ do: "analyse", node: current, seconds: this.seconds })) return false;
    this.analysedNode = current;
    this.thinking = { node: current, state: "thinking" };
    return true;
  }

  deeper() {
    this.seconds = Math.min(4 * this.seconds, LONGEST_SECONDS);
    this.analyse(true);
    this.draw();
  }

  stop() {
    this.stream.send({ do: "stop" });
    this.review = null;
    if (this.isWatching()) {
      clearTimeout(this.waiting);
      this.isRunning = false;
    }
    this.draw();
  }

  switchAnalysis(isOn) {
    this.isAnalysing = isOn;
    savePreference("analysing", isOn ? "yes" : "no");
    this.analysedNode = null;
    if (isOn) this.analyse();
    else {
      this.analysis = null;
      if (this.thinking) this.stream.send({ do: "stop" });
    }
    this.draw();
  }

  /** List the lines of all moves, or of the best. */
  listAll(showsAllLines) {
    this.showsAllLines = showsAllLines;
    this.draw();
  }

  /** Analyse every position of the line that has no judgement yet. */
  startReview() {
    this.review = { node: null, tried: new Set() };
    this.reviewNext();
  }

  reviewNext() {
    const { session } = this;
    const next = lineOf(session).find((node) => !node.judgement && !this.isDiceAfter(node) && !this.review.tried.has(node.number));
    if (!next) {
      this.review = null;
      this.analysedNode = null;
      this.analyse();
    } else {
      this.review.node = next.number;
      this.review.tried.add(next.number);
      this.stream.send({ do: "analyse", node: next.number, seconds: 0.5, lines: 1 });
    }
    this.draw();
  }

  /** After a lost connection: repeat the last request. */
  reviewAgain() {
    this.review.tried.delete(this.review.node);
    this.reviewNext();
  }

  /** Whether dice were rolled after this node, so that no player chooses there. */
  isDiceAfter(node) {
    return this.session.nodes.some((one) => one.parent === node.number && one.player < 0);
  }

  // -- playing -------------------------------------------------------------------------------------

  isPerson(seat) {
    return seat >= 0 && this.session.players[seat].agent === null;
  }

  /** Whether only agents play. */
  isWatching() {
    return this.session.players.every((player) => player.agent !== null);
  }

  isAgentsTurn() {
    const { position, dice } = this.session;
    if (position.is_over) return false;
    return position.to_move < 0 ? dice === "rolled" : !this.isPerson(position.to_move);
  }

  /** If it is an agent's turn at the end of the line, let it move. */
  moveOn() {
    clearTimeout(this.waiting);
    const { session } = this;
    const node = session.nodes[session.current];
    if (!this.isAgentsTurn() || node.next !== null || !this.isRunning) return;
    const isDice = session.position.to_move < 0 || node.player < 0;
    const pause = this.isWatching() ? this.pace : isDice ? ROLL_PAUSE : 0;
    this.waiting = setTimeout(() => this.letMove(), pause);
  }

  /** Show a button if an agent was stopped before it had a move. */
  checkStuck() {
    const { current } = this.session;
    setTimeout(() => {
      this.isStuck = this.session.current === current && this.isAgentsTurn() && !this.answering;
      this.draw();
    }, 400);
  }

  letMove() {
    this.isStuck = false;
    if (this.stream.send({ do: "answer", node: this.session.current })) {
      this.answering ??= { state: "thinking" };
      this.draw();
    }
  }

  /** Ask the server for a change; requests are sent one after the other, in order. */
  async attempt(work) {
    const before = this.requestQueue ?? Promise.resolve();
    const request = before.then(work);
    this.requestQueue = request.catch(() => {});
    this.pendingChanges += 1;
    const waiting = setTimeout(() => this.setLate(true), LATE);
    try {
      this.error = "";
      this.accept(await request);
      return true;
    } catch (error) {
      if (!(error instanceof server.Refused)) throw error;
      this.error = error.message;
      this.hasPendingNews = true;
      return false;
    } finally {
      clearTimeout(waiting);
      this.pendingChanges -= 1;
      if (this.isLate) this.setLate(false);
      if (this.hasPendingNews && !this.pendingChanges) this.draw();
    }
  }

  /** Show that a change takes long: a user's rules may be slow, or never end. */
  setLate(isLate) {
    this.isLate = isLate;
    this.draw();
  }

  /** Play a move at a node; without a node, at the node that is current when the request is sent. */
  play(move, node = this.session.current) {
    const { id } = this.session;
    return this.attempt(() => server.play(id, move, node ?? this.session.current));
  }

  go(number) {
    if (number === null || number === undefined || number === this.session.current) return;
    const { id } = this.session;
    return this.attempt(() => server.go(id, number));
  }

  /** Set the players; the change is shown at once, and reverted if the server refuses it. */
  async sit(players, dice = this.session.dice) {
    const { session } = this;
    const before = { players: session.players, dice: session.dice };
    Object.assign(session, { players, dice });
    this.draw();
    if (await this.attempt(() => server.sit(session.id, players, dice))) {
      const changed = players.find((player, seat) => player.level !== before.players[seat].level);
      if (changed) savePreference("level", String(changed.level));
    } else if (this.session.players === players) {
      Object.assign(this.session, before);
      this.update();
    }
  }

  async start(wanted) {
    const session = await server.create(wanted);
    this.error = "";
    this.enter(session);
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
    this.go(lineOf(this.session).at(-1).number);
  }

  /** Go back to the last turn of a person. */
  undo() {
    const { nodes, current } = this.session;
    let node = nodes[current];
    while (node.parent !== null && !this.isPerson(node.player)) node = nodes[node.parent];
    this.go(node.parent ?? 0);
  }

  /** Go forward to the next turn of a person, along the line that was taken back. */
  redo() {
    const { nodes, current } = this.session;
    let node = nodes[nodes[current].next];
    while (node && node.next !== null && !this.isPerson(nodes[node.next].player)) node = nodes[node.next];
    this.go(node?.number);
  }

  toggleRunning() {
    this.isRunning = !this.isRunning;
    if (this.isRunning) this.moveOn();
    else this.stop();
    this.draw();
  }

  setPace(pace) {
    this.pace = pace;
    savePreference("pace", String(pace));
  }

  nextMistake() {
    this.go(nextSlip(this.session)?.number);
  }

  // -- preview -------------------------------------------------------------------------------------

  async showPreview(moves) {
    const key = `${this.session.current} ${moves.join(" ")}`;
    this.previewKey = key;
    if (!this.previews.has(key)) {
      await new Promise((done) => setTimeout(done, 60));
      if (this.previewKey !== key) return;
      try {
        this.previews.set(key, await server.preview(this.session.id, this.session.current, moves));
      } catch {
        return;
      }
    }
    if (this.previewKey !== key) return;
    this.preview = { position: this.previews.get(key), moves };
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

  key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, select, textarea, dialog")) return;
    if (DIRECTIONS[event.key] && this.hasDirections()) {
      event.preventDefault();
      const way = this.wayOf(event.key);
      if (way) this.play(way);
      return;
    }
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
      s: () => this.stop(),
      d: () => this.deeper(),
      a: () => this.switchAnalysis(!this.isAnalysing),
      "/": () => this.root.querySelector("#typed")?.focus(),
      "?": () => this.dialogs.openHelp(),
    };
    if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    }
  }

  /** The move for an arrow key, in games whose moves are directions. */
  wayOf(key) {
    return this.isOpen() ? this.session.position.moves.find((move) => DIRECTIONS[key].includes(move.toLowerCase())) : undefined;
  }

  /** Whether moves are directions: then the arrow keys do not navigate the game. */
  hasDirections() {
    const names = Object.values(DIRECTIONS).flat();
    const isOne = (move) => names.includes(move.toLowerCase());
    return this.session.position.moves.some(isOne) || this.session.nodes.some((node) => isOne(node.move));
  }

  /** Whether a person may move here. */
  isOpen() {
    const { position, dice } = this.session;
    return !position.is_over && (position.to_move >= 0 ? this.isPerson(position.to_move) : dice === "chosen");
  }

  // -- drawing -------------------------------------------------------------------------------------

  draw() {
    if (!this.session) return;
    this.hasPendingNews = false;
    render(this.view(), this.root);
    const host = this.root.querySelector(".board");
    this.board ??= new Board(host, {
      onMove: (move) => this.play(move),
      onChoice: (moves) => {
        const isNew = moves.length > 0 || this.choices.length > 0;
        this.choices = moves;
        if (isNew && !this.isDrawing) this.draw();
      },
    });
    this.isDrawing = true;
    const { position, title } = this.session;
    const shown = this.preview?.position ?? position;
    const isOpen = !this.preview && this.isOpen();
    const values = this.isAnalysing && isOpen ? valuesOf(this.analysis) : new Map();
    this.board.show(shown.board, isOpen, `${title}, ${this.turn()}`, values);
    this.isDrawing = false;
    document.title = `${title} · Zermelo`;
  }

  turn() {
    const { position, dice } = this.session;
    if (position.is_over) return `${position.outcome}.`;
    if (position.to_move < 0) return dice === "rolled" ? "The dice are rolling" : "Choose the roll";
    return `${capitalise(position.mover)} ${this.isPerson(position.to_move) ? "to move" : "thinks"}`;
  }

  /** The die, if the last move was the roll of one. */
  die() {
    const { player, move } = this.session.nodes[this.session.current];
    const face = player < 0 && /^[1-6]$/.test(move) ? "⚀⚁⚂⚃⚄⚅"[Number(move) - 1] : "";
    return face && html`<span class="die" role="img" aria-label=${`Rolled a ${move}`}>${face}</span>`;
  }

  progressText() {
    if (this.isLost) return "The server does not answer; trying again …";
    if (this.isLate) return "Waiting for the rules of the game …";
    const progress = (this.isAgentsTurn() && this.answering) || this.thinking;
    if (!progress) return "";
    if (progress.state === "waiting") return progress.ahead ? `Waiting; ${progress.ahead} ahead in the queue …` : "Waiting for a free worker …";
    if (progress.state === "preparing") return capitalise(progress.text);
    return progress === this.answering ? "Thinking …" : "";
  }

  view() {
    const { position, title, game, note } = this.session;
    const isOver = position.is_over;
    return html`
      <header class="head">
        <h1>Zermelo</h1>
        <p class="title" title=${game.summary}><b>${title}</b> ${game.summary}</p>
        <button class="button main" @click=${() => this.dialogs.openNew()}>New game</button>
        <button class="button bare icon" title="Position and game as text" aria-label="Position and game as text" @click=${() => this.dialogs.openShare()}>⇄</button>
        <button class="button bare icon" title="Light or dark" aria-label="Light or dark" @click=${() => nextTheme()}>◐</button>
        <button class="button bare icon" title="Keys" aria-label="Keys" @click=${() => this.dialogs.openHelp()}>?</button>
      </header>
      <main class="table ${coloursOf(game)}">
        <section class="stage" aria-label="Board">
          <div class="arena ${hasBar(game) ? "" : "open"}">
            ${evaluationBar(this)}
            <div class="board ${this.preview ? "preview" : ""}" data-note=${this.preview ? `after ${this.preview.moves.join(" ")}` : ""}></div>
          </div>
          <div class="status" role="status">
            <span class="turn ${isOver ? "over" : ""}">${this.turn()}</span>
            ${this.die()}
            <span class="thought">${this.progressText()}</span>
            ${this.nudge()}
          </div>
          ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : ""}
          ${note ? html`<p class="note" role="status">Imported text: ${note}.</p>` : ""}
          ${this.moveButtons()}
          ${this.toolbar()}
        </section>
        <div class="side">
          ${seatsCard(this)} ${analysisCard(this)} ${movesCard(this)}
        </div>
      </main>
      ${this.dialogs.view()}
    `;
  }

  /** Buttons for moves without cells on the board, and for those that share the chosen cells. */
  moveButtons() {
    const { position } = this.session;
    const { touches } = position.board;
    if (!this.isOpen()) return "";
    const isPanel = this.root.querySelector(".board .row") !== null;
    const placeless = position.moves.filter((move) => isPanel || !touches[move]?.length);
    const shown = this.choices.length ? this.choices : placeless.length <= 60 ? placeless : [];
    if (!shown.length) return "";
    const values = this.isAnalysing ? valuesOf(this.analysis) : new Map();
    const best = (move) => (values.get(move)?.isBest ? "best" : "");
    return html`<div class="choices" role="group" aria-label="Moves">
      ${shown.map(
        (move) => html`<button class="button choice ${best(move)}" @click=${() => this.play(move)}>
          ${move}${position.odds[move] ? html` <span class="worth">${(100 * position.odds[move]).toFixed(1)} %</span>` : ""}
          ${values.has(move) ? html`<span class="kind ${values.get(move).kind}">${values.get(move).short}</span>` : ""}
        </button>`,
      )}
      ${this.choices.length ? html`<button class="button bare" @click=${() => { this.choices = []; this.board.choose([]); this.draw(); }}>Cancel</button>` : ""}
    </div>`;
  }

  /** A button that makes an agent move: now, or after it was stopped. */
  nudge() {
    const { session } = this;
    if (!this.isAgentsTurn()) return "";
    if (this.answering) return html`<button class="button" @click=${() => this.stop()}>Move now</button>`;
    if (session.nodes[session.current].next === null && !this.isStuck) return "";
    return html`<button class="button" @click=${() => this.letMove()}>Let ${session.position.mover} move</button>`;
  }

  toolbar() {
    const { session } = this;
    const node = session.nodes[session.current];
    const tool = (label, sign, act, isOff = false) => html`<button class="button icon" title=${label} aria-label=${label} ?disabled=${isOff} @click=${act}>${sign}</button>`;
    return html`<div class="tools">
      ${tool("First position", "⇤", () => this.first(), node.parent === null)}
      ${tool("Back", "←", () => this.back(), node.parent === null)}
      ${tool("Forward", "→", () => this.forward(), node.next === null)}
      ${tool("Last position", "⇥", () => this.last(), node.next === null)}
      <button class="button" ?disabled=${node.parent === null} @click=${() => this.undo()}>Undo</button>
      <button class="button" ?disabled=${node.next === null} @click=${() => this.redo()}>Redo</button>
      ${session.game.hidden || session.position.is_over ? "" : html`<a class="button" href="/inside#${address.text(session, movesTo(session, session.current))}">Look inside</a>`}
      ${this.isWatching()
        ? html`<button class="button" aria-pressed=${this.isRunning} @click=${() => this.toggleRunning()}>${this.isRunning ? "Pause" : "Play"}</button>
            <label class="switch">Pace
              <input type="range" min="0" max="3000" step="100" .value=${String(3000 - this.pace)} @input=${(event) => this.setPace(3000 - Number(event.target.value))}>
            </label>`
        : ""}
      <span class="gap"></span>
      <form class="typed" @submit=${(event) => this.playTyped(event)}>
        <label class="hidden-label" for="typed">Type a move</label>
        <input id="typed" class="field" autocomplete="off" spellcheck="false" placeholder="type a move" list="legal" maxlength="200" ?disabled=${session.position.is_over} @focus=${() => this.draw()}>
        <datalist id="legal">${this.suggestions().map((move) => html`<option value=${move}></option>`)}</datalist>
        <button class="button">Play</button>
      </form>
    </div>`;
  }

  /** The moves that are suggested while the user types. */
  suggestions() {
    return document.activeElement?.id === "typed" ? this.session.position.moves.slice(0, 200) : [];
  }

  async playTyped(event) {
    event.preventDefault();
    const field = event.target.querySelector("input");
    const text = field.value.trim();
    if (text && (await this.play(text, null))) field.value = "";
  }
}

const page = new Page(document.getElementById("page"));
page.begin().catch((error) => {
  render(html`<p class="loading" role="alert">${error.message}</p>`, document.getElementById("page"));
  if (!(error instanceof server.Refused)) throw error;
});
