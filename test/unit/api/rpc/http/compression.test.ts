import { describe, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";
import { ReplyCompressor } from "#api/rpc/http/compression.ts";
import { type HttpReply, jsonReply, textReply } from "#api/rpc/http/message.ts";
import { httpHandler, httpRequest, textOf } from "#test/helpers/http-handler.ts";
import { bodyText } from "#test/helpers/held-bytes.ts";

const GZIP = { "accept-encoding": "gzip" };
const LONG = `"${"0x123456789abcdef,".repeat(1_000)}"`;

/** Incompressible bytes. */
const NOISE = crypto.getRandomValues(new Uint8Array(10_000));

const ask = async (reply: HttpReply, headers: Readonly<Record<string, string>> = GZIP) =>
  new ReplyCompressor().compress(reply, httpRequest("POST", "/", headers));

const bytesOf = ({ body }: HttpReply): Uint8Array =>
  body instanceof Uint8Array ? body : Buffer.from(bodyText(body));

describe("long response", () => {
  for (const [encoding, unpack] of [
    ["gzip", gunzipSync],
    ["deflate", inflateSync],
    ["br", brotliDecompressSync],
    ["zstd", zstdDecompressSync],
  ] as const) {
    test.each([LONG, Buffer.from(LONG), "é".repeat(2_000)])(
      `is compressed with ${encoding} on request (%#)`,
      async (body) => {
        const reply = await ask(jsonReply(body, 200), { "accept-encoding": encoding });
        expect(reply).toMatchObject({
          status: 200,
          headers: {
            "content-type": "application/json",
            "content-encoding": encoding,
            vary: "accept-encoding",
          },
        });
        expect(bytesOf(reply).length).toBeLessThan(Buffer.byteLength(body) / 4);
        expect(unpack(bytesOf(reply)).equals(Buffer.from(body))).toBe(true);
      },
    );
  }

  test.each([{}, { "accept-encoding": "identity" }, { "accept-encoding": "gzip;q=0" }])(
    "is not compressed for %o but varies by accept-encoding",
    async (headers) => {
      const reply = jsonReply(LONG, 200);
      expect(await ask(reply, headers)).toEqual({
        ...reply,
        headers: { ...reply.headers, vary: "accept-encoding" },
      });
    },
  );

  test("keeps its status and headers", async () => {
    const reply = await ask(textReply(LONG, 429, { vary: "origin", "retry-after": "1" }));
    expect([reply.status, reply.headers]).toEqual([
      429,
      {
        "content-type": "text/plain;charset=utf-8",
        "content-encoding": "gzip",
        "retry-after": "1",
        vary: "origin, accept-encoding",
      },
    ]);
  });

  test("is sent uncompressed if compression does not make it shorter", async () => {
    const reply = await ask(jsonReply(NOISE, 200));
    expect([reply.headers["content-encoding"], reply.body]).toEqual([undefined, NOISE]);
  });

  test.each([
    { "content-encoding": "gzip", "content-type": "text/plain" },
    { "content-type": "image/png" },
    {},
  ])("with the headers %o is not compressed", async (headers) => {
    const reply = { status: 200, headers, body: LONG };
    expect(await ask(reply)).toBe(reply);
  });

  test("is compressed for browser pages too", async () => {
    const handler = httpHandler({}, LONG);
    const reply = await handler(httpRequest("POST", "/", { ...GZIP, origin: "http://localhost" }));
    expect(reply.headers).toMatchObject({
      "content-encoding": "gzip",
      "access-control-allow-origin": "http://localhost",
      vary: "origin, accept-encoding",
    });
    expect(gunzipSync(bytesOf(reply)).toString()).toBe(LONG);
  });

  test("to a HEAD request is not compressed", async () => {
    const reply = await new ReplyCompressor().compress(
      textReply(LONG, 200),
      httpRequest("HEAD", "/", GZIP),
    );
    expect([reply.headers["content-encoding"], reply.headers["vary"]]).toEqual([
      undefined,
      "accept-encoding",
    ]);
  });
});

describe("compression threshold:", () => {
  for (const [what, body, isLong] of [
    ["1024 bytes", "a".repeat(1_024), false],
    ["1025 bytes", "a".repeat(1_025), true],
    ["1024 binary bytes", new Uint8Array(1_024), false],
    ["1025 binary bytes", new Uint8Array(1_025), true],
    ["341 characters of 3 bytes", "€".repeat(341), false],
    ["342 characters of 3 bytes", "€".repeat(342), true],
    ["an empty body", "", false],
  ] as const) {
    test(`${what} is ${isLong ? "long" : "short"}`, async () => {
      const reply = await ask(jsonReply(body, 200));
      expect(reply.headers["content-encoding"]).toBe(isLong ? "gzip" : undefined);
      expect(reply.headers["vary"]).toBe(isLong ? "accept-encoding" : undefined);
    });
  }

  test("a missing body is not compressed", async () => {
    expect((await ask({ status: 204, headers: {}, body: null })).body).toBeNull();
  });
});

describe("concurrent long responses", () => {
  /** Number of compressed responses among those compressed concurrently. */
  async function codings(compressor: ReplyCompressor, bodies: readonly string[]) {
    const replies = await Promise.all(
      bodies.map(async (body) =>
        compressor.compress(jsonReply(body, 200), httpRequest("POST", "/", GZIP)),
      ),
    );
    expect(
      replies.every((reply, i) =>
        reply.headers["content-encoding"] === undefined
          ? textOf(reply) === bodies[i]
          : gunzipSync(bytesOf(reply)).toString() === bodies[i],
      ),
    ).toBe(true);
    return replies.filter(({ headers }) => headers["content-encoding"] !== undefined).length;
  }

  test("are compressed up to a count, and again once those are done", async () => {
    const compressor = new ReplyCompressor();
    const many = Array<string>(100).fill(LONG);
    expect(await codings(compressor, many)).toBe(32);
    expect(await codings(compressor, many)).toBe(32);
  });

  test("are compressed up to a total size, but always at least one", async () => {
    const compressor = new ReplyCompressor();
    const large = "0x1,".repeat(3 << 20);
    expect(await codings(compressor, Array<string>(6).fill(large))).toBe(2);
    expect(await codings(compressor, [large.repeat(3), large, LONG])).toBe(1);
    expect(await codings(compressor, [LONG, large.repeat(3), LONG])).toBe(2);
  });

  test("free their slots when they are incompressible", async () => {
    const compressor = new ReplyCompressor();
    const noise = Array.from({ length: 40 }, async () =>
      compressor.compress(jsonReply(NOISE, 200), httpRequest("POST", "/", GZIP)),
    );
    await Promise.all(noise);
    expect(await codings(compressor, Array<string>(40).fill(LONG))).toBe(32);
  });

  test("do not block the thread", async () => {
    // Takes zlib hundreds of milliseconds.
    const body = Buffer.from(LONG.repeat(1_500));
    expect(body.length).toBeGreaterThan(25 << 20);
    let maxTicks = 0;
    // On a busy machine this thread may get no turn during one attempt.
    for (let attempt = 0; attempt < 10 && maxTicks <= 3; attempt++) {
      let ticks = 0;
      const timer = setInterval(() => ticks++, 1);
      await ask(jsonReply(body, 200));
      clearInterval(timer);
      maxTicks = Math.max(maxTicks, ticks);
    }
    expect(maxTicks).toBeGreaterThan(3);
  });
});

describe("streamed response", () => {
  const stream = { next: () => Promise.resolve(undefined), close: () => undefined };
  const streamed = (headers: Readonly<Record<string, string>>): HttpReply => ({
    status: 200,
    headers,
    body: null,
    stream,
  });

  test("is sent uncompressed but varies by accept-encoding", async () => {
    const reply = await ask(streamed({ "content-type": "application/json" }));
    expect(reply).toMatchObject({
      headers: { "content-type": "application/json", vary: "accept-encoding" },
      body: null,
    });
    expect(reply.stream).toBe(stream);
    expect(reply.headers["content-encoding"]).toBeUndefined();
  });

  test("of an incompressible type does not vary", async () => {
    const reply = streamed({ "content-type": "image/png" });
    expect(await ask(reply)).toBe(reply);
  });
});

test("a response without a body does not vary", async () => {
  const reply = { status: 200, headers: { "content-type": "text/plain" }, body: null };
  expect(await ask(reply)).toBe(reply);
});
