// Preferences that the browser keeps for the next visit: the last game, the theme, whether to analyse.

const PREFIX = "zermelo.";
const THEMES = ["auto", "light", "dark"];

export function loadPreference(name, usual) {
  try {
    return localStorage.getItem(PREFIX + name) ?? usual;
  } catch {
    return usual;
  }
}

export function savePreference(name, value) {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // the page also works without storage
  }
}

const HIGHEST_LEVEL = 8;
const FIRST_LEVEL = 5;

/** The computer's default level: the one that was chosen last. */
export function preferredLevel() {
  const level = Number(loadPreference("level", FIRST_LEVEL));
  return Number.isInteger(level) && level >= 1 && level <= HIGHEST_LEVEL ? level : FIRST_LEVEL;
}

export function applyTheme() {
  const theme = loadPreference("theme", "auto");
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function nextTheme() {
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const order = isDark ? ["auto", "light", "dark"] : ["auto", "dark", "light"];
  const here = Math.max(THEMES.length && order.indexOf(loadPreference("theme", "auto")), 0);
  savePreference("theme", order[(here + 1) % order.length]);
  applyTheme();
}
