// Exercises on a search tree: to say beforehand what will be cut, and to back values up by hand.

import { html } from "./vendor/lit-html.js";

/** The user marks what will be cut; the search knows. */
export class Cuts {
  constructor(story, search, algorithm) {
    this.question = `Which branches will ${algorithm} not look at? Touch a node to mark it with all that is below it, then check.`;
    this.story = story;
    this.open = new Set(story.nodes.map((node) => node.number));
    this.marks = new Set();
    this.reasons = new Map(search.nodes.filter((node) => node.kind === "cut").map((node) => [node.path.join("\0"), node.reason]));
    this.verdict = "";
    this.remarks = [];
    this.isChecked = false;
  }

  touch(node) {
    this.verdict = "";
    this.remarks = [];
    this.isChecked = false;
    if (node.parent === null) return;
    if (this.marks.has(node.number)) this.marks.delete(node.number);
    else this.marks.add(node.number);
  }

  /** Whether the node or one above it is marked. */
  isMarked(node) {
    for (let one = node; one; one = this.story.nodes[one.parent]) if (this.marks.has(one.number)) return true;
    return false;
  }

  /** Why the search does not look at the node; undefined if it does. */
  reasonOf(node) {
    for (let length = 1; length <= node.path.length; length += 1) {
      const reason = this.reasons.get(node.path.slice(0, length).join("\0"));
      if (reason !== undefined) return reason;
    }
    return undefined;
  }

  check() {
    const leaves = this.story.nodes.filter((node) => !node.children.length);
    const missed = leaves.filter((leaf) => this.reasonOf(leaf) !== undefined && !this.isMarked(leaf));
    const wrong = leaves.filter((leaf) => this.reasonOf(leaf) === undefined && this.isMarked(leaf));
    const right = leaves.filter((leaf) => this.reasonOf(leaf) !== undefined && this.isMarked(leaf));
    this.isChecked = true;
    this.remarks = [
      ...missed.map((leaf) => `${leaf.path.join(" ")} is not looked at: ${this.reasonOf(leaf)}.`),
      ...wrong.map((leaf) => `${leaf.path.join(" ")} is looked at: when the search comes there, it could still change the answer.`),
    ];
    this.verdict = this.remarks.length ? `${right.length} of ${right.length + missed.length} found${wrong.length ? `, ${wrong.length} too many` : ""}.` : "All correct.";
  }

  look(node) {
    const isMarked = this.isMarked(node);
    const isCut = this.reasonOf(node) !== undefined;
    const style = [isMarked ? "marked-cut" : "", this.isChecked && isMarked !== isCut ? "mistaken" : ""].join(" ");
    return { text: node.children.length ? "" : node.value, style, isSevered: this.marks.has(node.number), isMarked, window: null };
  }
}

/** The user types what inner nodes are worth. */
export class Worths {
  constructor(story) {
    this.question = "What is each node worth? Touch one, type its value and press Enter; then check.";
    this.story = story;
    this.open = new Set(story.nodes.map((node) => node.number));
    this.typed = new Map();
    this.inner = story.nodes.filter((node) => node.children.length);
    this.chosen = this.deepest();
    this.clear();
  }

  clear() {
    this.verdict = "";
    this.remarks = [];
    this.wrong = new Set();
  }

  /** The lowest node that has no value yet, from the left: the order in which values are backed up. */
  deepest() {
    const open = this.inner.filter((node) => !this.typed?.has(node.number));
    return open.reduce((best, node) => (best && best.depth >= node.depth ? best : node), null);
  }

  touch(node) {
    if (node.children.length) this.chosen = node;
  }

  field(draw) {
    if (!this.chosen) return "";
    const name = this.chosen.path.join(" ") || "the root";
    const take = (event) => {
      event.preventDefault();
      const input = event.target.elements.worth;
      if (!input.value.trim()) return;
      this.clear();
      this.typed.set(this.chosen.number, input.value.trim());
      this.chosen = this.deepest();
      input.value = "";
      draw();
    };
    return html`<form class="typed" @submit=${take}>
      <label for="worth">The value of ${name}</label>
      <input id="worth" name="worth" class="field short" autocomplete="off" inputmode="text">
      <button class="button">Set</button>
    </form>`;
  }

  check() {
    this.clear();
    const missing = this.inner.filter((node) => !this.typed.has(node.number));
    for (const node of this.inner) {
      if (this.typed.has(node.number) && plain(this.typed.get(node.number)) !== plain(node.value)) {
        this.wrong.add(node.number);
        this.remarks.push(`${node.path.join(" ") || "The root"}: ${reasonOf(node)}.`);
      }
    }
    const right = this.typed.size - this.wrong.size;
    this.verdict = missing.length || this.wrong.size ? `${right} of ${this.inner.length} correct.` : "All correct.";
  }

  look(node) {
    const isLeaf = !node.children.length;
    const style = [this.wrong.has(node.number) ? "mistaken" : "", node === this.chosen ? "here current" : ""].join(" ");
    return { text: isLeaf ? node.value : (this.typed.get(node.number) ?? ""), style, window: null };
  }
}

/** A value without its sign and with a plain minus, so that texts can be compared. */
function plain(text) {
  const bare = text.replace(/^[~≥≤=]\s*/, "").replaceAll("−", "-").replaceAll(" ", "").replaceAll(",", ", ");
  return bare !== "" && Number.isFinite(Number(bare)) ? String(Number(bare)) : bare;
}

function reasonOf(node) {
  const values = node.children.map((child) => child.value).join(", ");
  if (node.kind === "max") return `the player to move takes the best of ${values}, which is ${node.value}`;
  if (node.kind === "min") return `Min takes the least of ${values}, which is ${node.value}`;
  return `the mean of ${node.children.map((child) => `${child.chance} × ${child.value}`).join(" + ")} is ${node.value}`;
}
