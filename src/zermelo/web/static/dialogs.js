// The dialogs: a new game, the game as text, the keys.

import * as address from "./address.js";
import { coloursOf } from "./board.js";
import { copyField } from "./copy-field.js";
import { preferredLevel } from "./preferences.js";
import { movesTo } from "./game-line.js";
import * as server from "./server.js";
import { html } from "./vendor/lit-html.js";
import { capitalise, countText } from "./text.js";

const KEYS = [
  ["Tab, arrows, Enter", "move over the board and choose cells; Escape cancels"],
  ["← → or , .", "back and forward; if moves are directions, the arrow keys play them"],
  ["Home, End", "first and last position"],
  ["u, r", "undo, redo"],
  ["n", "new game"],
  ["a", "analysis on and off"],
  ["d, s", "deeper, stop"],
  ["m", "next mistake"],
  ["/", "type a move"],
];

/** The default player of a seat: a person at the first, the computer at the others. */
const usual = (seat) => ({ agent: seat ? "auto" : null, level: preferredLevel() });

export class Dialogs {
  constructor(page) {
    this.page = page;
    this.chosen = null;
    this.options = {};
    this.players = [];
    this.error = "";
    this.copied = "";
    this.pictures = {};
    this.sheet = null;
  }

  // -- opening -------------------------------------------------------------------------------------

  openNew() {
    const { session, games } = this.page;
    this.choose(games.find((game) => game.key === session.game.key) ?? session.game);
    this.options = { ...session.options };
    this.players = session.players;
    this.isSeated = !session.players.every(({ agent, level }, seat) => agent === usual(seat).agent && (agent === null || level === usual(seat).level));
    this.open("new");
    this.fillShelf();
  }

  /** Load the pictures of the games, and scroll to the chosen game. */
  async fillShelf() {
    if (!Object.keys(this.pictures).length) {
      this.pictures = await server.pictures();
      this.page.draw();
    }
    document.querySelector('.shelf [aria-pressed="true"]')?.scrollIntoView({ block: "nearest" });
  }

  openShare() {
    this.copied = "";
    this.sheet = null;
    this.open("share");
    this.fetchSheet();
  }

  async fetchSheet() {
    const { session } = this.page;
    if (!session.game.scoresheet) return;
    this.sheet = await server.scoresheet(session.id);
    this.page.draw();
  }

  openHelp() {
    this.open("help");
  }

  open(name) {
    this.error = "";
    this.page.draw();
    document.getElementById(`dialog-${name}`).showModal();
  }

  close(name) {
    document.getElementById(`dialog-${name}`).close();
  }

  choose(game) {
    this.chosen = game;
    this.options = {};
    this.error = "";
    this.isSeated = false; // the players are the usual ones
    this.players = Array.from({ length: game.players }, (_, seat) => usual(seat));
    this.page.draw();
  }

  // -- views ---------------------------------------------------------------------------------------

  view() {
    return html`${this.newGame()} ${this.share()} ${this.help()}`;
  }

