import { describe, expect, test } from "bun:test";
import { statuses, TIMEOUTS } from "#test/helpers/http-connection.ts";
import { decodeChunked, settle } from "#test/helpers/scripted-stream.ts";
import { streamingConnection } from "#test/helpers/streaming-connection.ts";

/** Request kinds, the framing of a streamed response to each, and what follows it. */
const FRAMES = [
  {
    frame: "HTTP/1.1",
    version: "1.1",
    fields: "",
    isChunked: true,
    keepsAlive: true,
    staysOpen: true,
  },
  {
    frame: "HTTP/1.1 with connection: close",
    version: "1.1",
    fields: "connection: close\r\n",
    isChunked: true,
    keepsAlive: false,
    staysOpen: false,
  },
  {
    frame: "HTTP/1.0",
    version: "1.0",
    fields: "",
    isChunked: false,
    keepsAlive: false,
    staysOpen: false,
  },
  {
    frame: "HTTP/1.0 with keep-alive",
    version: "1.0",
    fields: "connection: keep-alive\r\n",
    isChunked: false,
    keepsAlive: true,
    staysOpen: false,
  },
] as const;

describe.each(FRAMES)("streamed response to $frame", (frame) => {
  const { isChunked, staysOpen, keepsAlive } = frame;

  test("has its head before the first piece", () => {
    const { socket, received, ask } = streamingConnection(frame);
    expect(received.head).toBe("");
    ask("/0");
    expect(statuses(socket.text)).toEqual(["200"]);
    expect(socket.text.endsWith("\r\n\r\n")).toBe(true);
    expect(socket.text.includes("transfer-encoding: chunked\r\n")).toBe(isChunked);
    expect(socket.text.includes("connection: close\r\n")).toBe(!staysOpen);
    expect(socket.text).not.toContain("content-length");
  });

  test("has its pieces in order and an end", async () => {
    const it = streamingConnection(frame);
    it.ask("/0");
    await it.give("one", "", "two and three", "x".repeat(100_000));
    expect(it.received.isWhole).toBe(false);
    await it.end();
    expect(it.received).toMatchObject({
      body: `onetwo and three${"x".repeat(100_000)}`,
      isWhole: true,
    });
    expect([it.socket.calls, it.source.closes]).toEqual([staysOpen ? [] : ["shutdown"], 0]);
  });

  test("without pieces is an empty body", async () => {
    const it = streamingConnection(frame);
    it.ask("/0");
    await it.end();
    expect(it.received).toMatchObject({ body: "", isWhole: true, rest: "" });
  });

  test("buffers at most one piece for a client that does not read, and resumes when it does", async () => {
    const it = streamingConnection(frame);
    it.socket.takes = 300;
    it.ask("/0");
    await it.give("a".repeat(1_000), "b".repeat(1_000), "c".repeat(1_000));
    expect(it.source.pulls).toBe(1);
    expect(it.service.unsent.bytes).toBeGreaterThan(700);
    expect(it.service.unsent.bytes).toBeLessThan(1_100);
    await it.room(100);
    expect(it.source.pulls).toBe(1);
    await it.room(Infinity);
    await it.end();
    expect(it.received).toMatchObject({
      body: "a".repeat(1_000) + "b".repeat(1_000) + "c".repeat(1_000),
      isWhole: true,
    });
    expect(it.service.unsent.bytes).toBe(0);
  });

  test("pulls no piece while its head is unsent", async () => {
    const it = streamingConnection(frame);
    it.socket.takes = 10;
    it.ask("/0");
    await settle();
    expect(it.source.pulls).toBe(0);
    await it.room(Infinity);
    expect(it.source.pulls).toBe(1);
  });

  test("is closed once when the client leaves before the first piece, which is dropped", async () => {
    const it = streamingConnection(frame);
    it.ask("/0");
    const head = it.socket.text;
    it.connection.closed();
    await it.give("late", "later");
    expect([it.source.closes, it.source.pulls, it.socket.text]).toEqual([1, 1, head]);
  });

  test("is closed once when the client leaves between two pieces", async () => {
    const it = streamingConnection(frame);
    it.ask("/0");
    await it.give("one");
    it.connection.closed();
    await it.give("two", "three");
    expect([it.source.closes, it.source.pulls, it.received.body]).toEqual([1, 2, "one"]);
  });

  test("is closed once when the client leaves with a piece unread", async () => {
    const it = streamingConnection(frame);
    it.socket.takes = 300;
    it.ask("/0");
    await it.give("x".repeat(1_000));
    it.connection.closed();
    await settle();
    expect([it.source.closes, it.source.pulls, it.service.unsent.bytes]).toEqual([1, 1, 0]);
  });

  test("is not closed when the client leaves with only the end unread", async () => {
    const it = streamingConnection(frame);
    it.ask("/0");
    await it.give("one");
    it.socket.takes = 2;
    await it.end();
    it.connection.closed();
    expect([it.source.closes, it.service.unsent.bytes]).toEqual([0, 0]);
  });

  test("is cut without an end when the source fails", async () => {
    const it = streamingConnection(frame);
    it.ask("/0");
    await it.give("one");
    it.source.fail();
    await settle();
    expect(it.received).toMatchObject({ body: "one", isWhole: false });
    expect([it.socket.calls, it.source.closes]).toEqual([["terminate"], 0]);
  });

  test("is cut without an end when the source throws", async () => {
    const it = streamingConnection(frame);
    const broken = new RangeError("broken");
    it.source.next = () => {
      throw broken;
    };
    it.ask("/0");
    await settle();
    expect(it.received).toMatchObject({ body: "", isWhole: false });
    expect([it.socket.calls, it.source.closes]).toEqual([["terminate"], 0]);
  });

  test("is cut and closed when no piece arrives within the response timeout", async () => {
    const it = streamingConnection(frame);
    it.ask("/0");
    await it.give("one");
    it.later(TIMEOUTS.answerMs - 1_000);
    expect([it.socket.calls, it.source.closes]).toEqual([[], 0]);
    it.later(TIMEOUTS.answerMs + 100);
    expect([it.socket.calls, it.source.closes]).toEqual([["terminate"], 1]);
    expect([it.received.isWhole, statuses(it.socket.text)]).toEqual([false, ["200"]]);
    await it.give("late");
    expect(it.received.body).toBe("one");
    it.connection.closed();
    expect(it.source.closes).toBe(1);
  });

  test("is cut and closed when the client reads nothing for too long", async () => {
    const it = streamingConnection(frame);
    it.socket.takes = 300;
    it.ask("/0");
    await it.give("x".repeat(1_000));
    it.later(TIMEOUTS.idleMs - 1_000);
    expect(it.socket.calls).toEqual([]);
    it.later(TIMEOUTS.idleMs + 100);
    expect([it.socket.calls, it.source.closes]).toEqual([["terminate"], 1]);
  });

  test("is closed when the budget of unsent bytes drops its client", async () => {
    const it = streamingConnection(frame);
    const others = Array.from({ length: 15 }, (_, i) =>
      it.service.unsent.share({ address: `198.51.100.${i}` }, () => undefined),
    );
    for (const other of others) other.change(10 << 20);
    it.socket.takes = 300;
    it.ask("/0");
    await it.give(new Uint8Array(16 << 20), "more");
    expect([it.socket.calls, it.source.closes, it.source.pulls]).toEqual([["terminate"], 1, 1]);
    expect(it.service.unsent.bytes).toBe(150 << 20);
  });

  test("is cut when displaced, so that it does not look complete", async () => {
    const it = streamingConnection(frame);
    it.ask("/0");
    await it.give("one");
    it.connection.yieldSlot();
    expect([it.socket.calls, it.source.closes]).toEqual([["terminate"], 1]);
  });

  test("may finish during a stop, and then the connection ends", async () => {
    const it = streamingConnection(frame);
    it.ask("/0");
    it.service.isStopping = true;
    it.connection.endIfIdle();
    await it.give("one");
    expect(it.socket.calls).toEqual([]);
    await it.end();
    expect(it.received).toMatchObject({ body: "one", isWhole: true });
    expect(it.socket.calls).toEqual([staysOpen ? "end" : "shutdown"]);
  });

  test("to HEAD is only a head, and the stream is closed", () => {
    const it = streamingConnection(frame);
    it.ask("/0", "HEAD");
    expect(it.socket.text.endsWith("\r\n\r\n")).toBe(true);
    expect(it.socket.text.includes("transfer-encoding: chunked\r\n")).toBe(isChunked);
    expect([it.source.pulls, it.source.closes]).toEqual([0, 1]);
    expect(it.socket.calls).toEqual(keepsAlive ? [] : ["shutdown"]);
  });

  test("completes before a pipelined request starts", async () => {
    const it = streamingConnection(frame);
    it.ask("/0");
    it.ask("/1");
    await it.give("one");
    expect(it.asked).toEqual(["/0"]);
    await it.end();
    expect(it.asked).toEqual(staysOpen ? ["/0", "/1"] : ["/0"]);
    if (!staysOpen) return;
    it.second.give("two");
    it.second.end();
    await settle();
    expect(decodeChunked(it.received.rest)).toMatchObject({ body: "two", isWhole: true, rest: "" });
  });
});
