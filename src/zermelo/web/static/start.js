// The start page: pictures of the games in groups, what was played recently, and the ways to everything else.

import { optionsText } from "./address.js";
import { coloursOf } from "./board.js";
import { withValue } from "./fields.js";
import { loadObject } from "./preferences.js";
import * as server from "./server.js";
import { loadSettings } from "./settings.js";
import { bestMatch, shelvesOf } from "./shelf.js";
import { html, nothing, svg } from "./vendor/lit-html.js";
import { repeat } from "./vendor/directives/repeat.js";

/**
 * @import { GameFacts, Thumbnail } from "../types/messages.js"
 * @import { Page } from "./main.js"
 * @import { RecentGame } from "./shelf.js"
 */

/** A small tree: nodes with their shapes, edges, and edges that are cut. */
const TREE = svg`<path class="edge" d="M60 16L24 46M60 16L60 46M60 16L96 46M24 50L12 78M24 50L36 78M60 50L48 78M96 50L84 78"></path>
  <path class="thick" d="M60 16L24 46L12 78"></path>
  <path class="node" d="M60 6L70 24H50Z"></path>
  <path class="node" d="M14 42H34L24 60ZM50 42H70L60 60ZM86 42H106L96 60Z"></path>
  <path class="leaf" d="M6 74h12v12H6ZM30 74h12v12H30ZM42 74h12v12H42ZM78 74h12v12H78Z"></path>`;
const CUTS = svg`<path class="edge" d="M60 50L72 78M96 50L108 78"></path>
  <path class="leaf faint" d="M66 74h12v12H66ZM102 74h12v12H102Z"></path>
  <path class="cut" d="M61 66l10 -5M63 70l10 -5M97 66l10 -5M99 70l10 -5"></path>`;
const PAPER = svg`<path class="leaf" d="M26 6H76L94 24V86H26Z"></path>
  <path class="edge" d="M76 6V24H94"></path>
  <path class="thick" d="M36 38H58"></path><path class="edge" d="M44 50H80M44 60H72M44 70H84"></path>`;

const BARS = svg`<path class="edge" d="M20 12V84M20 22H104M20 44H104M20 66H104"></path>
  <path class="thick" d="M20 22H76M20 44H48M20 66H94"></path>`;

/** Everything on the start page that is not a game: a picture, a name, a sentence, and a link or what to do. */
const ENTRIES = [
  {
    title: "Inside a search",
    about: "Watch how the computer thinks, one step at a time.",
    href: "/inside",
    picture: TREE,
  },
  {
    title: "Exercises",
    about: "Which branches does alpha-beta leave out? Mark them, and have your answer checked.",
    href: "/inside#seed=7&kind=max+and+min&mode=prune",
    picture: svg`${TREE}${CUTS}`,
  },
  {
    title: "Solve a game of bluffs",
    about: "How often does the best poker player bluff? The smallest poker, solved exactly.",
    href: "/solve#game=kuhn",
    picture: BARS,
  },
  {
    title: "Your own game",
    about: "Write the rules in Python, and play against the computer at once.",
    dialog: "own",
    picture: PAPER,
  },
];

