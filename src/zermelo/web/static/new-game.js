// The dialog for a new game: who plays which side, how strong the computer is, and the game's options in words.

import { suggestedLevel } from "./adaptive-level.js";
import { withChecked, withValue } from "./fields.js";
import { html } from "./vendor/lit-html.js";
import { live } from "./vendor/directives/live.js";
import { capitalise } from "./text.js";
import { isSameTime, TIMES, timeText } from "./times.js";

/**
 * @import { GameFacts, Parameter } from "../types/messages.js"
 * @import { Dialogs } from "./dialogs.js"
 * @import { Settings } from "./settings.js"
 */

/** @param {Dialogs} dialogs */
export function newGame(dialogs) {
  const { page, settings, error } = dialogs;
  const { game, levels, players } = page.session;
  const set = (/** @type {Partial<Settings>} */ change) => {
    dialogs.settings = { ...settings, ...change };
    page.draw();
  };
  const hasComputer = settings.people !== "all";
  const level = suggestedLevel(game.key) ?? players.find(({ agent }) => agent !== null)?.level ?? 1;
  return html`<dialog id="dialog-new" class="narrow" aria-labelledby="title-new">
    <form method="dialog" @submit=${(/** @type {SubmitEvent} */ event) => dialogs.start(event)}>
      <h2 id="title-new">New game: ${game.title}</h2>
      <p class="summary">${game.summary}</p>
      ${game.players > 1 ? choice("Who plays?", opponentsOf(game, settings), set) : ""}
      ${hasComputer && settings.people.length && game.players > 1 ? choice("Your side", sidesOf(game, settings), set) : ""}
      ${
        hasComputer && (game.players > 1 || !settings.people.length)
          ? html`<div class="row">
            <label><span>Level</span><select name="level">
              ${levels.map((name, one) => html`<option value=${one + 1} .selected=${live(level === one + 1)}>${one + 1} · ${name}</option>`)}
            </select></label>
            <label><span>The computer plays with</span><select @change=${withValue((agent) => set({ agent }))}>
              ${game.agents.map((agent) => html`<option value=${agent} .selected=${live(settings.agent === agent)}>${agent === "auto" ? "what suits the game best" : game.agent_titles[agent]}</option>`)}
            </select></label>
          </div>`
          : ""
      }
      ${game.players === 2 ? html`<div class="row"><label><span>Time</span>${times(settings, set)}</label></div>` : ""}
      ${game.parameters.length ? html`<fieldset><legend>Options</legend><div class="row">${game.parameters.map((parameter) => option(parameter, settings, set))}</div></fieldset>` : ""}
      <details><summary>Start from a position</summary>
        <label><span>Position, if not the usual start</span><input class="field" name="position" autocomplete="off" spellcheck="false"></label>
      </details>
      ${error ? html`<p class="error" role="alert">${error}</p>` : ""}
      <div class="ends">
        <a class="button bare" href="#games">Another game</a>
        <span class="gap"></span>
        <button type="button" class="button" @click=${() => dialogs.close("new")}>Cancel</button>
        <button class="button main">Start</button>
      </div>
    </form>
  </dialog>`;
}

/** @typedef {{text: string, isChosen: boolean, change: Partial<Settings>}} Choice */

/**
 * A choice between a few words.
 *
 * @param {string} name
 * @param {Choice[]} choices
 * @param {(change: Partial<Settings>) => void} set
 */
const choice = (name, choices, set) => html`<fieldset class="choice-of"><legend>${name}</legend>
  <div class="segments">${choices.map(
    ({ text, isChosen, change }) => html`<label class="segment">
      <input type="radio" name=${name} .checked=${live(isChosen)} @change=${() => set(change)}><span>${text}</span>
    </label>`,
  )}</div>
</fieldset>`;

/**
 * @param {Settings} settings
 * @param {(change: Partial<Settings>) => void} set
 */
function times({ clock }, set) {
  const isOffered = TIMES.some(([, one]) => isSameTime(one, clock));
  /** @type {typeof TIMES} */
  const all = isOffered || !clock ? TIMES : [...TIMES, [timeText(clock), clock]];
  return html`<select name="time" @change=${withValue((place) => set({ clock: all[Number(place)][1] }))}>
    ${all.map(([text, one], place) => html`<option value=${place} .selected=${live(isSameTime(one, clock))}>${text}</option>`)}
  </select>`;
}

/**
 * @param {GameFacts} game
 * @param {Settings} settings
 * @returns {Choice[]}
 */
function opponentsOf(game, { people }) {
  const isAlone = people !== "all" && !people.length;
  return [
    { text: "You and the computer", isChosen: people !== "all" && !isAlone, change: { people: [0] } },
    { text: game.players === 2 ? "Two people" : "Only people", isChosen: people === "all", change: { people: "all" } },
    { text: "The computer alone", isChosen: isAlone, change: { people: [] } },
  ];
}

/**
 * @param {GameFacts} game
 * @param {Settings} settings
 * @returns {Choice[]}
 */
const sidesOf = (game, { people }) =>
  game.seats.map((name, seat) => ({
    text: `${capitalise(name)}${game.begins === seat ? " (begins)" : ""}`,
    isChosen: people !== "all" && people[0] === seat,
    change: { people: [seat] },
  }));

/**
 * @param {Parameter} parameter
 * @param {Settings} settings
 * @param {(change: Partial<Settings>) => void} set
 */
function option({ name, label, kind, value: current }, { options }, set) {
  const value = options[name] ?? current;
  const choose = (/** @type {string} */ text) => set({ options: { ...options, [name]: text } });
  if (kind === "switch") {
    return html`<label class="switch"><input type="checkbox" .checked=${live(value === "true")} @change=${withChecked((isOn) => choose(String(isOn)))}> ${label}</label>`;
  }
  const isNumber = kind === "whole" || kind === "number";
  const wide = Math.min(40, Math.max(7, value.length + (isNumber ? 6 : 4))); // a number has arrows behind it
  return html`<label><span>${label}</span>
    <input class="field" style=${`width:${wide}ch`} type=${isNumber ? "number" : "text"} step=${kind === "whole" ? "1" : "any"} autocomplete="off" spellcheck="false" .value=${live(value)} @input=${withValue(choose)}>
  </label>`;
}
