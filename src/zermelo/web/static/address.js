// The address bar holds the game: its key, its options and its moves, and the name of the session.

export function read() {
  const found = new URLSearchParams(location.hash.slice(1));
  const options = {};
  for (const [name, text] of found) if (name.startsWith("o.")) options[name.slice(2)] = text;
  return {
    session: found.get("s"),
    game: found.get("game"),
    options,
    position: found.get("position") ?? "",
    moves: (found.get("moves") ?? "").split(" ").filter(Boolean),
  };
}

export function write(session, moves) {
  history.replaceState(null, "", `#${text(session, moves, session.id)}`);
}

export function text(session, moves, id) {
  const told = new URLSearchParams();
  if (id) told.set("s", id);
  told.set("game", session.game.key);
  for (const [name, value] of Object.entries(session.options)) told.set(`o.${name}`, value);
  if (session.start) told.set("position", session.start);
  if (moves.length) told.set("moves", moves.join(" "));
  return told.toString();
}