export class StartPage {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    /** @type {GameFacts[] | null} */
    this.games = null;
    /** @type {Record<string, Thumbnail>} */
    this.pictures = {};
    this.isComplete = false;
    this.query = "";
    this.error = "";
  }

  /** Load the games, then their pictures. */
  async load() {
    if (this.games) return;
    const pictures = server.pictures().catch(() => ({})); // letters stand for those that are missing
    try {
      this.games = await server.games();
    } catch (error) {
      this.error = server.messageOf(error);
    }
    this.page.draw();
    this.pictures = await pictures;
    this.isComplete = true;
    this.page.draw();
  }

  /** @param {string} query */
  search(query) {
    this.query = query;
    this.page.draw();
  }

  /** @param {SubmitEvent} event */
  openFound(event) {
    event.preventDefault();
    const game = bestMatch(this.games ?? [], this.query);
    if (game) location.hash = addressOf(game);
  }

  // -- views ---------------------------------------------------------------------------------------

  view() {
    const { games, query } = this;
    const shelves = games && shelvesOf(games, query);
    return html`
      <main class="start" tabindex="-1" aria-busy=${!this.isComplete}>
        <form class="search" role="search" @submit=${(/** @type {SubmitEvent} */ event) => this.openFound(event)}>
          <h2>What would you like to play?</h2>
          <label class="hidden-label" for="search">Search for a game</label>
          <input id="search" class="field" type="search" placeholder="Search, for example: chess" autocomplete="off" spellcheck="false" maxlength="100" .value=${query} @input=${withValue((text) => this.search(text))}>
        </form>
        ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : ""}
        ${query ? "" : this.recent()}
        ${
          shelves
            ? repeat(
                shelves,
                ({ group }) => group,
                ({ group, title, games: own }) => this.shelf(group, title, own),
              )
            : html`<p class="note">Fetching the games …</p>`
        }
        ${shelves && !shelves.length ? html`<p class="note" role="status">No game here has these words. <button class="button" @click=${() => this.search("")}>Show all games</button></p>` : ""}
        ${query ? "" : this.more()}
      </main>`;
  }

  /**
   * @param {string} group
   * @param {string} title
   * @param {GameFacts[]} games
   */
  shelf(group, title, games) {
    return html`<section aria-labelledby=${`shelf-${group}`}>
      <h2 id=${`shelf-${group}`}>${title}${group === "hidden" ? html` <a class="aside" href="/solve">Solve one of them</a>` : ""}</h2>
      <ul class="shelf">
        ${repeat(
          games,
          ({ key }) => key,
          (game) => html`<li><a class="entry" href=${`#${addressOf(game)}`} title=${game.summary}>
            ${this.thumbnail(game.key, game.title)}<b>${game.title}</b>
          </a></li>`,
        )}
      </ul>
    </section>`;
  }

  recent() {
    /** @type {RecentGame[]} */
    const recent = loadObject("recent") ?? [];
    if (!recent.length) return "";
    return html`<section aria-labelledby="shelf-recent">
      <h2 id="shelf-recent">Go on playing</h2>
      <ul class="shelf recent">
        ${repeat(
          recent,
          ({ session }) => session,
          (one) => html`<li><a class="entry" href=${`#s=${one.session}&${optionsText(one.game, one.options)}`}>
            ${this.thumbnail(one.game, one.title)}<span><b>${one.title}</b><small>${one.state}</small></span>
          </a></li>`,
        )}
      </ul>
    </section>`;
  }

  more() {
    return html`<section aria-labelledby="shelf-more">
      <h2 id="shelf-more">Learn and make</h2>
      <ul class="shelf">
        ${ENTRIES.map(({ title, about, href, dialog, picture }) => {
          const body = html`<span class="thumb drawn" aria-hidden="true"><svg viewBox="0 0 120 92">${picture}</svg></span><b>${title}</b><small>${about}</small>`;
          return html`<li>${href ? html`<a class="entry" href=${href}>${body}</a>` : html`<button class="entry" @click=${() => this.page.dialogs.open(dialog ?? "")}>${body}</button>`}</li>`;
        })}
      </ul>
    </section>`;
  }

  /**
   * @param {string} game
   * @param {string} title
   */
  thumbnail(game, title) {
    const picture = this.pictures[game];
    return html`<span class="thumb" aria-hidden="true" style=${picture ? coloursOf(picture) : nothing} data-letter=${picture ? nothing : title[0]} .innerHTML=${picture?.svg ?? ""}></span>`;
  }
}

/**
 * The address of a new game, with the options that it was played with last.
 *
 * @param {GameFacts} game
 */
const addressOf = (game) => optionsText(game.key, loadSettings(game.key).options);
