// The inside page as a template: the head, the tree with its steps, and the cards beside it.

import { coloursOf } from "./board.js";
import { codeCard } from "./inside-code.js";
import { withValue } from "./fields.js";
import { PACES } from "./inside-player.js";
import { countsCard, exerciseCard, lookCard, nodeCard } from "./inside-panels.js";
import { describeStep } from "./inside-text.js";
import { pageHead } from "./shell.js";
import { capitalise, countText } from "./text.js";
import { html } from "./vendor/lit-html.js";

/**
 * @import { InsidePage } from "./inside-page.js"
 * @import { OpenSearch } from "./inside-search.js"
 */

/** @param {InsidePage} page */
export function pageView(page) {
  const { search } = page;
  const about = search ? summary(search, page.games) : "";
  return html`
    ${pageHead(page, {
      help: "Signs and keys",
      middle: html`<p class="title" title=${about}><b>Inside the search</b> ${about}</p>
        <a class="button" href="/inside/cfr" title="Inside regret minimisation, for games with hidden information">Regrets</a>
        <a class="button" href=${boardAddress(search)} title="Play this position">Board</a>
        <button class="button bare icon" title="Link, text and picture" aria-label="Link, text and picture" @click=${() => page.dialogs.open("share")}>⇄</button>`,
    })}
    <main class="table looking ${page.isSideBySide ? "twofold" : ""}" style=${search?.position ? coloursOf(search.position.board) : ""}>
      <section class="stage" aria-label="Search tree">
        ${lookCard(page)}
        ${page.error ? html`<p class="error" role="alert">${page.error}</p>` : ""}
        ${page.waiting ? html`<p class="note" role="status">${page.waiting}</p>` : ""}
        ${page.notice ? html`<p class="note" role="status">${page.notice}</p>` : ""}
        ${search ? stage(page, search) : html`<p class="loading">${page.isBusy ? "Loading the tree …" : ""}</p>`}
      </section>
      <div class="side">
        ${search ? html`${page.task.mode === "watch" ? codeCard(search) : ""} ${nodeCard(page, search)} ${exerciseCard(page, search)} ${page.task.mode === "watch" || page.task.checked ? countsCard(page, search) : ""}` : ""}
      </div>
    </main>
    ${page.dialogs.view()}
  `;
}

/**
 * The address of the page that plays the position.
 *
 * @param {OpenSearch | null} search
 */
function boardAddress(search) {
  if (!search || search.look.game === "tree") return "/";
  const { game, options, position, moves } = search.look;
  const named = Object.fromEntries(Object.entries(options).map(([name, value]) => [`o.${name}`, value]));
  return `/#${new URLSearchParams({ game, ...named, position, moves: moves.join(" ") })}`;
}

/**
 * The search in a few words, with the proper name of its game.
 *
 * @param {OpenSearch} search
 * @param {{key: string, title: string}[]} games
 */
export function summary({ look, store }, games) {
  const title = games.find(({ key }) => key === look.game)?.title ?? store.facts.game;
  const plies = look.depth === null || look.algorithm === "mcts" ? "" : `, ${countText(look.depth, "move")} deep`;
  return `${nameOf(store.facts, look.algorithm)} in ${look.game === "tree" ? "a tree" : title}${plies}`;
}

/** @type {(facts: {algorithms: {name: string, title: string}[]}, algorithm: string) => string} */
export const nameOf = ({ algorithms }, algorithm) =>
  algorithms.find((one) => one.name === algorithm)?.title ?? algorithm;

/**
 * @param {InsidePage} page
 * @param {OpenSearch} search
 */
function stage(page, search) {
  const { facts } = search.store;
  const { plain, recorded } = search;
  const caption = (/** @type {string} */ name, /** @type {{nodes: number}} */ { nodes }) =>
    html`<figcaption>${capitalise(nameOf(facts, name))}: ${nodes.toLocaleString("en")} nodes</figcaption>`;
  return html`
    <div class="trees ${page.isBusy ? "busy" : ""}">
      <figure>
        ${page.isSideBySide && recorded ? caption(search.look.algorithm, recorded.facts) : ""}
        <div id="tree" class="canvas"></div>
        <div class="zooms">
          <button class="button icon" title="Zoom in" aria-label="Zoom in" @click=${() => page.tree?.zoom(1.25)}>+</button>
          <button class="button icon" title="Zoom out" aria-label="Zoom out" @click=${() => page.tree?.zoom(0.8)}>−</button>
          <button class="button icon" title="Show all" aria-label="Show all" @click=${() => page.tree?.fitAll()}>⤢</button>
        </div>
      </figure>
      ${page.isSideBySide && plain ? html`<figure>${caption(plain.look.algorithm, plain.facts)}<div id="plain" class="canvas"></div></figure>` : ""}
    </div>
    ${recorded?.facts.end ? html`<p class="note end">${recorded.facts.end}</p>` : ""}
    ${page.task.mode === "watch" ? stepper(page, search) : ""}
  `;
}

/**
 * @param {InsidePage} page
 * @param {OpenSearch} search
 */
function stepper(page, search) {
  const { step, last, growth, recorded } = search;
  const { player } = page;
  const words = growth ? growth.describe() : recorded ? describeStep(recorded, step) : "";
  /** @type {(label: string, sign: string, wanted: number, isOff: boolean) => unknown} */
  const tool = (label, sign, wanted, isOff) =>
    html`<button class="button icon" title=${label} aria-label=${label} ?disabled=${isOff} @click=${() => page.goTo(wanted)}>${sign}</button>`;
  const known = growth ? growth.grown : last;
  const most = growth ? Math.max(100, known) : last;
  return html`
    <p class="narration" role="status">${words}</p>
    <div class="tools stepper">
      <div class="buttons">
        ${tool("First step", "⇤", 0, step === 0)}
        ${tool("Back", "←", step - 1, step === 0)}
        <button class="button main play" aria-pressed=${player.isPlaying ? "true" : "false"} @click=${() => player.toggle(search)}>${player.isPlaying ? "Pause" : "Play"}</button>
        ${tool("Forward", "→", step + 1, step >= last)}
        ${
          growth
            ? html`${tool("A hundred simulations", "+100", step + 100, step >= last)} ${tool("Ten thousand simulations", "+10k", step + 10_000, step >= last)}`
            : tool("Last step", "⇥", last, step >= last)
        }
      </div>
      <input class="slider" type="range" min="0" max=${most} .value=${String(step)} aria-label=${growth ? "Simulation" : "Step"} aria-valuetext="${step} of ${most}" @input=${withValue((value) => page.goTo(Number(value)))}>
      <output class="count">${step.toLocaleString("en")} / ${known.toLocaleString("en")}</output>
      <label class="pace"><span class="hidden-label">Pace</span>
        <select @change=${withValue((pace) => player.setPace(pace))}>${Object.keys(PACES).map((pace) => html`<option value=${pace} ?selected=${pace === player.pace}>${pace}</option>`)}</select>
      </label>
    </div>`;
}
