import { expect, test } from "bun:test";
import fc from "fast-check";
import { KnownHeads, MAX_KNOWN_HEADS } from "#api/rpc/http/known-heads.ts";
import { RequestParser } from "#api/rpc/http/parser.ts";
import type { RequestHead } from "#api/rpc/http/request-head.ts";
import { REQUEST_VECTORS } from "#test/helpers/http-vectors/index.ts";
import { assertProperty } from "#test/helpers/property.ts";

const MAX_HEAD_BYTES = 4_000;

/** Parser events for each part of the bytes in order, and the code of an error. */
function eventsOf(parts: readonly string[], known: KnownHeads): unknown[] {
  const events: unknown[] = [];
  let body = "";
  const record = (...what: unknown[]): void => {
    if (body !== "") events.push(["body", body]);
    body = "";
    events.push(what);
  };
  const parser = new RequestParser(
    {
      began: () => record("begun"),
      headRead: ({ method, url, rawHeaders, version, keepsAlive }) =>
        record("head", method, url, rawHeaders, version, keepsAlive),
      bodyRead: (bytes, from, to) => (body += bytes.toString("latin1", from, to)),
      ended: () => record("ended"),
    },
    MAX_HEAD_BYTES,
    known,
  );
  for (const part of parts) {
    const code = parser.read(Buffer.from(part, "latin1"));
    record("part", code);
    if (code !== undefined) break;
  }
  parser.close();
  return events;
}

/** Request heads of the parts, each read on a separate connection. */
function headsOf(parts: readonly string[], known: KnownHeads): RequestHead[] {
  return parts.flatMap((part) => {
    const heads: RequestHead[] = [];
    const ignore = (): void => undefined;
    const events = { began: ignore, bodyRead: ignore, ended: ignore };
    const headRead = (head: RequestHead): void => void heads.push(head);
    const parser = new RequestParser({ ...events, headRead }, MAX_HEAD_BYTES, known);
    expect(parser.read(Buffer.from(part, "latin1"))).toBeUndefined();
    parser.close();
    return heads;
  });
}

const post = (body: string, field = "") =>
  `POST / HTTP/1.1\r\nHost: a\r\n${field}Content-Length: ${body.length}\r\n\r\n${body}`;
const ONE = post('{"id":1}');

const MESSAGES = [
  ONE,
  ONE,
  post('{"id":2}'),
  post("POST / HTTP/1.1\r\n\r\n"),
  post("\r\n\r\n\r\n\r\n"),
  post(""),
  post("b", "x: \t1 \t\r\n"),
  post("b", "expect: 100-continue\r\n"),
  post("c", "connection: close\r\n"),
  post("d", "content-length: 1\r\n"),
  post("e", `long: ${"l".repeat(2_100)}\r\n`),
  post("f", `long: ${"l".repeat(4_100)}\r\n`),
  post("g", "connection: upgrade\r\nupgrade: h2c\r\n"),
  post("hh").slice(0, -1),
  "GET /health HTTP/1.1\r\nhost: a\r\n\r\n",
  "GET / HTTP/1.1\r\n\r\n",
  "GET / HTTP/1.0\r\n\r\n",
  "GET / HTTP/1.0\r\nconnection: keep-alive\r\n\r\n",
  "GET / HTTP/1.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n",
  "CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n",
  "POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nt: 1\r\n\r\n",
  "POST / HTTP/1.1\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\nabc",
  "GET / HTTP/2.0\r\nhost: a\r\n\r\n",
  "GET / HTTP/1.1\r\na : b\r\n\r\n",
  "\r\n",
  "\r\n\r\n",
  "\n",
  "x",
] as const;

test("a parser with known heads reports the same events as one without, wherever bytes are split", () => {
  const known = new KnownHeads(MAX_KNOWN_HEADS);
  const none = new KnownHeads(0);
  assertProperty(
    fc.property(
      fc.array(fc.constantFrom(...MESSAGES), { minLength: 1, maxLength: 6 }),
      fc.array(fc.nat(400), { maxLength: 3 }),
      fc.boolean(),
      (messages, cuts, isOneByOne) => {
        const bytes = messages.join("");
        const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length))].sort((a, b) => a - b);
        const parts = isOneByOne ? messages : at.map((from, i) => bytes.slice(from, at[i + 1]));
        expect(eventsOf(parts, known)).toEqual(eventsOf(parts, none));
      },
    ),
    { numRuns: 2_000, minRuns: 200 },
  );
  expect(known.size).toBeGreaterThan(8);
  expect(none.size).toBe(0);
});

