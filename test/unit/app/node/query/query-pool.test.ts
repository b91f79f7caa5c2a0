import { describe, expect, test } from "bun:test";
import { encodeSlowValidation } from "#services/admission/slow-validation.ts";
import { positionAt } from "#engine/state/index.ts";
import { POSITION_TIMEOUT_MS, PositionGate } from "#services/admission/position-gate.ts";
import { type QueryPoolPorts, WorkerQueryPool } from "#app/node/query/query-pool.ts";
import type { ToQuery } from "#app/node/query/messages.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { fakeThread, type FakeThread } from "#test/helpers/fake-thread.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

type Query = Extract<ToQuery, { kind: "query" }>;

const DEADLINE_MS = 30_000;
const QUICK_MS = 100;
const SECOND_MS = 400;

function poolOf(count: number, observer: QueryPoolPorts["observer"] = { internalError: () => {} }) {
  const threads = Array.from({ length: count }, () => fakeThread<Query>());
  const timer = new FakeTimer();
  const gate = new PositionGate(5, timer);
  const pool = new WorkerQueryPool({ threads, observer, view: gate, timer });
  return { pool, threads, timer, gate };
}

function answer(
  thread: FakeThread<Query> | undefined,
  text: string,
  accepted = 5,
  isCancelled = false,
): void {
  const bytes = encoder.encode(text);
  thread?.tell({
    kind: "answer",
    id: thread.sent.at(-1)?.id,
    isCancelled,
    position: positionAt(accepted),
    bytes,
  });
}

const textOf = async (running: Promise<Uint8Array>): Promise<string> =>
  decoder.decode(await running);

async function errorOf(running: Promise<Uint8Array>) {
  return (JSON.parse(await textOf(running)) as { error: { code: number; data: string } }).error;
}

const flagOf = (thread: FakeThread<Query> | undefined) =>
  thread === undefined ? undefined : Atomics.load(thread.cancelFlag, 0);

describe("a pool", () => {
  test("hands each thread one query at a time, in order", async () => {
    const { pool, threads } = poolOf(1);
    const [thread] = threads;
    const first = pool.run("0.10.2", "call", "[1]");
    const second = pool.run("0.10.2", "call", "[2]");
    expect(thread?.sent.map((query) => query.paramsText)).toEqual(["[1]"]);
    answer(thread, "one");
    expect(await textOf(first)).toBe("one");
    expect(thread?.sent.map((query) => query.paramsText)).toEqual(["[1]", "[2]"]);
    answer(thread, "two");
    expect(await textOf(second)).toBe("two");
  });

  test("uses every thread", () => {
    const { pool, threads } = poolOf(2);
    void pool.run("0.10.2", "call", "[]");
    void pool.run("0.10.2", "call", "[]");
    expect(threads.map(({ sent }) => sent.length)).toEqual([1, 1]);
  });

  test("refuses with an answer when too many wait", async () => {
    const { pool } = poolOf(1);
    for (let i = 0; i < 4_097; i++) void pool.run("0.10.2", "call", "[]");
    const refused = await errorOf(pool.run("0.10.2", "call", "[]"));
    expect(refused.code).toBe(-32603);
    expect(refused.data).toContain("4096");
  });

  test("passes internal errors on to the log", () => {
    const seen: string[] = [];
    const { threads } = poolOf(1, {
      internalError: (method, logId) => void seen.push(method, logId),
    });
    threads[0]?.tell({ kind: "internalError", method: "call", logId: "id-1", reason: "x" });
    expect(seen).toEqual(["call", "id-1"]);
  });
});

describe("the deadline of a query", () => {
  test("raises the cancel flag of its thread, and of no other", () => {
    const { pool, threads, timer } = poolOf(3);
    void pool.run("0.10.2", "call", "[1]");
    void pool.run("0.10.2", "call", "[2]");
    answer(threads[0], "{}");
    timer.advance(DEADLINE_MS - QUICK_MS + 1);
    void pool.run("0.10.2", "call", "[3]");
    void pool.run("0.10.2", "call", "[4]");
    answer(threads[0], "{}");
    expect(threads.map(flagOf)).toEqual([0, 0, 0]);
    timer.advance(QUICK_MS - 1);
    expect(threads.map(flagOf)).toEqual([0, 1, 0]);
  });

  test("does not reach the thread's next query", () => {
    const { pool, threads, timer } = poolOf(1);
    void pool.run("0.10.2", "call", "[]");
    timer.advance(DEADLINE_MS - 1);
    answer(threads[0], "{}");
    void pool.run("0.10.2", "call", "[]");
    timer.advance(1);
    expect(threads.map(flagOf)).toEqual([0]);
  });

  test("is over with the query: the next one starts with the flag lowered", () => {
    const { pool, threads, timer } = poolOf(1);
    void pool.run("0.10.2", "call", "[]");
    timer.advance(DEADLINE_MS);
    answer(threads[0], "{}");
    void pool.run("0.10.2", "call", "[]");
    expect(threads.map(flagOf)).toEqual([0]);
  });
});

