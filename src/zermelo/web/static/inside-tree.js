// The drawn tree: only open nodes are laid out, and only visible ones are drawn. It can be dragged, zoomed and navigated.

import { inRows, tidy } from "./inside-layout.js";
import { GAP, lookOf, outline, pathOf, ROW, strokes, TALL, widthOf, wordsBeside, wordsOn } from "./inside-shapes.js";
import { stateAt } from "./inside-steps.js";
import { keyOf } from "./inside-store.js";
import { describeNode } from "./inside-text.js";
import { html, nothing, render, svg } from "./vendor/lit-html.js";

const [LEAST_DROP, MOST_DROP, ROW_DROP] = [70, 130, 84]; // from one row to the next
const MARGIN = 22;
const ZOOMS = [0.1, 2.5];
const MOST_FIT = 1.25;
const COMFORT = 0.85; // below this scale a tree has no windows on the edges to leaves
const LEAST_WHOLE = 0.66; // below this scale a tree cannot be read
const [IN_ROWS, ON_PHONES] = [0.92, 0.78]; // the scale of trees that are not shown whole
const NARROW = 520; // pixels
const ASIDE = 300; // pixels drawn beyond the edges of the view
const GLIDE = 160; // milliseconds in which nodes move to their places
const FEWEST = 3; // siblings of a family that is shown in part

