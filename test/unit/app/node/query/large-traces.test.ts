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

/** 16 MiB for cells, 4 MiB for what calls hand to each other and leave behind. */
const vm = createCairoVm({ maxMemoryBytes: 16 * MIB });

const IDLE = record("steps", { count: 0 });

/** Calls that are given 4 000 felts each, together `mib` MiB. */
function calls(mib: number): readonly bigint[] {
  const tail = Array.from({ length: 4_000 }, (_, i) => BigInt(i));
  const count = Math.ceil((mib * MIB) / (32 * tail.length));
  const called = { a: HOSTILE, b: selectorFromName("run"), count };
  return [...IDLE, ...record("call_contract", called), ...IDLE, ...tail];
}

/** One call that is given little and returns 40 000 felts: 1.2 MiB in one piece. */
const RETURNING = [
  ...IDLE,
  ...record("call_contract", { a: HOSTILE, b: selectorFromName("run"), count: 1 }),
  ...record("return_data", { count: 40_000 }),
];

/** Calldata of the block's transactions. */
const CALLDATA = [...[0, 12, 0, 3, 0].map(calls), RETURNING];
const LARGE = 1;
const LONG_RESULT = 5;

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

/** A tracer that counts the transactions that it executes. */
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

describe("a transaction whose calls hand over more than a phase may hold at a time", () => {
  test("is included, and its trace is told where an answer may be that large", () => {
    const { all, one } = tracerOf({});
    const traced = one(LARGE);
    const inner = traced.kind === "ok" ? (traced.trace.info.execute?.innerCalls ?? []) : [];
    expect(inner.length).toBeGreaterThan(90);
    expect(inner.every(({ calldata }) => calldata.length === 4_006)).toBe(true);
    expect(all().kind).toBe("ok");
  });

  test("is followed by others whose traces are told, whichever is asked for first", () => {
    for (const order of [
      [4, 2, 3],
      [2, 3, 4, 0],
      [LARGE, 4],
    ]) {
      const { one } = tracerOf({ maxAnswerBytes: 8 * MIB, maxCachedBytes: 8 * MIB });
      for (const index of order) {
        expect(one(index).kind).toBe(index === LARGE ? "too_large" : "ok");
      }
    }
  });

  test("is named where its trace is larger than an answer may be, and the others are told", () => {
    const { all, one } = tracerOf({ maxAnswerBytes: 8 * MIB });
    expect(one(LARGE)).toEqual({ kind: "too_large", index: LARGE });
    expect(all()).toEqual({ kind: "too_large", index: LARGE });
    expect([0, 2, 3, 4, 5].map((index) => one(index).kind)).toEqual(["ok", "ok", "ok", "ok", "ok"]);
    expect(all()).toEqual({ kind: "too_large", index: LARGE });
  });

  test("is executed once to know that, also when it only came before another one", () => {
    const limits = { maxAnswerBytes: 8 * MIB, maxCachedBytes: 8 * MIB };
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

  test("is not kept where it is only passed and larger than what is kept", () => {
    const { one, state } = tracerOf({ maxCachedBytes: 8 * MIB });
    expect([4, 3, 0].map((index) => one(index).kind)).toEqual(["ok", "ok", "ok"]);
    expect(state.executed).toBe(5);
    expect(one(LARGE).kind).toBe("ok");
    expect(state.executed).toBe(7);
  });
});

describe("a result that is larger than a trace may be", () => {
  const maxAnswerBytes = MIB;

  test("is not told as an empty one", () => {
    const tooLarge = { kind: "too_large", index: LONG_RESULT } as const;
    expect(tracerOf({ maxAnswerBytes }).one(LONG_RESULT)).toEqual(tooLarge);
  });

  test("neither in a simulation", () => {
    const simulated = (maxTraceBytes: number) =>
      simulateTransactions(
        vm,
        hostileState(),
        transferBlock({ limits: {} }),
        [{ transaction: hostileInvoke(RETURNING) }],
        { skipValidate: true, skipFeeCharge: true },
        { maxTraceBytes },
      );
    expect(simulated(maxAnswerBytes)).toEqual({ kind: "too_large", index: 0 });
    expect(simulated(2 * maxAnswerBytes).kind).toBe("ok");
  });
});
