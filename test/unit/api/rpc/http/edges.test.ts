import { afterAll, describe, expect, test } from "bun:test";
import { rawPost, rpcBody } from "#test/helpers/raw-http.ts";
import {
  exchange as exchangeOn,
  type ExchangeOptions,
  type RawParts,
  serveSample,
} from "#test/helpers/sample-server.ts";

const BODY = rpcBody(1, "blockNumber");
const ANSWER = { jsonrpc: "2.0", id: 1, result: 1 };
const HEAD = "POST / HTTP/1.1\r\nhost: 127.0.0.1\r\n";

const server = await serveSample({ limits: { maxBodyBytes: 100_000 } });
afterAll(() => server.stop(0));

const exchange = (parts: RawParts, options: ExchangeOptions = {}) =>
  exchangeOn(server.port, parts, options);

async function statusOf(...parts: RawParts): Promise<unknown> {
  const { answers, connection } = await exchange(parts);
  connection.close();
  return answers[0]?.status;
}

async function answerTo(...parts: RawParts): Promise<unknown> {
  const { answers, connection } = await exchange(parts);
  connection.close();
  return JSON.parse(answers[0]?.body ?? "null");
}

describe("request format", () => {
  test("may be chunked", async () => {
    const size = BODY.length.toString(16);
    const parts = [
      `${HEAD}transfer-encoding: chunked\r\n\r\n${size}\r\n${BODY}\r\n`,
      20,
      "0\r\n\r\n",
    ];
    expect(await answerTo(...parts)).toEqual(ANSWER);
  });

  test("gets 100-continue before it sends the body", async () => {
    const head = `${HEAD}expect: 100-continue\r\ncontent-length: ${BODY.length}\r\n\r\n`;
    const { answers, connection } = await exchange([head, 20, BODY], { count: 2 });
    connection.close();
    expect(answers.map(({ status }) => status)).toEqual([100, 200]);
  });

  test("gets 413 instead of 100-continue for an overlong body", async () => {
    const head = `${HEAD}expect: 100-continue\r\ncontent-length: 99999999\r\n\r\n`;
    const { answers, connection } = await exchange([head]);
    expect([answers[0]?.status, await connection.ends()]).toEqual([413, true]);
  });

  for (const [status, what, bytes] of [
    [400, "has no Host header", "GET /health HTTP/1.1\r\n\r\n"],
    [417, "has an unknown expectation", `${HEAD}expect: more\r\ncontent-length: 0\r\n\r\n`],
    [405, "requests a tunnel", "CONNECT a:1 HTTP/1.1\r\nhost: a:1\r\n\r\n"],
  ] as const) {
    test(`that ${what} gets ${status} after earlier responses`, async () => {
      const { answers, connection } = await exchange([rawPost(BODY) + bytes], { count: 2 });
      expect(answers.map((each) => each.status)).toEqual([200, status]);
      expect(await connection.ends()).toBe(true);
    });
  }

  test("may be HTTP/1.0, and the connection ends", async () => {
    const head = `POST / HTTP/1.0\r\ncontent-length: ${BODY.length}\r\n\r\n`;
    const { answers, connection } = await exchange([head + BODY]);
    expect([JSON.parse(answers[0]?.body ?? ""), await connection.ends()]).toEqual([ANSWER, true]);
  });

  test("may have an absolute target", async () => {
    const head = `POST http://127.0.0.1/rpc HTTP/1.1\r\nhost: 127.0.0.1\r\n`;
    expect(await answerTo(`${head}content-length: ${BODY.length}\r\n\r\n${BODY}`)).toEqual(ANSWER);
  });

  for (const [target, host, status] of [
    ["http://other.example/health", "127.0.0.1", 403],
    ["HTTP://other.example:9944?x=/health", "127.0.0.1", 403],
    ["http://127.0.0.1:9944/health", "other.example", 200],
    ["/health?see=http://127.0.0.1/", "other.example", 403],
    ["http://other.example@127.0.0.1/health", "127.0.0.1", 400],
    ["http://127.0.0.1@other.example/health", "127.0.0.1", 400],
    ["http:///health", "127.0.0.1", 400],
  ] as const) {
    test(`for ${target} with the Host ${host} gets ${status}`, async () => {
      expect(await statusOf(`GET ${target} HTTP/1.1\r\nhost: ${host}\r\n\r\n`)).toBe(status);
    });
  }

  test("with an absolute target in HTTP/1.0 is checked for its host too", async () => {
    expect(await statusOf("GET http://other.example/health HTTP/1.0\r\n\r\n")).toBe(403);
  });

  test("may have a byte order mark and no content type", async () => {
    const head = `${HEAD}content-length: ${BODY.length + 3}\r\n\r\n`;
    expect(await answerTo(`${head}\xef\xbb\xbf${BODY}`)).toEqual(ANSWER);
  });

  test("HEAD gets no body", async () => {
    const head = "HEAD /health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n";
    const { answers, connection } = await exchange([head], { isHead: true });
    expect([answers[0]?.status, connection.rest]).toEqual([200, ""]);
    connection.close();
  });

  for (const [what, bytes] of [
    ["a chunk without a size", `${HEAD}transfer-encoding: chunked\r\n\r\nzz\r\n`],
    ["two lengths", `${HEAD}content-length: 3\r\ncontent-length: 4\r\n\r\nabcd`],
    [
      "chunks with a length",
      `${HEAD}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ["a NUL in a header", `${HEAD}a: \0\r\n\r\n`],
    ["bare line feeds", `POST / HTTP/1.1\nhost: 127.0.0.1\n\n`],
    ["another protocol", "\x16\x03\x01\x02\0\x01\r\n\r\n"],
  ] as const) {
    test(`with ${what} gets 400 and ends the connection`, async () => {
      const { answers, connection } = await exchange([bytes]);
      expect([answers[0]?.status, await connection.ends()]).toEqual([400, true]);
    });
  }

  test("with a head of 100 kB gets 431", async () => {
    expect(await statusOf(`${HEAD}a: ${"a".repeat(100_000)}\r\n\r\n`)).toBe(431);
  });

  for (const [what, body] of [
    ["NUL bytes", BODY.replace("1,", "1,\0")],
    ["no body", ""],
    ["only whitespace", "  "],
  ] as const) {
    test(`with ${what} is a parse error`, async () => {
      expect(await answerTo(rawPost(body))).toMatchObject({ id: null, error: { code: -32700 } });
    });
  }

  test("that is not UTF-8 is rejected without a guessed id", async () => {
    const body = BODY.replace(":1,", ':"\xff",');
    expect(await answerTo(`${HEAD}content-length: ${body.length}\r\n\r\n${body}`)).toMatchObject({
      id: null,
      error: { code: -32700, data: "the body is not UTF-8" },
    });
  });

  test("keeps a lone surrogate in its id", async () => {
    const { answers, connection } = await exchange([rawPost(BODY.replace(":1,", ':"\\ud800",'))]);
    connection.close();
    expect(answers[0]?.body).toBe('{"jsonrpc":"2.0","id":"\\ud800","result":1}');
  });
});
