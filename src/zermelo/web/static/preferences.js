// Preferences that the browser keeps for the next visit: the theme, what was played and how.

const PREFIX = "zermelo.";

/**
 * What was saved under this name, or the usual value.
 *
 * @template {string | number | null} Usual
 * @param {string} name
 * @param {Usual} usual
 * @returns {string | Usual}
 */
export function loadPreference(name, usual) {
  try {
    return localStorage.getItem(PREFIX + name) ?? usual;
  } catch {
    return usual;
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
export function savePreference(name, value) {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // the page also works without storage
  }
}

/**
 * What was saved as an object under this name; null if there is nothing that can be read.
 *
 * @param {string} name
 * @returns {any}
 */
export function loadObject(name) {
  try {
    return JSON.parse(loadPreference(name, "null"));
  } catch {
    return null;
  }
}

/** @type {(name: string, value: object) => void} */
export const saveObject = (name, value) => savePreference(name, JSON.stringify(value));

/** Whether something that a person can switch off is on. */
export const isOn = (/** @type {string} */ name, usual = "yes") => loadPreference(name, usual) === "yes";

export function applyTheme() {
  const theme = loadPreference("theme", "auto");
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function nextTheme() {
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const order = isDark ? ["auto", "light", "dark"] : ["auto", "dark", "light"];
  const here = Math.max(order.indexOf(loadPreference("theme", "auto")), 0);
  savePreference("theme", order[(here + 1) % order.length]);
  applyTheme();
}