  newGame() {
    const game = this.chosen;
    return html`<dialog id="dialog-new" aria-labelledby="title-new">
      ${game
        ? html`<form method="dialog" @submit=${(event) => this.start(event)}>
            <h2 id="title-new">New game</h2>
            <div class="shelf" role="group" aria-label="Games">
              ${this.page.games.map(
                (one) => html`<button type="button" class="button" aria-pressed=${one.key === game.key} @click=${() => this.choose(one)}>
                  <span class="thumb ${coloursOf(one)}" aria-hidden="true" .innerHTML=${this.pictures[one.key] ?? ""} data-letter=${this.pictures[one.key] ? "" : capitalise(one.name)[0]}></span>
                  <b>${one.name}</b><small>${kindOf(one)}</small>
                </button>`,
              )}
            </div>
            <p class="summary">${game.summary}</p>
            ${game.parameters.length
              ? html`<div class="row" role="group" aria-label="Options">${game.parameters.map((parameter) => this.option(parameter))}</div>`
              : ""}
            <div class="row" role="group" aria-label="Players">${this.players.map((player, seat) => this.seat(game, player, seat))}</div>
            <label><span>Position, if not the usual start</span><input class="field" name="position" autocomplete="off" spellcheck="false"></label>
            ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : ""}
            <div class="ends">
              <button type="button" class="button" @click=${() => this.close("new")}>Cancel</button>
              <button class="button main">Start</button>
            </div>
          </form>`
        : ""}
    </dialog>`;
  }

  option(parameter) {
    const value = this.options[parameter.name] ?? parameter.value;
    const set = (text) => {
      if (text === parameter.value) delete this.options[parameter.name];
      else this.options[parameter.name] = text;
      if (parameter.name === "players" && /^[1-9]$/.test(text)) {
        this.players = Array.from({ length: Number(text) }, (_, seat) => this.players[seat] ?? usual(seat));
        this.page.draw();
      }
    };
    const name = parameter.name.replaceAll("_", " ");
    if (parameter.kind === "switch") {
      return html`<label class="switch"><input type="checkbox" .checked=${value === "true"} @change=${(event) => set(String(event.target.checked))}> ${name}</label>`;
    }
    const isNumber = parameter.kind === "whole" || parameter.kind === "number";
    const wide = Math.min(40, Math.max(6, value.length + 3));
    return html`<label><span>${name}</span>
      <input class="field" style=${`width:${wide}ch`} type=${isNumber ? "number" : "text"} step=${parameter.kind === "whole" ? "1" : "any"} autocomplete="off" spellcheck="false" .value=${value} @input=${(event) => set(event.target.value)}>
    </label>`;
  }

  seat(game, player, seat) {
    const set = (patch) => {
      this.isSeated = true;
      this.players = this.players.map((one, place) => (place === seat ? { ...one, ...patch } : one));
      this.page.draw();
    };
    return html`<label><span>${capitalise(game.seats[seat] ?? `player ${seat + 1}`)}</span>
      <select @change=${(event) => set({ agent: event.target.value || null })}>
        <option value="" ?selected=${player.agent === null}>Person</option>
        ${game.agents.map((agent) => html`<option value=${agent} ?selected=${player.agent === agent}>${agent === "auto" ? "Computer" : agent}</option>`)}
      </select></label>`;
  }

  async start(event) {
    event.preventDefault();
    const position = event.target.elements.position.value.trim();
    try {
      await this.page.start({
        game: this.chosen.key,
        options: this.options,
        position,
        players: this.isSeated ? this.players : [], // the usual players, however many the options need
        level: preferredLevel(),
      });
      this.close("new");
    } catch (error) {
      this.error = error.message;
      this.page.draw();
    }
  }

  share() {
    const { session } = this.page;
    const moves = movesTo(session, session.current);
    const link = `${location.origin}/#${address.text(session, moves)}`;
    const { scoresheet } = session.game;
    const taken = ["moves from the start", "a position", ...(scoresheet ? [`a game as ${scoresheet}`] : [])];
    return html`<dialog id="dialog-share" aria-labelledby="title-share">
      <form method="dialog" @submit=${(event) => this.take(event)}>
        <h2 id="title-share">Position and game as text</h2>
        ${copyField(this, "Position", session.position.text)} ${copyField(this, "Moves", moves.join(" "))}
        ${this.sheet?.text ? copyField(this, this.sheet.name, this.sheet.text, 4) : ""} ${copyField(this, "Link", link)}
        <label><span>Import: ${taken.join(", or ")}</span><textarea name="text" rows="3" spellcheck="false"></textarea></label>
        ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : ""}
        <div class="ends">
          <button type="button" class="button" @click=${() => this.close("share")}>Close</button>
          <button class="button main">Import</button>
        </div>
      </form>
    </dialog>`;
  }

  /** Import a text: as a whole game if it looks like one, otherwise as moves, or as a position. */
  async take(event) {
    event.preventDefault();
    const text = event.target.elements.text.value.trim().replace(/^moves:\s*/, "");
    if (!text) return;
    const { session } = this.page;
    const wanted = { game: session.game.key, options: session.options, players: session.players };
    const moves = text.split(/[\s,]+/);
    const tries = [{ position: session.start, moves }, { position: text }];
    if (session.game.scoresheet) tries.splice(isScoresheet(text) ? 0 : 1, 0, { scoresheet: text }); // a transcript has a position too
    const refusals = [];
    for (const one of tries) {
      try {
        await this.page.start({ ...wanted, ...one });
        this.close("share");
        return;
      } catch (error) {
        refusals.push(error.message);
      }
    }
    this.error = isScoresheet(text) ? refusals[0] : (refusals.find((one) => /^move ([2-9]|\d\d)/.test(one)) ?? refusals.at(-1));
    this.page.draw();
  }

  help() {
    return html`<dialog id="dialog-help" aria-labelledby="title-help">
      <form method="dialog">
        <h2 id="title-help">Keys</h2>
        <table>
          ${KEYS.map(([key, what]) => html`<tr><th scope="row">${key}</th><td>${what}</td></tr>`)}
        </table>
        <div class="ends"><button class="button main">Close</button></div>
      </form>
    </dialog>`;
  }
}

/** Whether a text looks like a whole game: tags or properties in brackets, numbered moves, or a table of games. */
const isScoresheet = (text) => /^\(;|^\[\w+ "|^1\.|point match/m.test(text);

function kindOf(game) {
  const parts = [countText(game.players, "player")];
  if (game.chance) parts.push("dice");
  if (game.hidden) parts.push("hidden");
  return parts.join(", ");
}
