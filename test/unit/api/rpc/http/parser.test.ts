import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { KnownHeads, MAX_KNOWN_HEADS } from "#api/rpc/http/known-heads.ts";
import { RequestParser } from "#api/rpc/http/parser.ts";
import type { RequestHead } from "#api/rpc/http/request-head.ts";
import { assertProperty } from "#test/helpers/property.ts";

interface Seen {
  readonly begun: number;
  readonly requests: readonly { readonly head: RequestHead; readonly body: string }[];
  readonly code: string | undefined;
}

/** Reads the parts one after the other, up to the first error. */
function read(parts: readonly string[], maxHeadBytes = 1_000): Seen {
  const requests: { head: RequestHead; body: string }[] = [];
  let begun = 0;
  let open: { head: RequestHead; body: string } | undefined;
  const parser = new RequestParser(
    {
      began: () => void begun++,
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
    if (code !== undefined) return { begun, requests, code };
  }
  return { begun, requests, code: undefined };
}

const FIELDS = Array.from({ length: 40 }, (_, i) => `name-${i}: value ${i}\r\n`).join("");
const MANY = `GET /${"p".repeat(50)}?q HTTP/1.1\r\n${FIELDS}\r\n`;
const POST = "POST / HTTP/1.1\r\nHost: a\r\ncontent-length: 3\r\n\r\nabc";
const CHUNKS =
  "POST /c HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n2;x=1\r\n[]\r\n1\r\n \r\n0\r\ntrailer: t\r\n\r\n";
const OTHER = "GET /up HTTP/1.1\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n";

describe("requests in the bytes of a connection", () => {
  test("are found wherever the bytes are split", () => {
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
    expect(whole.begun).toBe(6);
    assertProperty(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 8 }), (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const parts = at.slice(1).map((end, i) => bytes.slice(at[i], end));
        expect(read(parts, 4_000)).toEqual(whole);
      }),
      { numRuns: 200 },
    );
  });

  test("have all their fields, in their order, and no trailers", () => {
    const [many, chunks] = read([MANY + CHUNKS], 4_000).requests;
    expect(many?.head.rawHeaders).toEqual(
      Array.from({ length: 40 }, (_, i) => [`name-${i}`, `value ${i}`]).flat(),
    );
    expect(chunks?.head.rawHeaders).toEqual(["transfer-encoding", "chunked"]);
  });

  test("have values without the blanks around them, and those that are empty", () => {
    const [only] = read(["GET / HTTP/1.1\r\na: \t b c \t\r\nd:\r\ne:  \r\nf: g\r\n\r\n"]).requests;
    expect(only?.head.rawHeaders).toEqual(["a", "b c", "d", "", "e", "", "f", "g"]);
  });

  test.each([
    ["HTTP/1.1", "", true],
    ["HTTP/1.1", "connection: close\r\n", false],
    ["HTTP/1.0", "", false],
    ["HTTP/1.0", "connection: keep-alive\r\n", true],
  ])("of %s with '%s' say whether more will come", (version, field, keepsAlive) => {
    const [only] = read([`GET / ${version}\r\n${field}\r\n`]).requests;
    expect(only?.head.keepsAlive).toBe(keepsAlive);
    expect(only?.head.version).toEqual([1, Number(version.at(-1))]);
  });

  test("begin with their first byte", () => {
    expect([read(["\r\n"]).begun, read(["\r\nP"]).begun, read(["P", "O"]).begun]).toEqual([
      0, 1, 1,
    ]);
  });

  test("have heads up to the limit", () => {
    const of = (length: number) => read([`GET / HTTP/1.1\r\na: ${"a".repeat(length)}\r\n\r\n`]);
    expect(of(900).code).toBe(undefined);
    expect(of(1_001).code).toBe("HPE_HEADER_OVERFLOW");
  });

  test.each([
    ["a field over two lines", "GET / HTTP/1.1\r\na: b\r\n c\r\n\r\n"],
    ["a return within a field", "GET / HTTP/1.1\r\na: b\rc: d\r\n\r\n"],
    ["a blank before a colon", "GET / HTTP/1.1\r\na : b\r\n\r\n"],
    ["a length with a sign", "POST / HTTP/1.1\r\ncontent-length: +3\r\n\r\nabc"],
    [
      "a length and chunks",
      "POST / HTTP/1.1\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n",
    ],
    [
      "chunks that are not the last coding",
      "POST / HTTP/1.1\r\ntransfer-encoding: chunked, gzip\r\n\r\n",
    ],
    [
      "a chunk of endless length",
      "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
    ],
    ["a method that nobody knows", "FOO / HTTP/1.1\r\n\r\n"],
    ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ])("with %s are refused", (_what, bytes) => {
    const { requests, code } = read([bytes]);
    expect([requests, code]).toEqual([[], expect.stringMatching(/^HPE_/)]);
  });
});
