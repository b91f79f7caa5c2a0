import { describe, expect, spyOn, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { endpointOf, postStreamed, type StreamedPost } from "#io/http/index.ts";
import { bySize } from "#test/helpers/test-size.ts";

type Options = Partial<
  Pick<StreamedPost<unknown>, "idleTimeoutMs" | "maxAnswerBytes" | "signal" | "read">
>;

/** All chunks of a body as text. */
async function textOf(_: number, chunks: AsyncIterable<Uint8Array>): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  return text;
}

function post(url: string, options: Options = {}) {
  return postStreamed<unknown>({
    endpoint: endpointOf(url, []),
    body: '{"a":1}',
    idleTimeoutMs: 10_000,
    maxAnswerBytes: 1 << 20,
    signal: new AbortController().signal,
    timer: SYSTEM_TIMER,
    read: textOf,
    ...options,
  });
}

/** Posts to a server with this handler. */
async function posted(
  answer: (request: Request) => Response | Promise<Response>,
  options: Options = {},
) {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", idleTimeout: 0, fetch: answer });
  try {
    return await post(`http://127.0.0.1:${server.port}/path?key=1`, options);
  } finally {
    await server.stop(true);
  }
}

/** Sends chunks with pauses between them; the stream stays open after the last one. */
function dripping(chunks: readonly string[], pauseMs: number): ReadableStream<Uint8Array> {
  const rest = [...chunks];
  return new ReadableStream({
    async pull(controller) {
      const chunk = rest.shift();
      if (chunk === undefined) return new Promise(() => undefined);
      await Bun.sleep(pauseMs);
      controller.enqueue(new TextEncoder().encode(chunk));
    },
  });
}

const GZIP = { headers: { "content-encoding": "gzip" } };

const gzipped = (bytes: Uint8Array | string): Response => new Response(gzipSync(bytes), GZIP);

/** Server of bare sockets that sends bytes and closes the connection. */
function closingServer(bytes: string | Uint8Array) {
  return Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket) {
        socket.write(bytes);
        socket.end();
      },
    },
  });
}

describe("postStreamed", () => {
  test("posts JSON to the address of the endpoint", async () => {
    const asked: unknown[] = [];
    const answer = await posted(async (request) => {
      const { pathname, search } = new URL(request.url);
      const type = request.headers.get("content-type");
      asked.push(request.method, pathname + search, type, await request.json());
      return new Response("said");
    });
    expect(asked).toEqual(["POST", "/path?key=1", "application/json", { a: 1 }]);
    expect(answer).toEqual({ kind: "read", value: "said" });
  });

  test("passes the status to the reader, which need not read the body", async () => {
    const answer = await posted(
      () => new Response(dripping(["x".repeat(2_000)], 0), { status: 418 }),
      {
        read: (status) => Promise.resolve(status),
      },
    );
    expect(answer).toEqual({ kind: "read", value: 418 });
  });

  test("closes the connection when the reader leaves the body unread", async () => {
    const closed = Promise.withResolvers<void>();
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1 << 16)),
      cancel: () => closed.resolve(),
    });
    using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(body) });
    await post(server.url.href, { read: (status) => Promise.resolve(status) });
    expect(await closed.promise).toBeUndefined();
  });

  test("removes its listeners from a long-lived signal", async () => {
    const { signal } = new AbortController();
    const added = spyOn(signal, "addEventListener");
    const removed = spyOn(signal, "removeEventListener");
    for (let i = 0; i < 3; i++) await posted(() => new Response("said"), { signal });
    expect(added).toHaveBeenCalledTimes(3);
    expect(removed.mock.calls).toEqual(added.mock.calls);
  });

  test("decompresses gzip", async () => {
    const text = "all of it ".repeat(50_000);
    expect(await posted(() => gzipped(text))).toEqual({ kind: "read", value: text });
  });

  test("rethrows the error of the reader", async () => {
    const failure = new RangeError("enough");
    const answer = posted(() => new Response("said"), { read: () => Promise.reject(failure) });
    expect(answer).rejects.toBe(failure);
  });

  test("buffers only a few chunks for a slow reader, compressed or not", async () => {
    const size = bySize({ quick: 64 << 20, full: 128 << 20 });
    const piece = new Uint8Array(1 << 16);
    let sent = 0;
    const plain = (): Response => {
      const pull = (controller: ReadableStreamDefaultController): void => {
        controller.enqueue(piece.slice());
        if ((sent += piece.byteLength) === size) controller.close();
      };
      return new Response(new ReadableStream({ pull }));
    };
    const zipped = gzipSync(new Uint8Array(size));
    for (const fetch of [plain, () => new Response(zipped, GZIP)]) {
      using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch });
      let mostAhead = 0;
      let longest = 0;
      sent = 0;
      const read: Options["read"] = async (_, body) => {
        let length = 0;
        for await (const chunk of body) {
          length += chunk.byteLength;
          if (length < 4 << 20) await Bun.sleep(5);
          mostAhead = Math.max(mostAhead, sent - length);
          longest = Math.max(longest, chunk.byteLength);
        }
        return length;
      };
      const answer = await post(server.url.href, { maxAnswerBytes: size, read });
      expect(answer).toEqual({ kind: "read", value: size });
      expect(mostAhead).toBeLessThan(32 << 20);
      expect(longest).toBeLessThan(4 << 20);
    }
  }, 60_000);
});

