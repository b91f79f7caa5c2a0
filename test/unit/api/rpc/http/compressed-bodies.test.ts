import { afterAll, describe, expect, test } from "bun:test";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { rpcBody } from "#test/helpers/raw-http.ts";
import { exchange as exchangeOn, type RawParts, serveSample } from "#test/helpers/sample-server.ts";

const BODY = rpcBody(1, "blockNumber");
const ANSWER = { jsonrpc: "2.0", id: 1, result: 1 };
const HEAD = "POST / HTTP/1.1\r\nhost: 127.0.0.1\r\n";

const server = await serveSample({ limits: { maxBodyBytes: 100_000 } });
afterAll(() => server.stop(0));

const exchange = (parts: RawParts) => exchangeOn(server.port, parts);

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

describe("compressed body", () => {
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
    test(`of ${bytes.length} bytes in ${encoding} is decoded`, async () => {
      expect(await answerTo(...packed(bytes, encoding))).toEqual(ANSWER);
    });
  }

  for (const encoding of ["br", "zstd", "gzip, gzip", "nonsense"]) {
    test(`in ${encoding} gets 415 with the accepted encodings`, async () => {
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

  test("that is truncated is a parse error", async () => {
    expect(await answerTo(...packed(gzipSync(BODY).subarray(0, 20), "gzip"))).toMatchObject({
      error: { code: -32700, data: "the body is not whole gzip data" },
    });
  });

  test("may unpack to the limit; one byte more gets 413", async () => {
    const padded = (size: number): Uint8Array => gzipSync(BODY + " ".repeat(size - BODY.length));
    expect(await statusOf(...packed(padded(100_000), "gzip"))).toBe(200);
    expect(await statusOf(...packed(padded(100_001), "gzip"))).toBe(413);
  });

  test("is rejected before it unpacks to a gigabyte", async () => {
    const bomb = gzipSync(Buffer.alloc(64 << 20));
    const member = gzipSync(Buffer.alloc(1 << 20, 32));
    const roomy = await serveSample();
    const many = Buffer.concat([...Array<Uint8Array>(16).fill(bomb), member]);
    const before = process.memoryUsage().rss;
    const { answers } = await exchangeOn(roomy.port, packed(many, "gzip"));
    expect(answers[0]).toMatchObject({
      status: 413,
      body: expect.stringContaining("longer than 15728640 bytes when it is unpacked"),
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(256 << 20);
    await roomy.stop();
  });
});
