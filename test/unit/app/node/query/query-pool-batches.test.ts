import { describe, expect, test } from "bun:test";
import { Caller } from "#api/rpc/index.ts";
import type { ToQuery } from "#app/node/threads/query-messages.ts";
import { encodeSlowValidation } from "#services/admission/slow-validation.ts";
import { positionAt } from "#engine/state/index.ts";
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

type Parts = ReturnType<typeof queryPoolOf>;

const ONE_MS = 0.1;
const DEADLINE_MS = 30_000;

/** A call of one function, which is known to be short. */
const callOf = (calldata: number): string =>
  JSON.stringify([{ contract_address: "0x1", entry_point_selector: "0x1", calldata: [calldata] }]);

/** A pool that has run many short calls and has one call in flight on each thread. */
function busyPool(count: number) {
  const parts = queryPoolOf(count);
  const [first] = parts.threads;
  void ask(parts.pool, callOf(0));
  answerQuery(first, "{}", 5, false, ONE_MS);
  const batches = parts.threads.map((thread) => {
    const sent: Query[][] = [];
    const { send } = thread.port;
    thread.port.send = (message) => {
      const told = message as ToQuery;
      if (told.kind === "begin") sent.push([...told.orders] as Query[]);
      send(message);
    };
    return sent;
  });
  const running = parts.threads.map((_, i) => ask(parts.pool, callOf(i)));
  /** Calls that each thread received in its last batch. */
  const last = () =>
    batches.map((sent) =>
      sent.at(-1)?.map(({ paramsText }) => JSON.parse(paramsText)[0].calldata[0] as number),
    );
  return { ...parts, batches, running, last };
}

/** Responses of a thread for completed jobs. */
const done = (...ids: readonly (number | undefined)[]) =>
  ids.map((id) => ({
    id,
    processorMs: ONE_MS,
    isCancelled: false,
    position: positionAt(5),
    bytes: new TextEncoder().encode(String(id)),
  }));

/** Ids of the last jobs of a thread. */
const lastIds = (thread: FakeThread<Query> | undefined, count: number) =>
  (thread?.sent ?? []).slice(-count).map(({ id }) => id);

const askFor = ({ pool }: Pick<Parts, "pool">, ...calls: readonly number[]) =>
  calls.map((call) => ask(pool, callOf(call)));

describe("queued short calls", () => {
  test("go to the next free thread in one batch, each with its own response", async () => {
    const parts = busyPool(1);
    const [thread] = parts.threads;
    const waiting = askFor(parts, 1, 2, 3);
    answerQuery(thread, "{}", 5, false, ONE_MS);
    expect(parts.last()).toEqual([[1, 2, 3]]);
    const ids = lastIds(thread, 3);
    thread?.tell(answersOf(...done(...ids)));
    expect(await Promise.all(waiting.map(answerText))).toEqual(ids.map(String));
  });

  test("are batched up to one millisecond of expected time", () => {
    const parts = busyPool(1);
    void askFor(parts, ...Array.from({ length: 30 }, (_, i) => i));
    answerQuery(parts.threads[0], "{}", 5, false, ONE_MS);
    const [together = []] = parts.last();
    expect(together.length).toBeGreaterThan(8);
    expect(together.length).toBeLessThanOrEqual(10);
  });

  test("are batched up to a maximum count", () => {
    const parts = busyPool(1);
    const [thread] = parts.threads;
    for (let i = 0; i < 20; i++) {
      void askFor(parts, i);
      answerQuery(thread, "{}", 5, false, 0.001);
    }
    void askFor(parts, ...Array.from({ length: 40 }, (_, i) => i));
    answerQuery(thread, "{}", 5, false, 0.001);
    expect(parts.last()[0]).toHaveLength(16);
  });

  test("are divided among the free threads", () => {
    const parts = busyPool(2);
    void parts.pool.hold();
    void askFor(parts, 11, 12, 13, 14);
    for (const thread of parts.threads) answerQuery(thread, "{}", 5, false, ONE_MS);
    parts.pool.release();
    expect(parts.last().map((calls) => calls?.length)).toEqual([2, 2]);
  });

  test("are not batched with calls of unknown duration", () => {
    const parts = busyPool(1);
    const [thread] = parts.threads;
    void askFor(parts, 1);
    void ask(parts.pool, JSON.stringify([{ contract_address: "0x9" }]));
    answerQuery(thread, "{}", 5, false, ONE_MS);
    expect(parts.last()).toEqual([[1]]);
    answerQuery(thread, "{}", 5, false, ONE_MS);
    expect(thread?.sent.at(-1)?.paramsText).toContain("0x9");
  });

  test.each([
    ["of unknown duration", false, ["query query", "validate", "validate"]],
    ["of a known short kind", true, ["query", "query", "validate", "validate"]],
  ])("are not batched with a validation %s", (_, isKnown, expected) => {
    const parts = busyPool(1);
    const [thread] = parts.threads;
    const bytes = encodeSlowValidation({ kind: "refused", code: "VALIDATION_FAILURE", reason: "" });
    const validate = (): void => {
      const metadata = { isSenderUndeployed: false, codeSize: 1 };
      void parts.pool.validate(new Uint8Array(1), metadata, false);
    };
    const answerAll = (): void =>
      thread?.tell(answersOf({ ...done(lastIds(thread, 1)[0])[0], bytes }));
    validate();
    answerAll();
    if (isKnown) {
      answerAll();
      // The thread has a job in flight again.
      void askFor(parts, 7);
    }
    for (let i = 0; i < 2; i++) {
      validate();
      void askFor(parts, i);
    }
    const [batches] = parts.batches;
    const before = batches?.length ?? 0;
    for (let i = 0; i < 5; i++) answerAll();
    const kinds = batches?.slice(before).map((batch) => batch.map(({ kind }) => kind).join(" "));
    expect(kinds?.toSorted()).toEqual(expected);
  });
});