export class TreeView {
  /** `page` receives the actions: select(node), mark(node), answer(node, text). */
  constructor(host, name, page) {
    Object.assign(this, { host, name, page });
    this.scale = 1;
    this.x = this.y = 0;
    this.limit = Infinity;
    this.focused = "0";
    this.spots = [];
    this.places = new Map();
    this.wide = new Set();
    host.addEventListener("pointerdown", (event) => this.press(event));
    host.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) host.addEventListener(end, (event) => this.release(event));
    host.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    host.addEventListener("keydown", (event) => this.key(event));
    this.pointers = new Map();
    new ResizeObserver(() => this.onResize()).observe(host);
  }

  /** Draw a store: `isOpen(node)` says which families are shown; `canBeWhole` that all may be, but for those that
   * `isClosed(node)`; `style(node)` how a node looks in an exercise. */
  show(store, { step, isOpen, isClosed = () => false, canBeWhole = false, current, selected, style = null }) {
    const isNew = this.store !== store || Boolean(this.style) !== Boolean(style);
    const before = isNew ? null : this.snapshot();
    Object.assign(this, { store, step, isOpen, isClosed, canBeWhole, current, selected, style });
    if (isNew) {
      this.wide.clear();
      this.isMoved = false;
      this.manner = null;
    }
    this.lay();
    this.follow();
    this.glide(before);
    this.draw();
  }

  // -- laying out ----------------------------------------------------------------------------------

  /** Lay out the whole tree if it can be read; otherwise the open nodes in rows, as many as fit. */
  lay() {
    const manners = this.canBeWhole ? ["whole", "plainer"] : [];
    for (const manner of this.manner ? [this.manner] : [...manners, "rows"]) {
      this.manner = manner;
      this.build();
      const isLast = manner === "plainer" && (this.store.facts.is_tree || this.style);
      if (manner === "rows" || isLast || this.fit >= (manner === "whole" ? COMFORT : LEAST_WHOLE)) return;
    }
  }

  get isInRows() {
    return this.manner === "rows";
  }

  get rowScale() {
    return this.box.width < NARROW ? ON_PHONES : IN_ROWS;
  }

  /** The maximum width of a row. */
  get room() {
    return this.box.width / this.rowScale - 2 * MARGIN;
  }

  isOpenNow(node) {
    if (!node.children || node.number === null) return false;
    return this.isInRows ? this.isOpen(node) : !this.isClosed(node);
  }

  build() {
    const { store } = this;
    const chosen = store.chooseVisible?.((node) => this.look(node, node.children > 0), this.room, GAP);
    const spots = [];
    const add = (entry, parent, depth) => {
      spots.push({ ...entry, parent, depth, children: [], nth: parent === null ? 0 : spots[parent].children.length });
      if (parent !== null) spots[parent].children.push(spots.length - 1);
    };
    add(this.entry(store.root), null, 0);
    for (let nth = 0; nth < spots.length; nth++) {
      const spot = spots[nth];
      if (spot.isGap || spot.cuts || !this.isOpenNow(spot.node)) continue;
      const family = store.children(spot.node) ?? [];
      const entries = chosen ? this.chosenOf(spot, family, chosen) : this.isInRows ? this.rowOf(spot, family) : family.map((child) => this.entry(child));
      if (!this.isInRows) addRoomForWords(entries);
      for (const entry of entries) add(entry, nth, spot.depth + 1);
      this.explain(spots, spot.children);
    }
    const extents = spots.map((spot) => spot.extent);
    const families = spots.map((spot) => spot.children);
    const centres = this.isInRows ? inRows(extents, families, GAP, this.room) : tidy(extents, families, GAP);
    const [drops, shelves] = [[], []];
    spots.forEach((spot, nth) => {
      spot.x = MARGIN + centres[nth];
      const reach = spot.parent === null ? 0 : 0.24 * Math.abs(spot.x - spots[spot.parent].x);
      drops[spot.depth] = this.isInRows ? ROW_DROP : Math.min(MOST_DROP, Math.max(drops[spot.depth] ?? LEAST_DROP, reach));
      shelves[spot.depth] = Math.max(shelves[spot.depth] ?? 0, spot.foot);
    });
    const tops = [MARGIN];
    for (let depth = 1; depth < drops.length; depth++) tops[depth] = tops[depth - 1] + TALL + shelves[depth - 1] + drops[depth];
    for (const spot of spots) spot.y = tops[spot.depth];
    for (const spot of spots) spot.shelf = spot.children.length ? shelves[spot.depth] + TALL - spot.height : 0;
    this.spots = spots;
    this.places = new Map(spots.map((spot) => [spot.key, spot]));
    this.width = Math.max(this.isInRows ? this.room : 0, ...spots.map((spot) => spot.x + spot.extent[1] - MARGIN)) + 2 * MARGIN;
    this.height = tops.at(-1) + TALL + shelves.at(-1) + MARGIN;
  }

  entry(node, manner = {}) {
    return { node, key: keyOf(node), ...this.look(node, this.isOpenNow(node), manner) };
  }

  look(node, isOpen, { hasWindow = true, isFaint = false } = {}) {
    const { store, step } = this;
    const isWindowed = hasWindow && (this.manner !== "plainer" || node.children > 0 || this.isOnWay(node));
    return lookOf(node, { store, step, styled: this.style?.(node), isOpen, isFaint, hasWindow: isWindowed, isFlat: this.isInRows, isSmall: this.isInRows && !isOpen });
  }

  /** The part of a family that fits into a row: without windows, without room for later texts, with bundled cuts, in part. */
  rowOf(spot, family) {
    const length = (entries) => entries.reduce((sum, entry) => sum + entry.extent[0] + entry.extent[1] + GAP, -GAP);
    const fits = (entries) => length(entries) <= this.room;
    const full = addRoomForWords(family.map((child) => this.entry(child)));
    if (fits(full)) return full;
    const plain = addRoomForWords(family.map((child) => this.entry(child, { hasWindow: this.isOnWay(child) })));
    if (fits(plain)) return plain;
    const spare = addRoomForWords(family.map((child) => this.entry(child, { hasWindow: this.isOnWay(child), isFaint: stateAt(child, this.step) === "hidden" })));
    if (this.wide.has(spot.key) || fits(spare)) return spare;
    const bundled = this.bundleCuts(spare);
    if (fits(bundled)) return bundled;
    const isNeeded = (entry) => entry.node && (this.isOnWay(entry.node) || this.selected === entry.key || this.store.best(entry.node, this.step));
    const kept = new Set(bundled.filter(isNeeded));
    for (const entry of bundled) {
      if (kept.has(entry)) continue;
      kept.add(entry);
      if (kept.size > FEWEST && !fits(this.withGaps(bundled, kept, spot))) {
        kept.delete(entry);
        break;
      }
    }
    return this.withGaps(bundled, kept, spot);
  }

  /** Bundle neighbours that are cut for the same reason. */
  bundleCuts(entries) {
    const found = [];
    for (const entry of entries) {
      const last = found.at(-1);
      const isSame = entry.state === "cut" && last?.state === "cut" && last.node.reason === entry.node.reason;
      if (!isSame) found.push(entry);
      else found[found.length - 1] = this.bundle([...(last.cuts ?? [last.node]), entry.node]);
    }
    return found;
  }

  bundle(cuts) {
    const title = `${cuts.length} cut`;
    const half = Math.max(widthOf(title, "small"), widthOf(cuts[0].reason, "small")) / 2 + 4;
    return { node: cuts[0], cuts, key: `${keyOf(cuts[0])}*`, state: "cut", title, half, height: TALL, edge: [], foot: 0, reach: 0, extent: [half, half] };
  }

  /** The kept entries, with the number of those left out between them. */
  withGaps(entries, kept, spot) {
    const found = [];
    for (const entry of entries) {
      if (kept.has(entry)) found.push(entry);
      else if (found.at(-1)?.isGap) this.widen(found.at(-1), entry.cuts?.length ?? 1);
      else found.push(this.gap(spot, found.length, entry.cuts?.length ?? 1));
    }
    return found;
  }

  gap(spot, nth, count) {
    const entry = { isGap: true, node: spot.node, key: `${spot.key}+${nth}`, state: "hidden", count: 0, height: 0, half: 0, foot: 0, reach: 0, edge: [] };
    this.widen(entry, count);
    return entry;
  }

  widen(entry, more) {
    entry.count += more;
    entry.title = `+${entry.count.toLocaleString("en")}`;
    entry.half = widthOf(entry.title, "small") / 2 + 3;
    entry.extent = [entry.half, entry.half];
  }

  /** The children of a growing tree that are shown. */
  chosenOf(spot, family, chosen) {
    const entries = family.filter((child) => chosen.has(child.number)).map((child) => this.entry(child));
    const left = spot.node.children - entries.length;
    return addRoomForWords(entries.length && left > 0 ? [...entries, this.gap(spot, entries.length, left)] : entries);
  }

  /** Write the reason of cuts once, in the middle of neighbours that were cut for the same reason. */
  explain(spots, below) {
    for (let first = 0; first < below.length; first++) {
      const { node, isGap, styled } = spots[below[first]];
      if (isGap || !node.reason || styled) continue;
      let last = first;
      while (below[last + 1] && !spots[below[last + 1]].isGap && spots[below[last + 1]].node.reason === node.reason) last++;
      const count = last - first + 1;
      const room = (widthOf(node.reason, "small") - GAP * (count - 1)) / 2 / count;
      for (let nth = first; nth <= last; nth++) {
        const spot = spots[below[nth]];
        spot.extent = spot.extent.map((one) => Math.max(one, room));
        spot.foot = Math.max(spot.foot, spot.height + ROW + 4 - TALL);
      }
      spots[below[first]].reasonFor = [below[first], below[last]];
      first = last;
    }
  }

  isOnWay(node) {
    return this.current?.has(node.number) && node.number !== null;
  }

  // -- the view ------------------------------------------------------------------------------------

  get box() {
    return { width: this.host.clientWidth || 600, height: this.host.clientHeight || 400 };
  }

  /** The scale at which all of it can be seen. */
  get fit() {
    const { width, height } = this.box;
    return Math.min(MOST_FIT, width / this.width, height / this.height);
  }

  /** Fit the tree into the view, with the current node; once the user has moved the tree, it stays. */
  follow() {
    const here = this.places.get(String(this.current?.here ?? this.selected ?? 0));
    if (!this.isMoved) {
      const { width, height } = this.box;
      this.scale = this.isInRows ? this.rowScale : Math.max(Math.min(this.fit, this.limit), LEAST_WHOLE);
      const side = width / 2 / this.scale;
      const middle = 2 * side >= this.width - 1 ? this.width / 2 : Math.max(side, Math.min((this.isInRows ? this.spots[0] : here ?? this.spots[0]).x, this.width - side));
      this.x = width / 2 - this.scale * middle;
      this.y = Math.max(0, Math.min(40, (height - this.scale * this.height) / 2));
    }
    if (here && !this.store.isGrowing) this.reveal(here.key);
  }

  /** Limit the scale to that of the tree beside it. */
  limitTo(scale) {
    if (this.limit === scale) return;
    this.limit = scale;
    this.follow();
    this.draw();
  }

  onResize() {
    if (!this.store) return;
    if (this.box.width !== this.laidFor) this.manner = null;
    this.laidFor = this.box.width;
    this.lay();
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

  fitAll() {
    const { width, height } = this.box;
    this.scale = Math.max(ZOOMS[0], this.fit);
    this.x = (width - this.scale * this.width) / 2;
    this.y = Math.max(0, (height - this.scale * this.height) / 2);
    this.isMoved = this.fit < LEAST_WHOLE;
    this.draw();
  }

  /** Move the tree just enough to show the node. */
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
    if (v > height - 90) this.y -= v - (height - 90);
  }

  // -- gliding -------------------------------------------------------------------------------------

  /** The current positions on the screen. */
  snapshot() {
    const { x, y, scale } = this.placeSpots();
    return { x, y, scale, spots: new Map(this.spots.map((spot) => [spot.key, [spot.u ?? spot.x, spot.v ?? spot.y]])) };
  }

  glide(before) {
    const now = performance.now();
    const isHasty = now - (this.shownAt ?? 0) < GLIDE; // the next step arrives before this one is finished
    this.shownAt = now;
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.from = before && !isHasty && !isStill ? { ...before, start: now } : null;
    if (this.from) this.soon();
  }

  /** Compute the view at this moment of a glide; the spots get their positions `u`, `v`. */
  placeSpots() {
    const passed = this.from ? Math.min(1, (performance.now() - this.from.start) / GLIDE) : 1;
    if (passed >= 1) this.from = null;
    const share = 1 - (1 - passed) ** 3;
    const between = (a, b) => a + share * (b - a);
    for (const spot of this.spots) {
      const [x, y] = this.from?.spots.get(spot.key) ?? [spot.x, spot.y];
      spot.u = between(x, spot.x);
      spot.v = between(y, spot.y);
    }
    return this.from ? { x: between(this.from.x, this.x), y: between(this.from.y, this.y), scale: between(this.from.scale, this.scale) } : this;
  }

  // -- drawing -------------------------------------------------------------------------------------

  draw() {
    const { width, height } = this.box;
    const { x, y, scale } = this.placeSpots();
    const left = (-x - ASIDE) / scale;
    const right = (width - x + ASIDE) / scale;
    const top = (-y - ASIDE) / scale;
    const foot = (height - y + ASIDE) / scale;
    const isSeen = (spot) => spot.u + spot.extent[1] > left && spot.u - spot.extent[0] < right && spot.v < foot && spot.v + TALL > top;
    if (!this.places.has(this.focused)) this.focused = "0";
    const seen = this.spots.filter((spot) => isSeen(spot) || spot.key === this.focused);
    const edges = this.spots.filter((spot) => spot.parent !== null && (isSeen(spot) || isSeen(this.spots[spot.parent])));
    edges.sort((a, b) => this.isAccented(a) - this.isAccented(b)); // coloured edges are drawn on top
    render(
      html`<svg class="search-tree zermelo" width=${width} height=${height}>
        <g transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(4)})">
          <g aria-hidden="true">${seen.map((spot) => this.stem(spot))}${edges.map((spot) => this.edge(spot))}</g>
          <g role="tree" aria-label=${this.name}>${seen.map((spot) => this.spot(spot))}</g>
        </g>
      </svg>`,
      this.host,
    );
    if (this.from) this.soon();
  }

  isAccented(spot) {
    return Number(!this.style && !spot.isGap && !spot.cuts && (this.isOnWay(spot.node) || this.store.best(spot.node, this.step)));
  }

  /** The stem of a node whose edges start below the texts of its neighbours. */
  stem(spot) {
    if (!spot.shelf) return nothing;
    const family = spot.children.map((nth) => this.spots[nth]);
    const style = family.some((one) => this.isAccented(one)) ? "way" : family.every((one) => one.state === "hidden") ? "hidden" : "";
    return svg`<path class="line ${style}" d=${`M${spot.u.toFixed(1)} ${(spot.v + spot.height).toFixed(1)}v${spot.shelf.toFixed(1)}`}></path>`;
  }

  edge(spot) {
    const parent = this.spots[spot.parent];
    const start = [parent.u, parent.v + parent.height + parent.shelf];
    const end = [spot.u, spot.v];
    const isCurved = this.isInRows;
    const line = `M${start.map((one) => one.toFixed(1)).join(" ")}${pathOf(start, end, isCurved)}`;
    if (spot.isGap) return svg`<path class="line faint" d=${line}></path>`;
    const isCut = spot.styled ? spot.styled.isCut : spot.state === "cut";
    const isBest = !isCut && !spot.styled && this.store.best(spot.node, this.step);
    const mark = isCut ? (spot.styled?.mark ?? "") : "";
    const visits = spot.node.visits ? Math.min(7, 1 + 6 * (spot.node.visits / this.store.root.visits)) : null;
    const style = `line ${spot.state} ${this.isOnWay(spot.node) ? "way" : ""} ${isBest ? "best" : ""} ${mark} ${isCut ? "severed" : ""}`;
    return svg`<path class=${style} style=${visits ? `stroke-width: ${visits.toFixed(1)}` : nothing} d=${line}></path>
      ${isCut ? strokes(start, end, mark, isCurved) : nothing}
      ${wordsBeside(spot.edge, start, end, { thickness: visits ?? 1, state: spot.state, isCurved })}
      ${spot.styled?.canMark ? svg`<path class="hit" data-edge=${spot.key} d=${line}></path>` : nothing}`;
  }

  spot(spot) {
    const at = `translate(${spot.u.toFixed(1)} ${spot.v.toFixed(1)})`;
    const { node } = spot;
    if (spot.isGap || spot.cuts) {
      const words = spot.isGap ? `${spot.count} more branches` : `${spot.cuts.length} branches cut, ${node.reason}`;
      return svg`<g role="treeitem" class="node more ${spot.cuts ? "cut" : ""}" data-key=${spot.key} tabindex=${this.focused === spot.key ? 0 : -1} aria-label=${words} aria-level=${spot.depth + 1} aria-selected="false" transform=${at}>
        <rect class="touch" x=${-spot.half} y="-4" width=${2 * spot.half} height="36"></rect>
        <text class="small middle accented" y="12">${spot.title}</text>
        ${spot.cuts ? svg`<text class="small middle muted reason" y="27">${node.reason}</text>` : nothing}</g>`;
    }
    const isOpen = this.isOpenNow(node) && this.store.children(node) !== undefined;
    const words = spot.styled?.words ?? describeNode(this.store, node, this.store.children(node), this.step);
    const isHere = this.current?.here === node.number && node.number !== null;
    const style = `node ${spot.state} ${isHere ? "here" : ""} ${this.isOnWay(node) ? "way" : ""} ${this.selected === spot.key ? "selected" : ""} ${spot.styled?.mark ?? ""}`;
    return svg`<g role="treeitem" class=${style} data-key=${spot.key} data-kind=${node.kind} data-place=${this.store.moves(node).join(".") || "root"}
        tabindex=${this.focused === spot.key ? 0 : -1} aria-level=${spot.depth + 1} aria-posinset=${spot.nth + 1} aria-setsize=${spot.parent === null ? 1 : this.spots[spot.parent].children.length} aria-label=${words}
        aria-expanded=${node.children > 0 && node.number !== null ? String(isOpen) : nothing} aria-selected=${this.selected === spot.key ? "true" : "false"}
        transform=${at}>
      ${outline(spot)} ${wordsOn(spot, (one, text) => this.page.answer(one, text))}
      ${spot.state === "cut" && spot.reasonFor ? this.reason(spot) : nothing}
    </g>`;
  }

  reason(spot) {
    const [first, last] = spot.reasonFor.map((nth) => this.spots[nth]);
    const foot = Math.max(first.height, last.height);
    return svg`<text class="small middle muted reason" x=${(last.x - first.x) / 2} y=${foot + 15}>${spot.node.reason}</text>`;
  }

  // -- touching ------------------------------------------------------------------------------------

  press(event) {
    if (event.button !== 0 || event.target.closest("input")) return;
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    const edge = event.target.closest("[data-edge]")?.dataset.edge; // now: at the release the element may belong to another node
    const key = event.target.closest("[data-key]")?.dataset.key;
    this.pressed = { x: event.clientX, y: event.clientY, left: this.x, top: this.y, edge, key, isDrag: false };
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
    if (pressed.edge) this.page.mark(this.places.get(pressed.edge).node);
    else if (pressed.key) this.act(pressed.key, true);
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
    if (spot.isGap || spot.cuts) {
      const parent = this.spots[spot.parent].key;
      this.wide.add(parent);
      this.lay();
      this.focus(parent);
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
    else if (event.key === "0") this.fitAll();
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
      if (spot.children.length) return this.focus(this.spots[spot.children[0]].key);
      return spot.node.children > 0 && !spot.styled && this.page.select(spot.node);
    }
    if (spot.parent === null) return null;
    const family = this.spots[spot.parent].children.map((nth) => this.spots[nth].key);
    const next = family[family.indexOf(spot.key) + (key === "ArrowRight" ? 1 : -1)];
    return next && this.focus(next);
  }
}

/** Add room for the texts on the outer edges of a family. */
function addRoomForWords(entries) {
  if (entries.length < 2) return entries;
  const [first, last] = [entries[0].extent, entries.at(-1).extent];
  first[0] = Math.max(first[0], entries[0].reach);
  last[1] = Math.max(last[1], entries.at(-1).reach);
  return entries;
}
