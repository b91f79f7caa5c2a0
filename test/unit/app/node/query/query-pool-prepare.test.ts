import { describe, expect, test } from "bun:test";
import { positionAt } from "#engine/state/index.ts";
import { encodePrepared } from "#services/admission/declare/prepared-declaration.ts";
import { encodeSlowValidation } from "#services/admission/slow-validation.ts";
import { answerQuery, cancelFlagOf, queryPoolOf } from "#test/helpers/query-pool.ts";
import { preparedOf, sentDeclaration } from "#test/helpers/sent-declaration.ts";

type Parts = ReturnType<typeof queryPoolOf>;

const LARGE_BYTES = 512 * 1024;
const SMALL = new Uint8Array(LARGE_BYTES);
const LARGE = new Uint8Array(LARGE_BYTES + 1);
const PREPARED = preparedOf(sentDeclaration(7n));

/** Kinds of what each thread was sent, in order. */
const kindsOf = ({ threads }: Parts): string[][] =>
  threads.map(({ sent }) => sent.map(({ kind }) => kind));

/** Answers what a thread was sent last. */
function answer({ threads }: Parts, index: number, bytes: Uint8Array): void {
  const thread = threads[index];
  const id = thread?.sent.at(-1)?.id;
  thread?.tell({ kind: "answer", id, isCancelled: false, position: positionAt(5), bytes });
}

/** The quick thread gives up what it runs, after a time. */
function giveUp(parts: Parts, afterMs: number): void {
  parts.timer.advance(afterMs);
  expect(cancelFlagOf(parts.threads[0])).toBe(1);
  answerQuery(parts.threads[0], "cancelled", 5, true);
}

describe("a declaration that a pool prepares", () => {
  test("goes to a thread with what the main thread has seen; its answer is read", async () => {
    const parts = queryPoolOf(2);
    const prepared = parts.pool.prepare(SMALL);
    expect(parts.threads[0]?.sent as readonly unknown[]).toEqual([
      { kind: "prepare", bytes: SMALL, id: 0, position: parts.gate.position },
    ]);
    answer(parts, 0, encodePrepared(PREPARED));
    expect(await prepared).toEqual(PREPARED);
  });

  test.each([
    ["refused", { kind: "rejected", code: "VALIDATION_FAILURE", reason: "no" } as const],
    ["in order", PREPARED],
  ])("may be %s", async (_, outcome) => {
    const parts = queryPoolOf(1);
    const prepared = parts.pool.prepare(SMALL);
    answer(parts, 0, encodePrepared(outcome));
    expect(await prepared).toEqual(outcome);
  });

  test("ends without a result when the pool is full or stops", async () => {
    const { pool } = queryPoolOf(1);
    for (let i = 0; i < 4_097; i++) void pool.run("0.10.2", "call", "[]");
    expect(await pool.prepare(SMALL)).toBeUndefined();
    const other = queryPoolOf(1).pool;
    void other.prepare(SMALL);
    const waiting = other.prepare(SMALL);
    other.stop();
    expect([await waiting, await other.prepare(SMALL)]).toEqual([undefined, undefined]);
  });
});

describe("a small declaration", () => {
  test("has a short first time, then a longer one, then another thread", () => {
    const parts = queryPoolOf(2);
    void parts.pool.prepare(SMALL);
    giveUp(parts, 100);
    giveUp(parts, 400);
    expect(kindsOf(parts)).toEqual([["prepare", "prepare"], ["prepare"]]);
  });

  test("comes before what the quick thread has begun before", () => {
    const parts = queryPoolOf(2);
    for (let i = 0; i < 3; i++) void parts.pool.run("0.10.2", "call", "[]");
    void parts.pool.prepare(SMALL);
    giveUp(parts, 100);
    giveUp(parts, 100);
    expect(kindsOf(parts)[0]).toEqual(["query", "query", "prepare"]);
  });
});

describe("a large declaration", () => {
  test("has the longer time at once, then another thread", () => {
    const parts = queryPoolOf(2);
    void parts.pool.prepare(LARGE);
    parts.timer.advance(399);
    expect(cancelFlagOf(parts.threads[0])).toBe(0);
    giveUp(parts, 1);
    expect(kindsOf(parts)).toEqual([["prepare"], ["prepare"]]);
  });

  test("waits on the quick thread for what was not begun", () => {
    const parts = queryPoolOf(2);
    void parts.pool.run("0.10.2", "call", "[1]");
    void parts.pool.run("0.10.2", "call", "[2]");
    void parts.pool.prepare(LARGE);
    void parts.pool.run("0.10.2", "call", "[3]");
    answerQuery(parts.threads[0], "{}");
    answerQuery(parts.threads[0], "{}");
    expect(kindsOf(parts)[0]).toEqual(["query", "query", "prepare"]);
  });

  test("comes first on another thread", () => {
    const parts = queryPoolOf(2);
    for (let i = 0; i < 3; i++) void parts.pool.run("0.10.2", "call", "[]");
    void parts.pool.prepare(LARGE);
    answerQuery(parts.threads[1], "{}");
    expect(kindsOf(parts)[1]).toEqual(["query", "prepare"]);
  });
});

test("a validation that is not known to be long begins on the quick thread", async () => {
  const parts = queryPoolOf(2);
  const facts = { senderIsToBeDeployed: false, codeSize: 77 };
  const validation = parts.pool.validate(SMALL, facts, false);
  expect(parts.threads[0]?.sent as readonly unknown[]).toMatchObject([{ kind: "validate", facts }]);
  const valid = { kind: "valid", prevalidated: null } as const;
  answer(parts, 0, encodeSlowValidation(valid));
  expect(await validation).toEqual(valid);
});
