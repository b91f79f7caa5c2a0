import { afterEach, describe, expect, test } from "bun:test";
import type { RpcRefusal } from "#io/client/index.ts";
import { largeCall, smallCall } from "#io/origin/remote/calls.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import {
  echo,
  echoes,
  echoServer,
  failureOf,
  numbers,
  poolOf,
  stopServersAfterEach,
  taskOf,
} from "#test/helpers/origin-pool.ts";
import { errorResponse, type Instead } from "#test/helpers/origin-server.ts";

stopServersAfterEach();

describe("OriginPool batches", () => {
  test("gathers calls of one turn into batches of at most the maximum", async () => {
    const server = echoServer();
    const { pool } = poolOf([server.url]);
    expect(await echoes(pool, 120)).toEqual(numbers(120));
    expect(server.requests.map(({ calls }) => calls.length)).toEqual([50, 50, 20]);
  });

  test("sends a call with a large result alone, and not as a batch", async () => {
    const server = echoServer();
    const { pool } = poolOf([server.url]);
    const large = pool.call(largeCall("echo", { value: 7 }), taskOf(5000));
    await Promise.all([echo(pool, 1), large, echo(pool, 2)]);
    const sent = server.requests.map(({ calls, isBatch }) => `${calls.length} ${isBatch}`);
    expect(sent.sort()).toEqual(["1 false", "2 true"]);
  });

  const tooMany: Readonly<Record<string, Instead>> = {
    "an HTML page": () => new Response("<html>Bad request</html>"),
    "status 413": () => new Response("", { status: 413 }),
    "status 400": () => new Response("batch too large", { status: 400 }),
    "one error": () =>
      Response.json({ jsonrpc: "2.0", id: null, error: { code: -32600, message: "too long" } }),
    "an empty list": () => Response.json([]),
    "status 500": () => new Response("", { status: 500 }),
  };
  test.each(Object.entries(tooMany))(
    "shrink to single calls for a URL that answers batches with %s",
    async (_, reject) => {
      const server = echoServer((request) => (request.isBatch ? reject(request) : undefined));
      const { pool } = poolOf([server.url]);
      expect(await echoes(pool, 12)).toEqual(numbers(12));
    },
  );

  test.each([
    ["an HTML page", () => new Response("<html>Try again</html>")],
    ["status 403", () => new Response("", { status: 403 })],
    ["a list that is too long", () => new Response(`["${"x".repeat(13 << 20)}"]`)],
  ])("are as large as before some time after a response with %s", async (_, spoiled) => {
    let isSpoiled = true;
    const server = echoServer(({ isBatch }) => (isBatch && isSpoiled ? spoiled() : undefined));
    const { pool } = poolOf([server.url], { maxBatch: 4 });
    expect(await echoes(pool, 4)).toEqual(numbers(4));
    isSpoiled = false;
    for (let round = 0; round < 120; round++) await echoes(pool, 4);
    server.requests.length = 0;
    await echoes(pool, 4);
    expect(server.requests.map(({ calls }) => calls.length)).toEqual([4]);
  });

  const wrongLists: Readonly<Record<string, (answers: Answer[]) => unknown[]>> = {
    "has an answer more": (answers) => [...answers, { id: 99, result: 1 }],
    "has two answers to one call": ([first, , ...rest]) => [
      first,
      { ...first, result: 9 },
      ...rest,
    ],
    "has an answer to another call": ([, ...rest]) => [{ id: 99, result: 9 }, ...rest],
    "has an id that spells no number": ([, ...rest]) => [{ id: "01", result: 9 }, ...rest],
    "has an answer that is no object": ([, ...rest]) => [7, ...rest],
  };
  test.each(Object.entries(wrongLists))("use nothing of a list that %s", async (_, spoil) => {
    const server = echoServer(({ calls, isBatch }) =>
      isBatch ? Response.json(spoil(calls.map(({ id }) => ({ id, result: -1 })))) : undefined,
    );
    const { pool } = poolOf([server.url]);
    expect(await echoes(pool, 6)).toEqual(numbers(6));
  });

  test("accept ids as text", async () => {
    const server = echoServer(({ calls }) =>
      Response.json(calls.map(({ id, params }) => ({ id: String(id), result: params["value"] }))),
    );
    const { pool } = poolOf([server.url]);
    expect(await echoes(pool, 6)).toEqual(numbers(6));
    expect(server.requests.map(({ calls }) => calls.length)).toEqual([6]);
  });

  test("send calls again that a response omits", async () => {
    const server = echoServer(({ calls }) => {
      if (calls.length <= 3) return undefined;
      const known = calls.slice(0, 3).map(({ id, params }) => ({ id, result: params["value"] }));
      return Response.json(known);
    });
    const { pool } = poolOf([server.url]);
    expect(await echoes(pool, 20)).toEqual(numbers(20));
  });
});

/** Answer to a call of a batch. */
interface Answer {
  readonly id: number;
  readonly result: number;
}

/** More than an ordinary response may have, in bytes, and the limit of one response. */
const LONG_BYTES = 5 << 20;
const MAX_BYTES = 8 << 20;

