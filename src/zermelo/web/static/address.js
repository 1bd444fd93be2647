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
  const query = new URLSearchParams();
  if (id) query.set("s", id);
  query.set("game", session.game.key);
  for (const [name, value] of Object.entries(session.options)) query.set(`o.${name}`, value);
  if (session.start) query.set("position", session.start);
  if (moves.length) query.set("moves", moves.join(" "));
  return query.toString();
}
