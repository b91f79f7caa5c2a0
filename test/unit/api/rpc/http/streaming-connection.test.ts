import { describe, expect, test } from "bun:test";
import type { HttpReply } from "#api/rpc/http/message.ts";
import { httpConnection, httpService, statuses, TIMEOUTS } from "#test/helpers/http-connection.ts";
import { decodeChunked, scriptedStream, settle } from "#test/helpers/scripted-stream.ts";
import { streamingConnection } from "#test/helpers/streaming-connection.ts";

const GET = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";

/** Handler whose reply the test sends. */
function held() {
  const { promise, resolve } = Promise.withResolvers<HttpReply>();
  const source = scriptedStream();
  const reply = { status: 200, headers: {}, body: null, stream: source };
  return { source, handler: () => promise, answer: () => resolve(reply) };
}

describe("late streamed response", () => {
  test("is closed when the client has disconnected", async () => {
    const { source, handler, answer } = held();
    const { socket, connection, send } = httpConnection(handler);
    send(GET);
    connection.closed();
    answer();
    await settle();
    expect([source.closes, source.pulls, socket.text]).toEqual([1, 0, ""]);
  });

  test("is closed when the request has already got 504", async () => {
    const { source, handler, answer } = held();
    const { socket, send, later } = httpConnection(handler);
    send(GET);
    later(TIMEOUTS.answerMs + 100);
    answer();
    await settle();
    expect([source.closes, source.pulls, statuses(socket.text)]).toEqual([1, 0, ["504"]]);
  });

  test("is closed when the request body has timed out", async () => {
    const { source, handler, answer } = held();
    const { socket, send, later } = httpConnection(handler);
    send("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nab");
    later(TIMEOUTS.requestMs + 100);
    answer();
    await settle();
    expect([source.closes, source.pulls, statuses(socket.text)]).toEqual([1, 0, ["408"]]);
  });
});

describe("streamed response timeout", () => {
  test("counts from the last piece", async () => {
    const it = streamingConnection();
    const startMs = performance.now();
    it.ask("/0");
    await Bun.sleep(25);
    await it.give("one");
    it.connection.checkTimes(startMs + TIMEOUTS.answerMs + 15);
    expect(it.socket.calls).toEqual([]);
    await it.end();
    expect(it.received.isWhole).toBe(true);
  });

  test("does not run while the client is slow", async () => {
    const it = streamingConnection({ timeouts: { ...TIMEOUTS, idleMs: 500_000 } });
    it.socket.takes = 300;
    it.ask("/0");
    await it.give("x".repeat(1_000));
    it.later(TIMEOUTS.answerMs + 1_000);
    expect(it.socket.calls).toEqual([]);
  });

  test("restarts when the client has caught up", async () => {
    const it = streamingConnection();
    it.socket.takes = 300;
    it.ask("/0");
    await it.give("x".repeat(1_000));
    const startMs = performance.now();
    await Bun.sleep(25);
    await it.room(Infinity);
    it.connection.checkTimes(startMs + TIMEOUTS.answerMs + 15);
    expect(it.socket.calls).toEqual([]);
  });

  test("of a client that does not read starts with the unread piece", async () => {
    const it = streamingConnection();
    const startMs = performance.now();
    it.ask("/0");
    await Bun.sleep(25);
    it.socket.takes = 10;
    await it.give("x".repeat(1_000));
    it.connection.checkTimes(startMs + TIMEOUTS.idleMs + 15);
    expect(it.socket.calls).toEqual([]);
  });

  test("replaces the idle timeout", async () => {
    const it = streamingConnection();
    it.ask("/0");
    await it.give("one");
    it.later(TIMEOUTS.idleMs + 1_000);
    expect(it.socket.calls).toEqual([]);
  });

  test("disconnects a client that stays too slow across pieces", async () => {
    const it = streamingConnection({ timeouts: { ...TIMEOUTS, idleMs: 100 } });
    it.ask("/0");
    for (let i = 0; i < 3; i++) {
      expect(it.socket.calls).toEqual([]);
      it.socket.takes = 10;
      await it.give("x".repeat(100));
      await Bun.sleep(40);
      await it.room(1_000);
      expect(it.service.unsent.bytes).toBe(0);
    }
    // Only the bytes that the client has accepted count as progress.
    it.socket.takes = 10;
    await it.give("x".repeat(10_000_000));
    it.later(0);
    expect([it.socket.calls, it.source.closes]).toEqual([["terminate"], 1]);
  });

  test("keeps a client that reads each piece late but fast, or waits for the source", async () => {
    const it = streamingConnection({ timeouts: { ...TIMEOUTS, idleMs: 100 } });
    it.ask("/0");
    it.socket.takes = 10;
    await it.give("x".repeat(10_000_000));
    await Bun.sleep(110);
    await it.room(Infinity);
    it.later(0);
    await it.give("y");
    await Bun.sleep(110);
    await it.give("z");
    it.later(0);
    expect(it.socket.calls).toEqual([]);
  });
});

