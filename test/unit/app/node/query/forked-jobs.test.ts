import { describe, expect, test } from "bun:test";
import { Caller } from "#api/rpc/index.ts";
import { ForkedJobs } from "#app/node/query/forked-jobs.ts";
import { WAITING_LIMITS } from "#app/node/query/waiting-jobs.ts";
import { OriginError } from "#base/errors/index.ts";
import type { FetchedValue, OriginQuery } from "#io/origin/index.ts";
import { positionAt } from "#engine/state/index.ts";
import type { FakeThread } from "#test/helpers/fake-thread.ts";
import {
  answerError,
  answerQuery,
  answersOf,
  answerText,
  type Query,
  queryPoolOf,
} from "#test/helpers/query-pool.ts";

const STORAGE: OriginQuery = { kind: "storage", block: 3, address: 7n, key: 1n };
const BLOCK: OriginQuery = { kind: "block", block: 3 };
const DEADLINE_MS = 30_000;

/** A fetch that the test settles. */
interface OpenFetch {
  readonly queries: readonly OriginQuery[];
  readonly arrive: () => void;
  readonly fail: (error: unknown) => void;
}

/** A pool with one thread, and a lane with another one. */
function forkedPools() {
  const fetches: OpenFetch[] = [];
  const fetch = (queries: readonly OriginQuery[]) =>
    new Promise<readonly FetchedValue[]>((resolve, reject) => {
      const arrive = () => resolve(queries.map((query) => ({ query, value: null })));
      fetches.push({ queries, arrive, fail: reject });
    });
  const poolOf = (forked: ForkedJobs) =>
    queryPoolOf(1, undefined, undefined, DEADLINE_MS, undefined, forked);
  const lane = poolOf(new ForkedJobs({ fetch, lane: null }));
  const local = poolOf(new ForkedJobs({ fetch, lane: lane.pool }));
  const run = (method: string, caller = new Caller("127.0.0.1")) =>
    local.pool.run("0.10.2", method, "[1]", caller);
  return { fetches, lane, local, run };
}

/** Makes a thread report that its last job lacks values. */
function lack(thread: FakeThread<Query> | undefined, ...missing: readonly OriginQuery[]): void {
  const id = thread?.sent.at(-1)?.id;
  const position = positionAt(5);
  const bytes = new Uint8Array(0);
  thread?.tell(answersOf({ id, processorMs: 1, isCancelled: false, position, bytes, missing }));
}

const sentTo = ({ threads: [thread] }: ReturnType<typeof queryPoolOf>) => thread?.sent ?? [];

