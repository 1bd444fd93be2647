// Inside the search: the recorded search, the current step, and the page.

import * as address from "./inside-address.js";
import { Board, coloursOf } from "./board.js";
import { Dialogs } from "./inside-dialogs.js";
import { checkMarks, checkValues, markStyle, valueStyle } from "./inside-exercise.js";
import { applyTheme, loadPreference, nextTheme, savePreference } from "./preferences.js";
import { Growth } from "./inside-growth.js";
import { exerciseCard, countsCard, lookCard, nodeCard } from "./inside-panels.js";
import * as server from "./inside-server.js";
import { keyOf, Store } from "./inside-store.js";
import { describeStep } from "./inside-text.js";
import { TreeView } from "./inside-tree.js";
import { html, render } from "./vendor/lit-html.js";
import { capitalise, countText } from "./text.js";

const USUAL_DEPTH = 3;
const OPEN_WHOLE = 150; // nodes and cuts; larger trees are opened along the path of the search
const MOST_LEAVES = 100; // of a random tree, as on the server
const EXERCISE = 260; // nodes; more would be too many for an exercise
const PATIENCE = 1500; // milliseconds before the page shows what it waits for
const PLAIN = { alphabeta: "minimax", quiescence: "minimax", star1: "expectiminimax", star2: "expectiminimax", "maxn-shallow": "maxn" };
const PACES = { slow: 1600, steady: 800, quick: 250, racing: 60 };