test("a parser with known heads handles any message after any other", () => {
  const known = new KnownHeads(MAX_KNOWN_HEADS);
  const none = new KnownHeads(0);
  for (const first of MESSAGES) {
    for (const second of MESSAGES) {
      const parts = [first, second, ONE];
      expect(eventsOf(parts, known)).toEqual(eventsOf(parts, none));
      expect(eventsOf([parts.join("")], known)).toEqual(eventsOf([parts.join("")], none));
    }
  }
});

test("a parser with known heads handles heads that arrive before their bodies", () => {
  const known = new KnownHeads(MAX_KNOWN_HEADS);
  const none = new KnownHeads(0);
  for (const message of MESSAGES) {
    const end = message.indexOf("\r\n\r\n") + 4;
    const parts = [message.slice(0, end), message.slice(end), message, ONE];
    expect(eventsOf(parts, known)).toEqual(eventsOf(parts, none));
    expect(eventsOf(parts, known)).toEqual(eventsOf(parts, none));
  }
});

test("blank lines count from the last request, whether its head is known or not", () => {
  const known = new KnownHeads(MAX_KNOWN_HEADS);
  const get = "GET / HTTP/1.1\r\n\r\n";
  const blank = "\r\n".repeat(1_500);
  eventsOf([ONE], known);
  eventsOf([get], known);
  for (const request of [ONE, get]) {
    for (const lines of [blank, "\r\n".repeat(1_998), "\r\n".repeat(1_999), "\r\n".repeat(2_001)]) {
      const parts = [blank, request, lines, request, lines, lines];
      expect(eventsOf(parts, known)).toEqual(eventsOf(parts, new KnownHeads(0)));
    }
  }
});

test("hostile requests are parsed alike before and after a known head", () => {
  const known = new KnownHeads(MAX_KNOWN_HEADS);
  const none = new KnownHeads(0);
  for (const { bytes } of REQUEST_VECTORS) {
    for (const parts of [[bytes], [ONE, bytes], [ONE + bytes], [bytes, ONE], [bytes + ONE, ONE]]) {
      expect(eventsOf(parts, known)).toEqual(eventsOf(parts, none));
      expect(eventsOf(parts, known)).toEqual(eventsOf(parts, none));
    }
  }
});

test("a known head is shared by all connections and bodies of the same length", () => {
  const known = new KnownHeads(MAX_KNOWN_HEADS);
  const [first, ...others] = headsOf([ONE, ONE, ONE.replace("1}", "2}"), ONE + ONE], known);
  expect(others).toHaveLength(4);
  for (const other of others) expect(other).toBe(first as RequestHead);
});

test("a head becomes known even if its body arrives later", () => {
  const known = new KnownHeads(MAX_KNOWN_HEADS);
  const head = ONE.slice(0, ONE.indexOf("{"));
  const [first, second] = headsOf([head, ONE], known);
  expect(second).toBe(first as RequestHead);
});

test("heads that end the connection, are malformed, chunked or too long are not stored", () => {
  const known = new KnownHeads(MAX_KNOWN_HEADS);
  const kept = MESSAGES.filter((message) => {
    const before = known.size;
    eventsOf([message], known);
    return known.size > before;
  });
  expect(kept).toEqual([
    ONE,
    post("POST / HTTP/1.1\r\n\r\n"),
    post(""),
    post("b", "x: \t1 \t\r\n"),
    post("b", "expect: 100-continue\r\n"),
    post("hh").slice(0, -1),
    "GET /health HTTP/1.1\r\nhost: a\r\n\r\n",
    "GET / HTTP/1.1\r\n\r\n",
    "GET / HTTP/1.0\r\nconnection: keep-alive\r\n\r\n",
    "CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n",
  ]);
});

test("a flood of heads stays within the limit and does not block later ones", () => {
  const known = new KnownHeads(4);
  const flood = Array.from({ length: 50 }, (_, i) => post("x", `n: ${i}\r\n`));
  for (const message of flood) {
    headsOf([message], known);
    expect(known.size).toBeLessThanOrEqual(4);
  }
  const [first, second] = headsOf([ONE, ONE], known);
  expect(second).toBe(first as RequestHead);
});
