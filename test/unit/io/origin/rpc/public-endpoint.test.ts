import { describe, expect, test } from "bun:test";
import { originSpecOf } from "#io/origin/rpc/spec.ts";
import type { Greet } from "#io/origin/rpc/lane-requests.ts";
import {
  echoes,
  echo,
  echoServer,
  failureOf,
  numbers,
  poolOf,
  stopServersAfterEach,
} from "#test/helpers/origin-pool.ts";
import type { Instead } from "#test/helpers/origin-server.ts";

stopServersAfterEach();

const page = (status: number): Response =>
  new Response("<html></html>", { status, headers: { "content-type": "text/html" } });
const limited = (retryAfter?: string): Response =>
  new Response("", {
    status: 429,
    headers: retryAfter === undefined ? {} : { "retry-after": retryAfter },
  });

/** A check that sends one call. */
const greet: Greet = async (call) => {
  await call({ method: "starknet_echo", params: { value: 1 } });
  return originSpecOf("0.9.0", "test");
};

/** Responses to the first requests; later ones are honest. */
function first(responses: readonly (() => Response)[]): Instead {
  let count = 0;
  return () => responses[count++]?.();
}

const inTwoSeconds = (): Response => limited(new Date(Date.now() + 2000).toUTCString());

describe("the check of a URL", () => {
  test.each<[string, readonly (() => Response)[]]>([
    ["limits the rate of requests", [() => limited(), () => limited()]],
    ["names a wait in seconds", [() => limited("1")]],
    ["names a date", [inTwoSeconds]],
    ["has a proxy that responds with pages", [() => page(502), () => page(403)]],
  ])("continues when the URL %s", async (_, responses) => {
    const server = echoServer(first(responses));
    const { pool } = poolOf([server.url], { greet, greetMs: 5000 });
    expect(await pool.checkAll()).toEqual([]);
    expect(server.requests.length).toBe(responses.length + 1);
  });

  test("fails without another request when the wait is longer than its deadline", async () => {
    const server = echoServer(() => limited("60"));
    const { pool } = poolOf([server.url], { greet });
    const [error] = await pool.checkAll();
    expect(error?.message).toContain("responded with status 429");
    expect(server.requests.length).toBe(1);
  });

  test("fails without another request when no node listens", async () => {
    const { pool, counts } = poolOf(["http://127.0.0.1:1/"], { greet });
    expect(await pool.checkAll()).toHaveLength(1);
    expect(counts.requests).toBe(1);
  });
});

test("a page with status 403 is tried again, another response with this status is not", async () => {
  const blocked = echoServer(first([() => page(403)]));
  expect((await echo(poolOf([blocked.url]).pool, 5)).value).toBe(5);
  const refusing = echoServer(() => new Response("no such key", { status: 403 }));
  const error = await failureOf(echo(poolOf([refusing.url]).pool, 5));
  expect([error.code, error.retryable]).toEqual(["ORIGIN_REFUSED", false]);
});

test("batches become smaller for a URL that counts calls", async () => {
  const server = echoServer(({ calls }) => (calls.length > 3 ? limited("0") : undefined));
  const { pool } = poolOf([server.url]);
  expect(await echoes(pool, 8)).toEqual(numbers(8));
});
