// Listeners of form fields, for templates.

/**
 * A listener that passes on the value of the field.
 *
 * @param {(value: string) => void} act
 */
export const withValue = (act) => (/** @type {Event} */ event) =>
  act(/** @type {HTMLInputElement | HTMLSelectElement} */ (event.target).value);

/**
 * A listener that passes on whether the box is checked.
 *
 * @param {(isChecked: boolean) => void} act
 */
export const withChecked = (act) => (/** @type {Event} */ event) =>
  act(/** @type {HTMLInputElement} */ (event.target).checked);
