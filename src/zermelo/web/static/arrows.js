// Arrows and marks over a board.

import { svg } from "./vendor/lit-html.js";

/** @import { Box } from "./turning.js" */
/** @typedef {{from: number, to: number}} Shape an arrow between two cells, or a mark on one */

const HEAD = 0.32; // of the size of a cell
const SHAFT = 0.13;

/**
 * An arrow from the middle of a cell to that of another, or a ring on a cell.
 *
 * @param {Box} from
 * @param {Box} to
 * @param {string} style
 */
export function drawShape(from, to, style) {
  const [x, y, u, v] = [from, to].flatMap((box) => [box.x + box.width / 2, box.y + box.height / 2]);
  const size = Math.min(from.width, from.height, 48);
  const length = Math.hypot(u - x, v - y);
  if (length < 1)
    return svg`<circle class=${`mark ${style}`} cx=${x} cy=${y} r=${0.46 * size} stroke-width=${0.07 * size}></circle>`;
  const [right, down] = [(u - x) / length, (v - y) / length];
  const [head, half] = [HEAD * size, (SHAFT * size) / 2];
  const start = Math.min(0.3 * size, length / 4);
  const at = (/** @type {number} */ along, /** @type {number} */ aside) =>
    `${(x + along * right - aside * down).toFixed(1)} ${(y + along * down + aside * right).toFixed(1)}`;
  const neck = length - head;
  const outline = [
    at(start, half),
    at(neck, half),
    at(neck, 0.6 * head),
    at(length, 0),
    at(neck, -0.6 * head),
    at(neck, -half),
    at(start, -half),
  ];
  return svg`<path class=${`arrow ${style}`} d=${`M${outline.join("L")}Z`}></path>`;
}
