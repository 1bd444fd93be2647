// Requests to the server about recorded searches.

import { request } from "./server.js";

/**
 * @import { GrownTree, GrowthFacts, InsideBoard, Look, RandomTree, RecordingFacts, TreeItems, TreeText } from "../types/messages.js"
 */

export { messageOf, Refused, games } from "./server.js";

/** @type {() => Promise<TreeText[]>} */
export const examples = () => request("GET", "inside/examples");
/** @type {(look: Look) => Promise<RecordingFacts | GrowthFacts>} */
export const open = (look) => request("POST", "inside", look);
/** @type {(look: Look, node: number) => Promise<TreeItems>} */
export const children = (look, node) => request("POST", "inside/children", { ...look, node });
/** @type {(look: Look, number: number) => Promise<TreeItems>} */
export const moment = (look, number) => request("POST", "inside/moment", { ...look, moment: number });
/** @type {(look: Look, line: string[]) => Promise<InsideBoard>} */
export const board = (look, line) => request("POST", "inside/board", { ...look, line });
/** @type {(look: Look, simulations: number) => Promise<GrownTree>} */
export const grow = (look, simulations) => request("POST", "inside/grow", { ...look, simulations });
/** @type {(wanted: RandomTree) => Promise<TreeText>} */
export const random = (wanted) => request("POST", "inside/random", wanted);
