import { afterEach, expect } from "bun:test";
import { OriginError } from "#base/errors/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { smallCall } from "#io/origin/remote/calls.ts";
import { OriginPool, type OriginPoolOptions } from "#io/origin/rpc/pool.ts";
import { originSpecOf } from "#io/origin/rpc/spec.ts";
import {
  countingObserver,
  type Instead,
  type OriginServer,
  serveResults,
} from "./origin-server.ts";

const servers: OriginServer[] = [];

/** Stops the servers of {@link echoServer} after each test of the calling file. */
export function stopServersAfterEach(): void {
  afterEach(async () => {
    for (const server of servers.splice(0)) await server[Symbol.asyncDispose]();
  });
}

/** A server whose method `echo` returns its parameter. */
export function echoServer(instead: Instead = () => undefined): OriginServer {
  const server = serveResults({ echo: ({ value }) => value });
  server.instead = instead;
  servers.push(server);
  return server;
}

/** A pool over URLs, and what its observer counts. */
export function poolOf(urls: readonly string[], more: Partial<OriginPoolOptions> = {}) {
  const { observer, counts } = countingObserver();
  const pool = new OriginPool({
    urls,
    headers: {},
    concurrency: 4,
    maxBatch: 50,
    maxAnswerBytes: 1 << 20,
    greetMs: 1000,
    timer: SYSTEM_TIMER,
    unixMs: Date.now,
    signal: new AbortController().signal,
    observer,
    greet: () => Promise.resolve(originSpecOf("0.9.0", "test")),
    ...more,
  });
  return { pool, counts };
}

/** Creates an origin task whose deadline is `timeoutMs` from now. */
export const taskOf = (timeoutMs: number) => ({
  what: "the value",
  endsAtMs: SYSTEM_TIMER.nowMs() + timeoutMs,
  servers: new Map<string, boolean>(),
});

/** Calls the method `echo` through a pool; a server of {@link echoServer} returns the value. */
export const echo = (pool: OriginPool, value: number, timeoutMs = 5000) =>
  pool.call(smallCall("echo", { value }), taskOf(timeoutMs));

/** The numbers from 0 to below `count`. */
export const numbers = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => index);

/** The results of `count` calls of `echo` in one turn. */
export async function echoes(pool: OriginPool, count: number): Promise<unknown[]> {
  const replies = await Promise.all(numbers(count).map((value) => echo(pool, value)));
  return replies.map(({ value }) => value);
}

/** Returns the error of a promise that must reject. */
export async function failureOf(promise: Promise<unknown>): Promise<OriginError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OriginError);
  return error as OriginError;
}
