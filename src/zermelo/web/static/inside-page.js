// Inside the search: the page, what it asks the server for, and what it draws.

import * as address from "./inside-address.js";
import { Board } from "./board.js";
import { Dialogs } from "./inside-dialogs.js";
import { keyHandler } from "./inside-keys.js";
import { Player } from "./inside-player.js";
import { isSmall, OpenSearch, wayAt } from "./inside-search.js";
import * as server from "./inside-server.js";
import { keyOf } from "./inside-store.js";
import { newRandomTree, Task } from "./inside-tasks.js";
import { TreeView } from "./inside-tree.js";
import { pageView, summary } from "./inside-view.js";
import { fileName, svgText } from "./svg-text.js";
import { applyTheme } from "./preferences.js";
import { render } from "./vendor/lit-html.js";

/**
 * @import { GameFacts, Look, TreeText } from "../types/messages.js"
 * @import { FullLook, Mode } from "./inside-address.js"
 * @import { TreeActions } from "./inside-tree.js"
 * @import { Random } from "./inside-tasks.js"
 * @import { Shown } from "./inside-spots.js"
 * @import { Store } from "./inside-store.js"
 */

const USUAL_DEPTH = 3;
const USUAL_TREE = "max(min(3 12 8) min(2 4 6) min(14 5 2))";
const PATIENCE = 1500; // milliseconds before the page shows what it waits for
const WAITING =
  "Recording the search … The first large search of a game takes a few seconds longer, because it is compiled.";

/** @type {TreeActions} of the tree without cuts */
const NO_ACTIONS = { select() {}, mark() {}, answer() {} };