describe("postStreamed returns the reason for a missing response:", () => {
  const never = (): Promise<Response> => new Promise(() => undefined);

  test("no head in time, a stop, an unreachable server", async () => {
    expect((await posted(never, { idleTimeoutMs: 50 })).kind).toBe("timedOut");
    expect((await posted(never, { signal: AbortSignal.timeout(50) })).kind).toBe("stopped");
    expect((await posted(never, { signal: AbortSignal.abort() })).kind).toBe("stopped");
    const unreachable = await post("http://127.0.0.1:1/secret-key");
    expect(unreachable.kind).toBe("unreachable");
    expect(JSON.stringify(unreachable)).not.toContain("secret-key");
  });

  test("a redirect", async () => {
    const answer = await posted(() => Response.redirect("http://127.0.0.1:1/", 307));
    expect(answer).toEqual({ kind: "elsewhere", status: 307 });
  });

  test("a body that stalls, until its timeout or a stop", async () => {
    const stopping = (): Response => new Response(dripping(["x".repeat(5_000)], 0));
    expect((await posted(stopping, { idleTimeoutMs: 60 })).kind).toBe("idle");
    expect((await posted(stopping, { signal: AbortSignal.timeout(60) })).kind).toBe("stopped");
  });

  test("a body that is too long, before or after decompression", async () => {
    const options = { maxAnswerBytes: 1_000 };
    expect((await posted(() => new Response("x".repeat(1_001)), options)).kind).toBe("tooLong");
    expect((await posted(() => gzipped("x".repeat(100_000)), options)).kind).toBe("tooLong");
    expect((await posted(() => gzipped("x".repeat(1_000)), options)).kind).toBe("read");
  });

  test("a false or unrequested encoding", async () => {
    const encoded = (encoding: string, body: string | Uint8Array) => (): Response =>
      new Response(body, { headers: { "content-encoding": encoding } });
    const cut = gzipSync("x".repeat(10_000)).subarray(0, 30);
    expect((await posted(encoded("gzip", "plain"))).kind).toBe("garbled");
    expect((await posted(encoded("gzip", cut))).kind).toBe("garbled");
    expect((await posted(encoded("br", "x"))).kind).toBe("garbled");
  });

  test("a connection that breaks mid-body", async () => {
    const head = "HTTP/1.1 200 OK\r\n";
    for (const answer of [
      `${head}content-length: 5000\r\n\r\n${"x".repeat(4_000)}`,
      `${head}transfer-encoding: chunked\r\n\r\nfff\r\nxxx`,
    ]) {
      using server = closingServer(answer);
      const { kind } = await post(`http://127.0.0.1:${server.port}`);
      expect(kind).toBe("broken");
    }
  });
});
