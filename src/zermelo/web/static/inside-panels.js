// The cards around the tree: the search, the node, the exercise, the counts.

import { chanceText, numberText, stateAt, valueText, windowText } from "./inside-steps.js";
import { kindName, placeName, reasonOf } from "./inside-text.js";
import { html } from "./vendor/lit-html.js";
import { capitalise, countText } from "./text.js";

const KINDS = ["max and min", "with dice", "three players"];
const PROOFS = {
  exact: "exact",
  lower: "a lower bound",
  upper: "an upper bound",
  estimate: "an estimate",
  "lower estimate": "a lower bound of an estimate",
  "upper estimate": "an upper bound of an estimate",
};
const range = (from, to) => Array.from({ length: to - from + 1 }, (_, nth) => from + nth);
const chooser = (label, values, chosen, act, title = (value) => value) => html`<label class="named"><span>${label}</span>
  <select @change=${(event) => act(event.target.value)}>${values.map((value) => html`<option value=${value} ?selected=${String(value) === String(chosen)} .selected=${String(value) === String(chosen)}>${title(value)}</option>`)}</select></label>`;

// -- the search --------------------------------------------------------------------------------------

export function lookCard(page) {
  const look = page.draft ?? {};
  const isTree = (look.game ?? "tree") === "tree";
  const algorithms = page.store?.facts.algorithms ?? [];
  return html`<form class="card look" @submit=${(event) => submit(event, page)}>
    <div class="row">
      ${source(page, look, isTree)}
      ${chooser("Search", algorithms.map((one) => one.name), page.lookedAt?.algorithm, (algorithm) => page.change({ algorithm }), (name) => capitalise(algorithms.find((one) => one.name === name).title))}
      ${page.lookedAt?.algorithm === "mcts" ? "" : chooser("Depth", isTree ? ["", ...range(1, 8)] : range(1, 12), look.depth ?? "", (depth) => page.change({ depth: depth ? Number(depth) : null }), (depth) => depth || "all")}
    </div>
    ${isTree ? treeFields(page, look) : gameFields(look)}
  </form>`;
}

/** One list of the example trees, the typed tree and the games. */
function source(page, look, isTree) {
  const text = look.options?.text ?? "";
  const known = page.examples.find((one) => one.text === text);
  const games = page.games.map((game) => [game.key, game.name]);
  if (!isTree && !games.some(([key]) => key === look.game)) games.push([look.game, look.game]);
  const chosen = !isTree ? `game ${look.game}` : known ? `tree ${known.title}` : "typed";
  const option = (value, title) => html`<option value=${value} ?selected=${value === chosen} .selected=${value === chosen}>${title}</option>`;
  const act = (value) => {
    const example = page.examples.find((one) => value === `tree ${one.title}`);
    if (example) page.look({ game: "tree", options: { text: example.text }, depth: null, algorithm: example.algorithm });
    else if (value === "typed") page.type();
    else page.change({ game: value.slice(5), options: {}, position: "", moves: [], depth: null, algorithm: page.lookedAt?.algorithm === "mcts" ? "mcts" : "auto" });
  };
  return html`<label class="named source"><span>Look into</span>
    <select @change=${(event) => act(event.target.value)}>
      <optgroup label="Trees">${option("typed", isTree ? "The tree below" : "Type a tree")} ${page.examples.map((one) => option(`tree ${one.title}`, one.title))}</optgroup>
      <optgroup label="Games">${games.map(([key, name]) => option(`game ${key}`, name))}</optgroup>
    </select></label>`;
}

function treeFields(page, look) {
  const submit = (event) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    event.target.form.requestSubmit();
  };
  return html`<div class="row typed-tree">
      <label class="named wide-field"><span>The tree</span>
        <textarea class="field mono" name="text" rows="1" maxlength="20000" spellcheck="false" autocomplete="off" autocapitalize="off" aria-invalid=${page.error ? "true" : "false"} .value=${look.options?.text ?? ""} @keydown=${submit}></textarea></label>
      <button class="button">Show</button>
    </div>`;
}

function gameFields(look) {
  return html`<details ?open=${Boolean(look.position)}><summary>Position${look.moves.length ? ` after ${look.moves.join(" ")}` : look.position ? "" : ": the start"}</summary>
    <div class="row">
      <label class="named wide-field"><span>Position as text; empty for the start</span><input class="field mono" name="position" maxlength="20000" spellcheck="false" autocomplete="off" .value=${look.position}></label>
      <label class="named wide-field"><span>Moves from there</span><input class="field mono" name="moves" maxlength="20000" spellcheck="false" autocomplete="off" .value=${look.moves.join(" ")}></label>
      <button class="button">Show</button>
    </div></details>`;
}

