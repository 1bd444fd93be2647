// Play and pause: one step after the other, at a pace that is kept for the next visit.

import { loadPreference, savePreference } from "./preferences.js";

/** @import { OpenSearch } from "./inside-search.js" */

/** @type {Record<string, number>} milliseconds between steps */
export const PACES = { slow: 1600, steady: 800, quick: 250, racing: 60 };
/** @type {Record<string, number>} the share by which a growing tree grows with each step */
const GROWTHS = { quick: 1 / 20, racing: 1 / 5 };

export class Player {
  /** @param {() => void} draw */
  constructor(draw) {
    this.draw = draw;
    this.isPlaying = false;
    this.pace = loadPreference("inside-pace", "steady");
    this.timer = 0;
  }

  /** @param {string} pace */
  setPace(pace) {
    this.pace = pace;
    savePreference("inside-pace", pace);
    this.draw();
  }

  /** @param {OpenSearch | null} search */
  pause(search) {
    clearTimeout(this.timer);
    if (search) search.targetStep = null;
    this.isPlaying = false;
  }

  /** @param {OpenSearch} search */
  toggle(search) {
    if (this.isPlaying) {
      this.pause(search);
      this.draw();
      return;
    }
    this.isPlaying = true;
    if (!search.growth && search.step >= search.last) search.step = 0;
    this.tick(search);
  }

  /** @param {OpenSearch} search */
  async tick(search) {
    if (!this.isPlaying) return;
    const growth = search.growth ? (GROWTHS[this.pace] ?? 0) : 0;
    await search.goTo(search.step + Math.max(1, Math.round(search.step * growth)));
    if (search.step >= search.last) this.pause(search);
    this.draw();
    if (this.isPlaying) this.timer = setTimeout(() => this.tick(search), PACES[this.pace] ?? PACES.steady);
  }
}
