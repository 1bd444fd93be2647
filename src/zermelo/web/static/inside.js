// Inside the search: the tree of an algorithm, step by step; and the exercise to say beforehand what will be cut.

import { Cuts, Worths } from "./exercises.js";
import { FIRST_SHOWN, figure, firstOpen } from "./figure.js";
import { html } from "./vendor/lit-html.js";
import * as server from "./server.js";
import { Growth, mostVisited } from "./growth.js";
import { Story } from "./story.js";

const NAMES = {
  minimax: "minimax", alphabeta: "alpha-beta", quiescence: "quiescence", expectiminimax: "expectiminimax", star1: "Star1", star2: "Star2",
  maxn: "max^n", paranoid: "paranoid", expectimax: "expectimax", mcts: "Monte Carlo tree search",
};
const MOST_TO_MARK = 400; // nodes of a tree that somebody might do by hand
const FAVOURITES = ["alphabeta", "expectiminimax", "maxn", "expectimax"];
const nameOf = (algorithm) => NAMES[algorithm] ?? algorithm;

export class Inside {
  constructor(page) {
    this.page = page;
    this.isOpen = false;
    this.algorithm = null;
    this.depth = "3";
    this.simulations = 200;
    this.clear();
  }

  clear() {
    this.pause();
    this.found = this.story = this.exercise = null;
    this.step = -1;
    this.error = "";
    this.isBusy = false;
  }

  isGrowing() {
    return this.algorithm === "mcts";
  }

  toggle() {
    this.isOpen = !this.isOpen;
    if (this.isOpen && !this.found) this.show();
    this.page.draw();
  }

  /** The position has changed. */
  move() {
    if (this.found || this.error) {
      this.clear();
      if (this.isOpen) this.show();
    }
  }

  async show() {
    const { session } = this.page;
    const { algorithms } = session.game;
    if (!algorithms.includes(this.algorithm)) this.algorithm = FAVOURITES.find((one) => algorithms.includes(one));
    if (session.position.is_over || !this.algorithm) return;
    this.clear();
    this.isBusy = true;
    this.page.draw();
    const asked = (this.asked = Symbol("asked"));
    try {
      const isWhole = session.game.name === "tree" || this.depth === "";
      const wanted = { algorithm: this.algorithm, depth: isWhole ? null : Number(this.depth), simulations: this.simulations };
      const found = await server.inside(session.id, session.current, wanted);
      if (this.asked !== asked) return; // something else was asked for meanwhile
      this.found = found;
      this.story = this.isGrowing() ? new Growth(this.found) : new Story(this.found.tree);
      this.open = this.isGrowing() ? mostVisited(this.story, FIRST_SHOWN) : firstOpen(this.story);
      this.step = this.story.steps.length - 1;
    } catch (error) {
      if (!(error instanceof server.Refused)) throw error;
      if (this.asked !== asked) return;
      this.error = error.message;
    }
    this.isBusy = false;
    this.page.draw();
  }

  // -- stepping ------------------------------------------------------------------------------------

