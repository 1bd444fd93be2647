// The drawn tree: only what is open is laid out, and only what is in view is drawn. It can be dragged, zoomed and walked.

import { tidy } from "./inside-layout.js";
import { chanceText, stateAt, titleAt, valueText, windowNow, windowText } from "./inside-steps.js";
import { keyOf } from "./inside-store.js";
import { nodeWords } from "./inside-words.js";
import { html, nothing, render, svg } from "./vendor/lit-html.js";

const TALL = 44;
const SQUARE = 28;
const GAP = 14;
const LEAST_DROP = 64;
const MOST_DROP = 170;
const MARGIN = 24;
const ABOVE = 19; // from a node up to the words on its edge
const LETTER = 8.2; // of a value, in pixels
const SMALL = 6.3; // of words on edges
const MOST_SIBLINGS = 24;
const ZOOMS = [0.1, 2.5];
const [LEAST_WHOLE, LEAST_PART, MOST_FIT] = [0.62, 0.8, 1.25]; // smaller, all of a tree cannot be read; then a part is shown larger
const ASIDE = 300; // drawn beyond the edges of the view

export class TreeView {
  /** `page` is told of what is done: select(node), toggle(node), mark(node), answer(node, text). */
  constructor(host, name, page) {
    Object.assign(this, { host, name, page });
    this.scale = 1;
    this.x = this.y = 0;
    this.focused = "0";
    this.spots = [];
    this.wide = new Set();
    host.addEventListener("pointerdown", (event) => this.press(event));
    host.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) host.addEventListener(end, (event) => this.release(event));
    host.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    host.addEventListener("keydown", (event) => this.key(event));
    this.pointers = new Map();
    new ResizeObserver(() => this.resized()).observe(host);
  }

  /** Draw a store: `isOpen(node)` says which families are shown, `style(node)` how a node looks. */
  show(store, { step, isOpen, current, selected, style = null, isCompact = false }) {
    const isNew = this.store !== store;
    Object.assign(this, { store, step, isOpen, current, selected, style, isCompact });
    if (isNew) this.wide.clear();
    if (isNew) this.isMoved = false;
    this.lay();
    this.follow();
    this.draw();
  }

  // -- laying out ----------------------------------------------------------------------------------

  lay() {
    const { store } = this;
    const spots = [];
    const add = (node, parent, depth) => {
      spots.push({ node, parent, depth, key: keyOf(node), below: [], ...this.look(node) });
      if (parent !== null) spots[parent].below.push(spots.length - 1);
    };
    add(store.root, null, 0);
    for (let nth = 0; nth < spots.length; nth++) {
      const spot = spots[nth];
      if (spot.hidden || !this.isOpen(spot.node)) continue;
      const family = store.children(spot.node) ?? [];
      const isWide = this.wide.has(spot.key) || family.length <= MOST_SIBLINGS;
      const shown = isWide ? family : family.filter((child, index) => index < MOST_SIBLINGS - 1 || this.isOnWay(child));
      for (const child of shown) add(child, nth, spot.depth + 1);
      this.explain(spots, spot.below);
      if (shown.length < family.length) {
        const count = family.length - shown.length;
        spots.push({ hidden: count, node: spot.node, parent: nth, depth: spot.depth + 1, key: `${spot.key}+`, below: [], title: `+${count} more`, half: 34, height: 0, extent: [34, 34] });
        spot.below.push(spots.length - 1);
      }
    }
    const centres = tidy(spots.map((spot) => spot.extent), spots.map((spot) => spot.below), GAP);
    const drops = [];
    spots.forEach((spot, nth) => {
      spot.x = MARGIN + centres[nth];
      const reach = spot.parent === null ? 0 : 0.28 * Math.abs(spot.x - spots[spot.parent].x);
      drops[spot.depth] = Math.min(MOST_DROP, Math.max(drops[spot.depth] ?? LEAST_DROP, reach));
    });
    const tops = [MARGIN];
    for (let depth = 1; depth < drops.length; depth++) tops[depth] = tops[depth - 1] + TALL + drops[depth];
    for (const spot of spots) spot.y = tops[spot.depth];
    this.spots = spots;
    this.places = new Map(spots.map((spot) => [spot.key, spot]));
    this.width = Math.max(...spots.map((spot) => spot.x + spot.extent[1])) + MARGIN;
    this.height = tops.at(-1) + TALL + 44;
  }

  /** The reason of cuts stands once, in the middle of neighbours that were cut for the same one. */
  explain(spots, below) {
    for (let first = 0; first < below.length; first++) {
      const { reason } = spots[below[first]].node;
      if (!reason || spots[below[first]].styled) continue;
      let last = first;
      while (spots[below[last + 1]]?.node.reason === reason) last++;
      const room = (reason.length * SMALL) / 2 / (last - first + 1) - (GAP * (last - first)) / 2 / (last - first + 1);
      for (let nth = first; nth <= last; nth++) spots[below[nth]].extent = spots[below[nth]].extent.map((one) => Math.max(one, room));
      spots[below[first]].reasonFor = [below[first], below[last]];
      first = last;
    }
  }

  isOnWay(node) {
    return this.current?.has(node.number) && node.number !== null;
  }

  /** What is written on a node and its edge, and the room it needs. */
  look(node) {
    const { store, step } = this;
    const children = store.children(node);
    const styled = this.style?.(node);
    const title = styled?.title ?? titleAt(node, children, step, store.facts);
    const state = stateAt(node, step);
    const shape = node.kind === "cut" ? node.shape : node.kind;
    const isInner = ["max", "min", "chance"].includes(shape);
    const isFaint = this.isCompact && state === "hidden"; // in a large tree, what is still to come takes little room
    const final = isFaint || node.kind === "cut" || node.visits !== undefined || styled ? 0 : valueText(node.value, node.proof).length * LETTER; // values come and go, nodes stay
    const words = Math.max(title.length * LETTER, final);
    const half = styled?.field ? 40 : shape === "chance" ? Math.max(isFaint ? 15 : TALL / 2, words / 2 + 8) : isInner ? Math.max(isFaint ? 15 : 26, words * 0.8 + 4) : Math.max(SQUARE / 2, words / 2 + 7);
    const chance = node.probability != null ? chanceText(node.probability) : "";
    const visits = node.visits !== undefined && node.parent >= 0 ? `×${node.visits.toLocaleString("en")}` : "";
    const edge = [node.move, chance, visits].filter(Boolean).join(" · ");
    const range = state === "open" ? windowNow(node, children ?? [], step) : state === "hidden" || styled ? null : node.window;
    const window = range ? windowText(range.map((bound) => (Number.isFinite(bound) ? bound : null))) : "";
    const entry = node.window && !styled && !isFaint ? windowText(node.window) : "";
    const lines = Math.max(edge.length, styled ? 0 : window.length, entry.length) * SMALL;
    const room = Math.max(half, lines / 2 / 0.72 + 3);
    return { title, state, shape, isInner, half, edge, window, height: isInner ? TALL : SQUARE, extent: [room, room], styled };
  }

  // -- the view ------------------------------------------------------------------------------------

  get box() {
    return { width: this.host.clientWidth || 600, height: this.host.clientHeight || 400 };
  }

  /** As much of the tree as can be read, with the place where the search is; nothing moves once a person has moved it. */
  follow() {
    const here = this.places.get(String(this.current?.here ?? this.selected ?? 0));
    if (!this.isMoved) {
      const { width, height } = this.box;
      const whole = Math.min(MOST_FIT, width / this.width, height / this.height);
      this.scale = whole < LEAST_WHOLE ? LEAST_PART : whole;
      const isNarrow = this.width * this.scale <= width + 1;
      const middle = isNarrow ? this.width / 2 : Math.max(width / 2 / this.scale, Math.min((here ?? this.spots[0]).x, this.width - width / 2 / this.scale));
      this.x = width / 2 - this.scale * middle;
      this.y = 0;
    }
    if (here) this.reveal(here.key);
  }

  resized() {
    if (!this.store) return;
    this.follow();
    this.draw();
  }

  zoom(factor, at = null) {
    const { width, height } = this.box;
    const [u, v] = at ?? [width / 2, height / 2];
    const scale = Math.max(ZOOMS[0], Math.min(ZOOMS[1], this.scale * factor));
    this.x = u - ((u - this.x) * scale) / this.scale;
    this.y = v - ((v - this.y) * scale) / this.scale;
    this.scale = scale;
    this.isMoved = true;
    this.draw();
  }

  pan(right, down) {
    this.x += right;
    this.y += down;
    this.isMoved = true;
    this.draw();
  }

  whole() {
    const { width, height } = this.box;
    this.scale = Math.max(ZOOMS[0], Math.min(1.25, width / this.width, height / this.height));
    this.x = (width - this.scale * this.width) / 2;
    this.y = Math.max(0, (height - this.scale * this.height) / 2);
    this.isMoved = false;
    this.draw();
  }

  /** Move just so far that the node can be seen. */
  reveal(key) {
    const spot = this.places?.get(key);
    if (!spot) return;
    const { width, height } = this.box;
    const room = Math.min(60, width / 4);
    const u = this.x + this.scale * spot.x;
    const v = this.y + this.scale * spot.y;
    if (u < room) this.x += room - u;
    if (u > width - room) this.x -= u - (width - room);
    if (v < 20) this.y += 20 - v;
    if (v > height - 80) this.y -= v - (height - 80);
  }

  // -- drawing -------------------------------------------------------------------------------------

  draw() {
    const { width, height } = this.box;
    const left = (-this.x - ASIDE) / this.scale;
    const right = (width - this.x + ASIDE) / this.scale;
    const top = (-this.y - ASIDE) / this.scale;
    const foot = (height - this.y + ASIDE) / this.scale;
    const isSeen = (spot) => spot.x + spot.extent[1] > left && spot.x - spot.extent[0] < right && spot.y < foot && spot.y + TALL > top;
    const seen = this.spots.filter((spot) => isSeen(spot) || spot.key === this.focused);
    if (!this.places.has(this.focused)) this.focused = "0";
    const edges = this.spots.filter((spot) => spot.parent !== null && (isSeen(spot) || isSeen(this.spots[spot.parent])));
    this.shown = seen.length;
    render(
      html`<svg class="search-tree zermelo" width=${width} height=${height}>
        <g transform="translate(${this.x.toFixed(1)} ${this.y.toFixed(1)}) scale(${this.scale.toFixed(4)})">
          <g aria-hidden="true">${edges.map((spot) => this.edge(spot))}</g>
          <g role="tree" aria-label=${this.name}>${seen.map((spot) => this.spot(spot))}</g>
        </g>
      </svg>`,
      this.host,
    );
  }

  edge(spot) {
    const parent = this.spots[spot.parent];
    const [x, y, u, v] = [parent.x, parent.y + parent.height, spot.x, spot.y];
    const along = (share) => [x + share * (u - x), y + share * (v - y)];
    if (spot.hidden) return svg`<path class="line faint" d=${`M${x} ${y}L${u} ${v}`}></path>`;
    const isCut = spot.styled ? spot.styled.isCut : spot.state === "cut";
    const isOnWay = this.isOnWay(spot.node);
    const isBest = !isCut && !spot.styled && this.store.best(spot.node, this.step);
    const [a, b] = along(0.4);
    const mark = isCut ? (spot.styled?.mark ?? "") : "";
    const visits = spot.node.visits ? Math.min(7, 1 + 6 * (spot.node.visits / this.store.root.visits)) : null;
    const style = `line ${spot.state} ${isOnWay ? "way" : ""} ${isBest ? "best" : ""} ${mark}`;
    const lines = svg`<path class="${style} ${isCut ? "severed" : ""}" style=${visits ? `stroke-width: ${visits.toFixed(1)}` : nothing} d=${`M${x} ${y}L${u} ${v}`}></path>`;
    const strokes = isCut
      ? svg`<path class="line slash ${mark}" d=${`M${a - 6} ${b + 1}L${a + 6} ${b - 5}M${a - 6} ${b + 6}L${a + 6} ${b}`}></path>`
      : nothing;
    const hit = spot.styled?.canMark
      ? svg`<path class="hit" data-edge=${spot.key} d=${`M${x} ${y}L${u} ${v}`}></path>`
      : nothing;
    return svg`${lines}${strokes}${this.edgeWords(spot, along(1 - ABOVE / (v - y)))}${hit}`;
  }

  edgeWords(spot, [x, y]) {
    const rows = [spot.edge, spot.styled ? "" : spot.window].filter(Boolean);
    if (!rows.length) return nothing;
    const width = Math.max(...rows.map((row) => row.length)) * SMALL + 4;
    const top = y - 7 * rows.length;
    return svg`<rect class="paper" x=${x - width / 2} y=${top - 1} width=${width} height=${14 * rows.length}></rect>
      ${rows.map((row, nth) => svg`<text class="small middle ${row === spot.window ? "muted window" : "move"} ${spot.state}" x=${x} y=${top + 10 + 14 * nth}>${row}</text>`)}`;
  }

  spot(spot) {
    const { node } = spot;
    if (spot.hidden) {
      return svg`<g role="treeitem" class="node more" data-key=${spot.key} tabindex="-1" aria-label="${spot.hidden} more branches" aria-level=${spot.depth + 1} transform="translate(${spot.x.toFixed(1)} ${spot.y.toFixed(1)})">
        <text class="small middle accented" y="12">${spot.title}</text></g>`;
    }
    const canOpen = node.children > 0 && node.number !== null;
    const isOpen = canOpen && this.isOpen(node) && this.store.children(node) !== undefined;
    const words = spot.styled?.words ?? nodeWords(this.store, node, this.store.children(node), this.step);
    const isHere = this.current?.here === node.number && node.number !== null;
    const style = `node ${spot.state} ${isHere ? "here" : ""} ${this.isOnWay(node) ? "way" : ""} ${this.selected === spot.key ? "selected" : ""} ${spot.styled?.mark ?? ""}`;
    return svg`<g role="treeitem" class=${style} data-key=${spot.key} data-kind=${node.kind} data-place=${this.store.moves(node).join(".") || "root"}
        tabindex=${this.focused === spot.key ? 0 : -1} aria-level=${spot.depth + 1} aria-label=${words}
        aria-expanded=${canOpen ? String(isOpen) : nothing} aria-selected=${this.selected === spot.key ? "true" : "false"}
        transform="translate(${spot.x.toFixed(1)} ${spot.y.toFixed(1)})">
      ${this.outline(spot)} ${this.title(spot)}
      ${this.store.facts.seats.length > 2 && spot.isInner && node.player >= 0 ? svg`<text class="small end muted" x=${-spot.half / 2 - 4} y="12">P${node.player + 1}</text>` : nothing}
      ${canOpen && !isOpen ? svg`<text class="small middle accented" y=${spot.height + 13}>+${node.children.toLocaleString("en")}</text>` : nothing}
      ${spot.state === "cut" && spot.reasonFor ? this.reason(spot) : nothing}
    </g>`;
  }

  reason(spot) {
    const [first, last] = spot.reasonFor.map((nth) => this.spots[nth]);
    const foot = Math.max(first.height, last.height);
    return svg`<text class="small middle muted reason" x=${(last.x - first.x) / 2} y=${foot + 14}>${spot.node.reason}</text>`;
  }

  outline(spot) {
    const { half, shape } = spot;
    const style = `shape ${spot.isInner ? "" : "plain"}`;
    if (shape === "max") return svg`<path class=${style} d=${`M0 0L${half} ${TALL}H${-half}Z`}></path>`;
    if (shape === "min") return svg`<path class=${style} d=${`M${-half} 0H${half}L0 ${TALL}Z`}></path>`;
    if (shape === "chance") return svg`<ellipse class=${style} cy=${TALL / 2} rx=${half} ry=${TALL / 2}></ellipse>`;
    const corner = shape === "horizon" ? SQUARE / 2 : 2;
    return svg`<rect class="${style} ${shape === "horizon" ? "dashed" : ""}" x=${-half} width=${2 * half} height=${SQUARE} rx=${corner}></rect>`;
  }

  title(spot) {
    if (spot.styled?.field) return this.field(spot);
    const base = { max: TALL - 8, min: 18, chance: TALL / 2 + 5 }[spot.shape] ?? SQUARE / 2 + 5;
    return spot.title ? svg`<text class="middle strong value" y=${base}>${spot.title}</text>` : nothing;
  }

  field(spot) {
    const top = { max: TALL - 23, min: 2, chance: TALL / 2 - 11 }[spot.shape];
    return svg`<foreignObject x="-32" y=${top} width="64" height="22">
      ${html`<input class="in-node" aria-label=${spot.styled.words} data-answer=${spot.key} autocomplete="off" spellcheck="false" .value=${spot.styled.answer}
        @input=${(event) => this.page.answer(spot.node, event.target.value)}>`}
    </foreignObject>`;
  }

  // -- touching ------------------------------------------------------------------------------------

  press(event) {
    if (event.button !== 0 || event.target.closest("input")) return;
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    this.pressed = { x: event.clientX, y: event.clientY, left: this.x, top: this.y, target: event.target, isDrag: false };
    if (this.pointers.size === 2) this.pinched = { distance: this.spread(), scale: this.scale };
  }

  spread() {
    const [[x, y], [u, v]] = [...this.pointers.values()];
    return Math.hypot(u - x, v - y);
  }

  drag(event) {
    if (!this.pointers.has(event.pointerId)) return;
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.pinched && this.pointers.size === 2) {
      const box = this.host.getBoundingClientRect();
      const [[x, y], [u, v]] = [...this.pointers.values()];
      this.zoom((this.pinched.scale * this.spread()) / this.pinched.distance / this.scale, [(x + u) / 2 - box.left, (y + v) / 2 - box.top]);
      this.pressed.isDrag = true;
      return;
    }
    const { pressed } = this;
    if (!pressed || this.pinched) return;
    const [right, down] = [event.clientX - pressed.x, event.clientY - pressed.y];
    if (!pressed.isDrag && Math.hypot(right, down) < 5) return;
    if (!pressed.isDrag) this.host.setPointerCapture(event.pointerId);
    pressed.isDrag = true;
    this.isMoved = true;
    [this.x, this.y] = [pressed.left + right, pressed.top + down];
    this.soon();
  }

  soon() {
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      this.draw();
    });
  }

  release(event) {
    if (!this.pointers.delete(event.pointerId)) return;
    if (this.pointers.size) return;
    const { pressed } = this;
    this.pressed = this.pinched = null;
    if (!pressed || pressed.isDrag || event.type === "pointercancel") return;
    const edge = pressed.target.closest("[data-edge]");
    if (edge) return this.page.mark(this.places.get(edge.dataset.edge).node);
    const hit = pressed.target.closest("[data-key]");
    if (hit) this.act(hit.dataset.key, true);
  }

  wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const box = this.host.getBoundingClientRect();
    this.zoom(Math.exp(-event.deltaY / 300), [event.clientX - box.left, event.clientY - box.top]);
  }

  act(key, isFocused = false) {
    const spot = this.places.get(key);
    if (!spot) return;
    if (spot.hidden) {
      this.wide.add(this.spots[spot.parent].key);
      this.lay();
      this.draw();
      return;
    }
    if (isFocused) this.focus(key, false);
    if (spot.styled?.canMark) this.page.mark(spot.node);
    else if (!spot.styled) this.page.select(spot.node);
  }

  focus(key, isRevealed = true) {
    this.focused = key;
    if (isRevealed) this.reveal(key);
    this.draw();
    this.host.querySelector(`[data-key="${key}"]`)?.focus({ preventScroll: true });
  }

  // -- keys ----------------------------------------------------------------------------------------

  key(event) {
    if (event.target.closest("input") || event.ctrlKey || event.metaKey || event.altKey) return;
    const ways = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (event.shiftKey && ways[event.key]) {
      const [right, down] = ways[event.key];
      this.pan(60 * right, 60 * down);
    } else if (event.key === "+" || event.key === "=") this.zoom(1.25);
    else if (event.key === "-") this.zoom(0.8);
    else if (event.key === "0") this.whole();
    else if (event.target.closest("[data-key]") && (ways[event.key] || event.key === "Enter" || event.key === " ")) this.walk(event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  walk(key) {
    const spot = this.places.get(this.focused);
    if (key === "Enter" || key === " ") return this.act(this.focused);
    if (key === "ArrowUp") return spot.parent !== null && this.focus(this.spots[spot.parent].key);
    if (key === "ArrowDown") {
      if (spot.below.length) return this.focus(this.spots[spot.below[0]].key);
      return spot.node.children > 0 && !spot.styled && this.page.select(spot.node);
    }
    if (spot.parent === null) return null;
    const family = this.spots[spot.parent].below.map((nth) => this.spots[nth].key);
    const next = family[family.indexOf(spot.key) + (key === "ArrowRight" ? 1 : -1)];
    return next && this.focus(next);
  }
}