describe("client input during a streamed response", () => {
  const POST = "POST /0 HTTP/1.1\r\nhost: a\r\n";

  test("omits a body that awaits 100-continue, and the connection closes", async () => {
    const it = streamingConnection();
    it.send(`${POST}expect: 100-continue\r\ncontent-length: 9\r\n\r\n`);
    await it.give("one");
    await it.end();
    expect(statuses(it.socket.text)).toEqual(["200"]);
    expect(it.received).toMatchObject({ body: "one", isWhole: true });
    expect(it.received.head).toContain("connection: close");
    expect(it.socket.calls).toEqual(["shutdown"]);
  });

  test("may be the rest of the body and the next request", async () => {
    const it = streamingConnection();
    it.send(`${POST}content-length: 9\r\n\r\nabc`);
    await it.give("one");
    it.send("defghi");
    it.ask("/1");
    await it.end();
    expect([it.asked, it.received.isWhole]).toEqual([["/0", "/1"], true]);
  });

  test("may stop in the middle of the body; the connection closes after the response", async () => {
    const it = streamingConnection();
    it.send(`${POST}content-length: 9\r\n\r\nabc`);
    await it.give("one");
    it.later(TIMEOUTS.headersMs + 100);
    expect(it.socket.calls).toEqual([]);
    await it.give("two");
    await it.end();
    expect(it.received).toMatchObject({ body: "onetwo", isWhole: true, rest: "" });
    expect(it.socket.calls).toEqual(["shutdown"]);
  });

  test("that is not HTTP gets 400 after the response", async () => {
    const it = streamingConnection();
    it.ask("/0");
    it.send("no HTTP\r\n\r\n");
    await it.give("one");
    expect(statuses(it.socket.text)).toEqual(["200"]);
    await it.end();
    expect([statuses(it.received.rest), it.socket.calls]).toEqual([["400"], ["shutdown"]]);
  });

  test("with a malformed body gets no further response", async () => {
    const it = streamingConnection();
    const chunked = `${POST}transfer-encoding: chunked\r\n\r\n`;
    it.send(`${chunked}2\r\nab\r\n`);
    it.send("no chunk\r\n");
    it.ask("/1");
    await it.give("one");
    await it.end();
    expect(it.received).toMatchObject({ body: "one", isWhole: true, rest: "" });
    expect([it.asked, it.socket.calls]).toEqual([["/0"], ["shutdown"]]);
  });

  test("is not stored if the response is the last one", async () => {
    const it = streamingConnection();
    it.service.isCrowded = true;
    it.ask("/0");
    for (let i = 0; i < 100; i++) it.ask("/1");
    await it.give("one");
    expect(it.service.held.bytes).toBe(0);
    await it.end();
    expect(it.asked).toEqual(["/0"]);
  });
});

describe("connection with a streamed response", () => {
  const LONG_MS = 5_000;

  test("is not expendable while it waits for a piece, even with an incomplete body", async () => {
    const it = streamingConnection();
    it.send("POST /0 HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nabc");
    await it.give("one");
    expect(it.connection.expendable(performance.now() + LONG_MS)).toBeUndefined();
  });

  test("is expendable when its client hardly reads", async () => {
    const it = streamingConnection();
    it.socket.takes = 300;
    it.ask("/0");
    await it.give("x".repeat(1_000));
    expect(it.connection.expendable(performance.now())).toBeUndefined();
    expect(it.connection.expendable(performance.now() + LONG_MS)).toBeDefined();
  });

  test("closes after that response while few slots are left", async () => {
    const it = streamingConnection();
    it.service.isCrowded = true;
    it.ask("/0");
    it.ask("/1");
    await it.end();
    expect(it.received.head).toContain("connection: close");
    expect([it.asked, it.socket.calls]).toEqual([["/0"], ["shutdown"]]);
  });

  test("writes the head immediately and a piece at the end of the turn", async () => {
    const source = scriptedStream();
    const handler = () => ({ status: 200, headers: {}, body: null, stream: source });
    const service = httpService(handler, { writes: { add: () => undefined } });
    const { socket, connection, send } = httpConnection(handler, { service });
    send(GET);
    expect(statuses(socket.text)).toEqual(["200"]);
    source.give("one");
    await settle();
    expect(decodeChunked(socket.text).body).toBe("");
    connection.drained();
    expect(decodeChunked(socket.text).body).toBe("one");
  });

  test("yields to other work between ready pieces", async () => {
    const it = streamingConnection();
    for (let i = 0; i < 1_000; i++) it.source.give("x");
    it.ask("/0");
    await new Promise((resolve) => setImmediate(resolve));
    expect(it.source.pulls).toBeLessThan(10);
  });

  test("answers nothing after a failed stream", async () => {
    const it = streamingConnection();
    it.ask("/0");
    it.ask("/1");
    it.source.fail();
    await settle();
    expect([it.asked, it.socket.calls]).toEqual([["/0"], ["terminate"]]);
  });

  test("sends pipelined streams in order", async () => {
    const it = streamingConnection();
    it.ask("/0");
    it.ask("/1");
    it.ask("/2");
    it.second.give("two");
    it.second.end();
    await it.give("one");
    await it.end();
    const second = decodeChunked(it.received.rest);
    expect([it.received.body, second.body, statuses(second.rest)]).toEqual(["one", "two", ["204"]]);
  });
});
