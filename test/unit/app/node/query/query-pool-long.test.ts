import { describe, expect, test } from "bun:test";
import { Caller } from "#api/rpc/index.ts";
import { positionAt } from "#engine/state/index.ts";
import { encodeSlowValidation } from "#services/admission/slow-validation.ts";
import type { FakeThread } from "#test/helpers/fake-thread.ts";
import {
  answerError,
  answerQuery,
  answersOf,
  answerText,
  ask,
  cancelFlagOf,
  type Query,
  queryPoolOf,
  tellLong,
} from "#test/helpers/query-pool.ts";

const DEADLINE_MS = 30_000;
const LONG_MS = 500;

/** A call of a function; calldata distinguishes calls. */
const callOf = (selector: number, calldata = 0): string =>
  JSON.stringify([
    {
      contract_address: "0x1",
      entry_point_selector: `0x${selector.toString(16)}`,
      calldata: [`0x${calldata.toString(16)}`],
    },
    "latest",
  ]);

const paramsOf = (thread: FakeThread<Query> | undefined) =>
  thread?.sent.map(({ paramsText }) => paramsText);

/** Ends the cancelled job of a thread. */
const giveUp = (thread: FakeThread<Query> | undefined): void => {
  expect(cancelFlagOf(thread)).toBe(1);
  answerQuery(thread, "cancelled", 5, true, 41);
};

/** A pool whose first thread runs a long job. */
function busyPool(count = 2) {
  const parts = queryPoolOf(count);
  void ask(parts.pool, callOf(0xaa));
  tellLong(parts.threads[0]);
  return parts;
}

describe("a query that turns out to be long", () => {
  test("continues while another thread is free for short ones", async () => {
    const { pool, threads } = queryPoolOf(2);
    const query = ask(pool, callOf(1));
    tellLong(threads[0]);
    expect(cancelFlagOf(threads[0])).toBe(0);
    void ask(pool, callOf(2));
    expect(threads.map(({ sent }) => sent.length)).toEqual([1, 1]);
    answerQuery(threads[0], "done", 5, false, LONG_MS);
    expect(await answerText(query)).toBe("done");
  });

  test("releases the last thread for short ones, and starts again in its turn", async () => {
    const { pool, threads } = busyPool();
    const query = ask(pool, callOf(1));
    tellLong(threads[1]);
    giveUp(threads[1]);
    void ask(pool, callOf(2));
    expect(paramsOf(threads[1])).toEqual([callOf(1), callOf(2)]);
    answerQuery(threads[0], "{}", 5, false, LONG_MS);
    expect(paramsOf(threads[0])).toEqual([callOf(0xaa), callOf(1)]);
    expect(threads[0]?.sent.map(({ longAfterMs }) => longAfterMs)).toEqual([40, null]);
    answerQuery(threads[0], "done", 5, false, LONG_MS);
    expect(await answerText(query)).toBe("done");
  });

  test("is not restarted if it completed just before its cancellation", async () => {
    const { pool, threads } = busyPool();
    const query = ask(pool, callOf(1));
    tellLong(threads[1]);
    answerQuery(threads[1], "done");
    expect(await answerText(query)).toBe("done");
    expect(threads.map(({ sent }) => sent.length)).toEqual([1, 1]);
  });

  test("keeps its deadline", () => {
    const { pool, threads, timer } = queryPoolOf(1);
    void ask(pool, "[]");
    tellLong(threads[0]);
    timer.advance(DEADLINE_MS - 1);
    expect(threads.map(cancelFlagOf)).toEqual([0]);
    timer.advance(1);
    expect(threads.map(cancelFlagOf)).toEqual([1]);
  });

  test("is rejected if its turn does not come before its deadline", async () => {
    const { pool, threads, timer } = busyPool();
    timer.advance(1);
    const query = ask(pool, callOf(1));
    tellLong(threads[1]);
    giveUp(threads[1]);
    timer.advance(DEADLINE_MS);
    expect((await answerError(query)).data).toContain("not started in time");
  });

  test("is rejected when the pool stops while it waits", async () => {
    const { pool, threads } = busyPool();
    const query = ask(pool, callOf(1));
    tellLong(threads[1]);
    giveUp(threads[1]);
    pool.stop();
    expect((await answerError(query)).data).toContain("stopping");
  });

  test("a late long report of a completed query is ignored", () => {
    const { pool, threads } = busyPool();
    void ask(pool, callOf(1));
    answerQuery(threads[1], "{}");
    void ask(pool, callOf(2));
    threads[1]?.tell({ kind: "long", id: 1 });
    expect(cancelFlagOf(threads[1])).toBe(0);
  });
});

