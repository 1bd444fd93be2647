// The address bar holds what is looked at, so that a teacher can share it: the tree or the game, the search, the exercise.

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
  const told = new URLSearchParams();
  if (random) for (const [name, value] of Object.entries(random)) told.set(name, value);
  else if (look.game === TREE) told.set(TREE, look.options.text ?? "");
  else {
    told.set("game", look.game);
    for (const [name, value] of Object.entries(look.options)) told.set(`o.${name}`, value);
    if (look.position) told.set("position", look.position);
    if (look.moves.length) told.set("moves", look.moves.join(" "));
  }
  told.set("algorithm", look.algorithm);
  if (look.depth !== null) told.set("depth", look.depth);
  if (look.algorithm === "mcts" && look.seed) told.set("run", look.seed);
  if (mode !== "watch") told.set("mode", mode);
  history.replaceState(null, "", `#${told}`);
}
