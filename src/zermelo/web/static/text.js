// Helpers for texts.

export const capitalise = (text) => text[0].toUpperCase() + text.slice(1);

/** `1 branch`, `2,345 branches`. */
export const countText = (count, one, more = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : more}`;