describe("OriginPool limits", () => {
  test("has one response in flight that is longer than its share of the memory", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, result: "x".repeat(LONG_BYTES) });
    let [open, maxOpenAgain] = [0, 0];
    const server = echoServer(async () => {
      open++;
      await Bun.sleep(20);
      // The first three requests find that the responses are long.
      if (server.requests.length > 3) maxOpenAgain = Math.max(maxOpenAgain, open);
      open--;
      return new Response(body);
    });
    const { pool } = poolOf([server.url], { maxAnswerBytes: MAX_BYTES, concurrency: 3 });
    const call = () => pool.call(largeCall("echo", {}), taskOf(20_000));
    await Promise.all([call(), call(), call()]);
    expect([server.requests.length, maxOpenAgain]).toEqual([6, 1]);
  });

  test("refuses a batch of short calls with a long response", async () => {
    const text = "x".repeat(LONG_BYTES);
    const server = echoServer(({ calls }) =>
      Response.json(calls.map(({ id }) => ({ id, result: text }))),
    );
    const { pool } = poolOf([server.url], { maxAnswerBytes: MAX_BYTES });
    const failing = failureOf(Promise.all([echo(pool, 1), echo(pool, 2)]));
    expect((await failing).code).toBe("ORIGIN_BAD_ANSWER");
  });

  test("never has more requests in flight than its concurrency", async () => {
    let inFlight = 0;
    let highest = 0;
    const server = echoServer(async () => {
      highest = Math.max(highest, ++inFlight);
      await Bun.sleep(5);
      inFlight--;
      return undefined;
    });
    const { pool } = poolOf([server.url], { maxBatch: 1, concurrency: 3 });
    expect(await echoes(pool, 20)).toEqual(numbers(20));
    expect(highest).toBe(3);
  });

  test("waits as long as Retry-After says", async () => {
    let limited = true;
    const server = echoServer(() => {
      if (!limited) return undefined;
      limited = false;
      return new Response("", { status: 429, headers: { "retry-after": "1" } });
    });
    const { pool, counts } = poolOf([server.url]);
    const startMs = performance.now();
    expect((await echo(pool, 5)).value).toBe(5);
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(999);
    expect(counts.limited).toBe(1);
  });

  test("slows down for a rate limit that is a JSON-RPC error", async () => {
    let count = 0;
    const server = echoServer(({ calls }) =>
      ++count > 2 ? undefined : errorResponse(calls, -32005, "daily request rate exceeded"),
    );
    const { pool, counts } = poolOf([server.url]);
    expect(await echoes(pool, 3)).toEqual([0, 1, 2]);
    expect(counts.limited).toBe(2);
  });

  test("keeps the results of a batch of which a rate limit refuses the rest", async () => {
    const server = echoServer(({ calls }) =>
      Response.json(
        calls.map(({ id, params }, index) =>
          index < 2
            ? { jsonrpc: "2.0", id, result: params["value"] }
            : { jsonrpc: "2.0", id, error: { code: -32005, message: "10 calls a second" } },
        ),
      ),
    );
    const { pool, counts } = poolOf([server.url]);
    expect(await echoes(pool, 4)).toEqual(numbers(4));
    expect(server.requests.map(({ calls }) => calls.length)).toEqual([4, 2]);
    expect(counts.limited).toBe(1);
  });
});

test("OriginPool sends its headers and masks their values in errors", async () => {
  const server = echoServer(({ calls }) => errorResponse(calls, 1, "no access for KEY-12345"));
  const { pool } = poolOf([server.url], { headers: { "x-api-key": "KEY-12345" } });
  const error: unknown = await echo(pool, 5).catch((reason: unknown) => reason);
  expect((error as RpcRefusal).message).toContain("no access for ***");
  expect(server.requests[0]?.headers.get("x-api-key")).toBe("KEY-12345");
});

test("OriginPool names URLs of one host apart", () => {
  const urls = ["https://host/KEY1/rpc", "https://host/KEY2/rpc", "http://host:81"];
  expect(poolOf(urls).pool.names).toBe("https://host, https://host (2), http://host:81");
});

describe("OriginPool obeys", () => {
  const NAMES = ["HTTPS_PROXY", "NO_PROXY"] as const;
  const before = NAMES.map((name) => process.env[name]);
  afterEach(() => {
    for (const [index, name] of NAMES.entries()) {
      const value = before[index];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });

  /** Runs a call to a host that does not exist; returns what a proxy received. */
  async function proxied(): Promise<string[]> {
    const received: string[] = [];
    const proxy = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        data(socket, data) {
          received.push(data.toString().split("\r\n", 1)[0] ?? "");
          socket.end("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n");
        },
      },
    });
    process.env["HTTPS_PROXY"] = `http://127.0.0.1:${proxy.port}`;
    const { pool } = poolOf(["https://origin.invalid/rpc"]);
    await failureOf(echo(pool, 1, 200));
    proxy.stop(true);
    return received;
  }

  test("HTTPS_PROXY", async () => {
    expect((await proxied())[0]).toBe("CONNECT origin.invalid:443 HTTP/1.1");
  });

  test("NO_PROXY", async () => {
    process.env["NO_PROXY"] = "origin.invalid";
    expect(await proxied()).toEqual([]);
  });
});

test("OriginPool counts requests that fail together as one failure", async () => {
  let count = 0;
  const server = echoServer(async () => {
    await Bun.sleep(10);
    return ++count > 8 ? undefined : new Response("", { status: count % 2 === 0 ? 502 : 429 });
  });
  const { pool } = poolOf([server.url], { maxBatch: 1, concurrency: 8 });
  const replies = await Promise.all(numbers(8).map((value) => echo(pool, value, 2000)));
  expect(replies.map(({ value }) => value)).toEqual(numbers(8));
});

test("OriginPool keeps no timer of a settled call", async () => {
  const timer = new FakeTimer();
  const { pool } = poolOf([echoServer().url], { timer });
  const task = { what: "the value", endsAtMs: 1000, servers: new Map<string, boolean>() };
  await pool.call(smallCall("echo", { value: 1 }), task);
  expect(timer.alarms).toBe(0);
});