  go(step) {
    this.step = Math.max(-1, Math.min(step, this.story.steps.length - 1));
    const node = this.step < 0 ? this.story.root : this.story.steps[this.step].node;
    for (let one = node; one.parent !== null; one = this.story.nodes[one.parent]) this.open.add(one.parent);
    if (node.path.length) this.page.look(node.path);
    else this.page.lookBack();
    this.page.draw();
    this.page.root.querySelector(".tree .here")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** Step on by itself. */
  run() {
    if (this.step >= this.story.steps.length - 1) this.step = -1;
    this.running = setInterval(() => {
      this.go(this.step + 1);
      if (this.step >= this.story.steps.length - 1) this.pause();
    }, this.isGrowing() ? 120 : 700);
    this.page.draw();
  }

  pause() {
    clearInterval(this.running);
    this.running = null;
  }

  touch(node) {
    if (this.exercise) {
      this.exercise.touch(node);
    } else if (node.children.length) {
      if (this.open.has(node.number)) this.open.delete(node.number);
      else this.open.add(node.number);
    }
    this.page.draw();
  }

  key(event) {
    const ways = { ArrowLeft: this.step - 1, ArrowRight: this.step + 1, Home: -1, End: Infinity };
    if (event.key in ways && this.story && !this.exercise) {
      event.preventDefault();
      this.go(ways[event.key]);
    }
  }

  /** What will be cut, or what every node is worth. */
  startExercise(name) {
    this.pause();
    this.page.lookBack();
    const whole = new Story((this.found.plain ?? this.found).tree);
    this.exercise = name === "cuts" ? new Cuts(whole, this.story, nameOf(this.found.algorithm)) : new Worths(whole);
    this.page.draw();
  }

  endExercise() {
    this.exercise = null;
    this.page.draw();
  }

  // -- views ---------------------------------------------------------------------------------------

  view() {
    const { session } = this.page;
    if (!session.game.algorithms.length) return "";
    return html`<section class="card inside" aria-label="Inside the search">
      <header>
        <button class="button bare" aria-expanded=${this.isOpen} @click=${() => this.toggle()}><b>${this.isOpen ? "▾" : "▸"} Inside the search</b></button>
        ${this.isOpen ? this.choice() : ""}
      </header>
      ${this.isOpen ? this.content() : ""}
    </section>`;
  }

  choice() {
    const { session } = this.page;
    const again = () => this.show();
    return html`<span class="tools">
      <label class="switch">Algorithm
        <select @change=${(event) => { this.algorithm = event.target.value; again(); }}>
          ${session.game.algorithms.map((one) => html`<option value=${one} ?selected=${one === this.algorithm}>${nameOf(one)}</option>`)}
        </select>
      </label>
      ${this.isGrowing()
        ? html`<label class="switch">Simulations
            <select @change=${(event) => { this.simulations = Number(event.target.value); again(); }}>
              ${[20, 50, 200, 1000].map((one) => html`<option value=${one} ?selected=${one === this.simulations}>${one}</option>`)}
            </select>
          </label>`
        : session.game.name === "tree"
        ? ""
        : html`<label class="switch">Depth
            <select @change=${(event) => { this.depth = event.target.value; again(); }}>
              ${["1", "2", "3", "4", "5", "6", ""].map((one) => html`<option value=${one} ?selected=${one === this.depth}>${one || "to the end"}</option>`)}
            </select>
          </label>`}
    </span>`;
  }

  content() {
    const { session } = this.page;
    const typed = session.game.name === "tree" ? this.typedTree() : "";
    if (this.error) return html`${typed}<p class="error" role="alert">${this.error}</p>`;
    if (session.position.is_over) return html`${typed}<p class="note">The game is over here; there is nothing to search.</p>`;
    if (!this.found) return html`${typed}<p class="note">${this.isBusy ? "Looking inside …" : ""}</p>`;
    return html`${typed}${this.exercise ? this.exerciseView() : this.stepper()}`;
  }

  /** A lecture's tree, typed in. */
  typedTree() {
    const { session } = this.page;
    const text = session.options.text ?? session.game.parameters.find((one) => one.name === "text")?.value ?? "";
    const start = (event) => {
      event.preventDefault();
      const typed = event.target.elements.tree.value.trim();
      this.page.start({ game: session.game.key, options: { text: typed }, players: session.players.length === 2 ? session.players : [] }).catch((error) => {
        this.error = error.message;
        this.page.draw();
      });
    };
    return html`<form class="typed wide" @submit=${start}>
      <label class="hidden-label" for="tree-text">The tree as text</label>
      <input id="tree-text" class="field" name="tree" autocomplete="off" spellcheck="false" .value=${text}>
      <button class="button">Draw</button>
    </form>`;
  }

  counts() {
    const { found } = this;
    if (this.isGrowing()) return `${found.simulations.length} simulations, ${found.tree.length} nodes. Each node shows the mean of its games, each edge how often it was tried.`;
    const seen = `${nameOf(found.algorithm)} looks at ${found.nodes.toLocaleString("en")} nodes`;
    if (!found.plain) return `${seen}.`;
    const saved = Math.round(100 * (1 - found.nodes / found.plain.nodes));
    return `${seen}, ${nameOf(found.plain.algorithm)} at ${found.plain.nodes.toLocaleString("en")}: ${saved} % saved by ${found.cut} ${found.cut === 1 ? "cut" : "cuts"}.`;
  }

  stepper() {
    const { story, step } = this;
    const time = story.timeOf(step);
    const here = step < 0 ? null : story.steps[step].node;
    const isLast = step === story.steps.length - 1;
    const look = (node) => {
      if (this.isGrowing()) return this.lookAtGrowth(node, time, here);
      const seen = story.at(node, time);
      const isOn = here && (here === node || here.path.join("\0").startsWith([...node.path, ""].join("\0")));
      if (node.kind === "cut") return { text: seen.isCut ? node.reason : "", style: seen.isCut ? "severed" : "ghost", isSevered: seen.isCut };
      return {
        text: seen.isDone || seen.isSeen ? seen.value : "",
        window: node.window && seen.isSeen ? seen.window : null,
        style: [seen.isSeen ? "" : "ghost", isOn && !isLast ? "current" : "", here === node ? "here" : ""].join(" "),
      };
    };
    const tool = (label, sign, to, isOff) => html`<button class="button icon" title=${label} aria-label=${label} ?disabled=${isOff} @click=${() => this.go(to)}>${sign}</button>`;
    return html`
      <p class="effort">${this.counts()}</p>
      <div class="tools" @keydown=${(event) => this.key(event)}>
        ${tool("To the beginning of the search", "⇤", -1, step < 0)}
        ${tool("One step back", "←", step - 1, step < 0)}
        ${tool("One step on", "→", step + 1, isLast)}
        ${tool("To the end of the search", "⇥", Infinity, isLast)}
        <button class="button" @click=${() => (this.running ? (this.pause(), this.page.draw()) : this.run())}>${this.running ? "Pause" : "Run"}</button>
        <label class="switch"><span class="hidden-label">Step</span>
          <input type="range" min="-1" max=${story.steps.length - 1} .value=${String(step)} @input=${(event) => this.go(Number(event.target.value))}>
        </label>
        <span class="note">step ${step + 1} of ${story.steps.length}</span>
        <span class="gap"></span>
        ${this.exercises().map(([name, title]) => html`<button class="button" @click=${() => this.startExercise(name)}>${title}</button>`)}
      </div>
      <p class="sentence" role="status">${story.sentence(step)}</p>
      <div class="canvas" tabindex="0" role="group" aria-label="The tree" @keydown=${(event) => this.key(event)}>${figure(story, this.open, look, (node) => this.touch(node), "Search tree", this.isGrowing() ? (node) => story.isThere(node, time) : undefined)}</div>`;
  }

  lookAtGrowth(node, time, here) {
    const isOn = here && (here === node || here.path.join("\0").startsWith([...node.path, ""].join("\0")));
    const times = this.story.visits(node, time);
    const edge = [node.move, node.chance, `×${times}`].filter(Boolean).join(" ");
    return { text: this.story.mean(node, time), edge, style: [isOn ? "current" : "", here === node ? "here" : ""].join(" ") };
  }

  /** The exercises that make sense for this tree. */
  exercises() {
    const { found } = this;
    const size = (found.plain ?? found).tree.length;
    if (this.isGrowing() || size > MOST_TO_MARK) return [];
    const cuts = found.plain && found.cut ? [["cuts", "Exercise: what is cut?"]] : [];
    return [...cuts, ["worths", "Exercise: values"]];
  }

  exerciseView() {
    const { exercise } = this;
    const draw = () => this.page.draw();
    return html`
      <p class="sentence">${exercise.question}</p>
      <div class="tools">
        ${exercise.field?.(draw) ?? ""}
        <button class="button main" @click=${() => { exercise.check(); draw(); }}>Check</button>
        <button class="button" @click=${() => this.endExercise()}>Back to the search</button>
        ${exercise.verdict ? html`<span role="status"><b>${exercise.verdict}</b></span>` : ""}
      </div>
      ${exercise.remarks.length ? html`<ul class="remarks">${exercise.remarks.map((one) => html`<li>${one}</li>`)}</ul>` : ""}
      <div class="canvas" tabindex="0" role="group" aria-label="The tree">${figure(exercise.story, exercise.open, (node) => exercise.look(node), (node) => this.touch(node), "The tree of the exercise")}</div>`;
  }
}