export class InsidePage {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.dialogs = new Dialogs(this);
    this.player = new Player(() => this.draw());
    this.task = new Task("watch");
    /** @type {OpenSearch | null} */
    this.search = null;
    /** @type {Random | null} */
    this.random = null;
    this.error = this.notice = this.waiting = "";
    /** @type {TreeText[]} */
    this.examples = [];
    /** @type {GameFacts[]} */
    this.games = [];
    this.isBusy = false;
    /** @type {FullLook | null} */
    this.draft = null; // what the form shows: also a search that was refused
    /** @type {FullLook | null} */
    this.requested = null;
    /** @type {Look["algorithm"] | null} */
    this.chosenAlgorithm = null; // by the user
    this.waitingTimer = 0;
    /** @type {TreeView | null} */
    this.tree = null;
    /** @type {TreeView | null} */
    this.plainTree = null;
    /** @type {Board | null} */
    this.board = null;
    applyTheme();
    document.addEventListener("keydown", keyHandler(this));
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
    const { look, mode, random } = address.read();
    this.task = new Task(mode);
    if (random) await this.showRandomTree(random, look.algorithm);
    else await this.look(look);
  }

  // -- the search ----------------------------------------------------------------------------------

  /**
   * Show a search; a search that does not fit the game is replaced by one that does.
   *
   * @param {Partial<FullLook> & Pick<FullLook, "game" | "algorithm" | "depth">} look
   * @param {Random | null} random
   */
  async look(look, random = null) {
    const wanted = completed(look);
    this.player.pause(this.search);
    this.requested = this.draft = wanted;
    this.isBusy = true;
    this.error = this.notice = "";
    clearTimeout(this.waitingTimer);
    this.waitingTimer = setTimeout(() => this.showWaiting(wanted), PATIENCE);
    this.draw();
    try {
      const facts = await this.open(wanted);
      if (this.requested !== wanted) return;
      this.enter({ ...wanted, algorithm: /** @type {Look["algorithm"]} */ (facts.algorithm) }, facts, random);
    } catch (error) {
      if (this.requested !== wanted) return;
      this.notice = "";
      this.fail(error);
    }
    this.isBusy = false;
    clearTimeout(this.waitingTimer);
    this.waiting = "";
    this.draw();
  }

  /** @param {FullLook} wanted */
  async open(wanted) {
    try {
      return await server.open(wanted);
    } catch (error) {
      if (!(error instanceof server.Refused) || error.status !== 400 || wanted.algorithm === "auto") throw error;
      this.notice = error.message;
      return await server.open({ ...wanted, algorithm: "auto" });
    }
  }

  /** @param {FullLook} wanted */
  showWaiting(wanted) {
    if (this.requested !== wanted || !this.isBusy) return;
    this.waiting = WAITING;
    this.draw();
  }

  /**
   * Show why a request was refused.
   *
   * @param {unknown} error
   */
  fail(error) {
    if (!(error instanceof server.Refused)) throw error;
    this.error = error.message;
    this.player.pause(this.search);
    this.draw();
  }

  /**
   * @param {FullLook} look
   * @param {Awaited<ReturnType<typeof server.open>>} facts
   * @param {Random | null} random
   */
  enter(look, facts, random) {
    const before = this.search;
    const search = new OpenSearch(look, facts, this);
    search.wantsPlain = before?.wantsPlain ?? false;
    this.search = search;
    this.random = random;
    this.draft = look;
    this.task = new Task(search.growth ? "watch" : this.task.mode);
    address.write({ look, mode: this.task.mode, random });
    search.loadPlain().catch((error) => {
      if (this.search !== search) return;
      this.task = new Task("watch");
      this.notice = server.messageOf(error);
      this.draw();
    });
    search.goTo(search.growth ? 0 : Math.min(1, search.last));
  }

  /**
   * @param {Random} random
   * @param {Look["algorithm"]} algorithm
   */
  async showRandomTree(random, algorithm = "auto") {
    try {
      const tree = await server.random(random);
      const usual = /** @type {Look["algorithm"]} */ (tree.algorithm);
      const look = { game: "tree", options: { text: tree.text }, depth: null };
      await this.look({ ...look, algorithm: algorithm === "auto" ? usual : algorithm }, random);
    } catch (error) {
      this.fail(error);
    }
  }

  /** @param {Partial<Random>} changes */
  newTree(changes = {}) {
    const keeps = this.random && !("kind" in changes);
    return this.showRandomTree(
      newRandomTree(this.random, changes),
      keeps ? (this.search?.look.algorithm ?? "auto") : "auto",
    );
  }

  /**
   * Change the current search: its algorithm, depth, game or options.
   *
   * @param {Partial<FullLook>} changes
   */
  change(changes) {
    const base = this.draft ?? this.search?.look;
    if (!base) return;
    const isOther = "options" in changes || "game" in changes;
    if (changes.algorithm) this.chosenAlgorithm = changes.algorithm;
    const algorithm = isOther ? (this.chosenAlgorithm ?? "auto") : base.algorithm; // not a replacement for it
    this.look({ ...base, algorithm, ...changes }, isOther ? null : this.random);
  }

  // -- actions -------------------------------------------------------------------------------------

  /** @param {number} step */
  goTo(step) {
    this.player.pause(this.search);
    this.search?.goTo(step);
  }

  /** @param {Mode} mode */
  setMode(mode) {
    if (!this.search) return;
    this.player.pause(this.search);
    this.task = new Task(mode);
    address.write({ look: this.search.look, mode, random: this.random });
    this.draw();
  }

  check() {
    const given = this.search && this.task.given(this.search);
    if (given) this.task.check(given);
    this.draw();
  }

  toggleSideBySide() {
    const { search } = this;
    if (!search) return;
    search.wantsPlain = !search.wantsPlain;
    search.goTo(search.step);
  }

  /** Focus the field for the tree or the position; from a game, show a tree first. */
  async typeTree() {
    if (this.search?.look.game !== "tree") await this.look({ game: "tree", depth: null, algorithm: "auto" });
    this.focusField();
  }

  focusField() {
    /** @type {HTMLElement | null} */
    const field = this.root.querySelector(".look textarea, .look input");
    field?.closest("details")?.setAttribute("open", "");
    field?.focus();
  }

  /** The drawn tree as a picture. */
  picture() {
    const { search, tree } = this;
    if (!search || !tree) throw new Error("there is no tree yet");
    const { look, store, step } = search;
    const title = `${summary(search, this.games)}, step ${step}`;
    const place = look.game === "tree" ? "tree" : store.facts.game;
    const name = fileName(look.algorithm, place, this.task.exercise ? "exercise" : `step ${step}`);
    return { svg: tree.withPicture((drawing) => svgText(drawing, title)), name };
  }

  /** Whether two trees are side by side. */
  get isSideBySide() {
    return Boolean(this.search?.wantsPlain && this.search.plain) && this.task.mode === "watch";
  }

  // -- drawing -------------------------------------------------------------------------------------

  draw() {
    render(pageView(this), this.root);
    this.root.querySelector(":scope > .loading")?.remove();
    const { search } = this;
    if (!search) return;
    this.drawTree(search);
    if (this.isSideBySide && search.plain) this.drawPlain(search, search.plain);
    this.drawBoard(search);
  }

  /** @param {OpenSearch} search */
  drawTree(search) {
    const host = /** @type {HTMLElement} */ (this.root.querySelector("#tree"));
    host.style.visibility = this.task.mode !== "watch" && !search.full ? "hidden" : ""; // the tree with cuts shows the answers
    const shown = this.shownTree(search);
    if (this.tree?.host !== host) {
      this.tree = new TreeView(host, "Search tree", this.treeActions(), shown);
      this.tree.onResize();
    } else this.tree.show(shown);
  }

  /** @returns {TreeActions} */
  treeActions() {
    return {
      select: (node) => this.search?.select(node, this.tree?.spots.isOpen(node) ?? false),
      mark: (node) => {
        this.task.mark(node);
        this.draw();
      },
      answer: (node, text) => {
        if (this.task.answer(node, text)) this.draw();
      },
    };
  }

  /**
   * @param {OpenSearch} search
   * @returns {Shown}
   */
  shownTree(search) {
    const { exercise, answers, checked } = this.task;
    const given = this.task.given(search);
    if (exercise && given)
      return {
        store: given.full,
        step: given.full.facts.moments + 1,
        isOpen: (node) => search.isOpen(node),
        canBeWhole: true,
        current: null,
        selected: null,
        style: exercise.styleOf(given, answers, checked?.verdicts),
      };
    return {
      store: search.store,
      step: search.step,
      isOpen: (node) => search.isOpen(node),
      isClosed: (node) => search.collapsed.has(keyOf(node)),
      canBeWhole: isSmall(search.store),
      current: search.way,
      selected: search.selected ? keyOf(search.selected) : null,
    };
  }

  /**
   * @param {OpenSearch} search
   * @param {Store} plain
   */
  drawPlain(search, plain) {
    const host = /** @type {HTMLElement} */ (this.root.querySelector("#plain"));
    const step = search.plainStep(plain);
    const current = wayAt(plain, step);
    /** @type {Shown} */
    const shown = {
      store: plain,
      step,
      isOpen: (node) => node.number !== null && current.numbers.has(node.number),
      canBeWhole: isSmall(plain),
      current,
      selected: null,
    };
    if (this.plainTree?.host !== host) {
      this.plainTree = new TreeView(host, "The same tree without cuts", NO_ACTIONS, shown);
      this.plainTree.onResize();
    } else this.plainTree.show(shown);
    if (!this.tree) return;
    const scale = Math.min(this.tree.fit, this.plainTree.fit);
    for (const tree of [this.tree, this.plainTree]) tree.limitTo(scale);
  }

  /** @param {OpenSearch} search */
  drawBoard({ position }) {
    /** @type {HTMLElement | null} */
    const host = this.root.querySelector(".board");
    if (!host || !position) return;
    if (this.board?.host !== host) this.board = new Board(host, { onMove() {}, onChoice() {} });
    const where = position.line.length ? `after ${position.line.join(" ")}` : "at the start of the search";
    this.board.show(position.board, { isOpen: false, label: `The board ${where}` });
  }
}

/**
 * A whole request: the fields that are missing have their usual values.
 *
 * @param {Partial<FullLook> & Pick<FullLook, "game" | "algorithm" | "depth">} look
 * @returns {FullLook}
 */
function completed(look) {
  const wanted = { position: "", moves: [], options: {}, seed: 0, ...look };
  if (wanted.game === "tree" && !wanted.options.text) wanted.options = { text: USUAL_TREE };
  if (wanted.game !== "tree" && wanted.depth === null && wanted.algorithm !== "mcts") wanted.depth = USUAL_DEPTH;
  return wanted;
}

const page = new InsidePage(/** @type {HTMLElement} */ (document.getElementById("page")));
page.begin().catch((error) => {
  page.error = server.messageOf(error);
  page.draw();
  if (!(error instanceof server.Refused)) throw error;
});