describe("a query of a known long kind", () => {
  test("is not started where it would be cancelled", () => {
    const { pool, threads } = busyPool();
    void ask(pool, callOf(1, 0));
    for (let i = 1; i < 4; i++) void ask(pool, callOf(1, i));
    tellLong(threads[1]);
    giveUp(threads[1]);
    void ask(pool, callOf(1, 4));
    expect(threads.map(({ sent }) => sent.length)).toEqual([1, 1]);
    void ask(pool, callOf(2));
    expect(paramsOf(threads[1])).toEqual([callOf(1, 0), callOf(2)]);
    answerQuery(threads[0], "{}", 5, false, LONG_MS);
    expect(threads[0]?.sent.at(-1)?.longAfterMs).toBeNull();
  });

  test("is not started there while the first of its kind still runs elsewhere", () => {
    const { pool, threads } = busyPool();
    void ask(pool, callOf(0xaa, 1));
    expect(threads.map(({ sent }) => sent.length)).toEqual([1, 0]);
  });

  test("one thread stays free for short queries under any load", () => {
    const { pool, threads } = queryPoolOf(3);
    const learnt = ask(pool, callOf(1));
    answerQuery(threads[0], "{}", 5, false, LONG_MS);
    void learnt;
    for (let i = 1; i < 20; i++) void ask(pool, callOf(1, i));
    expect(threads.map(({ sent }) => sent.length)).toEqual([2, 1, 0]);
    for (let i = 0; i < 5; i++) {
      void ask(pool, callOf(2, i));
      answerQuery(threads[2], "{}");
    }
    expect(threads.map(({ sent }) => sent.length)).toEqual([2, 1, 5]);
  });
});

describe("clients", () => {
  test("take turns, so that many queries of one connection do not delay others", () => {
    const { pool, threads } = queryPoolOf(1);
    const greedy = new Caller("127.0.0.1");
    for (let i = 0; i < 20; i++) void ask(pool, callOf(1, i), greedy);
    void ask(pool, callOf(2), new Caller("127.0.0.1"));
    void ask(pool, callOf(3), new Caller("10.0.0.1"));
    for (let i = 0; i < 4; i++) answerQuery(threads[0], "{}", 5, false, 20);
    const sent = paramsOf(threads[0]) ?? [];
    expect(sent).toContain(callOf(2));
    expect(sent).toContain(callOf(3));
  });

  test("with much long work wait for others of the same address", () => {
    const { pool, threads } = busyPool();
    const greedy = new Caller("127.0.0.1");
    const other = new Caller("127.0.0.1");
    void ask(pool, callOf(1), greedy);
    tellLong(threads[1]);
    giveUp(threads[1]);
    for (let i = 1; i < 5; i++) void ask(pool, callOf(1, i), greedy);
    answerQuery(threads[0], "{}", 5, false, LONG_MS);
    void ask(pool, callOf(1, 9), other);
    answerQuery(threads[0], "{}", 5, false, LONG_MS);
    expect(paramsOf(threads[0])).toEqual([callOf(0xaa), callOf(1), callOf(1, 9)]);
  });
});

test("jobs in flight count, so that another client's long query precedes a second one", () => {
  const { pool, threads } = queryPoolOf(3);
  void ask(pool, callOf(1));
  answerQuery(threads[0], "{}", 5, false, LONG_MS);
  const greedy = new Caller("127.0.0.1");
  const idle = pool.hold();
  for (let i = 0; i < 3; i++) void ask(pool, callOf(1, i), greedy);
  void ask(pool, callOf(1, 9), new Caller("127.0.0.1"));
  void idle;
  pool.release();
  expect(threads.map(paramsOf).map((sent) => sent?.at(-1))).toEqual([
    callOf(1, 0),
    callOf(1, 9),
    undefined,
  ]);
});

test("a requeued query past its waiting time is rejected", async () => {
  const { pool, threads, timer } = busyPool();
  void ask(pool, callOf(2));
  const query = ask(pool, callOf(1));
  timer.advance(DEADLINE_MS - 1);
  answerQuery(threads[1], "{}");
  timer.advance(1);
  tellLong(threads[1]);
  giveUp(threads[1]);
  expect((await answerError(query)).data).toContain("not started in time");
});

describe("a validation", () => {
  const BYTES = new Uint8Array([1]);
  const METADATA = { isSenderUndeployed: true, codeSize: 77 };
  const REFUSED = { kind: "refused", code: "VALIDATION_FAILURE", reason: "no" } as const;

  test("known to be long runs before queries that may be short", async () => {
    const { pool, threads, gate } = queryPoolOf(2);
    for (const text of ["[1]", "[2]", "[3]"]) void ask(pool, text);
    const validation = pool.validate(BYTES, METADATA, true);
    answerQuery(threads[1], "{}");
    expect(threads[1]?.sent.at(-1) as unknown).toEqual({
      kind: "validate",
      id: 2,
      longAfterMs: null,
      position: gate.position,
      bytes: BYTES,
      metadata: METADATA,
    });
    const id = threads[1]?.sent.at(-1)?.id;
    const bytes = encodeSlowValidation(REFUSED);
    const position = positionAt(5);
    threads[1]?.tell(answersOf({ id, processorMs: 1, isCancelled: false, position, bytes }));
    expect(await validation).toEqual(REFUSED);
  });

  test("ends without a result when the pool stops", async () => {
    const { pool } = queryPoolOf(2);
    void pool.validate(BYTES, METADATA, true);
    const waiting = pool.validate(BYTES, METADATA, true);
    pool.stop();
    expect(await waiting).toBeUndefined();
    expect(await pool.validate(BYTES, METADATA, true)).toBeUndefined();
  });
});
