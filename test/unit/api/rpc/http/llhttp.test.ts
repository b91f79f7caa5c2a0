import { expect, test } from "bun:test";
import { Llhttp, type LlhttpListener, sharedLlhttp } from "#api/rpc/http/llhttp.ts";
import { textReply } from "#api/rpc/http/message.ts";
import { KnownHeads } from "#api/rpc/http/known-heads.ts";
import { RequestParser } from "#api/rpc/http/parser.ts";
import { httpConnection } from "#test/helpers/http-connection.ts";

const POST = "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\n\r\nabc";

/** Notes what it hears; stops where it is told to. */
function listener(heard: string[], stopsAt = ""): LlhttpListener {
  const note = (what: string): boolean => heard.push(what) > 0 && what !== stopsAt;
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

/** Where the next parser lies: the same again when all that were opened since are closed. */
function nextParser(llhttp: Llhttp): number {
  const parser = llhttp.open();
  llhttp.close(parser);
  return parser;
}

test("llhttp tells of a request in the order of its bytes", () => {
  const llhttp = new Llhttp();
  const heard: string[] = [];
  const progress = llhttp.read(llhttp.open(), Buffer.from(POST), listener(heard), 0);
  expect(progress).toEqual({ error: undefined, unreportedBytes: 0 });
  expect(heard).toEqual([
    ...["begun", "/", "host", "a", "content-length", "3", "POST 1.1 true", "abc", "ended"],
  ]);
});

test("llhttp stops where its listener says so, and counts what it says nothing of", () => {
  const llhttp = new Llhttp();
  const heard: string[] = [];
  const stopped = llhttp.read(llhttp.open(), Buffer.from(POST), listener(heard, "host"), 0);
  expect([heard.at(-1), stopped.error?.slice(0, 4)]).toEqual(["host", "HPE_"]);
  const parser = llhttp.open();
  const quiet = Buffer.from(`GET / HTTP/1.1\r\na:${" ".repeat(50)}`);
  expect(llhttp.read(parser, quiet, listener([]), 0).unreportedBytes).toBe(51);
  expect(llhttp.read(parser, Buffer.alloc(9, " "), listener([]), 51).unreportedBytes).toBe(60);
  expect(llhttp.read(parser, Buffer.from(" bc"), listener([]), 60).unreportedBytes).toBe(0);
});

test("parsers of one instance do not meet, and more bytes than fit at once are read in turn", () => {
  const llhttp = new Llhttp();
  const body = Buffer.alloc(1_500_000, "x");
  const head = Buffer.from(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n\r\n`);
  const peers = Array.from({ length: 3 }, () => ({ parser: llhttp.open(), heard: [] as string[] }));
  for (const bytes of [head, body]) {
    for (const { parser, heard } of peers) llhttp.read(parser, bytes, listener(heard), 0);
  }
  for (const { heard } of peers) {
    const parts = heard.slice(7, -1);
    expect([parts.join("").length, heard.at(-1)]).toEqual([body.length, "ended"]);
  }
});

test("reading another connection from within one is a bug that is told", () => {
  const llhttp = new Llhttp();
  const [parser, other] = [llhttp.open(), llhttp.open()];
  const heard: string[] = [];
  const nested = {
    ...listener(heard),
    headEnded: () => void llhttp.read(other, Buffer.from(POST), listener([]), 0),
  };
  expect(() => llhttp.read(parser, Buffer.from(POST), nested, 0)).toThrow("one connection");
  expect(llhttp.read(other, Buffer.from(POST), listener(heard), 0).error).toBeUndefined();
});

test("a parser may be closed in the middle of what it tells, and again", () => {
  const before = nextParser(sharedLlhttp());
  const heard: string[] = [];
  const parser = new RequestParser(
    {
      began: () => parser.close(),
      headRead: () => void heard.push("head"),
      bodyRead: () => undefined,
      ended: () => void heard.push("ended"),
    },
    1_000,
    new KnownHeads(0),
  );
  expect(parser.read(Buffer.from(POST))).toBeUndefined();
  expect(nextParser(sharedLlhttp())).toBe(before);
  parser.close();
  expect(parser.read(Buffer.from(POST))).toBeUndefined();
  expect(heard).toEqual(["head", "ended"]);
  expect(nextParser(sharedLlhttp())).toBe(before);
});

test("connections that are gone leave nothing in llhttp's memory", () => {
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
