// The cards beside the board: the players, the analysis, and the moves so far.

import { suggestedLevel } from "./adaptive-level.js";
import { clockOf } from "./clock.js";
import { childrenOf, lineOf, slipOf } from "./game-line.js";
import { guard } from "./vendor/directives/guard.js";
import { live } from "./vendor/directives/live.js";
import { repeat } from "./vendor/directives/repeat.js";
import { withChecked, withValue } from "./fields.js";
import { html, svg } from "./vendor/lit-html.js";
import { isMixture, mixtureLines } from "./mixture.js";
import { effortOf, proofOf } from "./values.js";
import { hintOf } from "./state.js";
import { capitalise, unbroken } from "./text.js";

/**
 * @import { AnalysisView, MoveView, Player, Progress, ReviewProgress } from "../types/messages.js"
 * @import { SessionState, TreeNode } from "../types/messages.js"
 * @import { Page } from "./main.js"
 */

const MOST_LINES = 10;
const HINT_LINE = 4; // moves after the hint that are shown

// -- the bar ---------------------------------------------------------------------------------------

/**
 * Whether there is an evaluation bar: the analysis is on, and the game has two opponents.
 *
 * @param {Page} page
 */
export function hasBar({ session, state }) {
  const { players, zero_sum: isZeroSum, hidden } = session.game;
  return state.isAnalysing && players === 2 && isZeroSum && !hidden;
}

/** @param {Page} page */
export function evaluationBar(page) {
  const { game } = page.session;
  if (!hasBar(page)) return "";
  const judgement = judgementHere(page);
  if (judgement?.chance == null)
    return html`<div class="bar" role="img" aria-label="Not analysed yet" title="Not analysed yet"></div>`;
  const share = judgement.chance;
  const text = `${judgement.kind === "estimate" ? "~" : ""}${judgement.short}`;
  const label = `${capitalise(game.seats[0])}: ${"first" in judgement ? judgement.first : judgement.text}, ${proofOf(judgement.kind)}`;
  const percent = `${(100 * share).toFixed(1)}%`;
  return html`<div class="bar judged" role="img" aria-label=${label} title=${label} style=${`--share:${percent}`}>
    <div class="first"></div>
    <div class="middle"></div>
    ${judgement.short ? html`<div class="number ${share < 0.5 ? "above" : ""} ${text.length > 5 ? "long" : ""}">${text}</div>` : ""}
  </div>`;
}

/** @param {Page} page */
function judgementHere(page) {
  const { session } = page;
  const { analysis } = page.state;
  if (analysis?.node === session.current) return analysis;
  return session.nodes[session.current].judgement;
}

// -- seats -----------------------------------------------------------------------------------------

/** @param {Page} page */
export function seatsCard(page) {
  const { session } = page;
  const { players, game, position } = session;
  const change = (/** @type {number} */ seat, /** @type {Partial<Player>} */ patch) =>
    page.sit(page.session.players.map((player, one) => (one === seat ? { ...player, ...patch } : player)));
  return html`<section class="card" aria-label="Players">
    <ul class="seats ${session.clock ? "timed" : ""}">
      ${players.map(
        (player, seat) => html`<li class="seat ${position.to_move === seat && !position.is_over ? "moving" : ""}">
          <span class="dot owner-${seat}"></span>
          <span class="name">${capitalise(game.seats[seat])}</span>
          <span>${session.clock ? clockOf(seat, game.seats[seat]) : ""}</span>
          <span class="who"><select aria-label=${`Who plays ${game.seats[seat]}`} @change=${withValue((agent) => change(seat, { ...(player.agent === null ? { level: suggestedLevel(game.key) ?? player.level } : {}), agent: agent || null }))}>
            <option value="" .selected=${live(player.agent === null)}>Person</option>
            ${game.agents.map((agent) => html`<option value=${agent} .selected=${live(player.agent === agent)}>${game.agent_titles[agent]}</option>`)}
          </select>
          ${
            player.agent === null || player.agent === "random"
              ? ""
              : html`<select aria-label=${`Level of ${game.seats[seat]}`} @change=${withValue((level) => change(seat, { level: Number(level) }))}>
                ${session.levels.map((name, one) => html`<option value=${one + 1} .selected=${live(player.level === one + 1)}>${one + 1} · ${name}</option>`)}
              </select>`
          }</span>
        </li>`,
      )}
      ${
        game.chance
          ? html`<li class="seat">
            <span></span><span class="name">Chance</span><span></span>
            <span class="who"><select aria-label="Chance" @change=${withValue((dice) => page.sit(players, dice === "chosen" ? "chosen" : "rolled"))}>
              <option value="rolled" .selected=${live(session.dice === "rolled")}>decides by itself</option>
              <option value="chosen" .selected=${live(session.dice === "chosen")}>chosen by hand</option>
            </select></span>
          </li>`
          : ""
      }
    </ul>
  </section>`;
}

// -- analysis --------------------------------------------------------------------------------------

