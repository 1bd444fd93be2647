// The exercise on regret matching: from the regrets of a set, type the probabilities that are played next.

import { matched, numberText } from "./regrets-steps.js";

/** @import { LearningRecord } from "../types/messages.js" */

/** @typedef {{set: number, regrets: number[]}} Question an information set, and its regrets */
/** @typedef {{isRight: boolean, words: string}} Verdict on a move */

const CLOSE = 0.006; // 33 % or 0.33 for a third is right

/**
 * The question with a number: a set at a step at which something is regretted. Regrets are rounded to two decimals, so
 * that everyone can compute with them.
 *
 * @param {LearningRecord} record
 * @param {number} number
 * @returns {Question}
 */
export function questionOf(record, number) {
  const rounded = (/** @type {number[]} */ regrets) => regrets.map((one) => Math.round(100 * one) / 100);
  const open = record.steps.filter(({ regrets }) => rounded(regrets).some((one) => one > 0));
  const mixed = open.filter(({ regrets }) => rounded(regrets).filter((one) => one > 0).length > 1);
  const pool = number % 3 === 2 || !mixed.length ? record.steps : mixed;
  const { set, regrets } = pool[(number * 7919) % pool.length];
  return { set, regrets: rounded(regrets) };
}

/**
 * A probability as typed: `1/3`, `0.33`, `.33`, `33 %`; null if it is none.
 *
 * @param {string} text
 */
export function probabilityOf(text) {
  const words = text.trim().replace(",", ".");
  const fraction = /^(\d+)\s*\/\s*(\d+)$/.exec(words);
  if (fraction) return Number(fraction[2]) ? Number(fraction[1]) / Number(fraction[2]) : null;
  const percent = /^(\d*\.?\d+)\s*%$/.exec(words);
  if (percent) return Number(percent[1]) / 100;
  return /^\d*\.?\d+$/.test(words) ? Number(words) : null;
}

/**
 * A verdict on each answer, with the reason.
 *
 * @param {Question} question
 * @param {string[]} answers
 * @returns {Verdict[]}
 */
export function check({ regrets }, answers) {
  const shares = matched(regrets);
  const positive = regrets.filter((one) => one > 0);
  const sum = positive.reduce((total, one) => total + one, 0);
  return regrets.map((regret, place) => {
    const given = probabilityOf(answers[place] ?? "");
    return {
      isRight: given !== null && Math.abs(given - shares[place]) < CLOSE,
      words: given === null ? `type a number such as 1/3, 0.25 or 25 %; ${reason()}` : reason(),
    };

    function reason() {
      if (!positive.length)
        return `no regret is positive, so each of the ${regrets.length} moves has 1/${regrets.length}`;
      if (regret <= 0) return `${numberText(regret)} is not positive, so the move is not played: 0`;
      if (positive.length === 1) return "it is the only move with a positive regret: 1";
      return `${numberText(regret)} of ${numberText(sum)}, the sum of the positive regrets: ${numberText(shares[place])}`;
    }
  });
}
