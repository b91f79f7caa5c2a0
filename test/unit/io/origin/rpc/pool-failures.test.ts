import { describe, expect, test } from "bun:test";
import { OriginError } from "#base/errors/index.ts";
import { RpcRefusal } from "#io/client/index.ts";
import { originSpecOf } from "#io/origin/rpc/spec.ts";
import {
  echo,
  echoes,
  echoServer,
  failureOf,
  numbers,
  poolOf,
  stopServersAfterEach,
} from "#test/helpers/origin-pool.ts";
import { errorResponse, type Instead } from "#test/helpers/origin-server.ts";
import { createRandom } from "#test/helpers/random.ts";

stopServersAfterEach();

describe("OriginPool failures", () => {
  test("retries lost connections until the value arrives", async () => {
    let count = 0;
    const server = echoServer(() => (++count < 4 ? new Response("", { status: 502 }) : undefined));
    const { pool, counts } = poolOf([server.url]);
    expect((await echo(pool, 5)).value).toBe(5);
    expect(counts.states.at(-1)).toBe("up");
  });

  test("fails at the deadline with host, value and cause, and without credentials", async () => {
    const server = echoServer(() => new Response("", { status: 503 }));
    const secretUrl = server.url.replace("http://", "http://user:password@");
    const { pool, counts } = poolOf([`${secretUrl}/KEY?token=TOKEN`]);
    const error = await failureOf(echo(pool, 5, 300));
    expect([error.code, error.retryable]).toEqual(["ORIGIN_UNAVAILABLE", true]);
    expect(error.message).toBe(
      `${server.name} did not return "the value" in time: ${server.name} responded with status 503`,
    );
    expect(counts.states).toContain("down");
  });

  test("fails at the deadline while a URL does not respond", async () => {
    const server = echoServer(() => new Promise(() => undefined));
    const { pool } = poolOf([server.url]);
    const error = await failureOf(echo(pool, 5, 200));
    expect(error.code).toBe("ORIGIN_UNAVAILABLE");
  });

  test("forwards an error of the origin", async () => {
    const server = echoServer(({ calls }) => errorResponse(calls, 24, "Block not found"));
    const { pool } = poolOf([server.url]);
    const error: unknown = await echo(pool, 5).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RpcRefusal);
    expect((error as RpcRefusal).rpcCode).toBe(24);
  });

  test("forwards an error that has another status", async () => {
    const server = echoServer(({ calls }) => {
      const answers = calls.map(({ id }) => ({ id, error: { code: 24, message: "not found" } }));
      return Response.json(answers[0], { status: 400 });
    });
    const { pool } = poolOf([server.url]);
    const error: unknown = await echo(pool, 5).catch((reason: unknown) => reason);
    expect((error as RpcRefusal).rpcCode).toBe(24);
  });

  test("stays up when one slow value misses its deadline", async () => {
    const server = echoServer(({ calls }) =>
      calls.some(({ params }) => params["value"] === 1) ? new Promise(() => undefined) : undefined,
    );
    const { pool, counts } = poolOf([server.url], { maxBatch: 1 });
    const slow = failureOf(echo(pool, 1, 100));
    await echo(pool, 2);
    expect((await slow).code).toBe("ORIGIN_UNAVAILABLE");
    expect(counts.states).toEqual(["up"]);
  });

  test("returns every value of a URL that drops a fifth of the requests", async () => {
    const random = createRandom(3);
    const server = echoServer(() =>
      random.below(5) === 0 ? new Response("", { status: 504 }) : undefined,
    );
    const { pool } = poolOf([server.url], { maxBatch: 2 });
    expect(await echoes(pool, 100)).toEqual(numbers(100));
  });

  test.each([1, 2, 3, 4])("loses no value under mixed failures, seed %d", async (seed) => {
    const random = createRandom(seed);
    const mixed: Instead = async ({ calls, isBatch }) => {
      await Bun.sleep(random.below(4));
      switch (random.below(8)) {
        case 0:
          return new Response("", { status: 429, headers: { "retry-after": "0" } });
        case 1:
          return new Response("", { status: 502 });
        case 2:
          return isBatch ? new Response("<html>") : undefined;
        case 3:
          return errorResponse(calls, -32005, "rate limit");
        case 4:
          return isBatch
            ? Response.json([{ id: 1, result: calls[0]?.params["value"] }])
            : undefined;
        default:
          return undefined;
      }
    };
    const urls = [echoServer(mixed).url, echoServer(mixed).url];
    const { pool } = poolOf(urls, { maxBatch: 7, concurrency: 3 });
    const replies = await Promise.all(numbers(60).map((value) => echo(pool, value, 20_000)));
    expect(replies.map(({ value }) => value)).toEqual(numbers(60));
  });

  test("repeats a call after an internal error, a few times", async () => {
    let count = 0;
    const server = echoServer(({ calls }) => {
      count++;
      return errorResponse(calls, -32603, "Internal error");
    });
    const { pool } = poolOf([server.url]);
    expect(await echo(pool, 5).catch((reason: unknown) => reason)).toBeInstanceOf(RpcRefusal);
    expect(count).toBe(3);
  });

  const unusable: Readonly<Record<string, readonly [Instead, string]>> = {
    "half a response": [() => new Response('{"jsonrpc":"2.0","id":1,"res'), "ORIGIN_BAD_ANSWER"],
    "an HTML page": [() => new Response("<html>"), "ORIGIN_BAD_ANSWER"],
    "another document": [() => Response.json({ a: 1 }), "ORIGIN_BAD_ANSWER"],
    "deep nesting": [() => new Response("[".repeat(5000)), "ORIGIN_BAD_ANSWER"],
    "status 401": [() => new Response("", { status: 401 }), "ORIGIN_REFUSED"],
    "a redirect": [() => Response.redirect("http://127.0.0.1:1/"), "ORIGIN_REFUSED"],
  };
  test.each(Object.entries(unusable))("rejects %s", async (_, [instead, code]) => {
    const { pool } = poolOf([echoServer(instead).url]);
    const error = await failureOf(echo(pool, 5));
    expect([error.code, error.retryable]).toEqual([code, false]);
  });

  test("stops reading a response that is too long", async () => {
    let sentBytes = 0;
    const chunk = new Uint8Array(1 << 16).fill(0x20);
    const endless = (): Response =>
      new Response(
        new ReadableStream({
          async pull(controller) {
            sentBytes += chunk.byteLength;
            if (sentBytes > 1 << 30) controller.close();
            else controller.enqueue(chunk);
            await Bun.sleep(0);
          },
        }),
      );
    const { pool } = poolOf([echoServer(endless).url]);
    const error = await failureOf(echo(pool, 5));
    expect(error.message).toContain(`is longer than ${256 << 10} bytes`);
    expect(sentBytes).toBeLessThan(1 << 28);
  });

  test("settles all calls when its signal is aborted", async () => {
    const server = echoServer(() => new Promise(() => undefined));
    const controller = new AbortController();
    const { pool } = poolOf([server.url], { signal: controller.signal });
    const waiting = failureOf(echo(pool, 5, 60_000));
    await Bun.sleep(20);
    controller.abort();
    expect((await waiting).code).toBe("ORIGIN_UNAVAILABLE");
    expect((await failureOf(echo(pool, 6))).code).toBe("ORIGIN_UNAVAILABLE");
  });
});

