import { describe, expect, test } from "bun:test";
import { openFork } from "#app/node/fork/part.ts";
import type { FromFork, ToFork } from "#app/node/threads/fork-messages.ts";
import { knownOrigin } from "#app/node/setup/fork/known-origin.ts";
import { createNodeMetrics } from "#base/metrics/index.ts";
import { createLogger } from "#base/telemetry/index.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";

const FORK = {
  urls: ["http://user:secret@origin:1/rpc"],
  headers: [{ name: "x-key", value: "secret" }],
  block: null,
  timeoutMs: 1_000,
  concurrency: 8,
  maxLimitedBytes: 1 << 20,
  transaction: null,
  changedFields: new Set<string>(),
};

function hostOf(timer = new FakeTimer()) {
  return {
    metrics: createNodeMetrics(),
    log: createLogger({ level: "error", format: "text", write: () => undefined }),
    timer,
    disposables: new AsyncDisposableStack(),
  } as unknown as Parameters<typeof openFork>[2];
}

function openWorld() {
  const sent: ToFork[] = [];
  let deliver: (message: FromFork) => void = () => undefined;
  const port = {
    send: (message: ToFork) => void sent.push(message),
    listen: (handler: (message: FromFork) => void) => void (deliver = handler),
  };
  const outcome = { kind: "refused", code: "COMPILATION_FAILED", reason: "no" };
  const compile = () => Promise.resolve(outcome);
  const timer = new FakeTimer();
  const needs = {
    threads: { end: () => ({ port }) },
    compiler: { service: { compile } },
    storage: { origin: knownOrigin(3) },
  } as unknown as Parameters<typeof openFork>[1];
  const fork = openFork({ fork: FORK, rpc: { timeoutMs: 5_000 } }, needs, hostOf(timer));
  return { fork, sent, timer, deliver: (message: FromFork) => deliver(message) };
}

describe("openFork", () => {
  test("uses no thread on a chain that is no fork", () => {
    const needs = {
      threads: { end: () => expect.unreachable() },
      storage: { origin: null },
    } as unknown as Parameters<typeof openFork>[1];
    expect(
      openFork({ fork: null, rpc: { timeoutMs: 5_000 } }, needs, hostOf()).alarm(),
    ).toBeUndefined();
  });

  test("gives each started fork thread the addresses of the origin", () => {
    const { sent, deliver } = openWorld();
    deliver({ kind: "addressesNeeded" });
    deliver({ kind: "addressesNeeded" });
    const begin = { kind: "begin", urls: FORK.urls, headers: FORK.headers } as const;
    expect(sent).toEqual([begin, begin]);
  });

  test("passes reports on to readiness", () => {
    const { fork, deliver } = openWorld();
    const counts = {
      cached: 0,
      fetched: 0,
      requests: 0,
      calls: 0,
      waits: 0,
      waitedMs: 0,
      rateLimited: 0,
      receivedBytes: 0,
    };
    const state = { kind: "down", sinceUnixMs: 1, reason: "it hangs" } as const;
    deliver({ kind: "origin", report: { state, storeFailure: null, counts } });
    expect(fork.alarm()).toContain("it hangs");
  });

  test("answers a compilation under its id", async () => {
    const { sent, deliver } = openWorld();
    deliver({ kind: "compile", id: 9, classHash: 1n, contractClass: new Uint8Array(1) });
    await Bun.sleep(0);
    expect(sent).toEqual([{ kind: "compiled", id: 9, outcome: { kind: "refused", reason: "no" } }]);
  });

  test("waits longer for a class that is compiled", async () => {
    const { fork, sent, timer, deliver } = openWorld();
    const query = { kind: "class", block: 3, classHash: 1n } as const;
    const fetching = fork.fetch([query], { address: "" }, fork.callEndsAtMs());
    await Bun.sleep(0);
    deliver({ kind: "compile", id: 1, classHash: 1n, contractClass: new Uint8Array(1) });
    timer.advance(3 * FORK.timeoutMs);
    await Bun.sleep(0);
    expect(sent.map(({ kind }) => kind)).toEqual(["ask", "compiled"]);
    deliver({ kind: "value", id: 1, value: null });
    expect(await fetching).toEqual([{ query, value: null }]);
  });

  test("does not give a restarted fork thread the compilation of a stopped one", async () => {
    const { sent, deliver } = openWorld();
    deliver({ kind: "compile", id: 1, classHash: 1n, contractClass: new Uint8Array(1) });
    deliver({ kind: "addressesNeeded" });
    await Bun.sleep(0);
    expect(sent.map(({ kind }) => kind)).toEqual(["begin"]);
  });

  test("asks a restarted fork thread again for missing values", async () => {
    const { fork, sent, deliver } = openWorld();
    deliver({ kind: "addressesNeeded" });
    const query = { kind: "numberByHash", blockHash: 5n } as const;
    const fetching = fork.fetch([query], { address: "" }, fork.callEndsAtMs());
    await Bun.sleep(0);
    deliver({ kind: "addressesNeeded" });
    expect(sent.map(({ kind }) => kind)).toEqual(["begin", "ask", "begin", "ask"]);
    deliver({ kind: "value", id: 1, value: null });
    expect(await fetching).toEqual([{ query, value: null }]);
  });

  test("fetches values for methods that lack them", async () => {
    const { fork, sent, deliver } = openWorld();
    const { origin } = fork;
    const query = { kind: "numberByHash", blockHash: 5n } as const;
    const fetching = origin?.fetch([query], { address: "" }, origin.callEndsAtMs());
    await Bun.sleep(0);
    expect(sent).toEqual([{ kind: "ask", id: 1, query }]);
    deliver({ kind: "value", id: 1, value: null });
    await fetching;
    expect(origin?.ask(query)).toBeNull();
  });
});