describe("calls queued behind a long call", () => {
  test("are started by another thread", async () => {
    const parts = busyPool(2);
    const [first, second] = parts.threads;
    const [done1] = askFor(parts, 11, 12, 13, 14);
    answerQuery(first, "{}", 5, false, ONE_MS);
    const ids = lastIds(first, 4);
    first?.tell({ ...answersOf(...done(ids[0])), notStarted: ids.slice(2) });
    first?.tell({ kind: "long", id: ids[1] });
    expect(await answerText(done1 as Promise<Uint8Array>)).toBe(String(ids[0]));
    // Their kind had a long call: they are not batched from now on.
    for (const call of [13, 14]) {
      answerQuery(second, "{}", 5, false, ONE_MS);
      expect(parts.last()[1]).toEqual([call]);
    }
    expect(cancelFlagOf(first)).toBe(0);
  });

  test("are completed although the long call is requeued", async () => {
    const parts = busyPool(2);
    const [first, second] = parts.threads;
    tellLong(first);
    for (let i = 0; i < 9; i++) {
      void ask(parts.pool, callOf(20 + i));
      answerQuery(second, "{}", 5, false, ONE_MS);
    }
    const waiting = askFor(parts, 1, 2);
    answerQuery(second, "{}", 5, false, ONE_MS);
    const ids = lastIds(second, 1);
    second?.tell({ kind: "long", id: ids[0] });
    expect(cancelFlagOf(second)).toBe(1);
    second?.tell(answersOf({ ...done(ids[0])[0], isCancelled: true }));
    for (let i = 0; i < 3; i++) for (const thread of [first, second]) answerQuery(thread, "{}");
    expect(await Promise.all(waiting.map(answerText))).toEqual(["{}", "{}"]);
  });

  test("are rejected when the pool stops, and skipped if abandoned", async () => {
    const parts = busyPool(1);
    const [thread] = parts.threads;
    const gone = new Caller("b");
    const [, left] = askFor(parts, 1, 2);
    const abandoned = ask(parts.pool, callOf(3), gone);
    answerQuery(thread, "{}", 5, false, ONE_MS);
    const ids = lastIds(thread, 3);
    gone.leave();
    expect((await answerError(abandoned)).data).toContain("client no longer waits");
    parts.pool.stop();
    thread?.tell({ ...answersOf(...done(ids[0])), notStarted: ids.slice(1) });
    expect((await answerError(left as Promise<Uint8Array>)).data).toContain("stopping");
    expect(thread?.sent.at(-1)?.id).toBe(ids[2] as number);
  });
});

