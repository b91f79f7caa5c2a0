import { describe, expect, test } from "bun:test";
import { Caller } from "#api/rpc/index.ts";
import { MAX_QUERY_RESTARTS } from "#app/node/query/query-pool.ts";
import { positionAt } from "#engine/state/index.ts";
import { POSITION_TIMEOUT_MS } from "#services/admission/position-gate.ts";
import { heldBytesWorld } from "#test/helpers/held-bytes.ts";
import {
  ask,
  answerError,
  answerQuery,
  answerText,
  cancelFlagOf,
  queryPoolOf,
} from "#test/helpers/query-pool.ts";

const DEADLINE_MS = 30_000;

describe("a pool", () => {
  test("sends each thread one query at a time, in order", async () => {
    const { pool, threads } = queryPoolOf(1);
    const [thread] = threads;
    const first = ask(pool, "[1]");
    const second = ask(pool, "[2]");
    expect(thread?.sent.map((query) => query.paramsText)).toEqual(["[1]"]);
    answerQuery(thread, "one");
    expect(await answerText(first)).toBe("one");
    expect(thread?.sent.map((query) => query.paramsText)).toEqual(["[1]", "[2]"]);
    answerQuery(thread, "two");
    expect(await answerText(second)).toBe("two");
  });

  test("starts no query of a client over its byte budget until bytes are freed", async () => {
    const { held, timer } = heldBytesWorld(1_000_000);
    const { pool, threads } = queryPoolOf(2, undefined, undefined, undefined, held);
    const [hoarder, other] = [new Caller("10.0.0.1"), new Caller("10.0.0.2")];
    held.change(hoarder, 900_000);
    void ask(pool, "[1]", hoarder);
    void ask(pool, "[2]", other);
    const sent = () => threads.flatMap((thread) => thread.sent.map(({ paramsText }) => paramsText));
    expect(sent()).toEqual(["[2]"]);
    answerQuery(threads[0], "two");
    expect(sent()).not.toContain("[1]");
    held.change(hoarder, -900_000);
    timer.advance(10);
    expect(sent()).toContain("[1]");
  });

  test("starts submissions regardless of a client's byte budget", () => {
    const { held } = heldBytesWorld(1_000_000);
    const { pool, threads } = queryPoolOf(1, undefined, undefined, undefined, held);
    held.change(new Caller("10.0.0.1"), 2_000_000);
    void ask(pool, "[1]", new Caller("10.0.0.1"));
    expect(threads[0]?.sent).toEqual([]);
    void pool.prepare(new Uint8Array(4));
    expect(threads[0]?.sent).toHaveLength(1);
  });

  test("counts the memory that traces may take while they are made", async () => {
    const { held } = heldBytesWorld(2 ** 40);
    const { pool, threads } = queryPoolOf(1, undefined, undefined, undefined, held);
    const caller = new Caller("10.0.0.1");
    const traced = pool.run("0.10.2", "traceTransaction", "[]", caller);
    expect(held.bytesOf("10.0.0.1")).toBeGreaterThan(1 << 20);
    answerQuery(threads[0], "trace");
    await traced;
    expect(held.bytes).toBe(0);
    void ask(pool, "[]", caller);
    expect(held.bytes).toBe(0);
  });

  test("uses every thread", () => {
    const { pool, threads } = queryPoolOf(2);
    void ask(pool, "[]");
    void ask(pool, "[]");
    expect(threads.map(({ sent }) => sent.length)).toEqual([1, 1]);
  });

  test("rejects a query when the queued bytes exceed the limit", async () => {
    const { pool, threads } = queryPoolOf(1);
    const text = "x".repeat(32 << 20);
    for (let i = 0; i < 5; i++) void ask(pool, text);
    const refused = await answerError(ask(pool, text));
    expect(refused).toMatchObject({ code: -32005, data: expect.stringContaining("busy") });
    answerQuery(threads[0], "one");
    void ask(pool, text);
    expect((await answerError(ask(pool, text))).code).toBe(-32005);
  });

  test("rejects a query when too many are queued", async () => {
    const { pool } = queryPoolOf(1);
    for (let i = 0; i < 4_097; i++) void ask(pool, "[]");
    const refused = await answerError(ask(pool, "[]"));
    expect(refused.code).toBe(-32005);
    expect(refused.data).toContain("the node is busy");
  });

  test("rejects queries above the limit of a connection, and accepts those of another", async () => {
    const { pool, threads } = queryPoolOf(1);
    const greedy = new Caller("127.0.0.1");
    for (let i = 0; i < 65; i++) void ask(pool, "[]", greedy);
    expect((await answerError(ask(pool, "[]", greedy))).code).toBe(-32005);
    const other = ask(pool, "[1]");
    answerQuery(threads[0], "{}", 5, false, 20);
    answerQuery(threads[0], "other");
    expect(await answerText(other)).toBe("other");
  });

  test("evicts a query of the client with the most queued for a new client", async () => {
    const { pool } = queryPoolOf(1);
    const flood: Promise<Uint8Array>[] = [];
    for (let client = 0; client < 65; client++) {
      const caller = new Caller("127.0.0.1");
      for (let i = 0; i < 64 && flood.length < 4_097; i++) flood.push(ask(pool, "[]", caller));
    }
    let isRefused = false;
    void ask(pool, "[]").then(() => (isRefused = true));
    const dropped = await Promise.race(flood.map((query) => answerError(query)));
    expect([dropped.code, isRefused]).toEqual([-32005, false]);
  });

  test("rejects queries not started before their deadline", async () => {
    const { pool, timer } = queryPoolOf(1);
    void ask(pool, "[1]");
    const late = ask(pool, "[2]");
    timer.advance(DEADLINE_MS);
    const refused = await answerError(late);
    expect(refused).toMatchObject({ code: -32005, data: expect.stringContaining("in time") });
  });

  test("forwards internal errors to the log", () => {
    const seen: string[] = [];
    const { threads } = queryPoolOf(1, {
      internalError: (method, logId) => void seen.push(method, logId),
    });
    threads[0]?.tell({ kind: "internalError", method: "call", logId: "id-1", reason: "x" });
    expect(seen).toEqual(["call", "id-1"]);
  });
});

