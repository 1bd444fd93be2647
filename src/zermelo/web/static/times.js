// The time of a game: what a new game offers, and what is left, as text.

/**
 * @import { ClockSettings, ClockState } from "../types/messages.js"
 */

/** @type {[string, ClockSettings | null][]} what a new game offers */
export const TIMES = [
  ["without a clock", null],
  ["1 minute each", { seconds: 60, increment: 0 }],
  ["3 minutes, and 2 seconds a move", { seconds: 180, increment: 2 }],
  ["5 minutes each", { seconds: 300, increment: 0 }],
  ["10 minutes, and 5 seconds a move", { seconds: 600, increment: 5 }],
  ["30 minutes each", { seconds: 1800, increment: 0 }],
];
export const LOW = 20_000; // milliseconds from which tenths are shown

/**
 * The time control of a game, without what is left.
 *
 * @param {ClockState | null} clock
 * @returns {ClockSettings | null}
 */
export const timesOf = (clock) => clock && { seconds: clock.seconds, increment: clock.increment };

/** @type {(one: ClockSettings | null, other: ClockSettings | null) => boolean} */
export const isSameTime = (one, other) =>
  one === other || (one?.seconds === other?.seconds && (one?.increment ?? 0) === (other?.increment ?? 0));

/**
 * A time control in words, also one that is not offered.
 *
 * @param {ClockSettings} clock
 */
export function timeText(clock) {
  const offered = TIMES.find(([, one]) => isSameTime(one, clock));
  if (offered) return offered[0];
  return `${clockText(1000 * clock.seconds)} each${clock.increment ? `, and ${clock.increment} s a move` : ""}`;
}

/**
 * `4:07`, `1:02:07`; below twenty seconds `9.3`.
 *
 * @param {number} milliseconds
 */
export function clockText(milliseconds) {
  if (milliseconds < LOW) return (Math.floor(Math.max(0, milliseconds) / 100) / 10).toFixed(1);
  const seconds = Math.ceil(milliseconds / 1000);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}

/**
 * The milliseconds that a seat has, some time after the server said so.
 *
 * @param {ClockState} clock
 * @param {number} seat
 * @param {number} since milliseconds
 */
export const timeLeft = (clock, seat, since) => Math.max(0, clock.left[seat] - (clock.running === seat ? since : 0));
