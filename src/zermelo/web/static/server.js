// Communication with the server: requests that are answered once, and a socket for orders and events.

/**
 * @import { Costs, LearningRecord, LookAtRegrets, Order, GameFacts, NewSession, Position, ScoresheetText, SessionState, Thumbnail } from "../types/messages.js"
 * @import { PageEvent } from "./state.js"
 */

/** @type {(error: unknown) => string} */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** The server refused a request, or does not answer; `status` is that of its answer. */
export class Refused extends Error {
  /**
   * @param {string} message
   * @param {number} [status]
   */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/**
 * Send a request; return its answer.
 *
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<any>}
 */
export async function request(method, path, body) {
  const options =
    body === undefined
      ? { method }
      : { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  let response;
  try {
    response = await fetch(`/api/${path}`, options);
  } catch {
    throw new Refused("the server does not answer; is it still running?");
  }
  if (response.status === 204) return null;
  const answer = await response.json().catch(() => ({ error: `the server answered with status ${response.status}` }));
  if (!response.ok) throw new Refused(answer.error, response.status);
  return answer;
}

/**
 * Send a request whose answer is a line of JSON for each message, and pass them on as they come.
 *
 * @param {string} path
 * @param {unknown} body
 * @param {AbortSignal} signal
 * @param {(message: any) => void} onMessage
 */
export async function follow(path, body, signal, onMessage) {
  const headers = { "content-type": "application/json" };
  let response;
  try {
    response = await fetch(`/api/${path}`, { method: "POST", headers, body: JSON.stringify(body), signal });
  } catch {
    throw new Refused("the server does not answer; is it still running?");
  }
  if (!response.ok || !response.body) {
    const answer = await response.json().catch(() => ({ error: `the server answered with status ${response.status}` }));
    throw new Refused(answer.error, response.status);
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onMessage(JSON.parse(line));
  }
}

/** @type {() => Promise<GameFacts[]>} */
export const games = () => request("GET", "games");
/** @type {(wanted: NewSession) => Promise<SessionState>} */
export const create = (wanted) => request("POST", "sessions", wanted);
/** @type {(id: string) => Promise<SessionState>} */
export const load = (id) => request("GET", `sessions/${id}`);
/** @type {(id: string) => Promise<ScoresheetText>} */
export const scoresheet = (id) => request("GET", `sessions/${id}/scoresheet`);
/** @type {() => Promise<Record<string, Thumbnail>>} */
export const pictures = () => request("GET", "pictures");
/** @type {(look: LookAtRegrets) => Promise<LearningRecord>} */
export const regrets = (look) => request("POST", "inside/regrets", look);
/** @type {(id: string, node: number) => Promise<Costs>} */
export const costs = (id, node) => request("POST", `sessions/${id}/costs`, { node });
/** @type {(id: string, node: number, moves: string[]) => Promise<Position>} */
export const preview = (id, node, moves) => request("POST", `sessions/${id}/preview`, { node, moves });

/**
 * A socket that reconnects by itself; `onEvent(event)` receives the events, and "lost" if the connection is lost.
 * What is sent before the first connection waits for it.
 */
export class Stream {
  /**
   * @param {string} id
   * @param {(event: PageEvent) => void} onEvent
   * @param {(isFirst: boolean) => void} onOpen
   */
  constructor(id, onEvent, onOpen) {
    this.id = id;
    this.onEvent = onEvent;
    this.onOpen = onOpen;
    this.isClosed = false;
    this.wasOpen = false;
    /** @type {string[]} */
    this.waiting = [];
    this.pause = 300;
    this.socket = this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/sessions/${this.id}/stream`);
    this.socket = socket;
    socket.onopen = () => {
      this.pause = 300;
      this.onOpen(!this.wasOpen);
      this.wasOpen = true;
      for (const text of this.waiting.splice(0)) socket.send(text);
    };
    socket.onmessage = (event) => {
      if (!this.isClosed) this.onEvent(JSON.parse(event.data));
    };
    socket.onclose = () => {
      this.waiting = [];
      if (this.isClosed) return;
      this.onEvent({ event: "lost" });
      setTimeout(() => !this.isClosed && this.open(), this.pause);
      this.pause = Math.min(2 * this.pause, 5000);
    };
    return socket;
  }

  /**
   * Send an order, or keep it until the first connection; false if the connection is lost.
   *
   * @param {Order} order
   */
  send(order) {
    const text = JSON.stringify(order);
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
    else if (this.socket.readyState === WebSocket.CONNECTING && !this.wasOpen) this.waiting.push(text);
    else return false;
    return true;
  }

  close() {
    this.isClosed = true;
    this.socket.close();
  }
}
