// How a tree of Monte Carlo tree search grows: what is known of each node after so many simulations.

import { linked, written } from "./story.js";

export class Growth {
  constructor({ tree, simulations, is_opposed }) {
    this.nodes = linked(tree);
    this.root = this.nodes[0];
    this.isOpposed = is_opposed;
    this.steps = simulations.map((simulation, time) => ({ ...simulation, time, node: this.nodes[simulation.node] }));
    for (const node of this.nodes) node.visited = [];
    this.steps.forEach((step) => {
      for (let node = step.node; node; node = this.nodes[node.parent]) node.visited.push(step.time);
    });
  }

  timeOf(step) {
    return Math.min(step, this.steps.length - 1);
  }

  /** A node is there from its first visit on; the root always is. */
  isThere(node, time) {
    return node === this.root || (node.visited.length > 0 && node.visited[0] <= time);
  }

  visits(node, time) {
    let count = 0;
    while (count < node.visited.length && node.visited[count] <= time) count += 1;
    return count;
  }

  /** The mean of what was paid: Max's where two oppose each other, else everybody's. */
  mean(node, time) {
    const count = this.visits(node, time);
    if (!count) return "";
    const sums = this.steps[node.visited[0]].paid.map(() => 0);
    for (const one of node.visited.slice(0, count)) this.steps[one].paid.forEach((paid, seat) => (sums[seat] += paid));
    const means = sums.map((sum) => written(Math.round((100 * sum) / count) / 100));
    return this.isOpposed ? means[0] : `(${means.join(", ")})`;
  }

  sentence(step) {
    if (step < 0) return "Before the first simulation. Step on to see the tree grow.";
    const { node, is_new: isNew, paid, time } = this.steps[step];
    const above = isNew ? node.path.slice(0, -1) : node.path;
    const selected = above.length ? `select ${above.join(" ")}` : "begin at the root";
    const payoff = this.isOpposed ? written(paid[0]) : `(${paid.map(written).join(", ")})`;
    const pays = node.kind === "terminal" ? `the game is over there and pays ${payoff}` : `a random game from there pays ${payoff}`;
    return `Simulation ${time + 1}: ${selected}${isNew ? `, add ${node.move}` : ""}; ${pays}.`;
  }
}

/** The parts of the tree worth seeing at first: where most simulations went. */
export function mostVisited(growth, most) {
  const open = new Set();
  const frontier = [growth.root];
  let shown = 1;
  while (frontier.length) {
    frontier.sort((a, b) => b.visited.length - a.visited.length);
    const node = frontier.shift();
    if (!node.children.length || shown + node.children.length > most) continue;
    open.add(node.number);
    shown += node.children.length;
    frontier.push(...node.children);
  }
  return open;
}
