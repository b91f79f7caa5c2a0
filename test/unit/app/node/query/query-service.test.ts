import { describe, expect, test } from "bun:test";
import { Cancellation } from "#app/node/query/cancellation.ts";
import { positionAt } from "#engine/state/index.ts";
import { POSITION_TIMEOUT_MS } from "#services/admission/position-gate.ts";
import { settle } from "#test/helpers/admission-world.ts";
import {
  LATEST,
  PREPARED,
  QUERY,
  queryServiceWorld,
  RESULT,
  seen,
  manualClock,
  VALIDATION,
} from "#test/helpers/query-service-world.ts";

const METADATA = { isSenderUndeployed: true, codeSize: 77 };
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

describe("garbage collection", () => {
  test.each([
    ["a query", QUERY],
    ["a validation", VALIDATE],
    ["a declaration", PREPARE],
  ])("after %s runs once the response is sent", async (_, request) => {
    const sentAtLooks: number[] = [];
    const { main } = queryServiceWorld({
      garbage: { lookNow: () => sentAtLooks.push(main.sent.length) },
    });
    for (const expected of [[1], [1, 2]]) {
      main.tell({ ...request, ...seen });
      await settle();
      expect(sentAtLooks).toEqual(expected);
    }
  });
});

describe("a query", () => {
  test("is answered with the thread's position", async () => {
    const { main, executor } = queryServiceWorld();
    const bytes = new Uint8Array();
    executor.tell({ kind: "delta", blockNumber: LATEST + 1, sequence: 2, bytes });
    main.tell({ ...QUERY, ...seen });
    await settle();
    const position = { accepted: LATEST, blockNumber: LATEST + 1, sequence: 2, generation: 0 };
    expect(main.sent).toEqual([
      { id: 3, processorMs: 0, isCancelled: false, position, bytes: RESULT },
    ]);
  });

  test("waits until the thread reaches the requested position", async () => {
    const { main, committer, ran, published } = queryServiceWorld();
    main.tell({ ...QUERY, position: AHEAD });
    await settle();
    expect(ran).toEqual([]);
    committer.tell({ blockNumber: LATEST + 1 });
    await settle();
    expect([ran, published]).toEqual([["[]"], [LATEST + 1]]);
    expect(main.sent).toMatchObject([{ id: 3, bytes: RESULT }]);
  });

  test("does not wait for a lost position, and responds with the new generation", async () => {
    const { main, executor } = queryServiceWorld();
    main.tell({ ...QUERY, position: { ...AHEAD, accepted: LATEST } });
    await settle();
    expect(main.sent).toEqual([]);
    executor.tell({ kind: "pendingDropped" });
    await settle();
    expect(main.sent).toMatchObject([
      { id: 3, position: { ...positionAt(LATEST), generation: 1 }, bytes: RESULT },
    ]);
  });

  test("runs again once blocks that outpaced it are announced", async () => {
    const outpaced = [undefined, LATEST + 1, undefined, undefined];
    const chain = { publish: () => undefined, takeOutpaced: () => outpaced.shift() };
    const { main, committer, ran } = queryServiceWorld({ chain });
    main.tell({ ...QUERY, ...seen });
    await settle();
    expect([ran.length, main.sent.length]).toEqual([1, 0]);
    committer.tell({ blockNumber: LATEST + 1 });
    await settle();
    expect(ran).toHaveLength(2);
    expect(main.sent).toMatchObject([{ id: 3, bytes: RESULT, position: { accepted: LATEST + 1 } }]);
  });

  test("returns after a bounded number of runs, or if no block is announced", async () => {
    const chain = { publish: () => undefined, takeOutpaced: () => LATEST };
    const { main, ran } = queryServiceWorld({ chain });
    main.tell({ ...QUERY, ...seen });
    await settle();
    expect(main.sent).toHaveLength(1);
    expect(ran.length).toBeLessThan(10);
    const silent = queryServiceWorld({
      chain: { publish: () => undefined, takeOutpaced: () => LATEST + 1 },
    });
    silent.main.tell({ ...QUERY, ...seen });
    await settle();
    silent.timer.advance(POSITION_TIMEOUT_MS);
    await settle();
    expect([silent.ran.length, silent.main.sent.length]).toEqual([1, 1]);
  });

  test("fails if the thread does not reach the position in time", async () => {
    const { main, timer, ran } = queryServiceWorld();
    main.tell({ ...QUERY, position: AHEAD });
    timer.advance(POSITION_TIMEOUT_MS);
    await settle();
    const [answer] = main.sent;
    const text = new TextDecoder().decode(
      answer !== undefined && "bytes" in answer ? answer.bytes : undefined,
    );
    expect(JSON.parse(text)).toEqual({
      error: {
        code: -32603,
        message: "Internal error",
        data: "the query thread did not receive the newest blocks in time",
      },
    });
    expect(ran).toEqual([]);
  });

  test("reports its cancellation, which does not affect the next one", async () => {
    const cancellation = new Cancellation(new Int32Array(1), () => undefined);
    const outcomes = ["cancelled", "succeeded"];
    const { main } = queryServiceWorld({
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

  test("reports its processor time, and once that it is long", async () => {
    const { clock, time } = manualClock();
    const { main } = queryServiceWorld({
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
      { id: 3, processorMs: 55 },
      { id: 4, processorMs: 55 },
    ]);
  });

  test("stops the service if it fails", async () => {
    const { main, failures } = queryServiceWorld({
      run: () => Promise.reject(new RangeError("no table")),
    });
    main.tell({ ...QUERY, ...seen });
    await settle();
    expect(failures.map(String)).toEqual(["RangeError: no table"]);
    expect(main.sent).toEqual([]);
  });
});

describe.each([
  ["a validation", VALIDATE, [VALIDATE.bytes, METADATA], VALIDATION],
  ["the preparation of a declaration", PREPARE, [PREPARE.bytes, false], PREPARED],
  [
    "the hashing of a declaration",
    { ...PREPARE, namesOnly: true },
    [PREPARE.bytes, true],
    PREPARED,
  ],
])("%s", (_, work, given, bytes) => {
  test("runs at the requested position", async () => {
    const { main, committer, ran } = queryServiceWorld();
    main.tell({ ...work, position: AHEAD });
    await settle();
    expect(ran).toEqual([]);
    committer.tell({ blockNumber: LATEST + 1 });
    await settle();
    expect(ran).toEqual([given]);
    expect(main.sent).toMatchObject([{ id: work.id, bytes }]);
  });

  test("runs at the thread's position if that lags, because the executor checks again", async () => {
    const { main, timer } = queryServiceWorld();
    main.tell({ ...work, position: AHEAD });
    timer.advance(POSITION_TIMEOUT_MS);
    await settle();
    expect(main.sent).toMatchObject([{ id: work.id, bytes }]);
  });

  test("reports its cancellation, which does not affect the next job", async () => {
    const { main, cancellation } = cancelling(work.kind);
    main.tell({ ...work, ...seen });
    await settle();
    expect(cancellation.isCancelled).toBe(true);
    main.tell({ ...QUERY, ...seen });
    await settle();
    expect(main.sent).toMatchObject([{ isCancelled: true }, { isCancelled: false }]);
  });

  test("stops the service if it throws", async () => {
    const broken = () => {
      throw new RangeError("broken");
    };
    const { main, failures } = queryServiceWorld({ [work.kind]: broken });
    main.tell({ ...work, ...seen });
    await settle();
    expect(failures.map(String)).toEqual(["RangeError: broken"]);
  });
});

/** A service whose machine is cancelled during work of this kind. */
function cancelling(kind: "validate" | "prepare") {
  const made: ReturnType<typeof queryServiceWorld> = queryServiceWorld({
    [kind]: () => {
      made.cancellation.noted({ kind: "cancelled" });
      return VALIDATION;
    },
  });
  return made;
}
