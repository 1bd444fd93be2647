// The cards beside the board: the players, the analysis, and the moves so far.

import { preferredLevel } from "./preferences.js";
import { childrenOf, lineOf, slipOf } from "./game-line.js";
import { html, svg } from "./vendor/lit-html.js";
import { effortOf, proofOf } from "./values.js";
import { capitalise } from "./text.js";

const MOST_LINES = 10;

// -- the bar ---------------------------------------------------------------------------------------

/** Whether an evaluation bar makes sense in this game. */
export const hasBar = (game) => game.players === 2 && game.zero_sum && !game.hidden;

export function evaluationBar(page) {
  const { game } = page.session;
  if (!hasBar(game)) return "";
  const judgement = page.isAnalysing ? judgementHere(page) : null;
  if (judgement?.chance == null) return html`<div class="bar" role="img" aria-label="Not analysed yet" title="Not analysed yet"></div>`;
  const share = judgement.chance;
  const text = `${judgement.kind === "estimate" ? "~" : ""}${judgement.short}`;
  const label = `${capitalise(game.seats[0])}: ${judgement.first ?? judgement.text}, ${proofOf(judgement.kind)}`;
  const percent = `${(100 * share).toFixed(1)}%`;
  return html`<div class="bar judged" role="img" aria-label=${label} title=${label} style=${`--share:${percent}`}>
    <div class="first" style=${`height:${percent}`}></div>
    <div class="middle"></div>
    ${judgement.short ? html`<div class="number ${share < 0.5 ? "above" : ""} ${text.length > 5 ? "long" : ""}">${text}</div>` : ""}
  </div>`;
}

function judgementHere(page) {
  const { session } = page;
  if (page.analysis?.node === session.current) return page.analysis;
  return session.nodes[session.current].judgement;
}

// -- seats -----------------------------------------------------------------------------------------

export function seatsCard(page) {
  const { session } = page;
  const { players, game, position } = session;
  const change = (seat, patch) => page.sit(page.session.players.map((player, one) => (one === seat ? { ...player, ...patch } : player)));
  return html`<section class="card" aria-label="Players">
    <ul class="seats">
      ${players.map(
        (player, seat) => html`<li class="seat ${position.to_move === seat && !position.is_over ? "moving" : ""}">
          <span class="dot owner-${seat}"></span>
          <span class="name">${capitalise(game.seats[seat])}</span>
          <select aria-label=${`Who plays ${game.seats[seat]}`} @change=${(event) => change(seat, { ...(player.agent === null ? { level: preferredLevel() } : {}), agent: event.target.value || null })}>
            <option value="" .selected=${player.agent === null}>Person</option>
            ${game.agents.map((agent) => html`<option value=${agent} .selected=${player.agent === agent}>${agent === "auto" ? "Computer" : agent}</option>`)}
          </select>
          ${player.agent === null || player.agent === "random"
            ? html`<span></span>`
            : html`<select aria-label=${`Level of ${game.seats[seat]}`} @change=${(event) => change(seat, { level: Number(event.target.value) })}>
                ${session.levels.map((name, one) => html`<option value=${one + 1} .selected=${player.level === one + 1}>${one + 1} · ${name}</option>`)}
              </select>`}
        </li>`,
      )}
      ${game.chance
        ? html`<li class="seat">
            <span></span><span class="name">Dice</span>
            <select aria-label="Dice" @change=${(event) => page.sit(players, event.target.value)}>
              <option value="rolled" .selected=${session.dice === "rolled"}>rolled</option>
              <option value="chosen" .selected=${session.dice === "chosen"}>chosen by hand</option>
            </select><span></span>
          </li>`
        : ""}
    </ul>
  </section>`;
}

// -- analysis --------------------------------------------------------------------------------------

export function analysisCard(page) {
  const { analysis, session, thinking } = page;
  return html`<section class="card" aria-label="Analysis">
    <header>
      <label class="switch"><input type="checkbox" role="switch" .checked=${page.isAnalysing} @change=${(event) => page.switchAnalysis(event.target.checked)}> <h2>Analysis</h2></label>
      <span class="tools">
        <button class="button" ?disabled=${!thinking && !page.answering} @click=${() => page.stop()}>Stop</button>
        <button class="button" ?disabled=${!page.isAnalysing || !page.canAnalyse()} @click=${() => page.deeper()}>Deeper</button>
      </span>
    </header>
    ${session.game.hidden ? html`<p class="note">${whyNothing(page, session, thinking)}</p>` : !page.isAnalysing ? html`<p class="note">Switch it on to see the value of every move.</p>` : analysis ? analysisLines(page, analysis) : html`<p class="note">${whyNothing(page, session, thinking)}</p>`}
  </section>`;
}

function whyNothing(page, session, thinking) {
  if (session.game.hidden) return "An analysis would reveal what is hidden.";
  if (session.position.is_over) return `${session.position.outcome}.`;
  if (session.position.to_move < 0) return "The dice are to be rolled here.";
  if (thinking?.state === "failed") return thinking.text;
  return page.progressText() || (thinking ? "Thinking …" : "No result yet.");
}

