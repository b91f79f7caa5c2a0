import { describe, expect, test } from "bun:test";
import type { FromQuery, ToQuery } from "#app/node/threads/query-messages.ts";
import { Cancellation } from "#app/node/query/cancellation.ts";
import { ProcessorTime } from "#app/node/machine/processor-time.ts";
import { QueryService, type QueryServiceDeps } from "#app/node/query/query-service.ts";
import { positionAt } from "#engine/state/index.ts";
import type { DeltaMessage } from "#services/admission/index.ts";
import type { PendingGone } from "#services/sync/index.ts";
import { PendingFeed } from "#services/admission/pending-feed.ts";
import { POSITION_TIMEOUT_MS } from "#services/admission/position-gate.ts";
import { settle } from "#test/helpers/admission-world.ts";
import { fakePort } from "#test/helpers/fake-port.ts";
import { FakeTimer } from "#test/helpers/fake-timer.ts";
import { numberedChain } from "#test/helpers/memory-chain.ts";
import { nonceState } from "#test/helpers/mempool-world.ts";

const LATEST = 5;
const RESULT = new Uint8Array([1]);
const VALIDATION = new Uint8Array([2]);
const QUERY = {
  kind: "query",
  id: 3,
  longAfterMs: 40,
  specVersion: "0.10.2",
  method: "call",
  paramsText: "[]",
} as const;
const PREPARED = new Uint8Array([3]);
const METADATA = { senderIsToBeDeployed: true, codeSize: 77 };
const VALIDATE = {
  kind: "validate",
  id: 4,
  longAfterMs: null,
  bytes: new Uint8Array([9]),
  metadata: METADATA,
} as const;
const PREPARE = {
  kind: "prepare",
  id: 5,
  longAfterMs: null,
  bytes: new Uint8Array([8]),
} as const;
const AHEAD = { accepted: LATEST + 1, blockNumber: LATEST + 1, sequence: 0, generation: 0 };

/** A started service on a chain at block 5. */
function world(parts: Partial<QueryServiceDeps> = {}) {
  const main = fakePort<ToQuery, FromQuery>();
  const executor = fakePort<DeltaMessage | PendingGone, never>();
  const committer = fakePort<{ readonly blockNumber: number }, never>();
  const timer = new FakeTimer();
  const feed = new PendingFeed(
    numberedChain(LATEST, () => nonceState()),
    timer,
  );
  const flag = new Int32Array(1);
  const cancellation = new Cancellation(flag, () => undefined);
  const published: number[] = [];
  const ran: unknown[] = [];
  const failures: unknown[] = [];
  new QueryService({
    ports: { main, deltas: executor, accepted: committer },
    chain: {
      publish: (blockNumber) => void published.push(blockNumber),
      takeOutpaced: () => undefined,
    },
    feed,
    cancellation,
    time: stillTime().time,
    classes: { begin: () => undefined, needed: [] },
    run: (query) => {
      ran.push(query.paramsText);
      return Promise.resolve(RESULT);
    },
    validate(...submission) {
      ran.push(submission);
      return VALIDATION;
    },
    prepare(bytes) {
      ran.push(bytes);
      return PREPARED;
    },
    garbage: { lookNow: () => undefined },
    fail: (error) => failures.push(error),
    ...parts,
  }).start();
  return { main, executor, committer, timer, feed, flag, cancellation, published, ran, failures };
}

const seen = { position: positionAt(LATEST) };

/** A processor clock that stands still unless a test moves it. */
function stillTime() {
  const clock = { nowMs: 0 };
  return {
    clock,
    time: new ProcessorTime({ processorMs: () => clock.nowMs, nowMs: () => clock.nowMs }),
  };
}

describe("garbage", () => {
  test.each([
    ["a query", QUERY],
    ["a validation", VALIDATE],
    ["a declaration", PREPARE],
  ])("of %s is looked for once its answer is on its way", async (_, request) => {
    const sentAtLooks: number[] = [];
    const { main } = world({ garbage: { lookNow: () => sentAtLooks.push(main.sent.length) } });
    for (const expected of [[1], [1, 2]]) {
      main.tell({ ...request, ...seen });
      await settle();
      expect(sentAtLooks).toEqual(expected);
    }
  });
});

