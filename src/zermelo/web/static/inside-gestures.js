// Pointers on a drawn tree: a click, a drag, a pinch, and Ctrl with the wheel.

/** @import { Camera } from "./inside-camera.js" */

const DRAG = 5; // pixels after which a press is a drag

/** @typedef {{x: number, y: number, left: number, top: number, edge?: string, key?: string, isDrag: boolean}} Press */

/**
 * Listen to the pointers; `onPress` receives the edge or the node that was clicked, `onMove` follows every movement.
 *
 * @param {HTMLElement} host
 * @param {Camera} camera
 * @param {(press: Press) => void} onPress
 * @param {() => void} onMove
 */
export function listenToPointers(host, camera, onPress, onMove) {
  const gestures = new Gestures(host, camera, onPress, onMove);
  host.addEventListener("pointerdown", (event) => gestures.press(event));
  host.addEventListener("pointermove", (event) => gestures.drag(event));
  host.addEventListener("pointerup", (event) => gestures.release(event));
  host.addEventListener("pointercancel", (event) => gestures.release(event));
  host.addEventListener("wheel", (event) => gestures.wheel(event), { passive: false });
}

class Gestures {
  /**
   * @param {HTMLElement} host
   * @param {Camera} camera
   * @param {(press: Press) => void} onPress
   * @param {() => void} onMove
   */
  constructor(host, camera, onPress, onMove) {
    this.host = host;
    this.camera = camera;
    this.onPress = onPress;
    this.onMove = onMove;
    /** @type {Map<number, [number, number]>} */
    this.pointers = new Map();
    /** @type {Press | null} */
    this.pressed = null;
    /** @type {{distance: number, scale: number} | null} */
    this.pinched = null;
  }

  /** @param {PointerEvent} event */
  press(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.button !== 0 || target.closest("input")) return;
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    const { x, y } = this.camera;
    this.pressed = {
      x: event.clientX,
      y: event.clientY,
      left: x,
      top: y,
      edge: /** @type {SVGElement | null} */ (target.closest("[data-edge]"))?.dataset.edge, // at the release it may be another node's
      key: /** @type {SVGElement | null} */ (target.closest("[data-key]"))?.dataset.key,
      isDrag: false,
    };
    if (this.pointers.size === 2) this.pinched = { distance: this.spread(), scale: this.camera.scale };
  }

  spread() {
    const [[x, y], [u, v]] = [...this.pointers.values()];
    return Math.hypot(u - x, v - y);
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const { pressed, pinched } = this;
    if (!this.pointers.has(event.pointerId) || !pressed) return;
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    if (pinched) {
      if (this.pointers.size === 2) this.pinch(pinched);
      pressed.isDrag = true;
      return;
    }
    const [right, down] = [event.clientX - pressed.x, event.clientY - pressed.y];
    if (!pressed.isDrag && Math.hypot(right, down) < DRAG) return;
    if (!pressed.isDrag) this.host.setPointerCapture(event.pointerId);
    pressed.isDrag = true;
    this.camera.moveTo(pressed.left + right, pressed.top + down);
    this.onMove();
  }

  /** @param {{distance: number, scale: number}} pinched */
  pinch({ distance, scale }) {
    const box = this.host.getBoundingClientRect();
    const [[x, y], [u, v]] = [...this.pointers.values()];
    const at = /** @type {[number, number]} */ ([(x + u) / 2 - box.left, (y + v) / 2 - box.top]);
    this.camera.zoom((scale * this.spread()) / distance / this.camera.scale, at);
    this.onMove();
  }

  /** @param {PointerEvent} event */
  release(event) {
    if (!this.pointers.delete(event.pointerId) || this.pointers.size) return;
    const { pressed } = this;
    this.pressed = this.pinched = null;
    if (pressed && !pressed.isDrag && event.type !== "pointercancel") this.onPress(pressed);
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const box = this.host.getBoundingClientRect();
    this.camera.zoom(Math.exp(-event.deltaY / 300), [event.clientX - box.left, event.clientY - box.top]);
    this.onMove();
  }
}