/** @param {Page} page */
export function analysisCard(page) {
  const { session } = page;
  const { analysis, thinking, answering, isAnalysing, review } = page.state;
  return html`<section class="card" aria-label="Analysis">
    <header>
      <label class="switch"><input type="checkbox" role="switch" .checked=${isAnalysing} @change=${withChecked((isOn) => page.switchAnalysis(isOn))}> <h2>Analysis</h2></label>
      <span class="tools">
        <button class="button" ?disabled=${!thinking && !answering && !review} @click=${() => page.stop()}>Stop</button>
        <button class="button" ?disabled=${!isAnalysing || !page.canAnalyse()} @click=${() => page.deeper()}>Deeper</button>
      </span>
    </header>
    ${!isAnalysing ? html`<p class="note">Switch it on to see ${session.game.hidden ? "how often to play each move, from what the player to move has seen" : "the value of every move"}.</p>` : analysis ? (isMixture(analysis) ? mixtureLines(page, analysis) : analysisLines(page, analysis)) : html`<p class="note">${whyNothing(page, session, thinking)}</p>`}
  </section>`;
}

/**
 * @param {Page} page
 * @param {SessionState} session
 * @param {Progress | null} thinking
 */
function whyNothing(page, session, thinking) {
  if (session.position.is_over) return `${session.position.outcome}.`;
  if (session.game.hidden && !page.canAnalyse())
    return "While something is hidden, only a person's own turn is analysed.";
  if (session.position.to_move < 0) return "The dice are to be rolled here.";
  if (thinking?.state === "failed") return thinking.text;
  return page.progressText() || (thinking ? "Thinking …" : "No result yet.");
}

/**
 * @param {Page} page
 * @param {AnalysisView} analysis
 */
function analysisLines(page, analysis) {
  const { thinking } = page.state;
  const { moves } = analysis;
  const shown = page.showsAllLines ? moves : moves.slice(0, MOST_LINES);
  return html`
    <p class="verdict">
      <span class="value">${analysis.headline}</span>
      <span class="proof">${analysis.about}</span>
    </p>
    <p class="effort">${effortOf(analysis.stats)}${thinking ? "" : analysis.stopped === "done" ? "" : ` · stopped by ${analysis.stopped}`}</p>
    <ol class="lines" @mouseleave=${() => page.hidePreview()} tabindex="-1">
      ${repeat(
        shown,
        (move) => move.move,
        (move, rank) => lineButton(page, analysis, move, rank),
      )}
    </ol>
    ${
      moves.length > MOST_LINES
        ? html`<button class="button bare more" aria-expanded=${page.showsAllLines} @click=${() => page.listAll(!page.showsAllLines)}>${page.showsAllLines ? `Only the best ${MOST_LINES}` : `All ${moves.length} moves`}</button>`
        : ""
    }
    ${analysis.notes.slice(0, 1).map((note) => html`<p class="note">${note}</p>`)}
  `;
}

/**
 * @param {Page} page
 * @param {AnalysisView} analysis
 * @param {MoveView} move
 * @param {number} rank
 */
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

/** @param {Page} page */
export function hintLine(page) {
  const hint = hintOf(page.state);
  if (hint === null) return "";
  if (hint === "searching")
    return html`<p class="hint" role="status">${page.state.thinking?.state === "failed" ? page.state.thinking.text : "Looking for a good move …"}</p>`;
  const { best, why, line } = hint;
  if (best === null) return html`<p class="hint" role="status">No hint was found here.</p>`;
  const rest = line[0] === best ? line.slice(1, 1 + HINT_LINE) : [];
  return html`<p class="hint" role="status">Try <b>${best}</b>${why ? `: ${unbroken(why)}.` : "."}
    ${rest.length ? html`<span class="note">It could go on with ${rest.join(" ")}.</span>` : ""}</p>`;
}

// -- moves and graph -------------------------------------------------------------------------------

/** @param {Page} page */
export function movesCard(page) {
  const { session } = page;
  const { review } = page.state;
  return guard([session.nodes, session.current, review], () => movesOf(page, session, review));
}

/**
 * @param {Page} page
 * @param {SessionState} session
 * @param {ReviewProgress | null} review
 */
function movesOf(page, session, review) {
  const line = lineOf(session);
  const hasSlip = line.some((node) => slipOf(session, node));
  return html`<section class="card" aria-label="Moves">
    <header>
      <h2>Moves</h2>
      <span class="tools">
        <button class="button" ?disabled=${line.length < 2 || review || (session.game.hidden && !session.position.is_over)} @click=${() => page.startReview()}>${review ? `Reviewing ${review.done + 1}/${review.total} …` : "Review"}</button>
        <button class="button" ?disabled=${!hasSlip} @click=${() => page.nextMistake()}>Next mistake</button>
      </span>
    </header>
    ${graph(page, line)}
    ${slipNote(page, session)}
    ${
      line.length < 2
        ? html`<p class="note">No moves have been played yet.</p>`
        : html`<ol class="moves">${repeat(
            line.slice(1),
            (node) => node.number,
            (node, ply) => moveItem(page, node, ply),
          )}</ol>`
    }
  </section>`;
}

