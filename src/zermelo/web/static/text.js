// Helpers for texts.

/** @type {(text: string) => string} */
export const capitalise = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Numbers stay on the line of their per cent sign. */
export const unbroken = (/** @type {string} */ text) => text.replaceAll(" %", "\u00a0%");

/**
 * What is said while chance is to decide; dice have numbers only. With hidden information the page does not know them.
 *
 * @param {{odds: Record<string, number>}} position
 * @param {boolean} isChosen by a person
 */
export function chanceText({ odds }, isChosen) {
  const names = Object.keys(odds);
  const areDice = names.length > 0 && names.every((name) => /^\d+$/.test(name));
  if (isChosen) return areDice ? "Choose the roll" : "Choose what happens by chance";
  return areDice ? "The dice are rolling" : "Chance decides";
}

/**
 * `1 branch`, `2,345 branches`.
 *
 * @type {(count: number, one: string, more?: string) => string}
 */
export const countText = (count, one, more = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : more}`;