describe("a query", () => {
  test("is answered with what the thread has seen", async () => {
    const { main, executor } = world();
    const bytes = new Uint8Array();
    executor.tell({ kind: "delta", blockNumber: LATEST + 1, sequence: 2, bytes });
    main.tell({ ...QUERY, ...seen });
    await settle();
    const position = { accepted: LATEST, blockNumber: LATEST + 1, sequence: 2, generation: 0 };
    expect(main.sent).toEqual([
      { kind: "answer", id: 3, processorMs: 0, isCancelled: false, position, bytes: RESULT },
    ]);
  });

  test("waits until the thread has seen as much as whoever asks", async () => {
    const { main, committer, ran, published } = world();
    main.tell({ ...QUERY, position: AHEAD });
    await settle();
    expect(ran).toEqual([]);
    committer.tell({ blockNumber: LATEST + 1 });
    await settle();
    expect([ran, published]).toEqual([["[]"], [LATEST + 1]]);
    expect(main.sent).toMatchObject([{ id: 3, bytes: RESULT }]);
  });

  test("does not wait for what is lost, and is answered with that", async () => {
    const { main, executor } = world();
    main.tell({ ...QUERY, position: { ...AHEAD, accepted: LATEST } });
    await settle();
    expect(main.sent).toEqual([]);
    executor.tell({ kind: "pendingGone" });
    await settle();
    expect(main.sent).toMatchObject([
      { id: 3, position: { ...positionAt(LATEST), generation: 1 }, bytes: RESULT },
    ]);
  });

  test("is run again once blocks are announced that have outpaced it", async () => {
    const outpaced = [undefined, LATEST + 1, undefined, undefined];
    const chain = { publish: () => undefined, takeOutpaced: () => outpaced.shift() };
    const { main, committer, ran } = world({ chain });
    main.tell({ ...QUERY, ...seen });
    await settle();
    expect([ran.length, main.sent.length]).toEqual([1, 0]);
    committer.tell({ blockNumber: LATEST + 1 });
    await settle();
    expect(ran).toHaveLength(2);
    expect(main.sent).toMatchObject([{ id: 3, bytes: RESULT, position: { accepted: LATEST + 1 } }]);
  });

  test("is answered in the end when blocks outpace it again and again, or are not announced", async () => {
    const chain = { publish: () => undefined, takeOutpaced: () => LATEST };
    const { main, ran } = world({ chain });
    main.tell({ ...QUERY, ...seen });
    await settle();
    expect(main.sent).toHaveLength(1);
    expect(ran.length).toBeLessThan(10);
    const silent = world({
      chain: { publish: () => undefined, takeOutpaced: () => LATEST + 1 },
    });
    silent.main.tell({ ...QUERY, ...seen });
    await settle();
    silent.timer.advance(POSITION_TIMEOUT_MS);
    await settle();
    expect([silent.ran.length, silent.main.sent.length]).toEqual([1, 1]);
  });

  test("is answered with an error when the thread does not get so far", async () => {
    const { main, timer, ran } = world();
    main.tell({ ...QUERY, position: AHEAD });
    timer.advance(POSITION_TIMEOUT_MS);
    await settle();
    const [answer] = main.sent;
    const text = new TextDecoder().decode(answer?.kind === "answer" ? answer.bytes : undefined);
    expect(JSON.parse(text)).toEqual({
      error: {
        code: -32603,
        message: "Internal error",
        data: "the query thread did not learn of the newest blocks in time",
      },
    });
    expect(ran).toEqual([]);
  });

  test("says that it was cancelled; the next one was not", async () => {
    const cancellation = new Cancellation(new Int32Array(1), () => undefined);
    const outcomes = ["cancelled", "succeeded"];
    const { main } = world({
      cancellation,
      run() {
        cancellation.noted({ kind: outcomes.shift() ?? "" });
        return Promise.resolve(RESULT);
      },
    });
    main.tell({ ...QUERY, ...seen });
    await settle();
    main.tell({ ...QUERY, ...seen });
    await settle();
    expect(main.sent).toMatchObject([{ isCancelled: true }, { isCancelled: false }]);
  });

  test("says what processor time it took, and once that it is long", async () => {
    const { clock, time } = stillTime();
    const { main } = world({
      time,
      run() {
        for (let i = 0; i < 5; i++) {
          clock.nowMs += 11;
          time.look();
        }
        return Promise.resolve(RESULT);
      },
    });
    main.tell({ ...QUERY, ...seen });
    await settle();
    main.tell({ ...QUERY, id: 4, longAfterMs: null, ...seen });
    await settle();
    expect(main.sent).toMatchObject([
      { kind: "long", id: 3 },
      { kind: "answer", id: 3, processorMs: 55 },
      { kind: "answer", id: 4, processorMs: 55 },
    ]);
  });

  test("that fails ends the service", async () => {
    const { main, failures } = world({ run: () => Promise.reject(new RangeError("no table")) });
    main.tell({ ...QUERY, ...seen });
    await settle();
    expect(failures.map(String)).toEqual(["RangeError: no table"]);
    expect(main.sent).toEqual([]);
  });
});

describe.each([
  ["a validation", VALIDATE, [VALIDATE.bytes, METADATA], VALIDATION],
  ["a declaration that is prepared", PREPARE, PREPARE.bytes, PREPARED],
])("%s", (_, work, given, bytes) => {
  test("runs on what whoever asks has seen", async () => {
    const { main, committer, ran } = world();
    main.tell({ ...work, position: AHEAD });
    await settle();
    expect(ran).toEqual([]);
    committer.tell({ blockNumber: LATEST + 1 });
    await settle();
    expect(ran).toEqual([given]);
    expect(main.sent).toMatchObject([{ kind: "answer", id: work.id, bytes }]);
  });

  test("runs on what the thread has when that lags: the executor looks again", async () => {
    const { main, timer } = world();
    main.tell({ ...work, position: AHEAD });
    timer.advance(POSITION_TIMEOUT_MS);
    await settle();
    expect(main.sent).toMatchObject([{ kind: "answer", id: work.id, bytes }]);
  });

  test("that was cancelled says so, and the next one is not", async () => {
    const { main, cancellation } = cancelling(work.kind);
    main.tell({ ...work, ...seen });
    await settle();
    expect(cancellation.isCancelled).toBe(true);
    main.tell({ ...QUERY, ...seen });
    await settle();
    expect(main.sent).toMatchObject([{ isCancelled: true }, { isCancelled: false }]);
  });

  test("that throws ends the service", async () => {
    const broken = () => {
      throw new RangeError("broken");
    };
    const { main, failures } = world({ [work.kind]: broken });
    main.tell({ ...work, ...seen });
    await settle();
    expect(failures.map(String)).toEqual(["RangeError: broken"]);
  });
});

/** A service whose machine is cancelled while it does the work of a kind. */
function cancelling(kind: "validate" | "prepare") {
  const made: ReturnType<typeof world> = world({
    [kind]: () => {
      made.cancellation.noted({ kind: "cancelled" });
      return VALIDATION;
    },
  });
  return made;
}
