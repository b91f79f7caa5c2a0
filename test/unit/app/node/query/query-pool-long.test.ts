import { describe, expect, test } from "bun:test";
import { encodeSlowValidation } from "#services/admission/slow-validation.ts";
import { positionAt } from "#engine/state/index.ts";
import { type FakeThread } from "#test/helpers/fake-thread.ts";
import {
  type Query,
  queryPoolOf,
  answerQuery,
  answerText,
  answerError,
  cancelFlagOf,
} from "#test/helpers/query-pool.ts";

const DEADLINE_MS = 30_000;

const QUICK_MS = 100;

const SECOND_MS = 400;

describe("a long query", () => {
  const paramsOf = (thread: FakeThread<Query> | undefined) =>
    thread?.sent.map(({ paramsText }) => paramsText);

  /** The quick thread gives up what it runs. */
  function giveUp({ threads, timer }: ReturnType<typeof queryPoolOf>, afterMs: number): void {
    timer.advance(afterMs);
    answerQuery(threads[0], "cancelled", 5, true);
  }

  test("is taken from the quick thread after a short and a longer time, and answered by another one", async () => {
    const parts = queryPoolOf(2);
    const { pool, threads, timer } = parts;
    const other = pool.run("0.10.2", "call", '["long"]');
    void pool.run("0.10.2", "call", '["busy"]');
    timer.advance(QUICK_MS - 1);
    expect(cancelFlagOf(threads[0])).toBe(0);
    timer.advance(1);
    expect(cancelFlagOf(threads[0])).toBe(1);
    giveUp(parts, 0);
    timer.advance(SECOND_MS - 1);
    expect(cancelFlagOf(threads[0])).toBe(0);
    giveUp(parts, 1);
    expect(paramsOf(threads[0])).toEqual(['["long"]', '["long"]']);
    answerQuery(threads[1], "{}");
    expect(paramsOf(threads[1])).toEqual(['["busy"]', '["long"]']);
    timer.advance(DEADLINE_MS - 1);
    expect(cancelFlagOf(threads[1])).toBe(0);
    answerQuery(threads[1], "done");
    expect(await answerText(other)).toBe("done");
  });

  test("that ended just when it was to be cancelled is not begun anew", async () => {
    const { pool, threads, timer } = queryPoolOf(2);
    const query = pool.run("0.10.2", "call", "[]");
    timer.advance(QUICK_MS);
    answerQuery(threads[0], "done");
    expect(await answerText(query)).toBe("done");
    expect(threads.map(({ sent }) => sent.length)).toEqual([1, 0]);
  });

  test("lets every query have its first time before it gets a second one", async () => {
    const parts = queryPoolOf(2);
    const { pool, threads } = parts;
    for (let i = 0; i < 5; i++) void pool.run("0.10.2", "call", `["long", ${i}]`);
    const short = pool.run("0.10.2", "call", '["short"]');
    for (let i = 0; i < 4; i++) giveUp(parts, QUICK_MS);
    expect(threads[0]?.sent.at(-1)?.paramsText).toBe('["short"]');
    answerQuery(threads[0], "short");
    expect(await answerText(short)).toBe("short");
    expect(threads[0]?.sent.at(-1)?.paramsText).toBe('["long", 0]');
  });

  test("goes on at once on another thread that has nothing to do", () => {
    const parts = queryPoolOf(2);
    void parts.pool.run("0.10.2", "call", "[1]");
    giveUp(parts, QUICK_MS);
    expect(parts.threads.map(({ sent }) => sent.length)).toEqual([2, 0]);
    giveUp(parts, SECOND_MS);
    expect(parts.threads.map(({ sent }) => sent.length)).toEqual([2, 1]);
  });

  test("comes before queries that were not begun, on a thread that is not the quick one", () => {
    const parts = queryPoolOf(2);
    const { pool, threads } = parts;
    for (const i of [1, 2, 3]) void pool.run("0.10.2", "call", `[${i}]`);
    giveUp(parts, QUICK_MS);
    void pool.run("0.10.2", "call", "[4]");
    answerQuery(threads[1], "{}");
    expect(threads.map(paramsOf)).toEqual([
      ["[1]", "[3]"],
      ["[2]", "[1]"],
    ]);
  });

  test("keeps its own deadline where there is only one thread", () => {
    const { pool, threads, timer } = queryPoolOf(1);
    void pool.run("0.10.2", "call", "[]");
    timer.advance(QUICK_MS + SECOND_MS);
    expect(threads.map(cancelFlagOf)).toEqual([0]);
    timer.advance(DEADLINE_MS - QUICK_MS - SECOND_MS);
    expect(threads.map(cancelFlagOf)).toEqual([1]);
  });

  test("that waits when the pool stops is answered, given up once or twice", async () => {
    const parts = queryPoolOf(2);
    const { pool } = parts;
    const [twice, , , once] = [1, 2, 3, 4].map((i) => pool.run("0.10.2", "call", `[${i}]`));
    giveUp(parts, QUICK_MS);
    giveUp(parts, QUICK_MS);
    giveUp(parts, QUICK_MS);
    giveUp(parts, SECOND_MS);
    pool.stop();
    for (const query of [once, twice]) {
      expect((await answerError(query ?? Promise.reject())).data).toContain("stopping");
    }
  });
});

describe("a validation", () => {
  const BYTES = new Uint8Array([1]);
  const FACTS = { senderIsToBeDeployed: true, codeSize: 77 };
  const REFUSED = { kind: "refused", code: "VALIDATION_FAILURE", reason: "no" } as const;

  test("runs on a thread that is not the quick one, before queries that were not begun", async () => {
    const { pool, threads, gate } = queryPoolOf(2);
    void pool.run("0.10.2", "call", "[1]");
    void pool.run("0.10.2", "call", "[2]");
    void pool.run("0.10.2", "call", "[3]");
    const validation = pool.validate(BYTES, FACTS, true);
    answerQuery(threads[1], "{}");
    expect(threads[1]?.sent.at(-1) as unknown).toEqual({
      kind: "validate",
      id: 2,
      position: gate.position,
      bytes: BYTES,
      facts: FACTS,
    });
    const id = threads[1]?.sent.at(-1)?.id;
    const bytes = encodeSlowValidation(REFUSED);
    threads[1]?.tell({ kind: "answer", id, isCancelled: false, position: positionAt(5), bytes });
    expect(await validation).toEqual(REFUSED);
  });

  test("ends without a result when the pool stops", async () => {
    const { pool } = queryPoolOf(2);
    void pool.validate(BYTES, FACTS, true);
    const waiting = pool.validate(BYTES, FACTS, true);
    pool.stop();
    expect(await waiting).toBeUndefined();
    expect(await pool.validate(BYTES, FACTS, true)).toBeUndefined();
  });
});
