// A recorded search as a story: what has happened to each node by a certain step, and a sentence for the step.

/** A flat list of nodes, each with its children, its path and its depth. */
export function linked(tree) {
  const nodes = tree.map((node, number) => ({ ...node, worth: node.number, number, children: [] }));
  for (const node of nodes) {
    if (node.parent !== null) nodes[node.parent].children.push(node);
    node.path = node.parent === null ? [] : [...nodes[node.parent].path, node.move];
    node.depth = node.path.length;
  }
  return nodes;
}

export class Story {
  constructor(tree) {
    this.nodes = linked(tree);
    this.root = this.nodes[0];
    this.steps = [];
    for (const node of this.nodes) {
      if (node.kind === "cut") continue;
      if (node.children.length) this.steps.push({ time: node.entered, node, isEntry: true });
      this.steps.push({ time: node.left, node, isEntry: false });
    }
    this.steps.sort((a, b) => a.time - b.time);
  }

  /** The time of a step; step -1 is before the beginning. */
  timeOf(step) {
    return step < 0 ? -1 : this.steps[Math.min(step, this.steps.length - 1)].time;
  }

  /** What is known of a node at a time: `{isSeen, isDone, isHere, value, window}`. */
  at(node, time) {
    if (node.kind === "cut") {
      return { isSeen: false, isDone: false, isCut: this.nodes[node.parent].left <= time && this.nodes[node.parent].left >= 0 };
    }
    const isSeen = node.entered <= time;
    const isDone = node.left <= time;
    return { isSeen, isDone, isCut: false, value: isDone ? node.value : isSeen ? this.soFar(node, time) : "", window: isSeen ? this.windowAt(node, time) : null };
  }

  finished(node, time) {
    return node.children.filter((child) => child.kind !== "cut" && child.left <= time);
  }

  /** The best of what has come back so far. */
  soFar(node, time) {
    const numbers = this.backed(node, time);
    if (!numbers.length) return "";
    if (node.kind === "max") return `≥ ${written(Math.max(...numbers))}`;
    if (node.kind === "min") return `≤ ${written(Math.min(...numbers))}`;
    return "";
  }

  backed(node, time) {
    return this.finished(node, time)
      .map((child) => child.worth)
      .filter((number) => number !== null);
  }

  /** Alpha and beta as they are now: what has come back has narrowed them. */
  windowAt(node, time) {
    if (!node.window) return null;
    let [alpha, beta] = [node.window[0] ?? -Infinity, node.window[1] ?? Infinity];
    const numbers = this.backed(node, time);
    if (numbers.length && node.kind === "max") alpha = Math.max(alpha, ...numbers);
    if (numbers.length && node.kind === "min") beta = Math.min(beta, ...numbers);
    return [alpha, beta];
  }

  /** What happens at a step, in a sentence. */
  sentence(step) {
    if (step < 0) return "Before the search begins. Step on to see what it looks at.";
    const { node, isEntry } = this.steps[Math.min(step, this.steps.length - 1)];
    const name = node.path.length ? node.path.join(" ") : "the root";
    const who = { max: "Max", min: "Min", chance: "Chance" }[node.kind];
    if (isEntry) return `Enter ${name}: ${who} to choose${windowWords(node.window)}.`;
    const cut = node.children.filter((child) => child.kind === "cut");
    if (!node.children.length) return `${node.kind === "horizon" ? "Estimate" : "Look at"} ${name}: ${node.value}.`;
    const back = `Leave ${name} with ${node.value}`;
    if (!cut.length) return `${back}.`;
    return `${back}: ${cut[0].reason}, so ${cut.map((child) => child.move).join(", ")} need not be looked at.`;
  }
}

export function written(number) {
  if (number === Infinity) return "∞";
  if (number === -Infinity) return "−∞";
  return String(Math.round(1000 * number) / 1000).replace("-", "−");
}

export const windowText = ([alpha, beta]) => `[${written(alpha)}, ${written(beta)}]`;

function windowWords(window) {
  return window ? `, window ${windowText([window[0] ?? -Infinity, window[1] ?? Infinity])}` : "";
}