describe("reads never go backwards", () => {
  test("a query carries what the main thread has seen when it is sent", () => {
    const { pool, threads, gate } = poolOf(1);
    void pool.run("0.10.2", "call", "[]");
    void pool.run("0.10.2", "call", "[]");
    gate.accepted(6);
    gate.delta(7, 2);
    answer(threads[0], "{}");
    expect(threads[0]?.sent.map(({ position }) => position)).toEqual([
      positionAt(5),
      { accepted: 6, blockNumber: 7, sequence: 2 },
    ]);
  });

  test("an answer of a thread that is ahead waits for the main thread; the thread does not", async () => {
    const { pool, threads, gate } = poolOf(1);
    let isGiven = false;
    const first = pool.run("0.10.2", "call", "[1]").then((bytes) => {
      isGiven = true;
      return bytes;
    });
    void pool.run("0.10.2", "call", "[2]");
    answer(threads[0], "ahead", 6);
    await Bun.sleep(0);
    expect([isGiven, threads[0]?.sent.length]).toEqual([false, 2]);
    gate.accepted(6);
    expect(await textOf(first)).toBe("ahead");
  });

  test("an answer that the main thread does not reach in time becomes an internal error", async () => {
    const { pool, threads, timer } = poolOf(1);
    const running = pool.run("0.10.2", "call", "[]");
    answer(threads[0], "ahead", 6);
    timer.advance(POSITION_TIMEOUT_MS);
    expect((await errorOf(running)).code).toBe(-32603);
  });
});

describe("a pool that stops", () => {
  test("answers at once what waits and what still comes; what runs may end", async () => {
    const { pool, threads } = poolOf(1);
    const running = pool.run("0.10.2", "call", "[1]");
    const waiting = pool.run("0.10.2", "call", "[2]");
    pool.stop();
    expect((await errorOf(waiting)).data).toContain("stopping");
    expect((await errorOf(pool.run("0.10.2", "call", "[3]"))).data).toContain("stopping");
    answer(threads[0], "done");
    expect(await textOf(running)).toBe("done");
    expect(threads[0]?.sent).toHaveLength(1);
  });

  test("raises the flag of threads that still work, and sets no more alarms", () => {
    const { pool, threads, timer } = poolOf(2);
    void pool.run("0.10.2", "call", "[]");
    pool.stop();
    expect(threads.map(flagOf)).toEqual([0, 0]);
    pool.cancel();
    expect(threads.map(flagOf)).toEqual([1, 0]);
    expect(timer.alarms).toBe(0);
  });
});

