import { afterEach, describe, expect, test } from "bun:test";
import { get } from "node:http";
import { connect } from "node:net";
import type { AnswerStream } from "#api/rpc/answer-stream.ts";
import { type HttpListener, openHttpListener } from "#api/rpc/http/http-listener.ts";
import { HTTP_TIMEOUTS, type HttpTimeouts } from "#api/rpc/http/timeouts.ts";
import { roomyBytes } from "#test/helpers/held-bytes.ts";
import { RawConnection } from "#test/helpers/raw-http.ts";
import { scriptedStream } from "#test/helpers/scripted-stream.ts";
import { CONNECTION_LIMITS } from "#test/helpers/serving.ts";
import { bySize } from "#test/helpers/test-size.ts";

const MIB = 1 << 20;
const listeners: HttpListener[] = [];

afterEach(async () => {
  await Promise.all(listeners.splice(0).map((listener) => listener.stop(0, () => undefined)));
});

/** Listener on a free port that answers each request with a new stream. */
async function serve(open: () => AnswerStream, timeouts: Partial<HttpTimeouts> = {}) {
  const names = { service: "JSON-RPC", portOption: "--rpc-port", hostOption: "--rpc-host" };
  const listener = await openHttpListener(
    { hostname: "127.0.0.1", port: 0, ...names },
    { ...HTTP_TIMEOUTS, ...timeouts },
    CONNECTION_LIMITS,
    roomyBytes(),
  );
  listeners.push(listener);
  listener.serve(() => ({ status: 200, headers: {}, body: null, stream: open() }));
  return { listener, url: `http://127.0.0.1:${listener.port}/` };
}

/** Stream of `count` pieces of 1 MiB, with a count of pulled pieces. */
function pieces(count: number) {
  const source = {
    pulled: 0,
    closes: 0,
    next: () => {
      if (source.pulled === count) return Promise.resolve(undefined);
      return Promise.resolve(new Uint8Array(MIB).fill(source.pulled++));
    },
    close: () => void source.closes++,
  };
  return source;
}

/** Waits up to ten seconds until `isSo`. @returns `false` on timeout */
async function eventually(isSo: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 1_000 && !isSo(); tries++) await Bun.sleep(10);
  return isSo();
}

/** Bytes of a response as they arrive. */
type Download = (url: string) => AsyncIterable<Uint8Array>;

const CLIENTS: readonly (readonly [string, Download])[] = [
  [
    "fetch",
    async function* (url) {
      const { body } = await fetch(url);
      if (body !== null) yield* body as unknown as AsyncIterable<Uint8Array>;
    },
  ],
  [
    "node:http",
    async function* (url) {
      const response = await new Promise<AsyncIterable<Uint8Array>>((resolve, reject) => {
        get(url, resolve).on("error", reject);
      });
      yield* response;
    },
  ],
];

const SIZE_MIB = bySize({ quick: 200, full: 2_000 });

describe.each(CLIENTS)("%s client", (_, download) => {
  test("reads hundreds of MiB while the source stays only slightly ahead", async () => {
    const source = pieces(SIZE_MIB);
    const { url } = await serve(() => source);
    let [bytes, wrong, maxAhead] = [0, 0, 0];
    for await (const part of download(url)) {
      // Each MiB consists of its index.
      if (part[0] !== Math.floor(bytes / MIB) % 256) wrong++;
      bytes += part.byteLength;
      maxAhead = Math.max(maxAhead, source.pulled * MIB - bytes);
    }
    expect([bytes, wrong, source.closes]).toEqual([SIZE_MIB * MIB, 0, 0]);
    // Allows for the buffers of the system and the client.
    expect(maxAhead).toBeLessThan(64 * MIB);
  });

  test("notices that a stream has failed", async () => {
    const source = scriptedStream();
    const { url } = await serve(() => source);
    source.give("one");
    const read = async () => {
      for await (const part of download(url)) if (part.byteLength > 0) source.fail();
    };
    expect(
      await read().then(
        () => "whole",
        () => "truncated",
      ),
    ).toBe("truncated");
  });
});

