import { afterAll, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { endpointOf, exchange, exchangeBy, type HttpAnswer, isUnsent } from "#io/http/index.ts";

let answer: (request: Request) => Response = () => new Response("");

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: (request) => answer(request),
});
afterAll(() => server.stop(true));

const address = `http://127.0.0.1:${server.port}`;
const MAX_BYTES = 1 << 20;

function ask(
  special: { readonly url?: string; readonly onProgress?: (sizeBytes: number) => void } = {},
): Promise<HttpAnswer> {
  return exchange({
    endpoint: endpointOf(special.url ?? address, []),
    path: "",
    headers: {},
    body: undefined,
    maxAnswerBytes: MAX_BYTES,
    signal: new AbortController().signal,
    onProgress: special.onProgress ?? (() => undefined),
  });
}

const zipped = (body: Uint8Array) => () =>
  new Response(gzipSync(body), { headers: { "content-encoding": "gzip" } });

describe("exchange", () => {
  test("sends GET without a body and POST with one, or any method with bytes", async () => {
    const asked: string[] = [];
    answer = (request) => {
      asked.push(request.method);
      return new Response(request.body);
    };
    const request = {
      endpoint: endpointOf(address, []),
      path: "",
      headers: {},
      maxAnswerBytes: MAX_BYTES,
      signal: new AbortController().signal,
      onProgress: () => undefined,
    };
    const bytes = new Uint8Array([0, 255, 1]);
    await exchange({ ...request, body: undefined });
    expect(await exchange({ ...request, body: bytes })).toMatchObject({ bytes });
    expect(await exchangeBy("PUT", { ...request, body: bytes })).toMatchObject({ bytes });
    await exchangeBy("DELETE", { ...request, body: undefined });
    expect(asked).toEqual(["GET", "POST", "PUT", "DELETE"]);
  });

  test("returns plain and compressed bodies in a buffer of exactly their size", async () => {
    const body = new TextEncoder().encode('{"a":1}');
    for (const given of [() => new Response(body), zipped(body)]) {
      answer = given;
      const got = await ask();
      expect(got).toMatchObject({ kind: "answered", status: 200, bytes: body });
      if (got.kind === "answered") expect(got.bytes.buffer.byteLength).toBe(body.byteLength);
    }
  });

  test("accepts a body of exactly the limit and rejects a longer one, compressed or not", async () => {
    for (const [sizeBytes, kind] of [
      [MAX_BYTES, "answered"],
      [MAX_BYTES + 1, "tooLong"],
    ] as const) {
      const body = new Uint8Array(sizeBytes).fill(97);
      answer = () => new Response(body);
      expect((await ask()).kind).toBe(kind);
      answer = zipped(body);
      expect((await ask()).kind).toBe(kind);
    }
  });

  test("does not decompress a gigabyte", async () => {
    // A decompressor reads the 256 members of 4 MiB as one stream.
    const member = gzipSync(new Uint8Array(4 << 20));
    const bomb = Buffer.concat(Array.from({ length: 256 }, () => member));
    answer = () => new Response(bomb, { headers: { "content-encoding": "gzip" } });
    const before = process.memoryUsage().rss;
    expect(await ask()).toEqual({ kind: "tooLong" });
    expect(process.memoryUsage().rss - before).toBeLessThan(256 << 20);
  });

  test.each([
    ["gzip", "not zipped"],
    ["br", "anything"],
    ["gzip, gzip", "anything"],
  ])(
    "reports a body that is not in its declared encoding %p as garbled",
    async (encoding, body) => {
      answer = () => new Response(body, { headers: { "content-encoding": encoding } });
      expect(await ask()).toEqual({ kind: "garbled" });
    },
  );

  test("reports a truncated compressed body as garbled", async () => {
    const cut = gzipSync(new Uint8Array(1000)).subarray(0, 20);
    answer = () => new Response(cut, { headers: { "content-encoding": "gzip" } });
    expect(await ask()).toEqual({ kind: "garbled" });
  });

  test("follows no redirect", async () => {
    let followed = 0;
    answer = (request) => {
      if (new URL(request.url).pathname === "/elsewhere") followed++;
      return Response.redirect("/elsewhere", 302);
    };
    expect(await ask()).toEqual({ kind: "elsewhere", status: 302 });
    expect(followed).toBe(0);
  });

  test("reports progress for the head and for each chunk", async () => {
    const told: number[] = [];
    answer = () => new Response("12345");
    await ask({ onProgress: (sizeBytes) => told.push(sizeBytes) });
    expect([told[0], told.reduce((sum, each) => sum + each, 0)]).toEqual([0, 5]);
  });

  test("reports a failed connection as unsent", async () => {
    const failure: unknown = await ask({ url: "http://127.0.0.1:1" }).catch((cause) => cause);
    expect(isUnsent(failure)).toBe(true);
    expect(isUnsent(new DOMException("aborted", "AbortError"))).toBe(false);
  });
});

test.each(["http://127.0.0.1:1", address.replace("http:", "https:")])(
  "a failure at %s hides keys of the address, even when it is inspected",
  async (origin) => {
    const url = `${origin}/v3/PATHKEY?QUERYKEY`;
    const failure: unknown = await ask({ url }).catch((cause) => cause);
    expect(failure).toMatchObject({ code: "NODE_UNREACHABLE" });
    expect(Bun.inspect(failure)).not.toMatch(/PATHKEY|QUERYKEY/);
  },
);

describe("credentials of an address", () => {
  test("are sent in a header and removed from the displayed address", async () => {
    answer = (request) => new Response(request.headers.get("authorization"));
    const url = address.replace("//", "//us%40er:pa%3Ass@");
    const got = await ask({ url });
    const sent = `Basic ${Buffer.from("us@er:pa:ss").toString("base64")}`;
    expect(got.kind === "answered" ? Buffer.from(got.bytes).toString() : "").toBe(sent);
    expect(endpointOf(url, []).url).toBe(`${address}/`);
  });

  test("are used unchanged if they are not valid percent-encoding", () => {
    const { headers } = endpointOf("http://a%zz:b@host/x", []);
    expect(headers["authorization"]).toBe(`Basic ${Buffer.from("a%zz:b").toString("base64")}`);
  });

  test("are optional", () => {
    const { url, headers } = endpointOf("http://host/x?y=1", []);
    expect({ url, headers }).toEqual({ url: "http://host/x?y=1", headers: {} });
  });
});
