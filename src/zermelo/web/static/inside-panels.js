// The cards around the tree: the search, the node, the exercise, the counts.

import { isOnlyProbed, seenAt, stateAt, valueText, windowText } from "./inside-steps.js";
import { kindName, placeName, reasonOf } from "./inside-text.js";
import { withValue } from "./fields.js";
import { chanceText, numberText } from "./numerals.js";
import { EXERCISES } from "./inside-tasks.js";
import { nameOf } from "./inside-view.js";
import { html } from "./vendor/lit-html.js";
import { repeat } from "./vendor/directives/repeat.js";
import { live } from "./vendor/directives/live.js";
import { capitalise, countText } from "./text.js";

/**
 * @import { Look, RandomTree, TreeText } from "../types/messages.js"
 * @import { FullLook, Mode } from "./inside-address.js"
 * @import { Checked, Exercise } from "./exercise.js"
 * @import { GrownNode, Growth } from "./inside-growth.js"
 * @import { InsidePage } from "./inside-page.js"
 * @import { OpenSearch } from "./inside-search.js"
 * @import { Node, Store, TreeFacts } from "./inside-store.js"
 */

const KINDS = ["max and min", "with dice", "three players"];
/** @type {Record<Node["proof"], string>} */
const PROOFS = {
  exact: "exact",
  lower: "a lower bound",
  upper: "an upper bound",
  estimate: "an estimate",
  "lower estimate": "a lower bound of an estimate",
  "upper estimate": "an upper bound of an estimate",
};

/** @type {(from: number, to: number) => string[]} */
const range = (from, to) => Array.from({ length: to - from + 1 }, (_, nth) => String(from + nth));

/**
 * A list to choose from.
 *
 * @param {string} label
 * @param {string[]} values
 * @param {string} chosen
 * @param {(value: string) => void} act
 * @param {(value: string) => string} [title]
 */
const chooser = (
  label,
  values,
  chosen,
  act,
  title = (value) => value,
) => html`<label class="named"><span>${label}</span>
  <select @change=${withValue(act)}>${repeat(
    values,
    (value) => value,
    (value) =>
      html`<option value=${value} ?selected=${value === chosen} .selected=${live(value === chosen)}>${title(value)}</option>`,
  )}</select></label>`;

// -- the search --------------------------------------------------------------------------------------

/** @param {InsidePage} page */
export function lookCard(page) {
  const look = page.draft;
  if (!look) return "";
  const isTree = look.game === "tree";
  const facts = page.search?.store.facts ?? { algorithms: [] };
  const algorithm = page.search?.look.algorithm ?? "";
  return html`<form class="card look" @submit=${(/** @type {SubmitEvent} */ event) => submit(event, page)}>
    <div class="row">
      ${source(page, look, isTree)}
      ${chooser(
        "Search",
        facts.algorithms.map((one) => one.name),
        algorithm,
        (name) => page.change({ algorithm: /** @type {Look["algorithm"]} */ (name) }),
        (name) => capitalise(nameOf(facts, name)),
      )}
      ${
        algorithm === "mcts"
          ? ""
          : chooser(
              "Depth",
              isTree ? ["", ...range(1, 8)] : range(1, 12),
              String(look.depth ?? ""),
              (depth) => page.change({ depth: depth ? Number(depth) : null }),
              (depth) => depth || "all",
            )
      }
    </div>
    ${isTree ? treeFields(page, look) : gameFields(look)}
  </form>`;
}

/**
 * One list of the example trees, the typed tree and the games.
 *
 * @param {InsidePage} page
 * @param {FullLook} look
 * @param {boolean} isTree
 */
function source(page, look, isTree) {
  const text = look.options?.text ?? "";
  const known = page.examples.find((one) => one.text === text);
  const games = page.games.map((game) => [game.key, game.title]);
  if (!isTree && !games.some(([key]) => key === look.game)) games.push([look.game, look.game]);
  const chosen = !isTree ? `game ${look.game}` : known ? `tree ${known.title}` : "typed";
  const option = (/** @type {string} */ value, /** @type {string} */ title) =>
    html`<option value=${value} ?selected=${value === chosen} .selected=${live(value === chosen)}>${title}</option>`;
  const act = (/** @type {string} */ value) => {
    const example = page.examples.find((one) => value === `tree ${one.title}`);
    if (example) page.look(exampleLook(example));
    else if (value === "typed") page.typeTree();
    else page.change(gameLook(value.slice("game ".length), page.search?.look.algorithm === "mcts" ? "mcts" : "auto"));
  };
  return html`<label class="named source"><span>Look into</span>
    <select @change=${withValue(act)}>
      <optgroup label="Trees">${option("typed", isTree ? "The tree below" : "Type a tree")} ${page.examples.map((one) => option(`tree ${one.title}`, one.title))}</optgroup>
      <optgroup label="Games">${games.map(([key, name]) => option(`game ${key}`, name))}</optgroup>
    </select></label>`;
}

