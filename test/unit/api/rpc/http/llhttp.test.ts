import { expect, test } from "bun:test";
import { Llhttp, type LlhttpListener, sharedLlhttp } from "#api/rpc/http/llhttp.ts";
import { textReply } from "#api/rpc/http/message.ts";
import { KnownHeads } from "#api/rpc/http/known-heads.ts";
import { RequestParser } from "#api/rpc/http/parser.ts";
import { httpConnection } from "#test/helpers/http-connection.ts";

const POST = "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\n\r\nabc";

/** Records the events; stops at the event `stopsAt`. */
function listener(events: string[], stopsAt = ""): LlhttpListener {
  const note = (what: string): boolean => events.push(what) > 0 && what !== stopsAt;
  return {
    began: () => void note("begun"),
    target: (part) => note(part),
    name: (part) => note(part),
    value: (part) => note(part),
    headEnded: (method, major, minor, keepsAlive) =>
      void note(`${method} ${major}.${minor} ${keepsAlive}`),
    body: (bytes, from, to) => void note(bytes.toString("utf8", from, to)),
    ended: () => void note("ended"),
  };
}

/** Address of the next parser; unchanged if all parsers opened since are closed. */
function nextParser(llhttp: Llhttp): number {
  const parser = llhttp.open();
  llhttp.close(parser);
  return parser;
}

test("llhttp reports the parts of a request in byte order", () => {
  const llhttp = new Llhttp();
  const events: string[] = [];
  const progress = llhttp.read(llhttp.open(), Buffer.from(POST), listener(events), 0);
  expect(progress).toEqual({ error: undefined, unreportedBytes: 0 });
  expect(events).toEqual([
    ...["begun", "/", "host", "a", "content-length", "3", "POST 1.1 true", "abc", "ended"],
  ]);
});

test("llhttp stops when its listener returns false, and counts unreported bytes", () => {
  const llhttp = new Llhttp();
  const events: string[] = [];
  const stopped = llhttp.read(llhttp.open(), Buffer.from(POST), listener(events, "host"), 0);
  expect([events.at(-1), stopped.error?.slice(0, 4)]).toEqual(["host", "HPE_"]);
  const parser = llhttp.open();
  const quiet = Buffer.from(`GET / HTTP/1.1\r\na:${" ".repeat(50)}`);
  expect(llhttp.read(parser, quiet, listener([]), 0).unreportedBytes).toBe(51);
  expect(llhttp.read(parser, Buffer.alloc(9, " "), listener([]), 51).unreportedBytes).toBe(60);
  expect(llhttp.read(parser, Buffer.from(" bc"), listener([]), 60).unreportedBytes).toBe(0);
});

test("parsers of one instance are independent, and long inputs are read in chunks", () => {
  const llhttp = new Llhttp();
  const body = Buffer.alloc(1_500_000, "x");
  const head = Buffer.from(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n\r\n`);
  const peers = Array.from({ length: 3 }, () => ({
    parser: llhttp.open(),
    events: [] as string[],
  }));
  for (const bytes of [head, body]) {
    for (const { parser, events } of peers) llhttp.read(parser, bytes, listener(events), 0);
  }
  for (const { events } of peers) {
    const parts = events.slice(7, -1);
    expect([parts.join("").length, events.at(-1)]).toEqual([body.length, "ended"]);
  }
});

test("a nested read of another connection throws", () => {
  const llhttp = new Llhttp();
  const [parser, other] = [llhttp.open(), llhttp.open()];
  const events: string[] = [];
  const nested = {
    ...listener(events),
    headEnded: () => void llhttp.read(other, Buffer.from(POST), listener([]), 0),
  };
  expect(() => llhttp.read(parser, Buffer.from(POST), nested, 0)).toThrow("one connection");
  expect(llhttp.read(other, Buffer.from(POST), listener(events), 0).error).toBeUndefined();
});

test("a parser may be closed during its own event, and twice", () => {
  const before = nextParser(sharedLlhttp());
  const events: string[] = [];
  const parser = new RequestParser(
    {
      began: () => parser.close(),
      headRead: () => void events.push("head"),
      bodyRead: () => undefined,
      ended: () => void events.push("ended"),
    },
    1_000,
    new KnownHeads(0),
  );
  expect(parser.read(Buffer.from(POST))).toBeUndefined();
  expect(nextParser(sharedLlhttp())).toBe(before);
  parser.close();
  expect(parser.read(Buffer.from(POST))).toBeUndefined();
  expect(events).toEqual(["head", "ended"]);
  expect(nextParser(sharedLlhttp())).toBe(before);
});

test("closed connections free their memory in llhttp", () => {
  const before = nextParser(sharedLlhttp());
  const open = Array.from({ length: 500 }, (_, i) => {
    const peer = httpConnection(() => textReply("", 200));
    peer.send(POST.slice(0, i % POST.length));
    return peer;
  });
  expect(nextParser(sharedLlhttp())).not.toBe(before);
  for (const { connection } of open) connection.closed();
  expect(nextParser(sharedLlhttp())).toBe(before);
});
