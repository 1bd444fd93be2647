// What is said of the seats at a board.

/** Players who are called by colours have them: the class under which they are drawn so. */
export function coloursOf(game) {
  const names = game.seats.map((name) => name.toLowerCase()).join(" ");
  return { "white black": "white-first", "black white": "black-first" }[names] ?? "";
}