/** @type {(example: TreeText) => Pick<FullLook, "game" | "options" | "depth" | "algorithm">} */
const exampleLook = ({ text, algorithm }) => ({
  game: "tree",
  options: { text },
  depth: null,
  algorithm: /** @type {Look["algorithm"]} */ (algorithm),
});

/** @type {(game: string, algorithm: Look["algorithm"]) => Partial<FullLook>} */
const gameLook = (game, algorithm) => ({ game, options: {}, position: "", moves: [], depth: null, algorithm });

/**
 * @param {InsidePage} page
 * @param {FullLook} look
 */
function treeFields(page, look) {
  const submit = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    /** @type {HTMLTextAreaElement} */ (event.target).form?.requestSubmit();
  };
  return html`<div class="row typed-tree">
      <label class="named wide-field"><span>The tree</span>
        <textarea class="field mono" name="text" rows="1" maxlength="20000" spellcheck="false" autocomplete="off" autocapitalize="off" aria-invalid=${page.error ? "true" : "false"} .value=${look.options?.text ?? ""} @keydown=${submit}></textarea></label>
      <button class="button">Show</button>
    </div>`;
}

/** @param {FullLook} look */
function gameFields(look) {
  return html`<details ?open=${Boolean(look.position)}><summary>Position${look.moves.length ? ` after ${look.moves.join(" ")}` : look.position ? "" : ": the start"}</summary>
    <div class="row">
      <label class="named wide-field"><span>Position as text; empty for the start</span><input class="field mono" name="position" maxlength="20000" spellcheck="false" autocomplete="off" .value=${look.position}></label>
      <label class="named wide-field"><span>Moves from there</span><input class="field mono" name="moves" maxlength="20000" spellcheck="false" autocomplete="off" .value=${look.moves.join(" ")}></label>
      <button class="button">Show</button>
    </div></details>`;
}

/**
 * @param {SubmitEvent} event
 * @param {InsidePage} page
 */
function submit(event, page) {
  event.preventDefault();
  const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
  const text = (/** @type {string} */ name) => String(form.get(name) ?? "");
  if (form.has("text")) page.change({ options: { text: text("text") } });
  else page.change({ position: text("position").trim(), moves: text("moves").split(/\s+/).filter(Boolean) });
}

// -- the node ----------------------------------------------------------------------------------------

/**
 * @param {InsidePage} page
 * @param {OpenSearch} search
 */