function submit(event, page) {
  event.preventDefault();
  const form = new FormData(event.target);
  if (form.has("text")) page.change({ options: { text: form.get("text") } });
  else page.change({ position: form.get("position").trim(), moves: form.get("moves").split(/\s+/).filter(Boolean) });
}

// -- the node ----------------------------------------------------------------------------------------

export function nodeCard(page) {
  const { store, step } = page;
  if (page.mode !== "watch") return boardCard(page);
  const node = page.shownNode;
  const facts = nodeFacts(page, store, node, step);
  return html`<section class="card here" aria-label="The node">
    <header><h2>${page.selected ? "Selected" : "Current"}: ${placeName(store, node)}</h2></header>
    ${store.facts.is_tree ? "" : html`<div class="board small"></div>`}
    <dl class="facts">${facts.map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`)}</dl>
    ${page.isGrowing ? familyTable(store, page.selected && store.node(page.selected.number)) : ""}
  </section>`;
}

const MOST_ROWS = 8;

/** The moves at the selected node or the root, with their visits, means and UCB1. */
function familyTable(store, selected) {
  const node = selected && store.children(selected).length ? selected : store.root;
  if (!store.children(node).length) return "";
  const family = [...store.children(node)].sort((a, b) => b.visits - a.visits || a.index - b.index);
  const [isChance, next] = [node.kind === "chance", store.next(node)];
  const own = (child) => store.score(child)?.mean ?? child.value[0];
  const untried = node.branches - node.children;
  const last = isChance ? "Chance" : "UCB1";
  const shown = family.filter((child, nth) => nth < MOST_ROWS || child === next);
  const isFirst = family[0].visits > (family[1]?.visits ?? 0);
  return html`<table class="family"><caption>${isChance ? "The dice" : capitalise(store.facts.seats[node.player])} at ${placeName(store, node)}</caption>
    <thead><tr><th scope="col">Move</th><th scope="col">N</th><th scope="col">U/N</th><th scope="col">${last}</th></tr></thead>
    <tbody>${shown.map((child) => html`<tr class=${child === next ? "next" : ""}><th scope="row">${child.move}</th><td>${child.visits.toLocaleString("en")}</td><td>${decimals(own(child))}</td><td>${isChance ? chanceText(child.probability) : decimals(store.score(child).sum)}</td></tr>`)}</tbody></table>
    <p class="note">${node === store.root && !isChance && isFirst ? `${family[0].move} would be played: it has the most visits. ` : ""}${untried > 0 ? `${untried} not tried yet, which come first. ` : next ? `Next: ${next.move}. ` : ""}${node.children > shown.length ? `${node.children - shown.length} more. ` : ""}${isChance ? "" : `UCB1 = U/N + ${decimals(store.facts.exploration)} · √(ln ${node.visits.toLocaleString("en")} / N)`}</p>`;
}

const decimals = (number) => number.toFixed(2).replace("-", "−");

function boardCard(page) {
  return page.store.facts.is_tree ? "" : html`<section class="card here" aria-label="The board"><div class="board small"></div></section>`;
}

function nodeFacts(page, store, node, step) {
  const facts = [["Node", capitalise(node.kind === "cut" ? "a branch that is not searched" : kindName(node, store.facts))]];
  if (node.visits !== undefined) {
    facts.push(["Visits", node.visits.toLocaleString("en")], ["Mean", valueText(node.value) || "–"]);
    const score = store.score(node);
    return score ? [...facts, ["UCB1", `${decimals(score.sum)} = ${decimals(score.mean)} + ${decimals(score.bonus)} for ${score.seat}`]] : facts;
  }
  const state = stateAt(node, step);
  if (node.kind === "cut") return [...facts, ["Why", state === "cut" ? `${reasonOf(node, store)}.` : "not decided yet"]];
  if (node.window && state !== "hidden") facts.push(["Window", `${windowText(node.window)} on entry`]);
  facts.push(["Value", { hidden: "not searched yet", open: "being searched" }[state] ?? `${valueText(node.value, node.proof)} · ${PROOFS[node.proof]}`]);
  return facts;
}

// -- exercises ---------------------------------------------------------------------------------------

export function exerciseCard(page) {
  if (page.isGrowing) return "";
  const modes = [["watch", "Watch"], ["prune", "Mark cuts"], ["values", "Fill in values"]];
  return html`<section class="card exercise" aria-label="Exercise">
    <header><h2>Exercise</h2></header>
    <div class="modes" role="group" aria-label="What to do">
      ${modes.map(([mode, title]) => html`<button class="button" aria-pressed=${page.mode === mode ? "true" : "false"} @click=${() => page.setMode(mode)}>${title}</button>`)}
    </div>
    ${page.mode === "watch" ? "" : page.obstacle ? html`<p class="note">${page.obstacle}</p>` : task(page)}
    ${page.store.facts.is_tree || page.mode !== "watch" ? randomTree(page) : ""}
  </section>`;
}

function task(page) {
  const question = page.mode === "prune"
    ? `Which branches will ${page.nameOf(page.lookedAt.algorithm)} never search, going from left to right? Click their edges, or select them with the arrow keys and press Enter.`
    : "What is the value of each node? Type it beside the node.";
  return html`<p>${question}</p>
    <div class="tools"><button class="button main" @click=${() => page.check()}>Check</button><button class="button" @click=${() => { page.restart(); page.draw(); }}>Clear</button></div>
    <div role="status">${page.checked ? verdict(page) : ""}</div>`;
}

function verdict(page) {
  const { isRight, wrong, verdicts } = page.checked;
  if (isRight) {
    const reasons = page.mode === "prune" ? [...verdicts.values()] : [];
    return html`<p class="praise">${page.mode === "prune" && !verdicts.size ? "Correct: nothing is cut here." : "All correct."}</p>
      <ul class="verdicts">${reasons.map((one) => html`<li class="right">${one.words}</li>`)}</ul>`;
  }
  return html`<p class="blame">${countText(wrong.length, "mistake")}.</p>
    <ul class="verdicts">${[...verdicts.values()].filter((one) => page.mode === "prune" || !one.isRight).map((one) => html`<li class=${one.isRight ? "right" : "wrong"}>${one.words}</li>`)}</ul>`;
}

function randomTree(page) {
  const { levels, branches, kind, seed } = page.random ?? { levels: 2, branches: 3, kind: KINDS[0], seed: null };
  return html`<div class="row random">
    ${chooser("Levels", range(1, 5), levels, (value) => page.newTree({ levels: Number(value) }))}
    ${chooser("Branches", range(2, 5), branches, (value) => page.newTree({ branches: Number(value) }))}
    ${chooser("Kind", KINDS, kind, (value) => page.newTree({ kind: value }))}
    <button class="button" @click=${() => page.newTree()}>New tree</button>
  </div>
  ${seed === null ? "" : html`<p class="note">Tree number ${seed}; the address of this page restores it.</p>`}`;
}

// -- counts ------------------------------------------------------------------------------------------

export function countsCard(page) {
  const { store, plain } = page;
  if (page.isGrowing) {
    return html`<section class="card counts" aria-label="Counts"><header><h2>The tree so far</h2></header>
      <p>${countText(store.simulations, "simulation")}, ${countText(store.size, "node")}${store.size > store.nodes.size ? html`; those with the most visits are drawn` : ""}.</p>
      ${store.isCompiling ? html`<p class="note">The search is being compiled; after that it runs about a hundred times faster.</p>` : ""}
      <button class="button" @click=${() => page.change({ seed: (page.lookedAt.seed ?? 0) + 1 })}>Another run</button></section>`;
  }
  const rows = [[page.titleOf(page.lookedAt.algorithm), store.facts]];
  if (plain) rows.push([page.titleOf(plain.look.algorithm), plain.facts]);
  const count = (facts, number) => `${facts.end ? "> " : ""}${number.toLocaleString("en")}`;
  return html`<section class="card counts" aria-label="Counts">
    <header><h2>Search statistics</h2>
      ${plain && page.mode === "watch" ? html`<button class="button" aria-pressed=${page.wantsSideBySide ? "true" : "false"} @click=${() => page.toggleSideBySide()}>Side by side</button>` : ""}</header>
    <table><thead><tr><th scope="col">Search</th><th scope="col">Nodes</th><th scope="col">Leaves</th><th scope="col">Cuts</th><th scope="col">Value</th></tr></thead>
      <tbody>${rows.map(([title, facts]) => html`<tr><th scope="row">${title}</th><td>${count(facts, facts.nodes)}</td><td>${count(facts, facts.leaves)}</td><td>${facts.cuts.toLocaleString("en")}</td><td>${valueText(facts.value, facts.kind)}</td></tr>`)}</tbody></table>
    ${store.facts.unit_name ? html`<p class="note">Values are in ${store.facts.unit_name}; a win is worth ${numberText(store.facts.range[1])}.</p>` : ""}
  </section>`;
}
