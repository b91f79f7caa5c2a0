import { describe, expect, test } from "bun:test";
import { getEventListeners } from "node:events";
import { encodeContractClass } from "#protocol/chain/index.ts";
import { Caller } from "#api/rpc/index.ts";
import { positionAt } from "#engine/state/index.ts";
import type { CompileOutcome, CompileRequest } from "#services/admission/index.ts";
import { settle } from "#test/helpers/admission-world.ts";
import { classOf, COMPILED } from "#test/helpers/fake-compiler.ts";
import {
  ask,
  answerError,
  answerQuery,
  answersOf,
  answerText,
  cancelFlagOf,
  queryPoolOf,
} from "#test/helpers/query-pool.ts";

describe("an abandoned query", () => {
  test("is not started", async () => {
    const { pool, threads } = queryPoolOf(1);
    const [thread] = threads;
    const gone = new Caller("a");
    const first = ask(pool, "[1]", new Caller("a"));
    const dropped = ask(pool, "[2]", gone);
    const last = ask(pool, "[3]", new Caller("a"));
    gone.leave();
    expect((await answerError(dropped)).data).toContain("client no longer waits");
    answerQuery(thread, "first");
    answerQuery(thread, "last");
    expect([await answerText(first), await answerText(last)]).toEqual(["first", "last"]);
    expect(thread?.sent.map(({ paramsText }) => paramsText)).toEqual(["[1]", "[3]"]);
  });

  test("is not even queued if its client left before", async () => {
    const { pool, threads } = queryPoolOf(1);
    const gone = new Caller("a");
    gone.leave();
    expect((await answerError(ask(pool, "[]", gone))).data).toContain("no longer waits");
    expect(threads[0]?.sent).toEqual([]);
  });

  test("is cancelled while running, and the thread takes the next query", async () => {
    const { pool, threads } = queryPoolOf(1);
    const [thread] = threads;
    const gone = new Caller("a");
    const running = ask(pool, "[1]", gone);
    const next = ask(pool, "[2]", new Caller("a"));
    expect(cancelFlagOf(thread)).toBe(0);
    gone.leave();
    expect(cancelFlagOf(thread)).toBe(1);
    expect((await answerError(running)).data).toContain("client no longer waits");
    // The thread is busy until it responds.
    expect(thread?.sent).toHaveLength(1);
    answerQuery(thread, "late", 5, true);
    expect(thread?.sent.at(-1)?.paramsText).toBe("[2]");
    expect(cancelFlagOf(thread)).toBe(0);
    answerQuery(thread, "next");
    expect(await answerText(next)).toBe("next");
  });

  test("is not retried on another thread", async () => {
    const { pool, threads } = queryPoolOf(2);
    const gone = new Caller("a");
    void ask(pool, "[1]", gone);
    gone.leave();
    answerQuery(threads[0], "", 5, true);
    await settle();
    expect(threads.map(({ sent }) => sent.length)).toEqual([1, 0]);
  });

  test("does not cancel another query once it has completed", async () => {
    const { pool, threads } = queryPoolOf(1);
    const [thread] = threads;
    const gone = new Caller("a");
    const answered = ask(pool, "[1]", gone);
    answerQuery(thread, "done");
    expect(await answerText(answered)).toBe("done");
    void ask(pool, "[2]", new Caller("a"));
    gone.leave();
    expect(cancelFlagOf(thread)).toBe(0);
  });

  test("is removed from its connection's listeners once it has completed", async () => {
    const { pool, threads } = queryPoolOf(1);
    const caller = new Caller("a");
    const answered = ask(pool, "[1]", caller);
    expect(getEventListeners(caller.signal, "abort")).toHaveLength(1);
    answerQuery(threads[0], "done");
    await answered;
    expect(getEventListeners(caller.signal, "abort")).toHaveLength(0);
  });

  test("frees its queue space, so that many of them do not fill the queue", async () => {
    const { pool, threads } = queryPoolOf(1);
    const long = `["${"0".repeat(1 << 20)}"]`;
    void ask(pool, "[]", new Caller("a"));
    for (let round = 0; round < 8; round++) {
      const gone = new Caller("a");
      const dropped = Array.from({ length: 60 }, () => ask(pool, long, gone));
      gone.leave();
      for (const { data } of await Promise.all(dropped.map(answerError))) {
        expect(data).toContain("client no longer waits");
      }
    }
    expect(threads[0]?.sent).toHaveLength(1);
  });
});

describe("an abandoned estimate", () => {
  test("is not run after its class is compiled, and cancels the compilation", async () => {
    const requests: CompileRequest[] = [];
    const compiled = Promise.withResolvers<CompileOutcome>();
    const { pool, threads } = queryPoolOf(1, undefined, (request) => {
      requests.push(request);
      return compiled.promise;
    });
    const [thread] = threads;
    const gone = new Caller("a");
    const running = pool.run("0.10.2", "estimateFee", "[]", gone);
    const classBytes = encodeContractClass(classOf(7n));
    thread?.tell(
      answersOf({
        id: 0,
        processorMs: 1,
        isCancelled: false,
        position: positionAt(5),
        needed: [{ sender: 5n, classHash: 7n, classBytes }],
        bytes: new Uint8Array(),
      }),
    );
    expect(requests[0]?.signal?.aborted).toBe(false);
    gone.leave();
    expect(requests[0]?.signal?.aborted).toBe(true);
    expect((await answerError(running)).data).toContain("client no longer waits");
    compiled.resolve({ kind: "compiled", ...COMPILED.compiled });
    await settle();
    expect(thread?.sent).toHaveLength(1);
  });
});

test("queries have the pool's deadline; preparations have a fixed one", () => {
  const { pool, threads, timer } = queryPoolOf(1, undefined, undefined, 2_000);
  const [thread] = threads;
  void ask(pool, "[]");
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
