// Communication with the server: requests that are answered once, and a socket for news.

export class Refused extends Error {}

export async function request(method, path, body) {
  const options = { method, headers: {} };
  if (body !== undefined) {
    options.headers["content-type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(`/api/${path}`, options);
  } catch {
    throw new Refused("the server does not answer; is it still running?");
  }
  if (response.status === 204) return null;
  const answer = await response.json().catch(() => ({ error: `the server answered with status ${response.status}` }));
  if (!response.ok) {
    const refusal = new Refused(answer.error);
    refusal.status = response.status;
    throw refusal;
  }
  return answer;
}

export const games = () => request("GET", "games");
export const create = (wanted) => request("POST", "sessions", wanted);
export const load = (id) => request("GET", `sessions/${id}`);
export const play = (id, move, node) => request("POST", `sessions/${id}/moves`, { move, node });
export const go = (id, node) => request("PUT", `sessions/${id}/current`, { node });
export const sit = (id, players, dice) => request("PUT", `sessions/${id}/players`, { players, dice });
export const scoresheet = (id) => request("GET", `sessions/${id}/scoresheet`);
export const pictures = () => request("GET", "pictures");
export const preview = (id, node, moves) => request("POST", `sessions/${id}/preview`, { node, moves });

/** A socket that reconnects by itself; `onNews(kind, content)` receives the news. */
export class Stream {
  constructor(id, onNews, onOpen) {
    this.id = id;
    this.onNews = onNews;
    this.onOpen = onOpen;
    this.isClosed = false;
    this.pause = 300;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/api/sessions/${this.id}/stream`);
    this.socket.onopen = () => {
      this.pause = 300;
      this.onOpen();
    };
    this.socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      this.onNews(message.news, message[message.news]);
    };
    this.socket.onclose = () => {
      if (this.isClosed) return;
      this.onNews("lost", null);
      setTimeout(() => !this.isClosed && this.open(), this.pause);
      this.pause = Math.min(2 * this.pause, 5000);
    };
  }

  send(order) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(order));
    return true;
  }

  close() {
    this.isClosed = true;
    this.socket.close();
  }
}
