// Words as sentences need them.

export const capital = (text) => text[0].toUpperCase() + text.slice(1);