describe("client of a streamed response", () => {
  const GET = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";

  test("that pauses stalls the source, and gets the rest when it resumes", async () => {
    const source = pieces(100);
    const { listener } = await serve(() => source);
    const socket = connect(listener.port, "127.0.0.1");
    socket.pause();
    socket.write(GET);
    expect(await eventually(() => source.pulled > 0)).toBe(true);
    await Bun.sleep(300);
    // Allows for system buffers on both sides, and one piece.
    expect(source.pulled).toBeLessThan(50);
    let bytes = 0;
    socket.on("data", (part: Buffer) => (bytes += part.byteLength));
    socket.resume();
    expect(await eventually(() => bytes > 100 * MIB)).toBe(true);
    socket.destroy();
  });

  test("that disconnects closes the stream", async () => {
    const source = scriptedStream();
    const { listener } = await serve(() => source);
    const connection = await RawConnection.open(listener.port);
    connection.send(GET);
    source.give("one");
    expect(await eventually(() => source.pulls === 2)).toBe(true);
    connection.close();
    expect(await eventually(() => source.closes > 0)).toBe(true);
    source.give("two");
    await Bun.sleep(20);
    expect([source.closes, source.pulls]).toEqual([1, 2]);
  });

  test("that disconnects while its socket is paused closes the stream", async () => {
    const source = pieces(1_000);
    const { listener } = await serve(() => source);
    const connection = await RawConnection.open(listener.port);
    connection.pause();
    // Enough pipelined requests that the server stops reading the socket.
    connection.send(GET.repeat(4_000));
    await Bun.sleep(100);
    connection.close();
    expect(await eventually(() => source.closes > 0)).toBe(true);
    expect(source.closes).toBe(1);
  });

  test("that closes its sending side counts as disconnected, as with other responses", async () => {
    const source = scriptedStream();
    const { listener } = await serve(() => source);
    const socket = connect({ port: listener.port, host: "127.0.0.1", allowHalfOpen: true });
    socket.write(GET);
    expect(await eventually(() => source.pulls === 1)).toBe(true);
    socket.end();
    expect(await eventually(() => source.closes === 1)).toBe(true);
    socket.destroy();
  });

  test.each(["end", "failure"])("in HTTP/1.0 sees the %s of a stream", async (outcome) => {
    const source = scriptedStream();
    const { listener } = await serve(() => source);
    const seen: string[] = [];
    const { promise, resolve } = Promise.withResolvers<string>();
    const socket = connect(listener.port, "127.0.0.1");
    socket.on("data", (bytes: Buffer) => {
      const isFirst = seen.length === 0;
      seen.push(bytes.toString());
      if (!isFirst) return;
      source.give("one");
      if (outcome === "end") source.end();
      else source.fail();
    });
    socket.on("end", () => resolve("end"));
    socket.on("error", () => resolve("failure"));
    socket.write("GET / HTTP/1.0\r\n\r\n");
    expect(await promise).toBe(outcome);
    if (outcome === "end") expect(seen.join("")).toEndWith("\r\n\r\none");
  });
});

describe("listener stop", () => {
  test("lets a stream finish within the grace period", async () => {
    const source = scriptedStream();
    const { listener, url } = await serve(() => source);
    const text = fetch(url).then((response) => response.text());
    expect(await eventually(() => source.pulls === 1)).toBe(true);
    const stopped = listener.stop(60_000, () => undefined);
    source.give("one");
    source.end();
    expect(await text).toBe("one");
    await stopped;
    expect(source.closes).toBe(0);
  });

  test("cuts a stream that is unfinished after the grace period", async () => {
    const source = scriptedStream();
    const { listener, url } = await serve(() => source);
    source.give("one");
    const outcome = fetch(url)
      .then((response) => response.text())
      .then(
        () => "whole",
        () => "truncated",
      );
    expect(await eventually(() => source.pulls === 2)).toBe(true);
    await listener.stop(50, () => undefined);
    expect([await outcome, source.closes]).toEqual(["truncated", 1]);
  });
});

test("a stalled stream is cut after the response timeout", async () => {
  const source = scriptedStream();
  const { url } = await serve(() => source, { answerMs: 300, idleMs: 200 });
  const outcome = fetch(url)
    .then((response) => response.text())
    .then(
      () => "whole",
      () => "truncated",
    );
  expect([await outcome, source.closes]).toEqual(["truncated", 1]);
});
