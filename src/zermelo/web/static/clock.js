// The clocks at the seats: the server owns them, the page counts down between two events.

import { clockText, LOW, timeLeft } from "./times.js";
import { html } from "./vendor/lit-html.js";

/** @import { ClockState } from "../types/messages.js" */

const TICK = 100; // milliseconds

/**
 * The place of a seat's clock; `Clocks` writes the time into it.
 *
 * @param {number} seat
 * @param {string} name
 */
export const clockOf = (seat, name) =>
  html`<span class="clock" role="timer" aria-label=${`Clock of ${name}`} data-clock=${seat}></span>`;

/** Writes the time into the clocks of a page, and goes on while one of them runs. */
export class Clocks {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {ClockState | null} */
    this.clock = null;
    this.heard = 0;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.timer = undefined;
  }

  /** @param {ClockState | null} clock as the server sent it last */
  show(clock) {
    if (clock !== this.clock) this.heard = performance.now();
    this.clock = clock;
    const isRunning = clock?.running != null;
    if (isRunning) this.timer ??= setInterval(() => this.write(), TICK);
    else {
      clearInterval(this.timer);
      this.timer = undefined;
    }
    this.write();
  }

  write() {
    const { clock } = this;
    if (!clock) return;
    const since = performance.now() - this.heard;
    /** @type {NodeListOf<HTMLElement>} */
    const places = this.root.querySelectorAll("[data-clock]");
    for (const place of places) {
      const seat = Number(place.dataset.clock);
      const left = timeLeft(clock, seat, since);
      const text = clockText(left);
      if (place.textContent !== text) place.textContent = text;
      place.classList.toggle("running", clock.running === seat);
      place.classList.toggle("low", left < LOW);
    }
  }
}
