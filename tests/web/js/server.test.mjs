// The socket to the server: what is sent before it is open waits, and what is sent after it is lost is refused.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Stream } from "../../../src/zermelo/web/static/server.js";

class Socket {
  static CONNECTING = 0;
  static OPEN = 1;
  static CLOSED = 3;

  constructor() {
    this.readyState = Socket.CONNECTING;
    this.sent = [];
    Socket.newest = this;
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {}

  connect() {
    this.readyState = Socket.OPEN;
    this.onopen();
  }

  lose() {
    this.readyState = Socket.CLOSED;
    this.onclose();
  }
}

beforeEach(() => {
  globalThis.WebSocket = Socket;
  globalThis.location = { protocol: "http:", host: "localhost" };
});

const stream = (events = []) => {
  const made = new Stream(
    "s",
    (event) => events.push(event),
    () => made.send({ do: "follow" }),
  );
  return made;
};

test("what is sent before the socket is open is sent when it is", () => {
  const made = stream();
  assert.equal(made.send({ do: "review" }), true);
  assert.deepEqual(Socket.newest.sent, []);
  Socket.newest.connect();
  assert.deepEqual(Socket.newest.sent, [{ do: "follow" }, { do: "review" }]);
  made.close();
});

test("what waited is given up with the connection, and what is sent to a lost one is refused", () => {
  const events = [];
  const made = stream(events);
  made.send({ do: "review" });
  Socket.newest.lose();
  assert.equal(made.send({ do: "stop" }), false);
  made.open();
  Socket.newest.connect();
  assert.deepEqual(Socket.newest.sent, [{ do: "follow" }]);
  assert.deepEqual(events, [{ event: "lost" }]);
  made.close();
});
