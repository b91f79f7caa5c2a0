import { describe, expect, test } from "bun:test";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { createCairoVm } from "#engine/cairo/index.ts";
import { BlockExecutor, simulateTransactions } from "#engine/execution/index.ts";
import { OverlayState } from "#engine/state/index.ts";
import { BlockTracer } from "#app/node/query/block-tracer.ts";
import { TRACE_LIMITS, type TraceLimits } from "#app/node/query/trace-limits.ts";
import { record } from "#test/contracts/hostile/contract.ts";
import { HOSTILE, hostileInvoke, hostileState } from "#test/helpers/hostile-chain.ts";
import { transferBlock } from "#test/helpers/transfer-chain.ts";

const MIB = 2 ** 20;

/** 16 MiB for cells, 4 MiB for calldata and results of calls. */
const vm = createCairoVm({ maxMemoryBytes: 16 * MIB });

const IDLE = record("steps", { count: 0 });

/** Calls with 4 000 felts of calldata each, `mib` MiB in total. */
function calls(mib: number): readonly bigint[] {
  const tail = Array.from({ length: 4_000 }, (_, i) => BigInt(i));
  const count = Math.ceil((mib * MIB) / (32 * tail.length));
  const called = { a: HOSTILE, b: selectorFromName("run"), count };
  return [...IDLE, ...record("call_contract", called), ...IDLE, ...tail];
}

/** One call with little calldata that returns 40 000 felts: 1.2 MiB in one piece. */
const RETURNING = [
  ...IDLE,
  ...record("call_contract", { a: HOSTILE, b: selectorFromName("run"), count: 1 }),
  ...record("return_data", { count: 40_000 }),
];

/** Calldata of the block's transactions. */
const CALLDATA = [calls(0), RETURNING, calls(0), calls(3), calls(0), calls(12)];

/** Above the size of all other traces: the 12 MiB calldata of one transaction is stored once. */
const MOST_BYTES = MIB;
const LARGE = 1;
const SHARED = 5;

const BLOCK = (() => {
  const before = hostileState();
  const block = transferBlock({ limits: {} });
  const executor = new BlockExecutor(vm, before, block);
  executor.begin(undefined);
  const transactions = CALLDATA.map((data, nonce) => hostileInvoke(data, BigInt(nonce)));
  const receipts = transactions.map((transaction) => {
    const outcome = executor.execute(transaction);
    if (outcome.kind !== "included") throw new TypeError(JSON.stringify(outcome));
    return outcome.receipt;
  });
  const after = new OverlayState(before, executor.finish().stateDiff);
  const contents = { transactions, receipts };
  return { id: "block", info: block.info, contents: () => contents, before, after };
})();

/** A tracer that counts the transactions it executes. */
function tracerOf(limits: Partial<TraceLimits>) {
  const state = { executed: 0 };
  const tracer = new BlockTracer({
    vm,
    contextOf: (info) => ({ ...transferBlock({ limits: {} }), info }),
    cancellation: {
      isStopped() {
        state.executed++;
        return false;
      },
      noted: (outcome) => outcome,
    },
    limits: { ...TRACE_LIMITS, ...limits },
  });
  const one = (index: number) => tracer.traceOne(BLOCK, index);
  return { state, one, all: () => tracer.traceBlock(BLOCK) };
}

describe("a trace", () => {
  test("stores shared calldata of many calls once", () => {
    const { all, one } = tracerOf({});
    const traced = one(SHARED);
    const trace = traced.kind === "ok" ? traced.trace : undefined;
    const inner = trace?.info.execute?.innerCalls ?? [];
    expect(inner.length).toBeGreaterThan(90);
    expect(inner.every(({ calldata }) => calldata.length === 4_006)).toBe(true);
    expect(inner.map(({ calldata }) => calldata.at(4_005))).toEqual(inner.map(() => 3_999n));
    expect(trace?.sizeBytes).toBeLessThan(MIB);
    expect(all().kind).toBe("ok");
  });

  test("that is too large does not prevent later traces, whichever is requested first", () => {
    for (const order of [
      [4, 2, 3],
      [2, 3, 4, 0],
      [LARGE, 4],
    ]) {
      const { one } = tracerOf({ maxTraceBytes: MOST_BYTES, maxCachedBytes: MOST_BYTES });
      for (const index of order) {
        expect(one(index).kind).toBe(index === LARGE ? "too_large" : "ok");
      }
    }
  });

  test("above the limit is named, and the others are returned", () => {
    const { all, one } = tracerOf({ maxTraceBytes: MOST_BYTES });
    expect(one(LARGE)).toEqual({ kind: "too_large", index: LARGE });
    expect(all()).toEqual({ kind: "too_large", index: LARGE });
    expect([0, 2, 3, 4, 5].map((index) => one(index).kind)).toEqual(["ok", "ok", "ok", "ok", "ok"]);
    expect(all()).toEqual({ kind: "too_large", index: LARGE });
  });

  test("above the limit is made once, also if it only preceded another one", () => {
    const limits = { maxTraceBytes: MOST_BYTES, maxCachedBytes: MOST_BYTES };
    const asked = tracerOf(limits);
    for (let i = 0; i < 3; i++) asked.one(LARGE);
    expect(asked.state.executed).toBe(2);
    const passed = tracerOf(limits);
    for (const index of [4, LARGE, LARGE]) passed.one(index);
    expect(passed.state.executed).toBe(5);
    const crowded = tracerOf({ ...limits, maxCachedBytes: 1 });
    for (const index of [LARGE, 2, LARGE]) crowded.one(index);
    expect(crowded.state.executed).toBe(3);
  });

  test("of a skipped transaction is not kept if it exceeds the cache", () => {
    const { one, state } = tracerOf({ maxCachedBytes: MOST_BYTES });
    expect([4, 3, 0].map((index) => one(index).kind)).toEqual(["ok", "ok", "ok"]);
    expect(state.executed).toBe(5);
    expect(one(LARGE).kind).toBe("ok");
    expect(state.executed).toBe(7);
  });
});

describe("a result above the trace limit", () => {
  const maxTraceBytes = 8_192;

  test("is not returned as an empty one", () => {
    const tooLarge = { kind: "too_large", index: LARGE } as const;
    expect(tracerOf({ maxTraceBytes }).one(LARGE)).toEqual(tooLarge);
  });

  test("is not returned in a simulation either", () => {
    const simulated = (most: number) =>
      simulateTransactions(
        vm,
        hostileState(),
        transferBlock({ limits: {} }),
        [{ transaction: hostileInvoke(RETURNING) }],
        { skipValidate: true, skipFeeCharge: true },
        { maxTraceBytes: most },
      );
    expect(simulated(maxTraceBytes)).toEqual({ kind: "too_large", index: 0 });
    expect(simulated(4 * MIB).kind).toBe("ok");
  });
});
