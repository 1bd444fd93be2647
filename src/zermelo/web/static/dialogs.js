// The dialogs: their opening, a new game, and the game as text. Their other contents are in modules of their own.

import { chooseLevel, suggestedLevel } from "./adaptive-level.js";
import * as address from "./address.js";
import { copyField } from "./copy-field.js";
import { movesTo } from "./game-line.js";
import { help, ownGame, preferences } from "./help-dialogs.js";
import { newGame } from "./new-game.js";
import { pictureButtons } from "./picture.js";
import { fileName, svgText } from "./svg-text.js";
import * as server from "./server.js";
import { closeDialog, openDialog } from "./shell.js";
import { saveSettings, settingsOf, wantedGame } from "./settings.js";
import { countText } from "./text.js";
import { timesOf } from "./times.js";
import { html } from "./vendor/lit-html.js";

/**
 * @import { NewSession, ScoresheetText, SessionState } from "../types/messages.js"
 * @import { Page } from "./main.js"
 * @import { Settings } from "./settings.js"
 */

/**
 * The text in a field of the form that is submitted; empty if there is no such field.
 *
 * @param {SubmitEvent} event
 * @param {string} name
 */
const textOf = (event, name) =>
  String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get(name) ?? "").trim();

export class Dialogs {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    /** @type {Settings} of the new game */
    this.settings = { people: [0], agent: "auto", options: {}, clock: null };
    this.error = "";
    this.copied = "";
    /** @type {ScoresheetText | null} */
    this.sheet = null;
  }

  // -- opening -------------------------------------------------------------------------------------

  openNew() {
    this.settings = settingsOf(this.page.session);
    this.open("new");
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

  /** @param {string} name */
  open(name) {
    this.error = "";
    openDialog(this.page, name);
  }

  /** @param {string} name */
  close(name) {
    closeDialog(name);
  }

  // -- views ---------------------------------------------------------------------------------------

  view() {
    const { page } = this;
    const own = page.isAtStart ? ownGame(this) : html`${newGame(this)} ${this.share()}`;
    return html`${own} ${preferences(page)} ${help()}`;
  }

  /**
   * Start the game that the form describes.
   *
   * @param {SubmitEvent} event
   */
  async start(event) {
    event.preventDefault();
    const { page, settings } = this;
    const { key } = page.session.game;
    const position = textOf(event, "position");
    const level = textOf(event, "level");
    if (level && Number(level) !== suggestedLevel(key)) chooseLevel(key, Number(level));
    try {
      await page.begin({ ...wantedGame(key, settings, suggestedLevel(key)), position });
      saveSettings(key, settings);
      this.close("new");
    } catch (error) {
      this.error = server.messageOf(error);
      page.draw();
    }
  }

  share() {
    const { session } = this.page;
    const moves = movesTo(session, session.current);
    const link = `${location.origin}/#${address.text(session, moves)}`;
    const { scoresheet } = session.game;
    const taken = ["moves from the start", "a position", ...(scoresheet ? [`a game as ${scoresheet}`] : [])];
    return html`<dialog id="dialog-share" aria-labelledby="title-share">
      <form method="dialog" @submit=${(/** @type {SubmitEvent} */ event) => this.take(event)}>
        <h2 id="title-share">Position and game as text</h2>
        ${copyField(this, "Position", session.position.text)} ${copyField(this, "Moves", moves.join(" "))}
        ${this.sheet?.text ? copyField(this, this.sheet.name, this.sheet.text, 4) : ""} ${copyField(this, "Link", link)}
        ${pictureButtons("Save the board as", () => boardPicture(session))}
        <label><span>Import: ${taken.join(", or ")}</span><textarea name="text" rows="3" spellcheck="false"></textarea></label>
        ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : ""}
        <div class="ends">
          <button type="button" class="button" @click=${() => this.close("share")}>Close</button>
          <button class="button main">Import</button>
        </div>
      </form>
    </dialog>`;
  }

  /**
   * Import a text: as a whole game if it looks like one, otherwise as moves, or as a position.
   *
   * @param {SubmitEvent} event
   */
  async take(event) {
    event.preventDefault();
    const text = textOf(event, "text").replace(/^moves:\s*/, "");
    if (!text) return;
    const { session } = this.page;
    const wanted = {
      game: session.game.key,
      options: session.options,
      players: session.players,
      clock: timesOf(session.clock),
    };
    const moves = text.split(/[\s,]+/);
    /** @type {Partial<NewSession>[]} */
    const tries = [{ position: session.start, moves }, { position: text }];
    const people = session.players.map((player) => ({ ...player, agent: null })); // others played the game
    const whole = { scoresheet: text, players: people };
    if (session.game.scoresheet) tries.splice(isScoresheet(text) ? 0 : 1, 0, whole); // a transcript has a position too
    const refusals = [];
    for (const one of tries) {
      try {
        await this.page.begin({ ...wanted, ...one });
        this.close("share");
        return;
      } catch (error) {
        refusals.push(server.messageOf(error));
      }
    }
    this.error = isScoresheet(text)
      ? refusals[0]
      : (refusals.find((one) => /^move ([2-9]|\d\d)/.test(one)) ?? refusals[refusals.length - 1]);
    this.page.draw();
  }
}

/** @param {SessionState} session */
function boardPicture(session) {
  const drawing = /** @type {SVGSVGElement} */ (document.querySelector(".board svg"));
  const moves = movesTo(session, session.current);
  const after = moves.length ? `after ${countText(moves.length, "move")}` : "start";
  return { svg: svgText(drawing, `${session.title}, ${after}`), name: fileName(session.title, after) };
}

/**
 * Whether a text looks like a whole game: tags or properties in brackets, numbered moves, or a table of games.
 *
 * @type {(text: string) => boolean}
 */
const isScoresheet = (text) => /^\(;|^\[\w+ "|^1\.|point match/m.test(text);