describe("a long query", () => {
  const paramsOf = (thread: FakeThread<Query> | undefined) =>
    thread?.sent.map(({ paramsText }) => paramsText);

  /** The quick thread gives up what it runs. */
  function giveUp({ threads, timer }: ReturnType<typeof poolOf>, afterMs: number): void {
    timer.advance(afterMs);
    answer(threads[0], "cancelled", 5, true);
  }

  test("is taken from the quick thread after a short and a longer time, and answered by another one", async () => {
    const parts = poolOf(2);
    const { pool, threads, timer } = parts;
    const other = pool.run("0.10.2", "call", '["long"]');
    void pool.run("0.10.2", "call", '["busy"]');
    timer.advance(QUICK_MS - 1);
    expect(flagOf(threads[0])).toBe(0);
    timer.advance(1);
    expect(flagOf(threads[0])).toBe(1);
    giveUp(parts, 0);
    timer.advance(SECOND_MS - 1);
    expect(flagOf(threads[0])).toBe(0);
    giveUp(parts, 1);
    expect(paramsOf(threads[0])).toEqual(['["long"]', '["long"]']);
    answer(threads[1], "{}");
    expect(paramsOf(threads[1])).toEqual(['["busy"]', '["long"]']);
    timer.advance(DEADLINE_MS - 1);
    expect(flagOf(threads[1])).toBe(0);
    answer(threads[1], "done");
    expect(await textOf(other)).toBe("done");
  });

  test("that ended just when it was to be cancelled is not begun anew", async () => {
    const { pool, threads, timer } = poolOf(2);
    const query = pool.run("0.10.2", "call", "[]");
    timer.advance(QUICK_MS);
    answer(threads[0], "done");
    expect(await textOf(query)).toBe("done");
    expect(threads.map(({ sent }) => sent.length)).toEqual([1, 0]);
  });

  test("lets every query have its first time before it gets a second one", async () => {
    const parts = poolOf(2);
    const { pool, threads } = parts;
    for (let i = 0; i < 5; i++) void pool.run("0.10.2", "call", `["long", ${i}]`);
    const short = pool.run("0.10.2", "call", '["short"]');
    for (let i = 0; i < 4; i++) giveUp(parts, QUICK_MS);
    expect(threads[0]?.sent.at(-1)?.paramsText).toBe('["short"]');
    answer(threads[0], "short");
    expect(await textOf(short)).toBe("short");
    expect(threads[0]?.sent.at(-1)?.paramsText).toBe('["long", 0]');
  });

  test("goes on at once on another thread that has nothing to do", () => {
    const parts = poolOf(2);
    void parts.pool.run("0.10.2", "call", "[1]");
    giveUp(parts, QUICK_MS);
    expect(parts.threads.map(({ sent }) => sent.length)).toEqual([2, 0]);
    giveUp(parts, SECOND_MS);
    expect(parts.threads.map(({ sent }) => sent.length)).toEqual([2, 1]);
  });

  test("comes before queries that were not begun, on a thread that is not the quick one", () => {
    const parts = poolOf(2);
    const { pool, threads } = parts;
    for (const i of [1, 2, 3]) void pool.run("0.10.2", "call", `[${i}]`);
    giveUp(parts, QUICK_MS);
    void pool.run("0.10.2", "call", "[4]");
    answer(threads[1], "{}");
    expect(threads.map(paramsOf)).toEqual([
      ["[1]", "[3]"],
      ["[2]", "[1]"],
    ]);
  });

  test("keeps its own deadline where there is only one thread", () => {
    const { pool, threads, timer } = poolOf(1);
    void pool.run("0.10.2", "call", "[]");
    timer.advance(QUICK_MS + SECOND_MS);
    expect(threads.map(flagOf)).toEqual([0]);
    timer.advance(DEADLINE_MS - QUICK_MS - SECOND_MS);
    expect(threads.map(flagOf)).toEqual([1]);
  });

  test("that waits when the pool stops is answered, given up once or twice", async () => {
    const parts = poolOf(2);
    const { pool } = parts;
    const [twice, , , once] = [1, 2, 3, 4].map((i) => pool.run("0.10.2", "call", `[${i}]`));
    giveUp(parts, QUICK_MS);
    giveUp(parts, QUICK_MS);
    giveUp(parts, QUICK_MS);
    giveUp(parts, SECOND_MS);
    pool.stop();
    for (const query of [once, twice]) {
      expect((await errorOf(query ?? Promise.reject())).data).toContain("stopping");
    }
  });
});

describe("a validation", () => {
  const BYTES = new Uint8Array([1]);
  const REFUSED = { kind: "refused", code: "VALIDATION_FAILURE", reason: "no" } as const;

  test("runs on a thread that is not the quick one, before queries that were not begun", async () => {
    const { pool, threads, gate } = poolOf(2);
    void pool.run("0.10.2", "call", "[1]");
    void pool.run("0.10.2", "call", "[2]");
    void pool.run("0.10.2", "call", "[3]");
    const validation = pool.validate(BYTES, true);
    answer(threads[1], "{}");
    expect(threads[1]?.sent.at(-1) as unknown).toEqual({
      kind: "validate",
      id: 2,
      position: gate.position,
      bytes: BYTES,
      senderIsToBeDeployed: true,
    });
    const id = threads[1]?.sent.at(-1)?.id;
    const bytes = encodeSlowValidation(REFUSED);
    threads[1]?.tell({ kind: "answer", id, isCancelled: false, position: positionAt(5), bytes });
    expect(await validation).toEqual(REFUSED);
  });

  test("ends without a result when the pool stops", async () => {
    const { pool } = poolOf(2);
    void pool.validate(BYTES, false);
    const waiting = pool.validate(BYTES, false);
    pool.stop();
    expect(await waiting).toBeUndefined();
    expect(await pool.validate(BYTES, false)).toBeUndefined();
  });
});
