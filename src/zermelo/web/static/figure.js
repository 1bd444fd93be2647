// A search tree as a figure: Max points up, Min down, chance is round, ends are squares; cut branches are severed.

import { html, svg } from "./vendor/lit-html.js";
import { windowText } from "./story.js";

const TALL = 42;
const DROP = 104;
const LEAF = 46;
const MARGIN = 30;
const LEAST_SCALE = 0.8; // a tree is made smaller to fit, but not smaller than this
export const FIRST_SHOWN = 160; // nodes that are open at first

/** Which nodes are shown: parents before children, until there are enough. */
export function firstOpen(story) {
  const open = new Set();
  let shown = 1;
  let level = [story.root];
  while (level.length) {
    const next = [];
    for (const node of level) {
      if (!node.children.length || shown + node.children.length > FIRST_SHOWN) continue;
      open.add(node.number);
      shown += node.children.length;
      next.push(...node.children);
    }
    level = next;
  }
  return open;
}

/** A place for every shown node: leaves side by side, parents above the middle of their children. */
export function laidOut(story, open, isThere = () => true) {
  const places = new Map();
  let right = 0;
  let deepest = 0;
  const place = (node) => {
    deepest = Math.max(deepest, node.depth);
    const words = node.kind === "cut" ? 6 * node.reason.length + 12 : 2 * halfOf(node.value ?? "−0.00") - 2;
    const wide = Math.max(LEAF, words, 7 * edgeText(node).length + (node.visited ? 46 : 14));
    const children = open.has(node.number) ? node.children.filter(isThere) : [];
    if (!children.length) {
      places.set(node.number, { x: right + wide / 2, y: node.depth * DROP });
      right += wide;
      return;
    }
    for (const child of children) place(child);
    const xs = children.map((child) => places.get(child.number).x);
    places.set(node.number, { x: (xs[0] + xs.at(-1)) / 2, y: node.depth * DROP });
    right = Math.max(right, places.get(node.number).x + wide / 2);
  };
  place(story.root);
  return { places, width: right + 2 * MARGIN, height: deepest * DROP + TALL + 2 * MARGIN };
}

/** Half the width of the shape that holds a text. */
const halfOf = (text) => Math.max(25, 4.6 * text.length + 12);

export const edgeText = (node) => [node.move, node.chance].filter(Boolean).join(" · ");

/**
 * The figure at a time. `look(node)` gives `{text, style, window}` for a node; `onTouch(node)` hears clicks.
 */
export function figure(story, open, look, onTouch, label, isThere) {
  const { places, width, height } = laidOut(story, open, isThere);
  const shown = story.nodes.filter((node) => places.has(node.number));
  return html`<svg class="zermelo tree" viewBox=${`${-MARGIN} ${-MARGIN} ${width} ${height}`} style=${`width:clamp(${Math.round(LEAST_SCALE * width)}px,100%,${Math.round(width)}px)`} role="group" aria-label=${label}>
    ${shown.map((node) => (node.parent === null ? "" : edge(node, places, look(node))))}
    ${shown.map((node) => shape(node, places.get(node.number), look(node), open, onTouch))}
  </svg>`;
}

function edge(node, places, seen) {
  const from = places.get(node.parent);
  const to = places.get(node.number);
  const [x1, y1, x2, y2] = [from.x, from.y + TALL, to.x, to.y];
  const at = [x1 + 0.7 * (x2 - x1), y1 + 0.7 * (y2 - y1)];
  const cut = [x1 + 0.4 * (x2 - x1), y1 + 0.4 * (y2 - y1)];
  const text = seen.edge ?? edgeText(node);
  return svg`<g class=${`edge ${seen.style}`}>
    <path class="line" d=${`M${x1} ${y1}L${x2} ${y2}`}></path>
    ${seen.isSevered ? svg`<path class="line slash" d=${`M${cut[0] - 8} ${cut[1] + 1}l16 -6M${cut[0] - 8} ${cut[1] + 7}l16 -6`}></path>` : ""}
    ${text ? svg`<text class="small middle edge-label" x=${at[0]} y=${at[1] + 4}>${text}</text>` : ""}
  </g>`;
}

function shape(node, { x, y }, seen, open, onTouch) {
  const isFolded = node.children.length > 0 && !open.has(node.number);
  const half = halfOf(seen.text ?? "");
  const outline = {
    max: svg`<path class="shape line" d=${`M0 0L${half} ${TALL}H${-half}Z`}></path>`,
    min: svg`<path class="shape line" d=${`M${-half} 0H${half}L0 ${TALL}Z`}></path>`,
    chance: svg`<ellipse class="shape line" cy=${TALL / 2} rx=${half} ry=${TALL / 2}></ellipse>`,
    terminal: svg`<rect class="plain line" x=${-half + 6} width=${2 * half - 12} height="28" rx="2"></rect>`,
    horizon: svg`<rect class="plain line dashed" x=${-half + 6} width=${2 * half - 12} height="28" rx="14"></rect>`,
    cut: "",
  }[node.kind];
  const base = { max: TALL - 7, min: 17, chance: TALL / 2 + 5, cut: 12 }[node.kind] ?? 19;
  const name = `${node.path.join(" ") || "root"}${seen.text ? `, ${seen.text}` : ""}`;
  const key = (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      onTouch(node);
    }
  };
  return svg`<g class=${`node ${seen.style}`} data-kind=${node.kind} data-path=${node.path.join(" ")} transform=${`translate(${x} ${y})`}
      role="button" tabindex="0" aria-label=${name} aria-pressed=${seen.isMarked ? "true" : "false"} @click=${() => onTouch(node)} @keydown=${key}>
    ${outline}
    <text class=${`middle ${node.kind === "cut" ? "small muted" : "strong"}`} y=${base}>${seen.text ?? ""}</text>
    ${seen.window ? svg`<text class="small muted ${node.children.length ? "start" : "middle"}" x=${node.children.length ? 0.56 * half + 6 : 0} y=${node.children.length ? (node.kind === "min" ? TALL - 6 : 10) : 42}>${windowText(seen.window)}</text>` : ""}
    ${isFolded ? svg`<text class="small accented middle" y=${TALL + 16}>+${below(node)}</text>` : ""}
  </g>`;
}

function below(node) {
  let count = 0;
  const waiting = [...node.children];
  while (waiting.length) {
    const one = waiting.pop();
    count += 1;
    waiting.push(...one.children);
  }
  return count;
}
