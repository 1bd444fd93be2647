// The dialogs that need no game: the keys, the preferences, and how to make a game of your own.

import { copyField } from "./copy-field.js";
import { withChecked } from "./fields.js";
import { isOn, savePreference } from "./preferences.js";
import { html } from "./vendor/lit-html.js";
import { live } from "./vendor/directives/live.js";

/**
 * @import { Dialogs } from "./dialogs.js"
 * @import { Shell } from "./shell.js"
 */

const KEYS = [
  ["Tab, arrows, Enter", "move over the board and choose cells; Escape cancels"],
  ["← → or , .", "back and forward; if moves are directions, the arrow keys play them"],
  ["Home, End", "first and last position"],
  ["u, r", "undo, redo"],
  ["n", "new game"],
  ["h", "hint: a good move, and why"],
  ["a", "analysis on and off"],
  ["d, s", "deeper, stop"],
  ["m", "next mistake"],
  ["f", "turn the board"],
  ["right button", "mark a cell, or draw an arrow; Shift and Enter mark a cell too, Escape clears"],
  ["/", "type a move; on the start page, search"],
];

/** @type {{name: string, usual: string, text: string, about: string}[]} what can be switched on and off */
const SWITCHES = [
  {
    name: "adaptive",
    usual: "yes",
    text: "The level follows your results",
    about: "Two wins in a row raise it, two losses in a row lower it, for each game.",
  },
  {
    name: "celebrate",
    usual: "yes",
    text: "Celebrate when I win",
    about: "A little paper falls over the board, without a sound.",
  },
  {
    name: "analysing",
    usual: "no",
    text: "Start games with the analysis on",
    about: "It shows what every move is worth.",
  },
  {
    name: "letters",
    usual: "yes",
    text: "Single letters are keys",
    about: "The list of keys names them. Switch them off if you speak to your computer.",
  },
];

const RULES = `from zermelo import Game

class TwentyOne(Game):
    """Take one, two or three matches; whoever takes the last one wins."""

    def initial(self):
        return (21, 0)  # matches left, player to move

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return range(1, min(3, state[0]) + 1)

    def result(self, state, taken):
        return (state[0] - taken, 1 - state[1])

    def utility(self, state, player):
        return -1 if player == state[1] else 1
`;
const COMMAND = "zermelo serve mygame.py";

export const help = () => html`<dialog id="dialog-help" class="narrow" aria-labelledby="title-help">
  <form method="dialog">
    <h2 id="title-help">Keys</h2>
    <table>
      ${KEYS.map(([key, what]) => html`<tr><th scope="row">${key}</th><td>${what}</td></tr>`)}
    </table>
    <div class="ends"><button class="button main">Close</button></div>
  </form>
</dialog>`;

/** @param {Shell} page */
export const preferences = (
  page,
) => html`<dialog id="dialog-preferences" class="narrow" aria-labelledby="title-preferences">
  <form method="dialog">
    <h2 id="title-preferences">Preferences</h2>
    ${SWITCHES.map(
      ({ name, usual, text, about }) => html`<label class="switch preference">
        <input type="checkbox" role="switch" .checked=${live(isOn(name, usual))} @change=${withChecked((isChosen) => {
          savePreference(name, isChosen ? "yes" : "no");
          page.draw();
        })}>
        <span>${text}<small>${about}</small></span>
      </label>`,
    )}
    <div class="ends"><button class="button main">Close</button></div>
  </form>
</dialog>`;

/** @param {Dialogs} dialogs */
export const ownGame = (dialogs) => html`<dialog id="dialog-own" class="narrow" aria-labelledby="title-own">
  <form method="dialog">
    <h2 id="title-own">Your own game</h2>
    <p class="summary">A game is five short methods in Python. Save these lines as <b>mygame.py</b>, or write your own rules:</p>
    ${copyField(dialogs, "The rules", RULES, 12)}
    <p class="summary">Then start the page with your game. It comes first here, and the computer plays it at once:</p>
    ${copyField(dialogs, "The command", COMMAND)}
    <p class="summary">When you change the file, the next new game has the new rules.</p>
    <div class="ends"><button class="button main" autofocus>Close</button></div>
  </form>
</dialog>`;
