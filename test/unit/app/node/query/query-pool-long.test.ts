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

/** A call of a function; the calldata tells one call from another. */
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

/** A thread ends what it was told to end. */
const giveUp = (thread: FakeThread<Query> | undefined): void => {
  expect(cancelFlagOf(thread)).toBe(1);
  answerQuery(thread, "cancelled", 5, true, 41);
};

/** A pool whose first thread works on something long. */
function busyPool(count = 2) {
  const parts = queryPoolOf(count);
  void ask(parts.pool, callOf(0xaa));
  tellLong(parts.threads[0]);
  return parts;
}

describe("a query that turns out to be long", () => {
  test("goes on where it is while another thread is left to short ones", async () => {
    const { pool, threads } = queryPoolOf(2);
    const query = ask(pool, callOf(1));
    tellLong(threads[0]);
    expect(cancelFlagOf(threads[0])).toBe(0);
    void ask(pool, callOf(2));
    expect(threads.map(({ sent }) => sent.length)).toEqual([1, 1]);
    answerQuery(threads[0], "done", 5, false, LONG_MS);
    expect(await answerText(query)).toBe("done");
  });

  test("gives up the last thread for short ones, and is begun anew when it is its turn", async () => {
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

  test("that ended just when it was to be cancelled is not begun anew", async () => {
    const { pool, threads } = busyPool();
    const query = ask(pool, callOf(1));
    tellLong(threads[1]);
    answerQuery(threads[1], "done");
    expect(await answerText(query)).toBe("done");
    expect(threads.map(({ sent }) => sent.length)).toEqual([1, 1]);
  });

  test("keeps its own deadline", () => {
    const { pool, threads, timer } = queryPoolOf(1);
    void ask(pool, "[]");
    tellLong(threads[0]);
    timer.advance(DEADLINE_MS - 1);
    expect(threads.map(cancelFlagOf)).toEqual([0]);
    timer.advance(1);
    expect(threads.map(cancelFlagOf)).toEqual([1]);
  });

  test("is refused when its turn does not come in the time of a query", async () => {
    const { pool, threads, timer } = busyPool();
    timer.advance(1);
    const query = ask(pool, callOf(1));
    tellLong(threads[1]);
    giveUp(threads[1]);
    timer.advance(DEADLINE_MS);
    expect((await answerError(query)).data).toContain("not started in time");
  });

  test("is answered when the pool stops while it waits", async () => {
    const { pool, threads } = busyPool();
    const query = ask(pool, callOf(1));
    tellLong(threads[1]);
    giveUp(threads[1]);
    pool.stop();
    expect((await answerError(query)).data).toContain("stopping");
  });

  test("word of a query that is over is not heard", () => {
    const { pool, threads } = busyPool();
    void ask(pool, callOf(1));
    answerQuery(threads[1], "{}");
    void ask(pool, callOf(2));
    threads[1]?.tell({ kind: "long", id: 1 });
    expect(cancelFlagOf(threads[1])).toBe(0);
  });
});

describe("a query of a kind that was long", () => {
  test("is not begun where it would be ended: neither the next nor those that wait", () => {
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

  test("is not begun there while the first of them still runs elsewhere", () => {
    const { pool, threads } = busyPool();
    void ask(pool, callOf(0xaa, 1));
    expect(threads.map(({ sent }) => sent.length)).toEqual([1, 0]);
  });

  test("whatever others ask, one thread is left to short queries", () => {
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
  test("take turns: a connection with many queries does not keep others waiting", () => {
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

  test("on whom long work was spent wait for others of their sort", () => {
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

test("what a client has in hand counts: another's long query comes before its second", () => {
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

test("a query that is sent off after its waiting time does not wait again", async () => {
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
  const METADATA = { senderIsToBeDeployed: true, codeSize: 77 };
  const REFUSED = { kind: "refused", code: "VALIDATION_FAILURE", reason: "no" } as const;

  test("that is known to be long runs before queries that may be short", async () => {
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
