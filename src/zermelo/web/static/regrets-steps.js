// Regret minimisation step by step: what is known after a step, and what the step says in words.

/** @import { LearningRecord, LearningStep } from "../types/messages.js" */

/** @typedef {{regrets: number[], strategy: number[], average: number[]}} SetState */

const SMALL = 0.0005;

/** @param {number} value */
export const numberText = (value) =>
  (Math.abs(value) < SMALL ? "0" : value.toFixed(2).replace(/\.?0+$/, "")).replace("-", "−");

/** @type {(values: number[]) => number[]} */
const equal = (values) => values.map(() => 1 / values.length);

/**
 * What has been learned at each set after a number of steps; before the first one all moves are equally likely.
 *
 * @param {LearningRecord} record
 * @param {number} step
 * @returns {SetState[]}
 */
export function learnedAt(record, step) {
  const found = record.sets.map(({ moves }) => {
    const zeros = moves.map(() => 0);
    return { regrets: zeros, strategy: equal(zeros), average: equal(zeros) };
  });
  for (const { set, regrets, strategy, average } of record.steps.slice(0, step))
    found[set] = { regrets, strategy, average };
  return found;
}

/**
 * Regret matching: in proportion to the positive regrets; all equal if there are none.
 *
 * @param {number[]} regrets
 */
export function matched(regrets) {
  const positive = regrets.map((regret) => Math.max(regret, 0));
  const sum = positive.reduce((total, one) => total + one, 0);
  return sum > 0 ? positive.map((one) => one / sum) : equal(regrets);
}

/**
 * What a step does, in a sentence.
 *
 * @param {LearningRecord} record
 * @param {number} step
 */
export function describeStep(record, step) {
  const current = record.steps[step - 1];
  if (!current) return "At first there are no regrets, and every move is equally likely.";
  const { player, view, moves } = record.sets[current.set];
  const changes = moves.map((move, place) => changed(move, current, place)).join("; ");
  return `Iteration ${current.iteration}, ${record.seats[player]} with “${view}”: ${changes}. ${playsNext(moves, current.regrets)}`;
}

/**
 * @param {string} move
 * @param {LearningStep} step
 * @param {number} place
 */
function changed(move, { before, regrets }, place) {
  const by = regrets[place] - before[place];
  if (Math.abs(by) < SMALL) return `the regret for ${move} stays ${numberText(regrets[place])}`;
  return `the regret for ${move} ${by > 0 ? "grows" : "falls"} by ${numberText(Math.abs(by))} to ${numberText(regrets[place])}`;
}

/**
 * @param {string[]} moves
 * @param {number[]} regrets
 */
function playsNext(moves, regrets) {
  const wanted = moves.filter((_, place) => regrets[place] > 0);
  if (!wanted.length) return "No regret is positive, so all moves are equally likely next.";
  if (wanted.length === 1) return `Only ${wanted[0]} has a positive regret, so it is always played next.`;
  const shares = matched(regrets);
  const parts = moves.flatMap((move, place) =>
    shares[place] > 0 ? [`${move} ${(100 * shares[place]).toFixed(0)} %`] : [],
  );
  return `Next, moves are played in proportion to their positive regrets: ${parts.join(", ")}.`;
}