describe("the deadline of a query", () => {
  test("raises the cancel flag of its thread only", () => {
    const { pool, threads, timer } = queryPoolOf(3);
    void ask(pool, "[1]");
    void ask(pool, "[2]");
    answerQuery(threads[0], "{}");
    timer.advance(DEADLINE_MS - 1);
    void ask(pool, "[3]");
    void ask(pool, "[4]");
    answerQuery(threads[0], "{}");
    expect(threads.map(cancelFlagOf)).toEqual([0, 0, 0]);
    timer.advance(1);
    expect(threads.map(cancelFlagOf)).toEqual([0, 1, 0]);
  });

  test("does not affect the thread's next query", () => {
    const { pool, threads, timer } = queryPoolOf(1);
    void ask(pool, "[]");
    timer.advance(DEADLINE_MS - 1);
    answerQuery(threads[0], "{}");
    void ask(pool, "[]");
    timer.advance(1);
    expect(threads.map(cancelFlagOf)).toEqual([0]);
  });

  test("is cleared with the query, so that the next one starts with the flag lowered", () => {
    const { pool, threads, timer } = queryPoolOf(1);
    void ask(pool, "[]");
    timer.advance(DEADLINE_MS);
    answerQuery(threads[0], "{}");
    void ask(pool, "[]");
    expect(threads.map(cancelFlagOf)).toEqual([0]);
  });
});