/**
 * What was wrong with the move that led here, the better one, and the line that shows why.
 *
 * @param {Page} page
 * @param {SessionState} session
 */
function slipNote(page, session) {
  const node = session.nodes[session.current];
  const slip = slipOf(session, node);
  if (!slip) return "";
  const { line, better } = slip;
  const show = () => page.showPreview(line, node.parent ?? 0);
  const hide = () => page.hidePreview();
  return html`<p class="slip-note" role="status"><b>${node.move}</b> <span class="slip">${slip.sign}</span> ${capitalise(slip.word)}:
    it gives away ${Math.round(100 * slip.loss)}\u00a0% of the winning chances. Better is <b>${better}</b>.
    ${line.length > 1 ? html`<button class="variation line-shown" @mouseenter=${show} @focus=${show} @mouseleave=${hide} @blur=${hide} @click=${show}>It could go on with ${line.slice(1).join(" ")}</button>` : ""}</p>`;
}

/**
 * A move with its branches; it is drawn again only if something about it has changed.
 *
 * @param {Page} page
 * @param {TreeNode} node
 * @param {number} ply
 */
function moveItem(page, node, ply) {
  const { session } = page;
  const parent = session.nodes[node.parent ?? 0];
  const siblings = childrenOf(session, parent);
  const isCurrent = node.number === session.current;
  const parts = [node.move, node.judgement, parent.judgement, siblings.length, isCurrent, ply];
  return guard(parts, () =>
    playedMove(
      page,
      node,
      ply,
      siblings.filter((one) => one.number !== node.number),
      isCurrent,
    ),
  );
}

/**
 * @param {Page} page
 * @param {TreeNode} node
 * @param {number} ply
 * @param {TreeNode[]} others
 * @param {boolean} isCurrent
 */
function playedMove(page, node, ply, others, isCurrent) {
  const { session } = page;
  const slip = slipOf(session, node);
  const who = node.player < 0 ? "dice" : session.game.seats[node.player];
  return html`<li>
      ${session.players.length !== 2 || session.game.chance || ply % 2 === 0 ? html`<span class="number">${session.players.length === 2 && !session.game.chance ? ply / 2 + 1 : ply + 1}.</span>` : ""}<button
        class="played ${node.player < 0 ? "dice" : ""}"
        aria-current=${isCurrent ? "true" : "false"}
        aria-label=${`${who}: ${node.move}${slip ? `, ${slip.word}` : ""}`}
        title=${slip ? `${slip.word}: ${Math.round(100 * slip.loss)} % of winning chances lost; better is ${slip.better}` : who}
        @click=${() => page.go(node.number)}
      >${node.move}${slip ? html`<span class="slip">${slip.sign}</span>` : ""}</button>
    </li>
    ${
      others.length
        ? html`<li class="branches">${others.map((one) => html`<button class="played" aria-label=${`Branch: ${one.move}`} title="another branch" @click=${() => page.go(one.number)}>⑂ ${one.move}</button>`)}</li>`
        : ""
    }`;
}

/**
 * @param {Page} page
 * @param {TreeNode[]} line
 */
function graph(page, line) {
  const { session } = page;
  const judged = line.flatMap((node, ply) => {
    const chance = node.judgement?.chance ?? null;
    return chance === null ? [] : [{ node, ply, chance }];
  });
  if (judged.length < 2) return "";
  const wide = Math.max(line.length - 1, 1);
  const x = (/** @type {number} */ ply) => (100 * ply) / wide;
  const y = (/** @type {number} */ chance) => 40 - 38 * Math.min(1, Math.max(0, chance)) - 1;
  const points = judged.map((one) => `${x(one.ply).toFixed(2)},${y(one.chance).toFixed(2)}`);
  const here = line.findIndex((node) => node.number === session.current);
  const slips = judged
    .filter((one) => slipOf(session, one.node))
    .map((one) => `M${x(one.ply).toFixed(2)} ${y(one.chance).toFixed(2)}h0`);
  const click = (/** @type {MouseEvent} */ event) => {
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    page.go(line[Math.round(((event.clientX - box.left) / box.width) * wide)]?.number);
  };
  return html`<svg class="graph" viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label=${`Winning chances of ${session.game.seats[0]} over the game; the moves below lead to the same positions`} @click=${click}>
    ${svg`<path class="area" d=${`M${x(judged[0].ply)},40L${points.join("L")}L${x(judged[judged.length - 1].ply)},40Z`}></path>
      <path class="middle" d="M0 20H100"></path>
      <path class="curve" d=${`M${points.join("L")}`}></path>
      <path class="here" d=${`M${x(here)} 0V40`}></path>
      <path class="slip" d=${slips.join("")}></path>`}
  </svg>`;
}