describe("jobs that lack values of a fork's origin", () => {
  test("a read runs again with its values, and occupies no thread meanwhile", async () => {
    const { fetches, lane, local, run } = forkedPools();
    const [thread] = local.threads;
    const slow = run("getBlockWithTxs");
    lack(thread, BLOCK);
    const other = run("getStateUpdate");
    answerQuery(thread, "other");
    expect(await answerText(other)).toBe("other");
    expect(fetches.map(({ queries }) => queries)).toEqual([[BLOCK]]);
    fetches[0]?.arrive();
    await Bun.sleep(0);
    expect(sentTo(local).at(-1)?.fetched).toEqual([{ query: BLOCK, value: null }]);
    answerQuery(thread, "block");
    expect(await answerText(slow)).toBe("block");
    expect(sentTo(lane)).toEqual([]);
  });

  test("values of earlier runs stay", async () => {
    const { fetches, local, run } = forkedPools();
    const [thread] = local.threads;
    void run("getBlockWithTxs");
    lack(thread, BLOCK);
    fetches[0]?.arrive();
    await Bun.sleep(0);
    lack(thread, { kind: "l1Accepted" });
    fetches[1]?.arrive();
    await Bun.sleep(0);
    const queries = sentTo(local)
      .at(-1)
      ?.fetched?.map(({ query }) => query);
    expect(queries).toEqual([BLOCK, { kind: "l1Accepted" }]);
  });

  test("a job whose values are fetched fails when its pool stops", async () => {
    const { fetches, lane, local, run } = forkedPools();
    const read = run("getBlockWithTxs");
    lack(local.threads[0], BLOCK);
    const call = run("call");
    lack(local.threads[0], STORAGE);
    lack(lane.threads[0], BLOCK);
    expect(fetches).toHaveLength(2);
    local.pool.stop("moved");
    for (const failed of [read, call, run("getStateUpdate")]) {
      expect((await answerError(failed)).data).toBe("moved");
    }
    const before = sentTo(local).length;
    for (const fetch of fetches) fetch.arrive();
    await Bun.sleep(0);
    expect(sentTo(local)).toHaveLength(before);
  });

  test.each(["call", "estimateFee", "simulateTransactions", "traceTransaction"])(
    "an execution moves to the lane: %s",
    async (method) => {
      const { fetches, lane, local, run } = forkedPools();
      const running = run(method);
      lack(local.threads[0], STORAGE);
      expect(fetches).toEqual([]);
      answerQuery(lane.threads[0], "result");
      expect(await answerText(running)).toBe("result");
    },
  );

  test.each(["getClass", "getClassAt", "getCompiledCasm"])(
    "a read of the state stays off the lane: %s",
    (method) => {
      const { fetches, lane, local, run } = forkedPools();
      void run(method);
      lack(local.threads[0], STORAGE);
      expect(fetches).toHaveLength(1);
      expect(sentTo(lane)).toEqual([]);
    },
  );

  test("a hanging origin holds up neither other executions nor local requests", async () => {
    const { fetches, lane, local, run } = forkedPools();
    const [thread] = local.threads;
    for (let i = 0; i < 20; i++) {
      void run("call");
      lack(thread, STORAGE);
      lack(lane.threads[0], STORAGE);
    }
    expect(fetches).toHaveLength(20);
    const cached = run("call");
    lack(thread, STORAGE);
    answerQuery(lane.threads[0], "cached");
    const here = run("getBlockWithTxs");
    answerQuery(thread, "local");
    expect(await answerText(cached)).toBe("cached");
    expect(await answerText(here)).toBe("local");
  });

  test("a lost origin fails the one request, with its reason", async () => {
    const { fetches, local, run } = forkedPools();
    const running = run("getBlockWithTxs");
    lack(local.threads[0], BLOCK);
    fetches[0]?.fail(new OriginError("ORIGIN_UNAVAILABLE", "http://origin:1 is silent", true));
    expect(await answerError(running)).toEqual({
      code: -32603,
      message: "Internal error",
      data: "http://origin:1 is silent",
    } as never);
  });

  test("a request whose time is over ends with the value that it lacked", async () => {
    const { fetches, local, run } = forkedPools();
    const running = run("getBlockWithTxs");
    lack(local.threads[0], BLOCK);
    local.timer.advance(DEADLINE_MS);
    fetches[0]?.arrive();
    expect((await answerError(running)).data).toContain("block 3");
  });

  test("a request that waits for the lane too long is refused", async () => {
    const { lane, local, run } = forkedPools();
    void run("call");
    lack(local.threads[0], STORAGE);
    const second = run("call");
    lack(local.threads[0], STORAGE);
    local.timer.advance(DEADLINE_MS);
    expect((await answerError(second)).code).toBe(-32005);
    expect(sentTo(lane)).toHaveLength(1);
  });

  test("a client that leaves ends its request, wherever it is", async () => {
    const { fetches, lane, local, run } = forkedPools();
    const [reader, caller] = [new Caller("10.0.0.1"), new Caller("10.0.0.2")];
    const reading = run("getBlockWithTxs", reader);
    lack(local.threads[0], BLOCK);
    const calling = run("call", caller);
    lack(local.threads[0], STORAGE);
    reader.leave();
    caller.leave();
    fetches[0]?.arrive();
    await Bun.sleep(0);
    expect((await answerError(reading)).data).toContain("no longer waits");
    expect((await answerError(calling)).data).toContain("no longer waits");
    expect(sentTo(local)).toHaveLength(2);
    expect(Atomics.load(lane.threads[0]?.cancelFlag ?? new Int32Array(1), 0)).toBe(1);
  });

  test("a held pool waits for the lane", async () => {
    const { lane, local, run } = forkedPools();
    void run("call");
    lack(local.threads[0], STORAGE);
    let isIdle = false;
    const held = local.pool.hold().then(() => (isIdle = true));
    await Bun.sleep(0);
    expect(isIdle).toBeFalse();
    answerQuery(lane.threads[0], "", 5, true);
    await held;
    local.pool.release();
    expect(sentTo(lane)).toHaveLength(2);
  });

  test("count as waiting, so that a client with many of them is refused", async () => {
    const { fetches, local, run } = forkedPools();
    const [thread] = local.threads;
    const caller = new Caller("127.0.0.1");
    const waiting = Array.from({ length: WAITING_LIMITS.maxPerConnection }, () => {
      const answer = run("getBlockWithTxs", caller);
      lack(thread, BLOCK);
      return answer;
    });
    const refused = await answerError(run("getBlockWithTxs", caller));
    expect(refused.data).toContain("too many requests");
    for (const { fail } of fetches) fail(new OriginError("ORIGIN_REFUSED", "pruned", false));
    for (const answer of waiting) expect((await answerError(answer)).data).toContain("pruned");
    const later = run("getBlockWithTxs", caller);
    answerQuery(thread, "block");
    expect(await answerText(later)).toBe("block");
  });

  test("end when they are refused while their values are fetched", async () => {
    const { fetches, local, run } = forkedPools();
    const [thread] = local.threads;
    const large = "x".repeat(WAITING_LIMITS.maxSizeBytes >> 1);
    const hog = new Caller("127.0.0.1");
    const runLarge = (): Promise<Uint8Array> => {
      const answer = local.pool.run("0.10.2", "getBlockWithTxs", large, hog);
      lack(thread, BLOCK);
      return answer;
    };
    void runLarge();
    const newest = runLarge();
    const other = run("getBlockWithTxs", new Caller("127.0.0.2"));
    expect((await answerError(newest)).data).toContain("too many requests");
    answerQuery(thread, "other");
    expect(await answerText(other)).toBe("other");
    const sent = sentTo(local).length;
    fetches[1]?.arrive();
    await Bun.sleep(0);
    expect(sentTo(local)).toHaveLength(sent);
  });
});
