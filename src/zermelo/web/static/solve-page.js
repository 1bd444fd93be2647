// Solving a game: the page that asks the server, shows the curve while it computes, and then the strategy.

import { optionsText } from "./address.js";
import { withChecked, withValue } from "./fields.js";
import { preferences } from "./help-dialogs.js";
import { applyTheme } from "./preferences.js";
import * as server from "./server.js";
import { openDialog, pageHead } from "./shell.js";
import { METHODS, parse, text as addressText, USUAL } from "./solve-address.js";
import { describeRow } from "./solve-rows.js";
import { strategyTable } from "./solve-table.js";
import { html, render } from "./vendor/lit-html.js";
import { live } from "./vendor/directives/live.js";

/**
 * @import { CurveBeside, GameFacts, Parameter, SolutionView, SolvingCurve, SolvingNews } from "../types/messages.js"
 * @import { FullSolve } from "./solve-address.js"
 * @import { Filter } from "./solve-rows.js"
 */

export class SolvePage {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {GameFacts[]} */
    this.games = [];
    /** @type {FullSolve} */
    this.wanted = { game: USUAL, options: {}, method: "auto" };
    /** @type {SolvingCurve | null} */
    this.curve = null;
    /** @type {CurveBeside[]} the curves of other methods for the same game */
    this.beside = [];
    /** @type {SolutionView | null} */
    this.solution = null;
    /** @type {AbortController | null} */
    this.running = null;
    this.error = this.progress = "";
    /** @type {Filter} */
    this.filter = { player: null, words: "" };
    /** @type {number | null} */
    this.selected = null;
    this.dialogs = { open: (/** @type {string} */ name) => openDialog(this, name) };
    applyTheme();
    window.addEventListener("hashchange", () => this.arrive());
  }

  async begin() {
    this.arrive();
    this.games = (await server.games()).filter((game) => game.hidden);
    this.draw();
  }

  /** Solve what the address says. */
  arrive() {
    this.beside = [];
    this.wanted = parse(location.hash.slice(1));
    this.solve();
  }

  // -- solving -------------------------------------------------------------------------------------

  async solve() {
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    this.error = "";
    this.progress = "Solving …";
    this.curve = this.solution = this.selected = null;
    this.filter = { player: null, words: "" };
    history.replaceState(null, "", `#${addressText(this.wanted)}`);
    this.draw();
    try {
      await server.follow(
        "solve",
        { ...this.wanted, beside: this.beside },
        running.signal,
        (/** @type {SolvingNews} */ news) => {
          if (this.running === running) this.hear(news);
        },
      );
    } catch (error) {
      if (this.running === running && !running.signal.aborted) this.error = server.messageOf(error);
    }
    if (this.running !== running) return;
    this.running = null;
    this.progress = "";
    this.draw();
  }

  /** @param {SolvingNews} news */
  hear(news) {
    if (news.error) this.error = news.error;
    if (news.preparing) this.progress = "Compiling the rules, once …";
    if (news.waiting !== undefined) this.progress = "Waiting for a free worker …";
    if (news.analysis) {
      this.curve = news.analysis;
      this.progress = "Minimising regrets …";
    }
    if (news.done) this.solution = this.curve = news.done;
    this.draw();
  }

  stop() {
    this.running?.abort();
    this.running = null;
    this.progress = "";
    this.draw();
  }

  /** @param {Partial<FullSolve>} change */
  change(change) {
    this.keepCurve();
    this.wanted = { ...this.wanted, ...change };
    const curve = curveOf(this.wanted.method);
    this.beside = change.method ? this.beside.filter(({ method }) => method !== curve) : [];
    this.solve();
  }

  /** Keep the curve, to draw it beside that of another method. */
  keepCurve() {
    const method = curveOf(this.wanted.method);
    const points = this.curve?.points ?? [];
    if (method && points.length) this.beside = [{ method, points }, ...this.beside];
  }

  alone() {
    this.beside = [];
    this.solve();
  }

  /** @param {number} place */
  select(place) {
    this.selected = this.selected === place ? null : place;
    this.draw();
  }

  // -- drawing -------------------------------------------------------------------------------------

  draw() {
    this.root.querySelector(":scope > .loading")?.remove();
    render(this.view(), this.root);
    const chart = this.root.querySelector(".curve-room");
    const drawn = this.curve?.chart ?? "";
    if (chart && chart.innerHTML !== drawn) chart.innerHTML = drawn;
  }

  view() {
    const title = this.solution?.title ?? this.games.find(({ key }) => key === this.wanted.game)?.title ?? "";
    return html`
      ${pageHead(this, {
        middle: html`<p class="title"><b>Solve a game</b> ${title}</p>
        <a class="button" href=${`/inside/cfr#${addressText({ game: this.wanted.game, options: this.wanted.options })}`}>Look inside</a>
        <a class="button" href=${`/#${optionsText(this.wanted.game, this.wanted.options)}`}>Play</a>`,
      })}
      <main class="table solving" tabindex="-1">
        <section class="stage" aria-label="Game">
          ${this.form()}
          ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : ""}
          ${this.progress ? html`<p class="note" role="status">${this.progress}</p>` : ""}
          ${this.solution ? this.strategy(this.solution) : ""}
        </section>
        <div class="side">
          ${this.solution ? this.result(this.solution) : ""}
          <section class="card" aria-label="Exploitability">
            <h2>Exploitability</h2>
            <div class="curve-room"></div>
            ${this.beside.length && !this.running ? html`<button class="button" @click=${() => this.alone()}>Only this method</button>` : ""}
            <p class="note">${this.curve?.points.length ? "What a best answer to the strategies gains on average. At 0 they are an equilibrium." : this.progress ? "The curve begins in a moment." : this.error ? "" : "This method has no curve: it solves the game at once."}</p>
          </section>
        </div>
      </main>
      ${preferences(this)}`;
  }

  form() {
    const game = this.games.find(({ key }) => key === this.wanted.game);
    return html`<form class="card solve-form" @submit=${(/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      this.solve();
    }}>
      <label><span>Game</span><select @change=${withValue((key) => this.change({ game: key, options: {} }))}>
        ${this.games.map(({ key, title }) => html`<option value=${key} .selected=${live(key === this.wanted.game)}>${title}</option>`)}
      </select></label>
      ${(game?.parameters ?? []).map((parameter) => this.option(parameter))}
      <label><span>Method</span><select @change=${withValue((method) => this.change({ method: /** @type {FullSolve["method"]} */ (method) }))}>
        ${METHODS.map(([name, title]) => html`<option value=${name} .selected=${live(name === this.wanted.method)}>${title}</option>`)}
      </select></label>
      ${this.running ? html`<button type="button" class="button" @click=${() => this.stop()}>Stop</button>` : html`<button class="button main">Solve again</button>`}
    </form>`;
  }

  /** @param {Parameter} parameter */
  option({ name, label, kind, value }) {
    const now = this.wanted.options[name] ?? value;
    const choose = (/** @type {string} */ text) => this.change({ options: { ...this.wanted.options, [name]: text } });
    if (kind === "switch")
      return html`<label class="switch"><input type="checkbox" .checked=${live(now === "true")} @change=${withChecked((isOn) => choose(String(isOn)))}> ${label}</label>`;
    const isNumber = kind === "whole" || kind === "number";
    return html`<label><span>${label}</span><input class="field" type=${isNumber ? "number" : "text"} step=${kind === "whole" ? "1" : "any"} autocomplete="off" spellcheck="false" .value=${live(now)} @change=${withValue(choose)}></label>`;
  }

  /** @param {SolutionView} solution */
  result(solution) {
    const { value, about, kind, method, exploitability, sets, iterations, seconds, sentences } = solution;
    return html`<section class="card" aria-label="Value">
      <h2>Value</h2>
      <p class="verdict"><span class="value"><span class="kind ${kind}">${value}</span></span> <span class="proof">${about}</span></p>
      <p class="effort">${method} · ${sets.toLocaleString("en")} information sets${iterations ? ` · ${iterations.toLocaleString("en")} iterations` : ""} · ${seconds.toFixed(2)} s · exploitability ${exploitability < 1e-12 ? "0" : exploitability.toExponential(1)}</p>
      ${sentences.map((one) => html`<p class="bluffs">${one}</p>`)}
    </section>`;
  }

  /** @param {SolutionView} solution */
  strategy(solution) {
    const { rows, sets, seats } = solution;
    const set = (/** @type {Partial<Filter>} */ change) => {
      this.filter = { ...this.filter, ...change };
      this.draw();
    };
    const players = [null, ...seats.keys()];
    const row = this.selected === null ? null : rows[this.selected];
    return html`<section class="card" aria-label="Strategy table">
      <header><h2>Strategy</h2>
        <span class="segments" role="group" aria-label="Rows of">${players.map((player) => html`<button class="button" aria-pressed=${this.filter.player === player} @click=${() => set({ player })}>${player === null ? "All" : seats[player]}</button>`)}</span>
        <label><span class="hidden-label">Find information sets</span><input class="field" type="search" placeholder="Find, for example: J or bluff" autocomplete="off" spellcheck="false" .value=${live(this.filter.words)} @input=${withValue((words) => set({ words }))}></label>
      </header>
      ${strategyTable(solution, this.filter, this.selected, (place) => this.select(place))}
      <p class="note" role="status">${row ? describeRow(row, seats[row.player]) : rows.length < sets ? `The first ${rows.length.toLocaleString("en")} of ${sets.toLocaleString("en")} information sets. Click one for details.` : "Click an information set for details."}</p>
    </section>`;
  }
}

/**
 * The method whose curve is drawn: the linear programme has none.
 * @param {FullSolve["method"]} method
 * @returns {CurveBeside["method"] | null}
 */
function curveOf(method) {
  if (method === "lp") return null;
  return method === "auto" ? "cfr+" : method;
}

const page = new SolvePage(/** @type {HTMLElement} */ (document.getElementById("page")));
page.begin().catch((error) => {
  page.error = server.messageOf(error);
  page.draw();
});
