import { afterAll, describe, expect, test } from "bun:test";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { createMethodTables, createRpcServer, type RpcServerOptions } from "#api/rpc/index.ts";
import { RawConnection, rawPost, type RawResponse, rpcBody } from "#test/helpers/raw-http.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";

const BODY = rpcBody(1, "blockNumber");
const ANSWER = { jsonrpc: "2.0", id: 1, result: 1 };
const HEAD = "POST / HTTP/1.1\r\nhost: 127.0.0.1\r\n";

function serve(options: Partial<RpcServerOptions> = {}) {
  return createRpcServer({
    port: 0,
    context: sampleContext(),
    tables: createMethodTables(),
    ...options,
  });
}

const server = await serve({ limits: { maxBodyBytes: 100_000 } });
const hasty = await serve({
  timeouts: { headersMs: 300, requestMs: 600, idleMs: 2_000 },
});
afterAll(async () => {
  await Promise.all([server.stop(0), hasty.stop(0)]);
});

/** Sends the parts, with pauses for numbers, and returns the first answer and whether it is over. */
async function exchange(
  parts: readonly (string | Uint8Array | number)[],
  { port, count = 1, isHead = false }: { port?: number; count?: number; isHead?: boolean } = {},
): Promise<{ readonly answers: readonly RawResponse[]; readonly connection: RawConnection }> {
  const connection = await RawConnection.open(port ?? server.port, isHead);
  for (const part of parts) {
    if (typeof part === "number") await Bun.sleep(part);
    else connection.send(part);
  }
  return { answers: await connection.responses(count), connection };
}

async function statusOf(...parts: readonly (string | Uint8Array | number)[]): Promise<unknown> {
  const { answers, connection } = await exchange(parts);
  connection.close();
  return answers[0]?.status;
}

async function answerTo(...parts: readonly (string | Uint8Array | number)[]): Promise<unknown> {
  const { answers, connection } = await exchange(parts);
  connection.close();
  return JSON.parse(answers[0]?.body ?? "null");
}

