import { describe, expect, test } from "bun:test";
import { getEventListeners } from "node:events";
import { encodeContractClass } from "#protocol/chain/index.ts";
import { positionAt } from "#engine/state/index.ts";
import type { CompileOutcome, CompileRequest } from "#services/admission/index.ts";
import { settle } from "#test/helpers/admission-world.ts";
import { classOf, COMPILED } from "#test/helpers/fake-compiler.ts";
import {
  answerError,
  answerQuery,
  answerText,
  cancelFlagOf,
  queryPoolOf,
} from "#test/helpers/query-pool.ts";

const run = (pool: ReturnType<typeof queryPoolOf>["pool"], params: string, signal: AbortSignal) =>
  pool.run("0.10.2", "call", params, signal);

describe("a query that nobody waits for any more", () => {
  test("is not begun", async () => {
    const { pool, threads } = queryPoolOf(1);
    const [thread] = threads;
    const gone = new AbortController();
    const first = run(pool, "[1]", new AbortController().signal);
    const dropped = run(pool, "[2]", gone.signal);
    const last = run(pool, "[3]", new AbortController().signal);
    gone.abort();
    expect((await answerError(dropped)).data).toContain("nobody waits");
    answerQuery(thread, "first");
    answerQuery(thread, "last");
    expect([await answerText(first), await answerText(last)]).toEqual(["first", "last"]);
    expect(thread?.sent.map(({ paramsText }) => paramsText)).toEqual(["[1]", "[3]"]);
  });

  test("is not even taken in when that is known before", async () => {
    const { pool, threads } = queryPoolOf(1);
    expect((await answerError(run(pool, "[]", AbortSignal.abort()))).data).toContain("nobody");
    expect(threads[0]?.sent).toEqual([]);
  });

  test("that runs is told to end, and the thread goes on with the next", async () => {
    const { pool, threads } = queryPoolOf(1);
    const [thread] = threads;
    const gone = new AbortController();
    const running = run(pool, "[1]", gone.signal);
    const next = run(pool, "[2]", new AbortController().signal);
    expect(cancelFlagOf(thread)).toBe(0);
    gone.abort();
    expect(cancelFlagOf(thread)).toBe(1);
    expect((await answerError(running)).data).toContain("nobody waits");
    // Its thread is not free before it says so.
    expect(thread?.sent).toHaveLength(1);
    answerQuery(thread, "late", 5, true);
    expect(thread?.sent.at(-1)?.paramsText).toBe("[2]");
    expect(cancelFlagOf(thread)).toBe(0);
    answerQuery(thread, "next");
    expect(await answerText(next)).toBe("next");
  });

  test("is not tried again on another thread", async () => {
    const { pool, threads } = queryPoolOf(2);
    const gone = new AbortController();
    void run(pool, "[1]", gone.signal);
    gone.abort();
    answerQuery(threads[0], "", 5, true);
    await settle();
    expect(threads.map(({ sent }) => sent.length)).toEqual([1, 0]);
  });

  test("leaves another's flag alone once it is answered", async () => {
    const { pool, threads } = queryPoolOf(1);
    const [thread] = threads;
    const gone = new AbortController();
    const answered = run(pool, "[1]", gone.signal);
    answerQuery(thread, "done");
    expect(await answerText(answered)).toBe("done");
    void run(pool, "[2]", new AbortController().signal);
    gone.abort();
    expect(cancelFlagOf(thread)).toBe(0);
  });

  test("is forgotten by its connection once it is answered", async () => {
    const { pool, threads } = queryPoolOf(1);
    const { signal } = new AbortController();
    const answered = run(pool, "[1]", signal);
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    answerQuery(threads[0], "done");
    await answered;
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  test("gives its room back: a flood of them does not fill the queue", async () => {
    const { pool, threads } = queryPoolOf(1);
    const long = `["${"0".repeat(1 << 20)}"]`;
    void run(pool, "[]", new AbortController().signal);
    for (let round = 0; round < 4; round++) {
      const gone = new AbortController();
      const dropped = Array.from({ length: 120 }, () => run(pool, long, gone.signal));
      gone.abort();
      for (const { data } of await Promise.all(dropped.map(answerError))) {
        expect(data).toContain("nobody waits");
      }
    }
    expect(threads[0]?.sent).toHaveLength(1);
  });
});

describe("an estimate that nobody waits for any more", () => {
  test("is not run when its class is compiled, and its class need not be", async () => {
    const requests: CompileRequest[] = [];
    const compiled = Promise.withResolvers<CompileOutcome>();
    const { pool, threads } = queryPoolOf(1, undefined, (request) => {
      requests.push(request);
      return compiled.promise;
    });
    const [thread] = threads;
    const gone = new AbortController();
    const running = pool.run("0.10.2", "estimateFee", "[]", gone.signal);
    const classBytes = encodeContractClass(classOf(7n));
    thread?.tell({
      kind: "answer",
      id: 0,
      isCancelled: false,
      position: positionAt(5),
      needed: [{ sender: 5n, classHash: 7n, classBytes }],
      bytes: new Uint8Array(),
    });
    expect(requests[0]?.signal?.aborted).toBe(false);
    gone.abort();
    expect(requests[0]?.signal?.aborted).toBe(true);
    expect((await answerError(running)).data).toContain("nobody waits");
    compiled.resolve({ kind: "compiled", ...COMPILED.compiled });
    await settle();
    expect(thread?.sent).toHaveLength(1);
  });
});

test("queries have the deadline that the pool is given; validations keep theirs", () => {
  const { pool, threads, timer } = queryPoolOf(1, undefined, undefined, 2_000);
  const [thread] = threads;
  void pool.run("0.10.2", "call", "[]");
  timer.advance(1_999);
  expect(cancelFlagOf(thread)).toBe(0);
  timer.advance(1);
  expect(cancelFlagOf(thread)).toBe(1);
  answerQuery(thread, "", 5, true);
  void pool.prepare(new Uint8Array(3));
  timer.advance(29_999);
  expect(cancelFlagOf(thread)).toBe(0);
  timer.advance(1);
  expect(cancelFlagOf(thread)).toBe(1);
});
