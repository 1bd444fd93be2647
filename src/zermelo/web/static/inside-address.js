// The address bar holds the tree or the game, the search and the exercise, so that a link can share them.

const TREE = "tree";

export function read() {
  const found = new URLSearchParams(location.hash.slice(1));
  const options = {};
  for (const [name, text] of found) if (name.startsWith("o.")) options[name.slice(2)] = text;
  if (found.has(TREE)) options.text = found.get(TREE);
  const number = (name) => (/^\d+$/.test(found.get(name) ?? "") ? Number(found.get(name)) : null);
  return {
    look: {
      game: found.get("game") ?? TREE,
      options,
      position: found.get("position") ?? "",
      moves: (found.get("moves") ?? "").split(" ").filter(Boolean),
      algorithm: found.get("algorithm") ?? "auto",
      depth: number("depth"),
      seed: number("run") ?? 0,
    },
    mode: ["watch", "prune", "values"].includes(found.get("mode")) ? found.get("mode") : "watch",
    random: number("seed") === null ? null : { seed: number("seed"), levels: number("levels") ?? 2, branches: number("branches") ?? 3, kind: found.get("kind") ?? "max and min" },
  };
}

export function write({ look, mode, random }) {
  const query = new URLSearchParams();
  if (random) for (const [name, value] of Object.entries(random)) query.set(name, value);
  else if (look.game === TREE) query.set(TREE, look.options.text ?? "");
  else {
    query.set("game", look.game);
    for (const [name, value] of Object.entries(look.options)) query.set(`o.${name}`, value);
    if (look.position) query.set("position", look.position);
    if (look.moves.length) query.set("moves", look.moves.join(" "));
  }
  query.set("algorithm", look.algorithm);
  if (look.depth !== null) query.set("depth", look.depth);
  if (look.algorithm === "mcts" && look.seed) query.set("run", look.seed);
  if (mode !== "watch") query.set("mode", mode);
  history.replaceState(null, "", `#${query}`);
}