function analysisLines(page, analysis) {
  const { thinking } = page;
  const { moves } = analysis;
  const shown = page.showsAllLines ? moves : moves.slice(0, MOST_LINES);
  return html`
    <p class="verdict">
      <span class="value">${analysis.headline}</span>
      <span class="proof">${analysis.about}</span>
    </p>
    <p class="effort">${effortOf(analysis.stats)}${thinking ? "" : analysis.stopped === "done" ? "" : ` · stopped by ${analysis.stopped}`}</p>
    <ol class="lines" @mouseleave=${() => page.hidePreview()} tabindex="-1">
      ${shown.map((move, rank) => lineButton(page, analysis, move, rank))}
    </ol>
    ${moves.length > MOST_LINES
      ? html`<button class="button bare more" aria-expanded=${page.showsAllLines} @click=${() => page.listAll(!page.showsAllLines)}>${page.showsAllLines ? `Only the best ${MOST_LINES}` : `All ${moves.length} moves`}</button>`
      : ""}
    ${analysis.notes.slice(0, 1).map((note) => html`<p class="note">${note}</p>`)}
  `;
}

function lineButton(page, analysis, move, rank) {
  const line = move.line.length ? move.line : rank === 0 ? analysis.line : [move.move];
  const rest = line[0] === move.move ? line.slice(1) : line;
  const whole = [move.move, ...rest];
  const isKnown = move.value.some((one) => one !== null);
  return html`<li>
    <button
      class="variation ${rank === 0 ? "best" : ""}"
      aria-label=${`${move.move}, ${isKnown ? `${move.text}, ${proofOf(move.kind)}` : "not searched"}${rest.length ? `, then ${rest.join(" ")}` : ""}`}
      @click=${() => page.play(move.move)}
      @mouseenter=${() => page.showPreview(whole)} @focus=${() => page.showPreview(whole)} @blur=${() => page.hidePreview()}
    >
      <span class="move">${move.move}</span>
      <span>${isKnown ? html`<span class="kind ${move.kind}">${move.short}</span>` : ""}</span>
      <span class="rest">${rest.join(" ")}</span>
    </button>
  </li>`;
}

// -- moves and graph -------------------------------------------------------------------------------

export function movesCard(page) {
  const { session } = page;
  const line = lineOf(session);
  const hasSlip = line.some((node) => slipOf(session, node));
  return html`<section class="card" aria-label="Moves">
    <header>
      <h2>Moves</h2>
      <span class="tools">
        <button class="button" ?disabled=${line.length < 2 || page.review || session.game.hidden} @click=${() => page.startReview()}>${page.review ? "Reviewing …" : "Review"}</button>
        <button class="button" ?disabled=${!hasSlip} @click=${() => page.nextMistake()}>Next mistake</button>
      </span>
    </header>
    ${graph(page, line)}
    ${line.length < 2 ? html`<p class="note">No moves have been played yet.</p>` : html`<ol class="moves">${line.slice(1).map((node, ply) => moveItem(page, node, ply))}</ol>`}
  </section>`;
}

function moveItem(page, node, ply) {
  const { session } = page;
  const siblings = childrenOf(session, session.nodes[node.parent]);
  const others = siblings.filter((one) => one.number !== node.number);
  const slip = slipOf(session, node);
  const who = node.player < 0 ? "dice" : session.game.seats[node.player];
  return html`<li>
      ${session.players.length !== 2 || session.game.chance || ply % 2 === 0 ? html`<span class="number">${session.players.length === 2 && !session.game.chance ? ply / 2 + 1 : ply + 1}.</span>` : ""}<button
        class="played ${node.player < 0 ? "dice" : ""}"
        aria-current=${node.number === session.current ? "true" : "false"}
        aria-label=${`${who}: ${node.move}${slip ? `, ${slip.word}` : ""}`}
        title=${slip ? `${slip.word}: ${Math.round(100 * slip.loss)} % of winning chances lost` : who}
        @click=${() => page.go(node.number)}
      >${node.move}${slip ? html`<span class="slip">${slip.sign}</span>` : ""}</button>
    </li>
    ${others.length
      ? html`<li class="branches">${others.map((one) => html`<button class="played" aria-label=${`Branch: ${one.move}`} title="another branch" @click=${() => page.go(one.number)}>⑂ ${one.move}</button>`)}</li>`
      : ""}`;
}

function graph(page, line) {
  const { session } = page;
  const judged = line.map((node, ply) => ({ node, ply, chance: node.judgement?.chance })).filter((one) => one.chance != null);
  if (judged.length < 2) return "";
  const wide = Math.max(line.length - 1, 1);
  const x = (ply) => (100 * ply) / wide;
  const y = (chance) => 40 - 38 * Math.min(1, Math.max(0, chance)) - 1;
  const points = judged.map((one) => `${x(one.ply).toFixed(2)},${y(one.chance).toFixed(2)}`);
  const here = line.findIndex((node) => node.number === session.current);
  const slips = judged.filter((one) => slipOf(session, one.node)).map((one) => `M${x(one.ply).toFixed(2)} ${y(one.chance).toFixed(2)}h0`);
  const click = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    page.go(line[Math.round(((event.clientX - box.left) / box.width) * wide)]?.number);
  };
  return html`<svg class="graph" viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label=${`Winning chances of ${session.game.seats[0]} over the game; the moves below lead to the same positions`} @click=${click}>
    ${svg`<path class="area" d=${`M${x(judged[0].ply)},40L${points.join("L")}L${x(judged.at(-1).ply)},40Z`}></path>
      <path class="middle" d="M0 20H100"></path>
      <path class="curve" d=${`M${points.join("L")}`}></path>
      <path class="here" d=${`M${x(here)} 0V40`}></path>
      <path class="slip" d=${slips.join("")}></path>`}
  </svg>`;
}