describe("the form of a request", () => {
  test("may be chunks", async () => {
    const size = BODY.length.toString(16);
    const parts = [
      `${HEAD}transfer-encoding: chunked\r\n\r\n${size}\r\n${BODY}\r\n`,
      20,
      "0\r\n\r\n",
    ];
    expect(await answerTo(...parts)).toEqual(ANSWER);
  });

  test("may ask before it sends the body", async () => {
    const head = `${HEAD}expect: 100-continue\r\ncontent-length: ${BODY.length}\r\n\r\n`;
    const { answers, connection } = await exchange([head, 20, BODY], { count: 2 });
    connection.close();
    expect(answers.map(({ status }) => status)).toEqual([100, 200]);
  });

  test("is not asked for a body that would be refused", async () => {
    const head = `${HEAD}expect: 100-continue\r\ncontent-length: 99999999\r\n\r\n`;
    const { answers, connection } = await exchange([head]);
    expect([answers[0]?.status, await connection.ends()]).toEqual([413, true]);
  });

  for (const [status, what, bytes] of [
    [400, "names no host", "GET /health HTTP/1.1\r\n\r\n"],
    [417, "expects something else", `${HEAD}expect: more\r\ncontent-length: 0\r\n\r\n`],
    [405, "asks for a tunnel", "CONNECT a:1 HTTP/1.1\r\nhost: a:1\r\n\r\n"],
  ] as const) {
    test(`that ${what} is ${status}, after the answers before it`, async () => {
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

  test("may name the whole address", async () => {
    const head = `POST http://127.0.0.1/rpc HTTP/1.1\r\nhost: 127.0.0.1\r\n`;
    expect(await answerTo(`${head}content-length: ${BODY.length}\r\n\r\n${BODY}`)).toEqual(ANSWER);
  });

  test("may come without a content type and with a byte order mark", async () => {
    const head = `${HEAD}content-length: ${BODY.length + 3}\r\n\r\n`;
    expect(await answerTo(`${head}\xef\xbb\xbf${BODY}`)).toEqual(ANSWER);
  });

  test("HEAD is answered without a body", async () => {
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
    ["lines without a return", `POST / HTTP/1.1\nhost: 127.0.0.1\n\n`],
    ["another protocol", "\x16\x03\x01\x02\0\x01\r\n\r\n"],
  ] as const) {
    test(`with ${what} is 400 and ends the connection`, async () => {
      const { answers, connection } = await exchange([bytes]);
      expect([answers[0]?.status, await connection.ends()]).toEqual([400, true]);
    });
  }

  test("with a head of 100 kB is 431", async () => {
    expect(await statusOf(`${HEAD}a: ${"a".repeat(100_000)}\r\n\r\n`)).toBe(431);
  });

  for (const [what, body] of [
    ["NUL bytes", BODY.replace("1,", "1,\0")],
    ["no body", ""],
    ["blanks alone", "  "],
  ] as const) {
    test(`with ${what} is a parse error`, async () => {
      expect(await answerTo(rawPost(body))).toMatchObject({ id: null, error: { code: -32700 } });
    });
  }

  test("that is not UTF-8 is refused, not answered with another id", async () => {
    const body = BODY.replace(":1,", ':"\xff",');
    expect(await answerTo(`${HEAD}content-length: ${body.length}\r\n\r\n${body}`)).toMatchObject({
      id: null,
      error: { code: -32700, data: "the body is not UTF-8" },
    });
  });

  test("keeps half a surrogate pair in its id", async () => {
    const { answers, connection } = await exchange([rawPost(BODY.replace(":1,", ':"\\ud800",'))]);
    connection.close();
    expect(answers[0]?.body).toBe('{"jsonrpc":"2.0","id":"\\ud800","result":1}');
  });
});

describe("a compressed body", () => {
  const packed = (bytes: Uint8Array, encoding: string): Uint8Array[] => [
    Buffer.from(`${HEAD}content-encoding: ${encoding}\r\ncontent-length: ${bytes.length}\r\n\r\n`),
    bytes,
  ];

  for (const [encoding, bytes] of [
    ["gzip", gzipSync(BODY)],
    ["GZip", gzipSync(BODY)],
    ["x-gzip", gzipSync(BODY)],
    ["deflate", deflateSync(BODY)],
    ["identity", Buffer.from(BODY)],
    ["gzip", Buffer.concat([gzipSync(BODY.slice(0, 9)), gzipSync(BODY.slice(9))])],
  ] as const) {
    test(`of ${bytes.length} bytes ${encoding} is understood`, async () => {
      expect(await answerTo(...packed(bytes, encoding))).toEqual(ANSWER);
    });
  }

  for (const encoding of ["br", "zstd", "gzip, gzip", "nonsense"]) {
    test(`in ${encoding} is 415 and names what is taken`, async () => {
      const bytes = encoding === "br" ? brotliCompressSync(BODY) : gzipSync(BODY);
      const { answers, connection } = await exchange(packed(bytes, encoding));
      connection.close();
      expect(answers[0]).toMatchObject({
        status: 415,
        headers: { "accept-encoding": "gzip, deflate, identity" },
        body: expect.stringContaining("expected one of gzip, deflate, identity"),
      });
    });
  }

  test("that is cut off is a parse error", async () => {
    expect(await answerTo(...packed(gzipSync(BODY).subarray(0, 20), "gzip"))).toMatchObject({
      error: { code: -32700, data: "the body is not whole gzip data" },
    });
  });

  test("that unpacks to the limit is read, to one byte more is 413", async () => {
    const padded = (size: number): Uint8Array => gzipSync(BODY + " ".repeat(size - BODY.length));
    expect(await statusOf(...packed(padded(100_000), "gzip"))).toBe(200);
    expect(await statusOf(...packed(padded(100_001), "gzip"))).toBe(413);
  });

  test("that unpacks to a gigabyte is refused without unpacking it", async () => {
    const bomb = gzipSync(Buffer.alloc(64 << 20));
    const member = gzipSync(Buffer.alloc(1 << 20, 32));
    const roomy = await serve();
    const many = Buffer.concat([...Array<Uint8Array>(16).fill(bomb), member]);
    const before = process.memoryUsage().rss;
    const { answers } = await exchange(packed(many, "gzip"), { port: roomy.port });
    expect(answers[0]).toMatchObject({
      status: 413,
      body: expect.stringContaining("longer than 15728640 bytes when it is unpacked"),
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(256 << 20);
    await roomy.stop();
  });
});

describe("a client that takes its time", () => {
  const port = hasty.port;

  test("with the head of a request is 408", async () => {
    const parts = [
      "POST / HTTP/1.1\r\n",
      ...Array<(string | number)[]>(8).fill([200, "a: b\r\n"]).flat(),
    ];
    const { answers, connection } = await exchange(parts, { port });
    expect([answers[0]?.status, await connection.ends()]).toEqual([408, true]);
  });

  test("with the body of a request is 408, however it trickles", async () => {
    const trickle = Array<(string | number)[]>(8).fill([200, " "]).flat();
    const { answers, connection } = await exchange(
      [`${HEAD}content-length: 1000\r\n\r\n`, ...trickle],
      { port },
    );
    expect([answers[0]?.status, await connection.ends()]).toEqual([408, true]);
  });

  test("between two requests is not cut off by either", async () => {
    const { answers, connection } = await exchange([rawPost(BODY), 1_000, rawPost(BODY)], {
      port,
      count: 2,
    });
    connection.close();
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  test("before the next request, too long, is cut off", async () => {
    const { connection } = await exchange([rawPost(BODY)], { port });
    expect(await connection.ends()).toBe(true);
  });

  test("does not shorten the time of the answer", async () => {
    const slow = await serve({
      timeouts: { headersMs: 200, requestMs: 300, idleMs: 10_000 },
      queryPool: {
        async run() {
          await Bun.sleep(1_500);
          return new TextEncoder().encode('{"result":5}');
        },
      },
    });
    const body = rpcBody(1, "getBlockWithTxHashes", ["latest"]);
    const { answers } = await exchange([rawPost(body)], { port: slow.port });
    expect(JSON.parse(answers[0]?.body ?? "")).toMatchObject({ result: 5 });
    await slow.stop();
  });
});

describe("stopping", () => {
  test("waits for an answer that is under way, and takes no more requests", async () => {
    const queryPool = {
      async run() {
        await Bun.sleep(300);
        return new TextEncoder().encode('{"result":5}');
      },
    };
    const stopping = await serve({ queryPool });
    const connection = await RawConnection.open(stopping.port);
    connection.send(rawPost(rpcBody(1, "getBlockWithTxHashes", ["latest"])));
    await Bun.sleep(50);
    const stopped = stopping.stop();
    expect(JSON.parse((await connection.responses(1))[0]?.body ?? "")).toMatchObject({ result: 5 });
    // Long before connections are cut.
    expect(await connection.ends(1_500)).toBe(true);
    await stopped;
  });

  test("does not wait for a connection without a request", async () => {
    const stopping = await serve();
    const connection = await RawConnection.open(stopping.port);
    await stopping.stop();
    connection.close();
  });

  for (const [what, bytes] of [
    ["half a head", "POST / HT"],
    ["half a body", `${HEAD}content-length: 1000\r\n\r\n{`],
    ["a request behind it", rawPost(BODY)],
  ] as const) {
    test(`cuts a connection with ${what}`, async () => {
      const stopping = await serve();
      const connection = await RawConnection.open(stopping.port);
      connection.send(bytes);
      await Bun.sleep(50);
      const startMs = performance.now();
      await stopping.stop(200);
      expect(performance.now() - startMs).toBeLessThan(3_000);
      expect(await connection.ends()).toBe(true);
    });
  }
});