class Page {
  constructor(root) {
    this.root = root;
    this.dialogs = new Dialogs(this);
    this.store = this.plain = this.board = null;
    this.step = 0;
    this.mode = "watch";
    this.random = null;
    this.error = this.notice = this.waiting = "";
    this.examples = [];
    this.games = [];
    this.isPlaying = this.isBusy = this.wantsSideBySide = false;
    this.pace = loadPreference("inside-pace", "steady");
    this.opened = new Set();
    this.collapsed = new Set();
    this.marks = new Set();
    this.answers = new Map();
    this.checked = null;
    this.selected = null;
    this.chosenAlgorithm = null; // the search that the user chose
    applyTheme();
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.arrive());
  }

  async begin() {
    await Promise.all([this.arrive(), server.examples().then((found) => (this.examples = found))]);
    this.draw();
    this.games = (await server.games()).filter((game) => !game.hidden && game.key !== "tree");
    this.draw();
  }

  /** Show what the address bar says. */
  async arrive() {
    const wanted = address.read();
    this.mode = wanted.mode;
    this.random = wanted.random;
    if (this.random) {
      await this.showRandomTree(this.random, wanted.look.algorithm);
      return;
    }
    await this.look(wanted.look);
  }

  // -- the search ----------------------------------------------------------------------------------

  /** Show a search; a search that does not fit the game is replaced by one that does. */
  async look(look, random = null) {
    const wanted = { position: "", moves: [], options: {}, seed: 0, ...look };
    if (wanted.game === "tree" && !wanted.options.text) wanted.options = { text: "max(min(3 12 8) min(2 4 6) min(14 5 2))" };
    if (wanted.game !== "tree" && wanted.depth === null && wanted.algorithm !== "mcts") wanted.depth = USUAL_DEPTH;
    this.pause();
    this.requested = wanted;
    this.isBusy = true;
    this.error = this.notice = "";
    this.draft = wanted;
    clearTimeout(this.waitingTimer);
    this.waitingTimer = setTimeout(() => this.showWaiting(wanted), PATIENCE);
    this.draw();
    try {
      let facts;
      try {
        facts = await server.open(wanted);
      } catch (error) {
        if (error.status !== 400 || wanted.algorithm === "auto") throw error;
        this.notice = error.message;
        facts = await server.open({ ...wanted, algorithm: "auto" });
      }
      if (this.requested !== wanted) return;
      this.enter({ ...wanted, algorithm: facts.algorithm }, facts, random);
    } catch (error) {
      if (!(error instanceof server.Refused)) throw error;
      if (this.requested === wanted) [this.error, this.notice] = [error.message, ""];
    }
    if (this.requested === wanted) {
      this.isBusy = false;
      clearTimeout(this.waitingTimer);
      this.waiting = "";
    }
    this.draw();
  }

  showWaiting(wanted) {
    if (this.requested !== wanted || !this.isBusy) return;
    this.waiting = "Recording the search … The first large search of a game takes a few seconds longer, because it is compiled.";
    this.draw();
  }

  enter(look, facts, random) {
    this.lookedAt = look;
    this.random = random;
    this.draft = look;
    this.store = look.algorithm === "mcts" ? new Growth(look, facts) : new Store(look, facts);
    this.plain = this.position = null;
    this.opened.clear();
    this.collapsed.clear();
    this.selected = null;
    this.step = 0;
    if (look.algorithm === "mcts") this.mode = "watch";
    this.restart();
    address.write({ look, mode: this.mode, random });
    if (PLAIN[look.algorithm]) this.loadPlain(look);
    this.goTo(this.isGrowing ? 0 : Math.min(1, facts.moments));
  }

  get isGrowing() {
    return this.store instanceof Growth;
  }

  /** Load the same tree without cuts, for comparison and for exercises. */
  async loadPlain(look) {
    const plain = { ...look, algorithm: PLAIN[look.algorithm] };
    try {
      const facts = await server.open(plain);
      if (this.lookedAt !== look) return;
      this.plain = new Store(plain, facts);
    } catch (error) {
      if (!(error instanceof server.Refused)) throw error;
      this.notice = error.message;
      this.mode = "watch";
    }
    this.draw();
  }

  /** The tree without cuts. */
  get full() {
    return PLAIN[this.lookedAt?.algorithm] ? this.plain : this.store;
  }

  async showRandomTree(random, algorithm = "auto") {
    try {
      const tree = await server.random(random);
      await this.look({ game: "tree", options: { text: tree.text }, depth: null, algorithm: algorithm === "auto" ? tree.algorithm : algorithm }, random);
    } catch (error) {
      if (!(error instanceof server.Refused)) throw error;
      this.error = error.message;
      this.draw();
    }
  }

  /** Change the current search: its algorithm, depth, game or options. */
  change(changes) {
    const base = this.draft ?? this.lookedAt;
    const isOther = "options" in changes || "game" in changes;
    if ("algorithm" in changes) this.chosenAlgorithm = changes.algorithm;
    const algorithm = isOther ? (this.chosenAlgorithm ?? "auto") : base.algorithm; // not a replacement for it
    return this.look({ ...base, algorithm, ...changes }, isOther ? null : this.random);
  }

  // -- steps ---------------------------------------------------------------------------------------

  get last() {
    return this.isGrowing ? this.store.facts.most : this.store.facts.moments;
  }

  async goTo(step) {
    const { store } = this;
    const wanted = Math.max(0, Math.min(step, this.last));
    this.targetStep = wanted;
    let line = null;
    try {
      if (!this.isGrowing && wanted === this.last) line = await store.line();
      await Promise.all([store.prepare(wanted), this.wantsSideBySide && this.plain?.prepare(this.plainStep(wanted))]);
    } catch (error) {
      if (!(error instanceof server.Refused)) throw error;
      this.error = error.message;
      this.pause();
      this.draw();
      return;
    }
    if (this.store !== store) return;
    if (this.isGrowing) this.step = store.simulations;
    if (this.targetStep !== wanted) return;
    this.line = line;
    if (!this.isGrowing) this.step = wanted;
    this.selected = (this.isGrowing && this.selected && store.node(this.selected.number)) || null; // keep the selected node while the tree grows
    this.follow();
    this.draw();
    if (this.isGrowing && this.step < wanted) await this.goTo(wanted); // show the tree while it grows
  }

  /** The current node of the search. */
  get here() {
    return this.isGrowing ? this.store.here : this.store.byMoment.get(this.step - 1) ?? this.store.root;
  }

  get shownNode() {
    return this.selected ?? this.here;
  }

  /** Show the current position of the search on the board. */
  async follow() {
    const { store } = this;
    const node = this.shownNode;
    if (store.facts.is_tree || !node) return;
    this.followed = node;
    if (this.isFollowing) return;
    this.isFollowing = true;
    try {
      const position = await server.board(store.look, store.moves(node));
      if (this.store === store) this.position = position;
    } catch (error) {
      if (!(error instanceof server.Refused)) throw error;
    }
    this.isFollowing = false;
    this.draw();
    if (this.followed !== node) this.follow();
  }

  pause() {
    clearTimeout(this.timer);
    this.targetStep = null;
    this.isPlaying = false;
  }

  play() {
    if (this.isPlaying) {
      this.pause();
      this.draw();
      return;
    }
    this.isPlaying = true;
    if (!this.isGrowing && this.step >= this.last) this.step = 0;
    this.tick();
  }

  async tick() {
    if (!this.isPlaying) return;
    await this.goTo(this.step + this.stride);
    if (this.step >= this.last) this.pause();
    this.draw();
    if (this.isPlaying) this.timer = setTimeout(() => this.tick(), PACES[this.pace]);
  }

  /** Simulations per step: more for larger trees. */
  get stride() {
    return this.isGrowing && ["quick", "racing"].includes(this.pace) ? Math.max(1, Math.round(this.step / (this.pace === "racing" ? 5 : 20))) : 1;
  }

  setPace(pace) {
    this.pace = pace;
    savePreference("inside-pace", pace);
    this.draw();
  }

  // -- the tree ------------------------------------------------------------------------------------

  isOpen(store, node) {
    const key = keyOf(node);
    if (this.collapsed.has(key)) return false;
    if (this.opened.has(key) || this.isGrowing) return true;
    return node.number === 0 || this.wayOf(store).has(node.number) || (this.step >= this.last && Boolean(this.line?.has(node.number)));
  }

  isSmall(store) {
    return store.isComplete && store.facts.nodes + store.facts.cuts <= OPEN_WHOLE;
  }

  /** The numbers of the nodes from the root to the current node of the search. */
  wayOf(store) {
    if (this.isGrowing) return Object.assign(new Set(store.lastWay), { here: store.lastWay.at(-1) });
    const node = store.byMoment.get(this.step - 1) ?? (this.step > store.facts.moments ? store.root : null);
    const way = node ? store.way(node).map((one) => one.number) : [0];
    return Object.assign(new Set(way), { here: node ? node.number : null });
  }

  /** Select a node. A closed one opens; an open one closes when it is selected again. */
  async select(node) {
    const isAgain = this.selected !== null && keyOf(this.selected) === keyOf(node);
    const isOpen = this.tree.isOpenNow(node) && Boolean(this.store.children(node));
    this.selected = this.isGrowing && isAgain ? null : node;
    if (node.children && !this.isGrowing && (!isOpen || isAgain)) await this.toggle(node, isOpen);
    this.follow();
    this.draw();
  }

  /** Go back to the current node of the search. */
  unselect() {
    this.selected = null;
    this.follow();
    this.draw();
  }

  async toggle(node, isOpen) {
    const key = keyOf(node);
    (isOpen ? this.collapsed : this.opened).add(key);
    (isOpen ? this.opened : this.collapsed).delete(key);
    try {
      if (!isOpen) await this.store.load(node);
    } catch (error) {
      if (!(error instanceof server.Refused)) throw error;
      this.error = error.message;
    }
  }

  // -- exercises -----------------------------------------------------------------------------------

  setMode(mode) {
    this.pause();
    this.mode = mode;
    this.restart();
    address.write({ look: this.lookedAt, mode, random: this.random });
    this.draw();
  }

  restart() {
    this.marks.clear();
    this.answers.clear();
    this.checked = null;
  }

  mark(node) {
    const key = keyOf(node);
    if (!this.marks.delete(key)) this.marks.add(key);
    this.checked = null;
    this.draw();
  }

  answer(node, text) {
    this.answers.set(keyOf(node), text);
    if (this.checked) {
      this.checked = null;
      this.draw();
    }
  }

  check() {
    this.checked = this.mode === "prune" ? checkMarks(this.plain, this.store, this.marks) : checkValues(this.full, this.answers);
    this.draw();
  }

  /** Why there is no exercise with this tree; empty if there is. */
  get obstacle() {
    if (this.isGrowing) return "Monte Carlo tree search has no exercise; choose another search.";
    if (this.mode === "prune" && !PLAIN[this.lookedAt.algorithm]) return "This search cuts nothing; choose alpha-beta, Star1 for a tree with dice, or max^n with pruning.";
    if (!this.full) return "Please wait: the full tree is being recorded.";
    if (!this.full.isComplete || this.full.facts.nodes > EXERCISE || this.full.facts.end) return "This tree is too large for an exercise; choose a smaller one, or a smaller depth.";
    return "";
  }

  newTree(changes = {}) {
    const base = this.random ?? { levels: 2, branches: 3, kind: "max and min" };
    const seed = Math.floor(Math.random() * 1e6);
    const kindChanged = "kind" in changes;
    const algorithm = kindChanged || !this.random ? "auto" : this.lookedAt.algorithm;
    const wanted = { seed, levels: base.levels, branches: base.branches, kind: base.kind, ...changes };
    const other = "levels" in changes ? "branches" : "levels"; // the other one makes room
    while (wanted.branches ** wanted.levels > MOST_LEAVES) wanted[other] -= 1;
    return this.showRandomTree(wanted, algorithm);
  }

  // -- keys ----------------------------------------------------------------------------------------

  key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !this.store) return;
    if (this.root.querySelector("dialog[open]")) return;
    const isTyping = event.target.closest("input, select, textarea") && event.target.type !== "range";
    if (event.key === "/" && !isTyping) return this.type(event);
    if (isTyping || this.mode !== "watch") return;
    if (event.target.closest("input, [role=treeitem]") && ![" ", ",", ".", "Escape"].includes(event.key)) return;
    const keys = {
      ArrowRight: () => this.goTo(this.step + 1),
      ArrowLeft: () => this.goTo(this.step - 1),
      Escape: () => this.unselect(),
      ".": () => this.goTo(this.step + 1),
      ",": () => this.goTo(this.step - 1),
      Home: () => this.goTo(0),
      End: () => this.goTo(this.isGrowing ? this.step + 100 : this.last),
    };
    if (event.key === " " && !event.target.closest("button, a, summary, [role=treeitem]")) keys[" "] = () => this.play();
    if (keys[event.key]) {
      event.preventDefault();
      if (event.key !== " ") this.pause();
      keys[event.key]();
    }
  }

  /** Focus the field for the tree or the position; from a game, show a tree first. */
  async type(event = null) {
    event?.preventDefault();
    if (!event && this.lookedAt.game !== "tree") await this.look({ game: "tree", depth: null, algorithm: "auto" });
    const field = this.root.querySelector(".look textarea, .look input");
    field?.closest("details")?.setAttribute("open", "");
    field?.focus();
  }

  // -- drawing -------------------------------------------------------------------------------------

  draw() {
    render(this.view(), this.root);
    this.root.querySelector(":scope > .loading")?.remove();
    if (!this.store) return;
    this.drawTree();
    this.drawPlain();
    this.drawBoard();
  }

  drawTree() {
    const host = this.root.querySelector("#tree");
    if (this.tree?.host !== host) this.tree = new TreeView(host, "Search tree", this);
    host.style.visibility = this.mode !== "watch" && !this.full ? "hidden" : ""; // the tree with cuts shows the answers
    const isExercise = this.mode !== "watch" && !this.obstacle;
    const store = isExercise ? this.full : this.store;
    const style = !isExercise ? null : this.mode === "prune" ? markStyle(store, this.marks, this.checked?.verdicts) : valueStyle(store, this.answers, this.checked?.verdicts);
    this.tree.show(store, {
      step: isExercise ? store.facts.moments + 1 : this.step,
      isOpen: (node) => this.isOpen(store, node),
      isClosed: (node) => !isExercise && this.collapsed.has(keyOf(node)),
      canBeWhole: isExercise || this.isSmall(store),
      current: isExercise ? null : this.wayOf(store),
      selected: this.selected && !isExercise ? keyOf(this.selected) : null,
      style,
    });
  }

  /** The step of the search without cuts: the same number, or the end if this search has ended. */
  plainStep(step) {
    const { moments } = this.plain.facts;
    return step >= this.last ? moments : Math.min(step, moments);
  }

  async toggleSideBySide() {
    this.wantsSideBySide = !this.wantsSideBySide;
    await this.goTo(this.step);
  }

  drawPlain() {
    const host = this.root.querySelector("#plain");
    if (!host || !this.plain) return;
    if (this.plainTree?.host !== host) this.plainTree = new TreeView(host, "The same tree without cuts", { select() {}, mark() {}, answer() {} });
    const step = this.plainStep(this.step);
    const here = this.plain.byMoment.get(step - 1) ?? this.plain.root;
    const way = Object.assign(new Set(this.plain.way(here).map((one) => one.number)), { here: here.number });
    this.plainTree.show(this.plain, { step, isOpen: (node) => node.number === 0 || way.has(node.number), canBeWhole: this.isSmall(this.plain), current: way, selected: null });
    const scale = Math.min(this.tree.fit, this.plainTree.fit);
    for (const tree of [this.tree, this.plainTree]) tree.limitTo(scale);
  }

  drawBoard() {
    const host = this.root.querySelector(".board");
    if (!host || !this.position) return;
    if (this.board?.host !== host) this.board = new Board(host, { onMove() {}, onChoice() {} });
    this.board.show(this.position.board, false, `The board ${this.position.line.length ? `after ${this.position.line.join(" ")}` : "at the start of the search"}`);
  }

  /** The address of the page that plays the position. */
  get boardAddress() {
    const { game, options, position, moves } = this.lookedAt ?? { game: "tree" };
    if (game === "tree") return "/";
    return `/#${new URLSearchParams({ game, ...Object.fromEntries(Object.entries(options).map(([name, value]) => [`o.${name}`, value])), position, moves: moves.join(" ") })}`;
  }

  /** The search in a few words. */
  get summary() {
    if (!this.store) return "";
    const { game, depth, algorithm } = this.lookedAt;
    const plies = depth === null || algorithm === "mcts" ? "" : `, ${countText(depth, "move")} deep`;
    return `${this.nameOf(algorithm)} in ${game === "tree" ? "a tree" : this.store.facts.game}${plies}`;
  }

  view() {
    return html`
      <header class="head">
        <h1>Zermelo</h1>
        <p class="title" title=${this.summary}><b>Inside the search</b> ${this.summary}</p>
        <a class="button" href=${this.boardAddress} title="Play this position">Board</a>
        <button class="button bare icon" title="Link and text" aria-label="Link and text" @click=${() => this.dialogs.open("share")}>⇄</button>
        <button class="button bare icon" title="Light or dark" aria-label="Light or dark" @click=${() => nextTheme()}>◐</button>
        <button class="button bare icon" title="Signs and keys" aria-label="Signs and keys" @click=${() => this.dialogs.open("help")}>?</button>
      </header>
      <main class="table looking ${this.isSideBySide ? "twofold" : ""} ${this.store ? coloursOf(this.store.facts) : ""}">
        <section class="stage" aria-label="Search tree">
          ${lookCard(this)}
          ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : ""}
          ${this.waiting ? html`<p class="note" role="status">${this.waiting}</p>` : ""}
          ${this.notice ? html`<p class="note" role="status">${this.notice}</p>` : ""}
          ${this.store ? this.stage() : html`<p class="loading">${this.isBusy ? "Loading the tree …" : ""}</p>`}
        </section>
        <div class="side">
          ${this.store ? html`${nodeCard(this)} ${exerciseCard(this)} ${this.mode === "watch" || this.checked ? countsCard(this) : ""}` : ""}
        </div>
      </main>
      ${this.dialogs.view()}
    `;
  }

  /** Two trees side by side. */
  get isSideBySide() {
    return this.wantsSideBySide && Boolean(this.plain) && this.mode === "watch";
  }

  stage() {
    const { facts } = this.store;
    const caption = (name, { nodes }) => html`<figcaption>${this.titleOf(name)}: ${nodes.toLocaleString("en")} nodes</figcaption>`;
    return html`
      <div class="trees ${this.isBusy ? "busy" : ""}">
        <figure>
          ${this.isSideBySide ? caption(this.lookedAt.algorithm, facts) : ""}
          <div id="tree" class="canvas"></div>
          <div class="zooms">
            <button class="button icon" title="Zoom in" aria-label="Zoom in" @click=${() => this.tree.zoom(1.25)}>+</button>
            <button class="button icon" title="Zoom out" aria-label="Zoom out" @click=${() => this.tree.zoom(0.8)}>−</button>
            <button class="button icon" title="Show all" aria-label="Show all" @click=${() => this.tree.fitAll()}>⤢</button>
          </div>
        </figure>
        ${this.isSideBySide ? html`<figure>${caption(this.plain.look.algorithm, this.plain.facts)}<div id="plain" class="canvas"></div></figure>` : ""}
      </div>
      ${facts.end ? html`<p class="note end">${facts.end}</p>` : ""}
      ${this.mode === "watch" ? this.stepper() : ""}
    `;
  }

  nameOf(algorithm) {
    return this.store.facts.algorithms.find((one) => one.name === algorithm)?.title ?? algorithm;
  }

  titleOf(algorithm) {
    return capitalise(this.nameOf(algorithm));
  }

  stepper() {
    const { step, last, isGrowing } = this;
    const words = isGrowing ? this.store.describe() : describeStep(this.store, step);
    const tool = (label, sign, act, isOff) => html`<button class="button icon" title=${label} aria-label=${label} ?disabled=${isOff} @click=${() => { this.pause(); act(); }}>${sign}</button>`;
    const most = isGrowing ? Math.max(100, this.store.grown) : last;
    return html`
      <p class="narration" role="status">${words}</p>
      <div class="tools stepper">
        <div class="buttons">
          ${tool("First step", "⇤", () => this.goTo(0), step === 0)}
          ${tool("Back", "←", () => this.goTo(step - 1), step === 0)}
          <button class="button main play" aria-pressed=${this.isPlaying} @click=${() => this.play()}>${this.isPlaying ? "Pause" : "Play"}</button>
          ${tool("Forward", "→", () => this.goTo(step + 1), step >= last)}
          ${isGrowing
            ? html`${tool("A hundred simulations", "+100", () => this.goTo(step + 100), step >= last)} ${tool("Ten thousand simulations", "+10k", () => this.goTo(step + 10_000), step >= last)}`
            : tool("Last step", "⇥", () => this.goTo(last), step >= last)}
        </div>
        <input class="slider" type="range" min="0" max=${most} .value=${String(step)} aria-label=${isGrowing ? "Simulation" : "Step"} aria-valuetext="${step} of ${most}" @input=${(event) => { this.pause(); this.goTo(Number(event.target.value)); }}>
        <output class="count">${step.toLocaleString("en")} / ${(isGrowing ? this.store.grown : last).toLocaleString("en")}</output>
        <label class="pace"><span class="hidden-label">Pace</span>
          <select @change=${(event) => this.setPace(event.target.value)}>${Object.keys(PACES).map((pace) => html`<option value=${pace} ?selected=${pace === this.pace}>${pace}</option>`)}</select>
        </label>
      </div>`;
  }
}

const page = new Page(document.getElementById("page"));
page.begin().catch((error) => {
  page.error = error.message;
  page.draw();
  if (!(error instanceof server.Refused)) throw error;
});
