import { describe, expect, test } from "bun:test";
import type { HttpReply } from "#api/rpc/http/message.ts";
import { httpConnection, httpService, statuses, TIMEOUTS } from "#test/helpers/http-connection.ts";
import { decodeChunked, scriptedStream, settle } from "#test/helpers/scripted-stream.ts";
import { streamingConnection } from "#test/helpers/streaming-connection.ts";

const GET = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";

/** A handler whose reply is in the hands of the test. */
function held() {
  const { promise, resolve } = Promise.withResolvers<HttpReply>();
  const source = scriptedStream();
  const reply = { status: 200, headers: {}, body: null, stream: source };
  return { source, handler: () => promise, answer: () => resolve(reply) };
}

describe("a streamed answer that comes too late", () => {
  test("is closed when the client has left", async () => {
    const { source, handler, answer } = held();
    const { socket, connection, send } = httpConnection(handler);
    send(GET);
    connection.closed();
    answer();
    await settle();
    expect([source.closes, source.pulls, socket.text]).toEqual([1, 0, ""]);
  });

  test("is closed when the request was answered with 504", async () => {
    const { source, handler, answer } = held();
    const { socket, send, later } = httpConnection(handler);
    send(GET);
    later(TIMEOUTS.answerMs + 100);
    answer();
    await settle();
    expect([source.closes, source.pulls, statuses(socket.text)]).toEqual([1, 0, ["504"]]);
  });

  test("is closed when the body of the request was too late", async () => {
    const { source, handler, answer } = held();
    const { socket, send, later } = httpConnection(handler);
    send("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nab");
    later(TIMEOUTS.requestMs + 100);
    answer();
    await settle();
    expect([source.closes, source.pulls, statuses(socket.text)]).toEqual([1, 0, ["408"]]);
  });
});

describe("the time of a streamed answer", () => {
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

  test("does not run while the client is waited for", async () => {
    const it = streamingConnection({ timeouts: { ...TIMEOUTS, idleMs: 500_000 } });
    it.socket.takes = 300;
    it.ask("/0");
    await it.give("x".repeat(1_000));
    it.later(TIMEOUTS.answerMs + 1_000);
    expect(it.socket.calls).toEqual([]);
  });

  test("starts again when the client has taken what it was waited for", async () => {
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

  test("of a client to take a piece starts with that piece", async () => {
    const it = streamingConnection();
    const startMs = performance.now();
    it.ask("/0");
    await Bun.sleep(25);
    it.socket.takes = 10;
    await it.give("x".repeat(1_000));
    it.connection.checkTimes(startMs + TIMEOUTS.idleMs + 15);
    expect(it.socket.calls).toEqual([]);
  });

  test("keeps a connection from being idle", async () => {
    const it = streamingConnection();
    it.ask("/0");
    await it.give("one");
    it.later(TIMEOUTS.idleMs + 1_000);
    expect(it.socket.calls).toEqual([]);
  });

  test("lets a client that takes a little of each piece not stay for ever", async () => {
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
    // What it has not taken of a long piece does not count.
    it.socket.takes = 10;
    await it.give("x".repeat(10_000_000));
    it.later(0);
    expect([it.socket.calls, it.source.closes]).toEqual([["terminate"], 1]);
  });

  test("lets a client stay that takes each piece late but fast, or waits for the source", async () => {
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

describe("what a client sends during a streamed answer", () => {
  const POST = "POST /0 HTTP/1.1\r\nhost: a\r\n";

  test("is not read for a body that it waits to be told to send", async () => {
    const it = streamingConnection();
    it.send(`${POST}expect: 100-continue\r\ncontent-length: 9\r\n\r\n`);
    await it.give("one");
    await it.end();
    expect(statuses(it.socket.text)).toEqual(["200"]);
    expect(it.received).toMatchObject({ body: "one", isWhole: true });
    expect(it.received.head).toContain("connection: close");
    expect(it.socket.calls).toEqual(["shutdown"]);
  });

  test("may be the rest of its body, and the next request", async () => {
    const it = streamingConnection();
    it.send(`${POST}content-length: 9\r\n\r\nabc`);
    await it.give("one");
    it.send("defghi");
    it.ask("/1");
    await it.end();
    expect([it.asked, it.received.isWhole]).toEqual([["/0", "/1"], true]);
  });

  test("may end in the middle of its body: the connection ends behind the answer", async () => {
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

  test("may be no HTTP: that is 400 behind the answer", async () => {
    const it = streamingConnection();
    it.ask("/0");
    it.send("no HTTP\r\n\r\n");
    await it.give("one");
    expect(statuses(it.socket.text)).toEqual(["200"]);
    await it.end();
    expect([statuses(it.received.rest), it.socket.calls]).toEqual([["400"], ["shutdown"]]);
  });

  test("may be a broken body: nothing is answered behind the answer", async () => {
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

  test("is not kept when the answer is the last one", async () => {
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

describe("a connection with a streamed answer", () => {
  const LONG_MS = 5_000;

  test("does not give way while it waits for a piece, whatever is missing of its body", async () => {
    const it = streamingConnection();
    it.send("POST /0 HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nabc");
    await it.give("one");
    expect(it.connection.expendable(performance.now() + LONG_MS)).toBeUndefined();
  });

  test("gives way when its client reads hardly anything", async () => {
    const it = streamingConnection();
    it.socket.takes = 300;
    it.ask("/0");
    await it.give("x".repeat(1_000));
    expect(it.connection.expendable(performance.now())).toBeUndefined();
    expect(it.connection.expendable(performance.now() + LONG_MS)).toBeDefined();
  });

  test("is for that answer alone where few slots are left", async () => {
    const it = streamingConnection();
    it.service.isCrowded = true;
    it.ask("/0");
    it.ask("/1");
    await it.end();
    expect(it.received.head).toContain("connection: close");
    expect([it.asked, it.socket.calls]).toEqual([["/0"], ["shutdown"]]);
  });

  test("holds a piece back to the end of the turn, not the head", async () => {
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

  test("leaves time for others between two pieces that are ready", async () => {
    const it = streamingConnection();
    for (let i = 0; i < 1_000; i++) it.source.give("x");
    it.ask("/0");
    await new Promise((resolve) => setImmediate(resolve));
    expect(it.source.pulls).toBeLessThan(10);
  });

  test("answers nothing behind a failed stream", async () => {
    const it = streamingConnection();
    it.ask("/0");
    it.ask("/1");
    it.source.fail();
    await settle();
    expect([it.asked, it.socket.calls]).toEqual([["/0"], ["terminate"]]);
  });

  test("sends many pipelined ones in their order", async () => {
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
