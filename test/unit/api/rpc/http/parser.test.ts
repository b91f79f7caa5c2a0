import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { KnownHeads, MAX_KNOWN_HEADS } from "#api/rpc/http/known-heads.ts";
import { RequestParser } from "#api/rpc/http/parser.ts";
import type { RequestHead } from "#api/rpc/http/request-head.ts";
import { assertProperty } from "#test/helpers/property.ts";

interface Seen {
  readonly started: number;
  readonly requests: readonly { readonly head: RequestHead; readonly body: string }[];
  readonly code: string | undefined;
}

/** Reads the parts in order, up to the first error. */
function read(parts: readonly string[], maxHeadBytes = 1_000): Seen {
  const requests: { head: RequestHead; body: string }[] = [];
  let started = 0;
  let open: { head: RequestHead; body: string } | undefined;
  const parser = new RequestParser(
    {
      began: () => void started++,
      headRead: (head) => (open = { head, body: "" }),
      bodyRead: (bytes, from, to) => {
        if (open !== undefined) open.body += bytes.toString("latin1", from, to);
      },
      ended: () => {
        if (open !== undefined) requests.push(open);
        open = undefined;
      },
    },
    maxHeadBytes,
    new KnownHeads(MAX_KNOWN_HEADS),
  );
  for (const part of parts) {
    const code = parser.read(Buffer.from(part, "latin1"));
    if (code !== undefined) return { started, requests, code };
  }
  return { started, requests, code: undefined };
}

const FIELDS = Array.from({ length: 40 }, (_, i) => `name-${i}: value ${i}\r\n`).join("");
const MANY = `GET /${"p".repeat(50)}?q HTTP/1.1\r\n${FIELDS}\r\n`;
const POST = "POST / HTTP/1.1\r\nHost: a\r\ncontent-length: 3\r\n\r\nabc";
const CHUNKS =
  "POST /c HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n2;x=1\r\n[]\r\n1\r\n \r\n0\r\ntrailer: t\r\n\r\n";
const OTHER = "GET /up HTTP/1.1\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n";

describe("RequestParser", () => {
  test("finds requests wherever the bytes are split", () => {
    const bytes = MANY + POST + OTHER + CHUNKS + MANY + POST;
    const whole = read([bytes], 4_000);
    expect(whole.requests.map(({ head, body }) => [head.method, head.url, body])).toEqual([
      ["GET", `/${"p".repeat(50)}?q`, ""],
      ["POST", "/", "abc"],
      ["GET", "/up", ""],
      ["POST", "/c", "[] "],
      ["GET", `/${"p".repeat(50)}?q`, ""],
      ["POST", "/", "abc"],
    ]);
    expect(whole.started).toBe(6);
    assertProperty(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 8 }), (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const parts = at.slice(1).map((end, i) => bytes.slice(at[i], end));
        expect(read(parts, 4_000)).toEqual(whole);
      }),
      { numRuns: 200 },
    );
  });

  test("reports all header fields in order, and no trailers", () => {
    const [many, chunks] = read([MANY + CHUNKS], 4_000).requests;
    expect(many?.head.rawHeaders).toEqual(
      Array.from({ length: 40 }, (_, i) => [`name-${i}`, `value ${i}`]).flat(),
    );
    expect(chunks?.head.rawHeaders).toEqual(["transfer-encoding", "chunked"]);
  });

  test("trims header values and keeps empty ones", () => {
    const [only] = read(["GET / HTTP/1.1\r\na: \t b c \t\r\nd:\r\ne:  \r\nf: g\r\n\r\n"]).requests;
    expect(only?.head.rawHeaders).toEqual(["a", "b c", "d", "", "e", "", "f", "g"]);
  });

  test.each([
    ["HTTP/1.1", "", true],
    ["HTTP/1.1", "connection: close\r\n", false],
    ["HTTP/1.0", "", false],
    ["HTTP/1.0", "connection: keep-alive\r\n", true],
  ])("reports keep-alive of %s with '%s'", (version, field, keepsAlive) => {
    const [only] = read([`GET / ${version}\r\n${field}\r\n`]).requests;
    expect(only?.head.keepsAlive).toBe(keepsAlive);
    expect(only?.head.version).toEqual([1, Number(version.at(-1))]);
  });

  test("reports the start of a request at its first byte", () => {
    expect([read(["\r\n"]).started, read(["\r\nP"]).started, read(["P", "O"]).started]).toEqual([
      0, 1, 1,
    ]);
  });

  test("limits the length of a head", () => {
    const of = (length: number) => read([`GET / HTTP/1.1\r\na: ${"a".repeat(length)}\r\n\r\n`]);
    expect(of(900).code).toBe(undefined);
    expect(of(1_001).code).toBe("HPE_HEADER_OVERFLOW");
  });

  test.each([
    ["a field over two lines", "GET / HTTP/1.1\r\na: b\r\n c\r\n\r\n"],
    ["a carriage return within a field", "GET / HTTP/1.1\r\na: b\rc: d\r\n\r\n"],
    ["a space before a colon", "GET / HTTP/1.1\r\na : b\r\n\r\n"],
    ["a length with a sign", "POST / HTTP/1.1\r\ncontent-length: +3\r\n\r\nabc"],
    [
      "both a length and chunks",
      "POST / HTTP/1.1\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n",
    ],
    [
      "chunked as a coding other than the last",
      "POST / HTTP/1.1\r\ntransfer-encoding: chunked, gzip\r\n\r\n",
    ],
    [
      "an oversized chunk length",
      "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
    ],
    ["an unknown method", "FOO / HTTP/1.1\r\n\r\n"],
    ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ])("rejects %s", (_what, bytes) => {
    const { requests, code } = read([bytes]);
    expect([requests, code]).toEqual([[], expect.stringMatching(/^HPE_/)]);
  });
});