describe("reads never go backwards", () => {
  test("a query carries the main thread's position when it is sent", () => {
    const { pool, threads, gate } = queryPoolOf(1);
    void ask(pool, "[]");
    void ask(pool, "[]");
    gate.accepted(6);
    gate.delta(7, 2);
    answerQuery(threads[0], "{}");
    expect(threads[0]?.sent.map(({ position }) => position)).toEqual([
      positionAt(5),
      { accepted: 6, blockNumber: 7, sequence: 2, generation: 0 },
    ]);
  });

  test("a response ahead of the main thread waits for it, the query thread does not", async () => {
    const { pool, threads, gate } = queryPoolOf(1);
    let isGiven = false;
    const first = ask(pool, "[1]").then((bytes) => {
      isGiven = true;
      return bytes;
    });
    void ask(pool, "[2]");
    answerQuery(threads[0], "ahead", 6);
    await Bun.sleep(0);
    expect([isGiven, threads[0]?.sent.length]).toEqual([false, 2]);
    gate.accepted(6);
    expect(await answerText(first)).toBe("ahead");
  });

  test("a response that the main thread does not reach in time becomes an internal error", async () => {
    const { pool, threads, timer } = queryPoolOf(1);
    const running = ask(pool, "[]");
    answerQuery(threads[0], "ahead", 6);
    timer.advance(POSITION_TIMEOUT_MS);
    expect((await answerError(running)).code).toBe(-32603);
  });
});

describe("a pool that stops", () => {
  test("rejects queued and new queries immediately, and lets running ones finish", async () => {
    const { pool, threads } = queryPoolOf(1);
    const running = ask(pool, "[1]");
    const waiting = ask(pool, "[2]");
    pool.stop();
    expect((await answerError(waiting)).data).toContain("stopping");
    expect((await answerError(ask(pool, "[3]"))).data).toContain("stopping");
    answerQuery(threads[0], "done");
    expect(await answerText(running)).toBe("done");
    expect(threads[0]?.sent).toHaveLength(1);
  });

  test("raises the flags of busy threads on cancel, and sets no more alarms", () => {
    const { pool, threads, timer } = queryPoolOf(2);
    void ask(pool, "[]");
    pool.stop();
    expect(threads.map(cancelFlagOf)).toEqual([0, 0]);
    pool.cancel();
    expect(threads.map(cancelFlagOf)).toEqual([1, 0]);
    expect(timer.alarms).toBe(0);
  });
});

describe("a pool that is held", () => {
  test("cancels running queries, and restarts them with new ones on release", async () => {
    const { pool, threads } = queryPoolOf(2);
    const first = ask(pool, "[1]");
    let isIdle = false;
    const idle = pool.hold().then(() => (isIdle = true));
    expect(threads.map(cancelFlagOf)).toEqual([1, 0]);
    const second = ask(pool, "[2]");
    await Promise.resolve();
    expect(isIdle).toBe(false);
    answerQuery(threads[0], "half", 5, true);
    await idle;
    expect(threads.map(({ sent }) => sent.length)).toEqual([1, 0]);
    pool.release();
    const again = threads.map(({ sent }) => sent.at(-1)?.paramsText);
    expect(again.sort()).toEqual(["[1]", "[2]"]);
    for (const thread of threads) answerQuery(thread, "done");
    expect([await answerText(first), await answerText(second)]).toEqual(["done", "done"]);
  });

  test("keeps the result of a query that completes anyway", async () => {
    const { pool, threads } = queryPoolOf(1);
    const first = ask(pool, "[1]");
    const idle = pool.hold();
    answerQuery(threads[0], "whole");
    await idle;
    expect(await answerText(first)).toBe("whole");
  });

  test("restarts a query a bounded number of times", async () => {
    const { pool, threads } = queryPoolOf(1);
    const first = ask(pool, "[1]");
    for (let times = 0; times <= MAX_QUERY_RESTARTS; times++) {
      expect(threads[0]?.sent).toHaveLength(times + 1);
      const idle = pool.hold();
      answerQuery(threads[0], "half", 5, true);
      await idle;
      pool.release();
    }
    expect((await answerError(first)).data).toContain("reverted to an earlier block repeatedly");
    expect(threads[0]?.sent).toHaveLength(MAX_QUERY_RESTARTS + 1);
  });

  test("is idle immediately if nothing runs", async () => {
    const { pool } = queryPoolOf(2);
    await pool.hold();
  });
});