describe("calls in one batch", () => {
  test.each([0, 1])("continue when one of them is abandoned (%i)", (place) => {
    const parts = busyPool(1);
    const [thread] = parts.threads;
    const gone = new Caller("127.0.0.1");
    for (let i = 0; i < 2; i++) void ask(parts.pool, callOf(i), i === place ? gone : undefined);
    answerQuery(thread, "{}", 5, false, ONE_MS);
    expect(thread?.sent.slice(-2).map(({ paramsText }) => paramsText)).toEqual([
      callOf(0),
      callOf(1),
    ]);
    gone.leave();
    expect(cancelFlagOf(thread)).toBe(0);
  });

  test("are cancelled when an abandoned one turns out to be long", () => {
    const parts = busyPool(2);
    const [thread] = parts.threads;
    const gone = new Caller("127.0.0.1");
    void ask(parts.pool, callOf(0), gone);
    void ask(parts.pool, callOf(1));
    answerQuery(thread, "{}", 5, false, ONE_MS);
    gone.leave();
    const [first, second] = lastIds(thread, 2);
    thread?.tell({ ...answersOf(), notStarted: [second] });
    expect(cancelFlagOf(thread)).toBe(0);
    thread?.tell({ kind: "long", id: first });
    expect(cancelFlagOf(thread)).toBe(1);
  });

  test("are cancelled when only an abandoned one is left", () => {
    const parts = busyPool(1);
    const [thread] = parts.threads;
    const gone = new Caller("127.0.0.1");
    void askFor(parts, 1);
    void ask(parts.pool, callOf(2), gone);
    answerQuery(thread, "{}", 5, false, ONE_MS);
    thread?.tell(answersOf(...done(lastIds(thread, 2)[0])));
    gone.leave();
    expect(cancelFlagOf(thread)).toBe(1);
  });

  test("share one deadline, and the thread is idle once all have completed", async () => {
    const parts = busyPool(1);
    const [thread] = parts.threads;
    void askFor(parts, 1, 2);
    answerQuery(thread, "{}", 5, false, ONE_MS);
    const [first, second] = lastIds(thread, 2);
    thread?.tell(answersOf(...done(first)));
    let isIdle = false;
    const idle = parts.pool.hold().then(() => (isIdle = true));
    await Promise.resolve();
    expect([isIdle, cancelFlagOf(thread)]).toEqual([false, 1]);
    thread?.tell(answersOf(...done(second)));
    await idle;
    expect(parts.timer.alarms).toBe(0);
  });

  test("are cancelled at their deadline, which ends queued ones too", async () => {
    const parts = busyPool(1);
    const [thread] = parts.threads;
    const [, second] = askFor(parts, 1, 2);
    answerQuery(thread, "{}", 5, false, ONE_MS);
    const ids = lastIds(thread, 2);
    parts.timer.advance(DEADLINE_MS - 1);
    expect(cancelFlagOf(thread)).toBe(0);
    parts.timer.advance(1);
    expect(cancelFlagOf(thread)).toBe(1);
    const half = { ...done(ids[0])[0], isCancelled: true };
    thread?.tell({ ...answersOf(half), notStarted: ids.slice(1) });
    expect((await answerError(second as Promise<Uint8Array>)).data).toContain("in time");
    expect(thread?.sent.at(-1)?.id).toBe(ids[1] as number);
  });

  test("are started again after a hold", async () => {
    const parts = busyPool(1);
    const [thread] = parts.threads;
    const waiting = askFor(parts, 1, 2);
    answerQuery(thread, "{}", 5, false, ONE_MS);
    const [first, second] = lastIds(thread, 2);
    const idle = parts.pool.hold();
    const half = { ...done(first)[0], isCancelled: true };
    thread?.tell({ ...answersOf(half), notStarted: [second] });
    await idle;
    parts.pool.release();
    expect(parts.last()[0]?.toSorted()).toEqual([1, 2]);
    thread?.tell(answersOf(...done(...lastIds(thread, 2))));
    await Promise.all(waiting);
  });
});