export function nodeCard(page, search) {
  const { store, step, growth, recorded, selected } = search;
  const isTree = store.facts.is_tree;
  if (page.task.mode !== "watch")
    return isTree
      ? ""
      : html`<section class="card here" aria-label="The board"><div class="board small"></div></section>`;
  const node = search.shownNode;
  const facts = growth
    ? grownFacts(growth, /** @type {GrownNode} */ (node))
    : recorded && nodeFacts(recorded, node, step);
  return html`<section class="card here" aria-label="The node">
    <header><h2>${selected ? "Selected" : "Current"}: ${placeName(store, node)}</h2></header>
    ${isTree ? "" : html`<div class="board small"></div>`}
    <dl class="facts">${facts?.map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`)}</dl>
    ${growth ? familyTable(growth, growth.node(selected?.number ?? 0) ?? growth.root) : ""}
  </section>`;
}

const MOST_ROWS = 8;

/**
 * The moves at a node, or at the root, with their visits, means and UCB1.
 *
 * @param {Growth} growth
 * @param {GrownNode} selected
 */
function familyTable(growth, selected) {
  const node = growth.children(selected).length ? selected : growth.root;
  const family = [...growth.children(node)].sort((a, b) => b.visits - a.visits || a.index - b.index);
  if (!family.length) return "";
  const [isChance, next] = [node.kind === "chance", growth.next(node)];
  const shown = family.filter((child, nth) => nth < MOST_ROWS || child === next);
  const own = (/** @type {GrownNode} */ child) => decimals(growth.score(child)?.mean ?? child.value?.[0] ?? 0);
  const last = (/** @type {GrownNode} */ child) =>
    isChance ? chanceText(child.probability ?? 0) : decimals(growth.score(child)?.sum ?? 0);
  return html`<table class="family"><caption>${isChance ? "The dice" : capitalise(growth.facts.seats[node.player ?? 0])} at ${placeName(growth, node)}</caption>
    <thead><tr><th scope="col">Move</th><th scope="col">N</th><th scope="col">U/N</th><th scope="col">${isChance ? "Chance" : "UCB1"}</th></tr></thead>
    <tbody>${repeat(
      shown,
      (child) => child.number,
      (child) =>
        html`<tr class=${child === next ? "next" : ""}><th scope="row">${child.move}</th><td>${child.visits.toLocaleString("en")}</td><td>${own(child)}</td><td>${last(child)}</td></tr>`,
    )}</tbody></table>
    <p class="note">${familyNotes(growth, node, family, shown.length).join(" ")}</p>`;
}

/**
 * @param {Growth} growth
 * @param {GrownNode} node
 * @param {GrownNode[]} family by visits
 * @param {number} shown
 */
function familyNotes(growth, node, family, shown) {
  const [first, second] = family;
  const next = growth.next(node);
  const untried = node.branches - node.children;
  const notes = [];
  if (node === growth.root && node.kind !== "chance" && first.visits > (second?.visits ?? 0))
    notes.push(`${first.move} would be played: it has the most visits.`);
  if (untried > 0) notes.push(`${untried} not tried yet, which come first.`);
  else if (next) notes.push(`Next: ${next.move}.`);
  if (node.children > shown) notes.push(`${node.children - shown} more.`);
  if (node.kind !== "chance")
    notes.push(`UCB1 = U/N + ${decimals(growth.facts.exploration)} · √(ln ${node.visits.toLocaleString("en")} / N)`);
  return notes;
}

/** @type {(number: number) => string} */
const decimals = (number) => number.toFixed(2).replace("-", "−");

/** @typedef {[name: string, text: string]} Fact */

/**
 * @param {Growth} growth
 * @param {GrownNode} node
 * @returns {Fact[]}
 */
function grownFacts(growth, node) {
  const score = growth.score(node);
  /** @type {Fact[]} */
  const facts = [
    ["Node", capitalise(kindName(node, growth.facts))],
    ["Visits", node.visits.toLocaleString("en")],
    ["Mean", valueText(node.value) || "–"],
  ];
  if (score)
    facts.push([
      "UCB1",
      `${decimals(score.sum)} = ${decimals(score.mean)} + ${decimals(score.bonus)} for ${score.seat}`,
    ]);
  return facts;
}

/**
 * @param {Store} store
 * @param {Node} node
 * @param {number} step
 * @returns {Fact[]}
 */
function nodeFacts(store, node, step) {
  /** @type {Fact[]} */
  const facts = [
    ["Node", capitalise(node.kind === "cut" ? "a branch that is not searched" : kindName(node, store.facts))],
  ];
  const state = stateAt(node, step);
  if (node.kind === "cut")
    return [...facts, ["Why", state === "cut" ? `${reasonOf(node, store)}.` : "not decided yet"]];
  const { value, proof } = seenAt(node, step);
  if (node.window && state !== "hidden" && !isOnlyProbed(node, step))
    facts.push(["Window", `${windowText(node.window)} on entry`]);
  facts.push([
    "Value",
    state === "hidden"
      ? "not searched yet"
      : state === "open"
        ? "being searched"
        : `${valueText(value, proof)} · ${PROOFS[proof]}`,
  ]);
  if (node.probe && state !== "hidden" && !isOnlyProbed(node, step))
    facts.push(["Probe", valueText(node.probe.value, node.probe.proof)]);
  if (node.stand_pat && node.children && (node.stand_pat.moment ?? Infinity) < step)
    facts.push(["Stand pat", valueText(node.stand_pat.value, "estimate")]);
  return facts;
}

// -- exercises ---------------------------------------------------------------------------------------

/**
 * @param {InsidePage} page
 * @param {OpenSearch} search
 */
export function exerciseCard(page, search) {
  if (search.growth) return "";
  const { mode, exercise } = page.task;
  const obstacle = page.task.obstacle(search);
  const modes = /** @type {[Mode, string][]} */ ([
    ["watch", "Watch"],
    ...Object.entries(EXERCISES).map(([name, { title }]) => [name, title]),
  ]);
  return html`<section class="card exercise" aria-label="Exercise">
    <header><h2>Exercise</h2></header>
    <div class="modes" role="group" aria-label="What to do">
      ${modes.map(([name, title]) => html`<button class="button" aria-pressed=${mode === name ? "true" : "false"} @click=${() => page.setMode(name)}>${title}</button>`)}
    </div>
    ${!exercise ? "" : obstacle ? html`<p class="note">${obstacle}</p>` : taskView(page, search, exercise)}
    ${search.store.facts.is_tree || exercise ? randomTree(page) : ""}
  </section>`;
}

/**
 * @param {InsidePage} page
 * @param {OpenSearch} search
 * @param {Exercise} exercise
 */
function taskView(page, search, exercise) {
  const { checked, mode } = page.task;
  return html`<p>${exercise.question(nameOf(search.store.facts, search.look.algorithm))}</p>
    <div class="tools">
      <button class="button main" @click=${() => page.check()}>Check</button>
      <button class="button" @click=${() => page.setMode(mode)}>Clear</button>
    </div>
    <div role="status">${checked ? verdictView(exercise, checked) : ""}</div>`;
}

/**
 * @param {Exercise} exercise
 * @param {Checked} checked
 */
function verdictView(exercise, checked) {
  const { wrong, verdicts } = checked;
  const shown = [...verdicts.values()].filter((one) => exercise.explainsAll || !one.isRight);
  return html`${
    wrong.length
      ? html`<p class="blame">${countText(wrong.length, "mistake")}.</p>`
      : html`<p class="praise">${exercise.praise(checked)}</p>`
  }
    <ul class="verdicts" tabindex="0" aria-label="Explanations">${shown.map((one) => html`<li class=${one.isRight ? "right" : "wrong"}>${one.words}</li>`)}</ul>`;
}

/** @param {InsidePage} page */
function randomTree(page) {
  const { levels, branches, kind, seed } = page.random ?? { levels: 2, branches: 3, kind: KINDS[0], seed: null };
  const asKind = (/** @type {string} */ value) => /** @type {Required<RandomTree>["kind"]} */ (value);
  return html`<div class="row random">
    ${chooser("Levels", range(1, 5), String(levels), (value) => page.newTree({ levels: Number(value) }))}
    ${chooser("Branches", range(2, 5), String(branches), (value) => page.newTree({ branches: Number(value) }))}
    ${chooser("Kind", KINDS, kind, (value) => page.newTree({ kind: asKind(value) }))}
    <button class="button" @click=${() => page.newTree()}>New tree</button>
  </div>
  ${seed === null ? "" : html`<p class="note">Tree number ${seed}; the address of this page restores it.</p>`}`;
}

// -- counts ------------------------------------------------------------------------------------------

/**
 * @param {InsidePage} page
 * @param {OpenSearch} search
 */
export function countsCard(page, search) {
  const { growth, recorded, plain, look } = search;
  if (growth) return growthCounts(page, growth, look);
  if (!recorded) return "";
  const { facts } = recorded;
  const stores = plain ? [recorded, plain] : [recorded];
  const title = (/** @type {Store} */ store) => capitalise(nameOf(facts, store.look.algorithm));
  const count = (/** @type {Store} */ { facts }, /** @type {number} */ number) =>
    `${facts.end ? "> " : ""}${number.toLocaleString("en")}`;
  return html`<section class="card counts" aria-label="Counts">
    <header><h2>Search statistics</h2>
      ${plain && page.task.mode === "watch" ? html`<button class="button" aria-pressed=${search.wantsPlain ? "true" : "false"} @click=${() => page.toggleSideBySide()}>Side by side</button>` : ""}</header>
    <table><thead><tr><th scope="col">Search</th><th scope="col">Nodes</th><th scope="col">Leaves</th><th scope="col">Cuts</th><th scope="col">Value</th></tr></thead>
      <tbody>${stores.map((store) => html`<tr><th scope="row">${title(store)}</th><td>${count(store, store.facts.nodes)}</td><td>${count(store, store.facts.leaves)}</td><td>${store.facts.cuts.toLocaleString("en")}</td><td>${valueText(store.facts.value, store.facts.kind)}</td></tr>`)}</tbody></table>
    ${facts.unit_name ? html`<p class="note">Values are in ${facts.unit_name}; a win is worth ${numberText(facts.range[1] ?? Infinity)}.</p>` : ""}
  </section>`;
}

/**
 * @param {InsidePage} page
 * @param {Growth} growth
 * @param {FullLook} look
 */
function growthCounts(page, growth, look) {
  return html`<section class="card counts" aria-label="Counts"><header><h2>The tree so far</h2></header>
    <p>${countText(growth.simulations, "simulation")}, ${countText(growth.size, "node")}${growth.size > growth.nodes.size ? html`; those with the most visits are drawn` : ""}.</p>
    ${growth.isCompiling ? html`<p class="note">The search is being compiled; after that it runs about a hundred times faster.</p>` : ""}
    <button class="button" @click=${() => page.change({ seed: look.seed + 1 })}>Another run</button></section>`;
}
