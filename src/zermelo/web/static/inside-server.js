// Requests to the server about recorded searches.

import { request } from "./server.js";

export { Refused, games } from "./server.js";

export const examples = () => request("GET", "inside/examples");
export const open = (look) => request("POST", "inside", look);
export const children = (look, node) => request("POST", "inside/children", { ...look, node });
export const moment = (look, number) => request("POST", "inside/moment", { ...look, moment: number });
export const board = (look, line) => request("POST", "inside/board", { ...look, line });
export const grow = (look, simulations) => request("POST", "inside/grow", { ...look, simulations });
export const random = (wanted) => request("POST", "inside/random", wanted);
