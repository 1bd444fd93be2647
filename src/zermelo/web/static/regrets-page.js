// Inside regret minimisation: Kuhn's information sets with regrets and strategies, step by step, and an exercise.

import { withChecked, withValue } from "./fields.js";
import { check, questionOf } from "./exercise-regrets.js";
import { PACES } from "./inside-player.js";
import { preferences } from "./help-dialogs.js";
import { applyTheme, loadPreference, savePreference } from "./preferences.js";
import { describeStep, learnedAt, numberText } from "./regrets-steps.js";
import * as server from "./server.js";
import { openDialog, pageHead } from "./shell.js";
import { parse, text as addressText } from "./solve-address.js";
import { html, render } from "./vendor/lit-html.js";
import { live } from "./vendor/directives/live.js";

/**
 * @import { LearningRecord } from "../types/messages.js"
 * @import { Verdict } from "./exercise-regrets.js"
 * @import { SetState } from "./regrets-steps.js"
 */

const ITERATIONS = 30;

class RegretsPage {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {LearningRecord | null} */
    this.record = null;
    this.plus = false;
    this.step = 0;
    this.isPlaying = false;
    this.timer = 0;
    this.pace = loadPreference("inside-pace", "steady");
    this.mode = "watch";
    this.question = 0;
    /** @type {string[]} */
    this.answers = [];
    /** @type {Verdict[] | null} */
    this.verdicts = null;
    this.error = "";
    this.dialogs = { open: (/** @type {string} */ name) => openDialog(this, name) };
    applyTheme();
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.arrive());
  }

  async arrive() {
    const query = new URLSearchParams(location.hash.slice(1));
    const { game, options } = parse(location.hash.slice(1));
    this.plus = query.get("plus") === "1";
    this.mode = query.get("mode") === "exercise" ? "exercise" : "watch";
    this.question = Number(query.get("seed")) || 0;
    this.pause();
    this.error = "";
    this.draw();
    try {
      this.record = await server.regrets({ game, options, iterations: ITERATIONS, plus: this.plus });
      this.step = 0;
      this.ask(this.question);
    } catch (error) {
      this.error = server.messageOf(error);
      this.draw();
    }
  }

  /** @param {Record<string, string>} change */
  go(change) {
    const query = new URLSearchParams(location.hash.slice(1));
    for (const [name, value] of Object.entries(change)) query.set(name, value);
    location.hash = query.toString();
  }

  // -- steps ---------------------------------------------------------------------------------------

  get last() {
    return this.record?.steps.length ?? 0;
  }

  /** @param {number} step */
  goTo(step) {
    this.step = Math.max(0, Math.min(this.last, step));
    this.draw();
  }

  pause() {
    clearTimeout(this.timer);
    this.isPlaying = false;
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else {
      this.isPlaying = true;
      if (this.step >= this.last) this.step = 0;
      this.tick();
    }
    this.draw();
  }

  tick() {
    if (!this.isPlaying) return;
    this.goTo(this.step + 1);
    if (this.step >= this.last) this.pause();
    else this.timer = setTimeout(() => this.tick(), PACES[this.pace] ?? PACES.steady);
    this.draw();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || this.mode !== "watch") return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.closest("input, select, textarea")) return;
    if (event.key === " " && target.closest("button, a, summary")) return;
    const sets = this.record?.sets.length ?? 1;
    /** @type {Record<string, () => void>} */
    const acts = {
      ArrowRight: () => this.goTo(this.step + 1),
      ArrowLeft: () => this.goTo(this.step - 1),
      ".": () => this.goTo(this.step + 1),
      ",": () => this.goTo(this.step - 1),
      PageDown: () => this.goTo(this.step + sets),
      PageUp: () => this.goTo(this.step - sets),
      Home: () => this.goTo(0),
      End: () => this.goTo(this.last),
      " ": () => this.toggle(),
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    if (event.key !== " ") this.pause();
    acts[event.key]();
  }

  // -- the exercise --------------------------------------------------------------------------------

  /** @param {number} number */
  ask(number) {
    this.question = number;
    this.answers = [];
    this.verdicts = null;
    this.draw();
  }

  /** @param {SubmitEvent} event */
  check(event) {
    event.preventDefault();
    if (this.record) this.verdicts = check(questionOf(this.record, this.question), this.answers);
    this.draw();
  }

  // -- drawing -------------------------------------------------------------------------------------

  draw() {
    this.root.querySelector(":scope > .loading")?.remove();
    render(this.view(), this.root);
  }

  view() {
    const { record } = this;
    const { game, options } = parse(location.hash.slice(1));
    return html`
      ${pageHead(this, {
        middle: html`<p class="title"><b>Inside regrets</b> ${record?.title ?? ""}</p>
        <a class="button" href=${`/solve#${addressText({ game, options })}`}>Solve</a>`,
      })}
      <main class="table looking regrets" tabindex="-1">
        <section class="stage" aria-label="Information sets">
          <div class="card row">
            <span class="segments" role="group" aria-label="What to do">
              <button class="button" aria-pressed=${this.mode === "watch"} @click=${() => this.go({ mode: "watch" })}>Watch</button>
              <button class="button" aria-pressed=${this.mode === "exercise"} @click=${() => this.go({ mode: "exercise" })}>What comes next?</button>
            </span>
            <label class="switch"><input type="checkbox" .checked=${live(this.plus)} @change=${withChecked((isOn) => this.go({ plus: isOn ? "1" : "0" }))}> CFR+ (negative regrets are forgotten)</label>
          </div>
          ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : ""}
          ${record ? (this.mode === "watch" ? this.watch(record) : this.exercise(record)) : html`<p class="note" role="status">${this.error ? "" : "Recording …"}</p>`}
        </section>
        <div class="side">${record && this.mode === "watch" ? this.beside(record) : ""}</div>
      </main>
      ${preferences(this)}`;
  }

  /** @param {LearningRecord} record */
  watch(record) {
    const learned = learnedAt(record, this.step);
    const current = record.steps[this.step - 1]?.set;
    /** @type {(label: string, sign: string, wanted: number, isOff: boolean) => unknown} */
    const tool = (label, sign, wanted, isOff) =>
      html`<button class="button icon" title=${label} aria-label=${label} ?disabled=${isOff} @click=${() => {
        this.pause();
        this.goTo(wanted);
      }}>${sign}</button>`;
    const sets = record.sets.length;
    return html`
      <div class="card"><div class="strategy-room" tabindex="0" role="region" aria-label="Regrets and strategies">
        <table class="strategy">
          <thead><tr><th scope="col">Player</th><th scope="col">Knows</th><th scope="col">Move</th><th scope="col">Regret</th><th scope="col">Plays next</th><th scope="col">On average</th></tr></thead>
          ${record.sets.map((set, place) => this.rows(record, place, learned[place], place === current, set.moves))}
        </table>
      </div></div>
      <p class="narration" role="status">${describeStep(record, this.step)}</p>
      <div class="tools stepper">
        <div class="buttons">
          ${tool("First step", "⇤", 0, this.step === 0)}
          ${tool("An iteration back", "↞", this.step - sets, this.step === 0)}
          ${tool("Back", "←", this.step - 1, this.step === 0)}
          <button class="button main play" aria-pressed=${this.isPlaying ? "true" : "false"} @click=${() => this.toggle()}>${this.isPlaying ? "Pause" : "Play"}</button>
          ${tool("Forward", "→", this.step + 1, this.step >= this.last)}
          ${tool("An iteration forward", "↠", this.step + sets, this.step >= this.last)}
          ${tool("Last step", "⇥", this.last, this.step >= this.last)}
        </div>
        <input class="slider" type="range" min="0" max=${this.last} .value=${live(String(this.step))} aria-label="Step" aria-valuetext="${this.step} of ${this.last}" @input=${withValue(
          (value) => {
            this.pause();
            this.goTo(Number(value));
          },
        )}>
        <output class="count">${this.step} / ${this.last}</output>
        <label class="pace"><span class="hidden-label">Pace</span>
          <select @change=${withValue((pace) => {
            this.pace = pace;
            savePreference("inside-pace", pace);
          })}>${Object.keys(PACES).map((pace) => html`<option value=${pace} ?selected=${pace === this.pace}>${pace}</option>`)}</select>
        </label>
      </div>`;
  }

  /**
   * @param {LearningRecord} record
   * @param {number} place
   * @param {SetState} state
   * @param {boolean} isCurrent
   * @param {string[]} moves
   */
  rows(record, place, { regrets, strategy, average }, isCurrent, moves) {
    const { player, view } = record.sets[place];
    const most = Math.max(0.5, ...learnedAt(record, this.step).flatMap((one) => one.regrets.map(Math.abs)));
    return html`<tbody class=${isCurrent ? "selected" : ""} aria-current=${isCurrent ? "step" : "false"}>${moves.map(
      (move, at) => html`<tr>
        ${at === 0 ? html`<th scope="rowgroup" rowspan=${moves.length}><span class="dot owner-${player}"></span> <span class="seat-name">${record.seats[player]}</span></th><th scope="rowgroup" rowspan=${moves.length}>${view}</th>` : ""}
        <td>${move}</td>
        <td>${regretBar(regrets[at], most)}</td>
        <td>${shareBar(strategy[at])}</td>
        <td>${shareBar(average[at])}</td>
      </tr>`,
    )}</tbody>`;
  }

  /** @param {LearningRecord} record */
  beside(record) {
    const iteration = record.steps[this.step - 1]?.iteration ?? 0;
    const done = Math.floor(this.step / record.sets.length);
    const gain = record.exploitability[done - 1];
    const now = this.step ? ["regret", "match"] : ["begin"];
    return html`
      <section class="card" aria-label="Progress"><h2>Iteration ${iteration}</h2>
        <p>${gain === undefined ? "The first iteration is not complete." : `After ${done} complete ${done === 1 ? "iteration" : "iterations"}, a best answer to the averages gains ${gain.toFixed(4)}.`}</p>
        <p class="note">The strategies jump to and fro; their averages approach the equilibrium.</p>
      </section>
      <details class="card code" open><summary><h2>Pseudocode</h2></summary>
        <ol class="code-lines" aria-label="Pseudocode">${record.pseudocode.map((line) => {
          const isNow = line.steps.some((one) => now.includes(one));
          const depth = (line.text.length - line.text.trimStart().length) / 2;
          return html`<li class=${isNow ? "now" : ""} aria-current=${isNow ? "step" : "false"} style=${`--depth:${depth}`}><code>${line.text.trim()}</code></li>`;
        })}</ol>
      </details>`;
  }

  /** @param {LearningRecord} record */
  exercise(record) {
    const { set, regrets } = questionOf(record, this.question);
    const { player, view, moves } = record.sets[set];
    const { verdicts } = this;
    const isRight = verdicts?.every((one) => one.isRight);
    return html`<form class="card regret-task" @submit=${(/** @type {SubmitEvent} */ event) => this.check(event)}>
      <h2>What does regret matching play next?</h2>
      <p>${record.seats[player]} knows “${view}”. Type the probability of each move.</p>
      <table class="strategy"><thead><tr><th scope="col">Move</th><th scope="col">Regret</th><th scope="col">Probability</th></tr></thead>
        <tbody>${moves.map((move, at) => {
          const verdict = verdicts?.[at];
          return html`<tr>
            <td>${move}</td><td>${numberText(regrets[at])}</td>
            <td><input class="field ${verdict ? (verdict.isRight ? "right" : "wrong") : ""}" aria-label=${`Probability of ${move}`} aria-invalid=${verdict && !verdict.isRight ? "true" : "false"} autocomplete="off" spellcheck="false" placeholder="1/3 or 33 %" .value=${live(this.answers[at] ?? "")} @input=${withValue((text) => (this.answers[at] = text))}></td>
          </tr>`;
        })}</tbody></table>
      <div class="tools">
        <button class="button main">Check</button>
        <button type="button" class="button" @click=${() => this.ask(this.question + 1)}>Next question</button>
      </div>
      <div role="status">${verdicts ? html`<p><b>${isRight ? "Right." : "Not quite."}</b></p><ul>${moves.map((move, at) => html`<li>${verdicts[at].isRight ? "✓" : "✗"} ${move}: ${verdicts[at].words}.</li>`)}</ul>` : ""}</div>
    </form>`;
  }
}

/** @param {number} share */
const shareBar = (share) =>
  html`<span class="odds"><span class="track" aria-hidden="true"><span class="fill" style=${`--share:${(100 * share).toFixed(1)}%`}></span></span><span class="figure">${(100 * share).toFixed(0)} %</span></span>`;

/**
 * A bar to the right of the middle for a positive regret, to the left for a negative one.
 *
 * @param {number} regret
 * @param {number} most
 */
const regretBar = (regret, most) =>
  html`<span class="odds regret ${regret < 0 ? "negative" : ""}"><span class="track" aria-hidden="true"><span class="fill" style=${`--share:${((50 * Math.abs(regret)) / most).toFixed(1)}%`}></span></span><span class="figure">${numberText(regret)}</span></span>`;

const page = new RegretsPage(/** @type {HTMLElement} */ (document.getElementById("page")));
page.arrive();
