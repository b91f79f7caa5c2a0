import { describe, expect, test } from "bun:test";
import { positionAt } from "#engine/state/index.ts";
import { encodePrepared } from "#services/admission/declare/prepared-declaration.ts";
import { encodeSlowValidation } from "#services/admission/slow-validation.ts";
import {
  answerQuery,
  answersOf,
  ask,
  cancelFlagOf,
  queryPoolOf,
  tellLong,
} from "#test/helpers/query-pool.ts";
import { preparedOf, sentDeclaration } from "#test/helpers/sent-declaration.ts";

type Parts = ReturnType<typeof queryPoolOf>;

const LARGE_BYTES = 512 * 1024;
const SMALL = new Uint8Array(LARGE_BYTES);
const LARGE = new Uint8Array(LARGE_BYTES + 1);
const PREPARED = preparedOf(sentDeclaration(7n));

/** Kinds of the jobs that each thread received, in order. */
const kindsOf = ({ threads }: Parts): string[][] =>
  threads.map(({ sent }) => sent.map(({ kind }) => kind));

/** Responds to the last job of a thread. */
function answer({ threads }: Parts, index: number, bytes: Uint8Array): void {
  const thread = threads[index];
  const id = thread?.sent.at(-1)?.id;
  const answer = { id, processorMs: 1, isCancelled: false, position: positionAt(5), bytes };
  thread?.tell(answersOf(answer));
}

describe("a declaration that a pool prepares", () => {
  test("is sent with the main thread's position and returns its result", async () => {
    const parts = queryPoolOf(2);
    const prepared = parts.pool.prepare(SMALL);
    expect(parts.threads[0]?.sent as readonly unknown[]).toEqual([
      { kind: "prepare", bytes: SMALL, id: 0, longAfterMs: 40, position: parts.gate.position },
    ]);
    answer(parts, 0, encodePrepared(PREPARED));
    expect(await prepared).toEqual(PREPARED);
  });

  test("can be hashed without validation", async () => {
    const parts = queryPoolOf(1);
    const named = parts.pool.prepare(SMALL, "names");
    expect(parts.threads[0]?.sent as readonly unknown[]).toMatchObject([
      { kind: "prepare", bytes: SMALL, namesOnly: true },
    ]);
    answer(parts, 0, encodePrepared(PREPARED));
    expect(await named).toEqual(PREPARED);
  });

  test.each([
    ["refused", { kind: "rejected", code: "VALIDATION_FAILURE", reason: "no" } as const],
    ["accepted", PREPARED],
  ])("can be %s", async (_, outcome) => {
    const parts = queryPoolOf(1);
    const prepared = parts.pool.prepare(SMALL);
    answer(parts, 0, encodePrepared(outcome));
    expect(await prepared).toEqual(outcome);
  });

  test("ends without a result at the deadline or when the pool stops", async () => {
    const { pool, timer } = queryPoolOf(1);
    void pool.prepare(SMALL);
    const late = pool.prepare(SMALL);
    timer.advance(30_000);
    expect(await late).toBeUndefined();
    const other = queryPoolOf(1).pool;
    void other.prepare(SMALL);
    const waiting = other.prepare(SMALL);
    other.stop();
    expect([await waiting, await other.prepare(SMALL)]).toEqual([undefined, undefined]);
  });
});

describe("a small declaration", () => {
  test("starts as a short job, and starts again elsewhere if it turns out to be long", () => {
    const parts = queryPoolOf(2);
    void parts.pool.validate(SMALL, { isSenderUndeployed: false, codeSize: 1 }, true);
    void parts.pool.prepare(SMALL);
    tellLong(parts.threads[1]);
    expect(cancelFlagOf(parts.threads[1])).toBe(1);
    answerQuery(parts.threads[1], "cancelled", 5, true);
    answer(parts, 0, encodeSlowValidation({ kind: "valid", prevalidated: null }));
    expect(kindsOf(parts)).toEqual([["validate", "prepare"], ["prepare"]]);
  });
});

describe("a large declaration", () => {
  test("never occupies the last thread for short jobs", () => {
    const parts = queryPoolOf(2);
    void parts.pool.prepare(LARGE);
    void parts.pool.prepare(LARGE);
    expect(kindsOf(parts)).toEqual([["prepare"], []]);
    expect(parts.threads[0]?.sent[0]?.longAfterMs).toBeNull();
    void ask(parts.pool, "[1]");
    expect(kindsOf(parts)).toEqual([["prepare"], ["query"]]);
  });

  test("precedes jobs that may be short where long work may run", () => {
    const parts = queryPoolOf(2);
    for (let i = 0; i < 4; i++) void ask(parts.pool, `[${i}]`);
    void parts.pool.prepare(LARGE);
    answerQuery(parts.threads[1], "{}");
    answerQuery(parts.threads[0], "{}");
    expect(kindsOf(parts)).toEqual([
      ["query", "query"],
      ["query", "prepare"],
    ]);
  });
});

test("a validation not known to be long starts on the thread for short jobs", async () => {
  const parts = queryPoolOf(2);
  const metadata = { isSenderUndeployed: false, codeSize: 77 };
  const validation = parts.pool.validate(SMALL, metadata, false);
  expect(parts.threads[0]?.sent as readonly unknown[]).toMatchObject([
    { kind: "validate", metadata },
  ]);
  const valid = { kind: "valid", prevalidated: null } as const;
  answer(parts, 0, encodeSlowValidation(valid));
  expect(await validation).toEqual(valid);
});
