import { describe, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";
import { ReplyCompressor } from "#api/rpc/http/compression.ts";
import { type HttpReply, jsonReply, textReply } from "#api/rpc/http/message.ts";
import { httpHandler, httpRequest, textOf } from "#test/helpers/http-handler.ts";
import { bodyText } from "#test/helpers/held-bytes.ts";

const GZIP = { "accept-encoding": "gzip" };
const LONG = `"${"0x123456789abcdef,".repeat(1_000)}"`;

/** Bytes that no compression makes shorter. */
const NOISE = crypto.getRandomValues(new Uint8Array(10_000));

const ask = async (reply: HttpReply, headers: Readonly<Record<string, string>> = GZIP) =>
  new ReplyCompressor().compress(reply, httpRequest("POST", "/", headers));

const bytesOf = ({ body }: HttpReply): Uint8Array =>
  body instanceof Uint8Array ? body : Buffer.from(bodyText(body));

describe("a long answer", () => {
  for (const [encoding, unpack] of [
    ["gzip", gunzipSync],
    ["deflate", inflateSync],
    ["br", brotliDecompressSync],
    ["zstd", zstdDecompressSync],
  ] as const) {
    test.each([LONG, Buffer.from(LONG), "é".repeat(2_000)])(
      `is compressed with ${encoding} when that is asked for (%#)`,
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
    "stays as it is for %o, and tells that it need not",
    async (headers) => {
      const reply = jsonReply(LONG, 200);
      expect(await ask(reply, headers)).toEqual({
        ...reply,
        headers: { ...reply.headers, vary: "accept-encoding" },
      });
    },
  );

  test("keeps its status and its headers", async () => {
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

  test("that would not be shorter stays as it is", async () => {
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

  test("is compressed for pages too", async () => {
    const handler = httpHandler({}, LONG);
    const reply = await handler(httpRequest("POST", "/", { ...GZIP, origin: "http://localhost" }));
    expect(reply.headers).toMatchObject({
      "content-encoding": "gzip",
      "access-control-allow-origin": "http://localhost",
      vary: "origin, accept-encoding",
    });
    expect(gunzipSync(bytesOf(reply)).toString()).toBe(LONG);
  });

  test("to a HEAD is not compressed for nobody", async () => {
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

describe("an answer of", () => {
  for (const [what, body, isLong] of [
    ["1024 bytes", "a".repeat(1_024), false],
    ["1025 bytes", "a".repeat(1_025), true],
    ["1024 bytes that are no text", new Uint8Array(1_024), false],
    ["1025 bytes that are no text", new Uint8Array(1_025), true],
    ["1023 bytes in 341 units", "€".repeat(341), false],
    ["1026 bytes in 342 units", "€".repeat(342), true],
    ["nothing", "", false],
  ] as const) {
    test(`${what} is ${isLong ? "long" : "short"}`, async () => {
      const reply = await ask(jsonReply(body, 200));
      expect(reply.headers["content-encoding"]).toBe(isLong ? "gzip" : undefined);
      expect(reply.headers["vary"]).toBe(isLong ? "accept-encoding" : undefined);
    });
  }

  test("no body has nothing to compress", async () => {
    expect((await ask({ status: 204, headers: {}, body: null })).body).toBeNull();
  });
});

describe("many long answers at once", () => {
  /** The codings of answers that are asked for at once. */
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

  test("are compressed up to a number, the others as they are; then there is room again", async () => {
    const compressor = new ReplyCompressor();
    const many = Array<string>(100).fill(LONG);
    expect(await codings(compressor, many)).toBe(32);
    expect(await codings(compressor, many)).toBe(32);
  });

  test("are compressed up to their bytes, or one alone", async () => {
    const compressor = new ReplyCompressor();
    const large = "0x1,".repeat(3 << 20);
    expect(await codings(compressor, Array<string>(6).fill(large))).toBe(2);
    expect(await codings(compressor, [large.repeat(3), large, LONG])).toBe(1);
    expect(await codings(compressor, [LONG, large.repeat(3), LONG])).toBe(2);
  });

  test("that cannot be made shorter leave room for others", async () => {
    const compressor = new ReplyCompressor();
    const noise = Array.from({ length: 40 }, async () =>
      compressor.compress(jsonReply(NOISE, 200), httpRequest("POST", "/", GZIP)),
    );
    await Promise.all(noise);
    expect(await codings(compressor, Array<string>(40).fill(LONG))).toBe(32);
  });

  test("leave the thread to others", async () => {
    // It takes zlib some hundred milliseconds.
    const body = Buffer.from(LONG.repeat(1_500));
    expect(body.length).toBeGreaterThan(25 << 20);
    let most = 0;
    // A busy machine may leave this thread no turn in one of them.
    for (let attempt = 0; attempt < 10 && most <= 3; attempt++) {
      let ticks = 0;
      const timer = setInterval(() => ticks++, 1);
      await ask(jsonReply(body, 200));
      clearInterval(timer);
      most = Math.max(most, ticks);
    }
    expect(most).toBeGreaterThan(3);
  });
});

describe("a streamed answer", () => {
  const stream = { next: () => Promise.resolve(undefined), close: () => undefined };
  const streamed = (headers: Readonly<Record<string, string>>): HttpReply => ({
    status: 200,
    headers,
    body: null,
    stream,
  });

  test("goes out as it is, and varies as others do", async () => {
    const reply = await ask(streamed({ "content-type": "application/json" }));
    expect(reply).toMatchObject({
      headers: { "content-type": "application/json", vary: "accept-encoding" },
      body: null,
    });
    expect(reply.stream).toBe(stream);
    expect(reply.headers["content-encoding"]).toBeUndefined();
  });

  test("that no client would have compressed does not vary", async () => {
    const reply = streamed({ "content-type": "image/png" });
    expect(await ask(reply)).toBe(reply);
  });
});

test("an answer without a body does not vary", async () => {
  const reply = { status: 200, headers: { "content-type": "text/plain" }, body: null };
  expect(await ask(reply)).toBe(reply);
});