describe("OriginPool with several URLs", () => {
  test("continues with the others when one is unreachable", async () => {
    const server = echoServer();
    const { pool } = poolOf(["http://127.0.0.1:1", server.url], { maxBatch: 5 });
    expect(await echoes(pool, 50)).toEqual(numbers(50));
  });

  test("a URL that does not respond delays no value beyond its deadline", async () => {
    const silent = echoServer(() => new Promise(() => undefined));
    const server = echoServer();
    const { pool } = poolOf([silent.url, server.url], { maxBatch: 1, concurrency: 4 });
    const replies = await Promise.all(numbers(30).map((value) => echo(pool, value, 2000)));
    expect(replies.map(({ value }) => value)).toEqual(numbers(30));
  });

  test("asks another URL when a response is unusable", async () => {
    const broken = echoServer(() => new Response("<html>"));
    const server = echoServer();
    const { pool } = poolOf([broken.url, server.url], { maxBatch: 1 });
    expect(await echoes(pool, 10)).toEqual(numbers(10));
  });

  test("uses no URL whose check fails, and fails when there is no other", async () => {
    const server = echoServer();
    const fault = new OriginError("ORIGIN_CHANGED", "it is another chain", false);
    const { pool } = poolOf([server.url], { greet: () => Promise.reject(fault) });
    expect(await failureOf(echo(pool, 5))).toBe(fault);
    expect(server.requests.length).toBe(0);
  });

  test("sends calls that arrived during a check once the check ends", async () => {
    const server = echoServer();
    const { pool } = poolOf([server.url], {
      greet: async () => {
        await Bun.sleep(20);
        return originSpecOf("0.9.0", "test");
      },
    });
    const checked = pool.checkAll();
    expect((await echo(pool, 5, 1000)).value).toBe(5);
    expect(await checked).toEqual([]);
  });

  test("checks a URL again after failures in a row", async () => {
    let checks = 0;
    let isDown = false;
    const server = echoServer(() => (isDown ? new Response("", { status: 502 }) : undefined));
    const { pool } = poolOf([server.url], {
      greet: () => {
        checks++;
        return Promise.resolve(originSpecOf("0.9.0", "test"));
      },
    });
    await echo(pool, 1);
    isDown = true;
    await failureOf(echo(pool, 2, 400));
    isDown = false;
    await echo(pool, 3);
    expect(checks).toBeGreaterThan(1);
  });
});
