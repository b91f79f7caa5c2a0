import { describe, expect } from "bun:test";
import { createCairoVm } from "#engine/cairo/index.ts";
import { findTraced, type TracedTransaction } from "#api/rpc/traces/traced-block.ts";
import { BlockTracer } from "#app/node/query/block-tracer.ts";
import { TRACE_LIMITS, type TraceLimits } from "#app/node/query/trace-limits.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { type TraceWorld, traceWorld } from "#test/helpers/trace-world.ts";
import { transferBlock } from "#test/helpers/transfer-chain.ts";

let world: TraceWorld | undefined;

/** Transaction at an index of a block. */
function placeOf(block: number, index: number): TracedTransaction {
  world ??= traceWorld();
  const found = findTraced(world.context, world.transactions[block]?.[index]?.hash ?? 0n);
  if (found === undefined) throw new TypeError(`no transaction ${index} in block ${block}`);
  return found;
}

/** A tracer that counts the transactions it executes, and stops where the test says. */
function tracerOf(limits: Partial<TraceLimits> = {}) {
  const state = { executed: 0, stopsAt: Number.POSITIVE_INFINITY, noted: 0 };
  const tracer = new BlockTracer({
    vm: createCairoVm(),
    contextOf: (info) => ({ ...transferBlock(), info }),
    cancellation: {
      isStopped() {
        if (state.executed >= state.stopsAt) return true;
        state.executed++;
        return false;
      },
      noted(outcome) {
        state.noted++;
        return outcome;
      },
    },
    limits: { ...TRACE_LIMITS, ...limits },
  });
  const one = (block: number, index: number) => tracer.traceOne(placeOf(block, index).block, index);
  const all = (block: number) => tracer.traceBlock(placeOf(block, 0).block);
  return { state, one, all, tracer };
}

/** Approximate size of a block's traces in bytes. */
function sizeOfBlock(block: number): number {
  const traced = tracerOf().all(block);
  if (traced.kind !== "ok") throw new TypeError(traced.kind);
  return traced.traces.reduce((sum, trace) => sum + trace.sizeBytes, 0);
}

describe("no transaction is executed twice", () => {
  sharedTest("when traced one after the other", () => {
    const { state, one } = tracerOf();
    const counts = [0, 1, 2, 3, 0, 2].map((index) => {
      expect(one(1, index).kind).toBe("ok");
      return state.executed;
    });
    expect(counts).toEqual([1, 2, 3, 4, 4, 4]);
  });

  sharedTest("when the last is traced first, or the whole block after one", () => {
    const { state, one, all } = tracerOf();
    one(1, 2);
    expect(state.executed).toBe(3);
    expect(all(1)).toMatchObject({ kind: "ok", traces: { length: 4 } });
    one(1, 0);
    all(1);
    expect(state.executed).toBe(4);
  });

  sharedTest("when a stopped request is repeated", () => {
    const { state, all } = tracerOf();
    state.stopsAt = 2;
    expect(all(1)).toEqual({ kind: "cancelled", done: 2 });
    state.stopsAt = Number.POSITIVE_INFINITY;
    expect(all(1).kind).toBe("ok");
    expect(state.executed).toBe(4);
  });

  sharedTest("when the block being built has grown", () => {
    const { state, one } = tracerOf();
    const { block } = placeOf(3, 0);
    const { transactions, receipts } = block.contents();
    const tracer = tracerOf();
    expect(tracer.one(3, 0).kind).toBe("ok");
    expect([transactions.length, receipts.length]).toEqual([2, 2]);
    expect(tracer.one(3, 1).kind).toBe("ok");
    expect(tracer.state.executed).toBe(2);
    one(3, 1);
    expect(state.executed).toBe(2);
  });
});

describe("traces above the cache limit", () => {
  /** A limit that holds one trace of a block, and not its first two. */
  function oneTrace(block: number): Partial<TraceLimits> {
    const traced = tracerOf().all(block);
    if (traced.kind !== "ok") throw new TypeError(traced.kind);
    const [first, second] = [...traced.traces];
    return { maxCachedBytes: (first?.sizeBytes ?? 0) + (second?.sizeBytes ?? 0) - 1 };
  }

  sharedTest("are evicted by requests for single traces", () => {
    const { state, one } = tracerOf(oneTrace(1));
    const counts = [0, 1, 1, 0].map((index) => {
      expect(one(1, index).kind).toBe("ok");
      return state.executed;
    });
    expect(counts).toEqual([1, 2, 2, 3]);
  });

  sharedTest("are all in the response to a request for the block", () => {
    expect(tracerOf(oneTrace(3)).all(3)).toMatchObject({ kind: "ok", traces: { length: 2 } });
  });
});

describe("progress of several blocks", () => {
  sharedTest("is lost if their traces were evicted", () => {
    const { state, one } = tracerOf({ maxCachedBytes: 1 });
    one(1, 0);
    one(0, 0);
    one(1, 1);
    expect(state.executed).toBe(4);
  });

  sharedTest("is limited to 64 blocks, whatever their size", () => {
    const { block } = placeOf(0, 0);
    let begun = 0;
    const tracer = new BlockTracer({
      vm: createCairoVm(),
      contextOf(info) {
        begun++;
        return { ...transferBlock(), info };
      },
      cancellation: { isStopped: () => false, noted: (outcome) => outcome },
      limits: TRACE_LIMITS,
    });
    const contents = () => ({ transactions: [], receipts: [] });
    const trace = (number: number) => {
      const info = { ...block.info, number };
      tracer.traceBlock({ ...block, id: `block ${number}`, info, contents });
      return begun;
    };
    for (let number = 0; number < 64; number++) trace(number);
    expect(trace(0)).toBe(64);
    // The least recently used one is evicted.
    expect(trace(64)).toBe(65);
    expect(trace(0)).toBe(65);
    expect(trace(1)).toBe(66);
  });

  sharedTest("is kept, so that alternating requests execute nothing twice", () => {
    const { state, one } = tracerOf();
    one(1, 0);
    one(0, 0);
    one(1, 0);
    one(0, 1);
    expect(state.executed).toBe(3);
  });

  sharedTest("is limited by size, and the least recently used block is evicted", () => {
    const { state, one } = tracerOf({ maxCachedBytes: sizeOfBlock(1) + 1 });
    for (const index of [0, 1, 2, 3]) one(1, index);
    one(0, 0);
    expect(state.executed).toBe(5);
    one(0, 0);
    expect(state.executed).toBe(5);
    one(1, 0);
    expect(state.executed).toBe(6);
  });
});

sharedTest("evicts oversized traces but keeps the progress of execution", () => {
  const { state, one } = tracerOf({ maxCachedBytes: 1 });
  expect(one(1, 0).kind).toBe("ok");
  expect(one(1, 3).kind).toBe("ok");
  expect(state.executed).toBe(4);
  expect(one(1, 0).kind).toBe("ok");
  expect(state.executed).toBe(5);
});

sharedTest("evicts an oversized state", () => {
  const { state, one } = tracerOf({ maxCachedState: 1 });
  one(1, 0);
  one(1, 1);
  expect(state.executed).toBe(3);
});

sharedTest("streams traces that are too large together, with equal results", () => {
  const whole = tracerOf().all(1);
  const { all, one, state } = tracerOf({ maxHeldBytes: 10_000 });
  const traced = all(1);
  const executed = state.executed;
  const steps = traced.kind === "long" ? [...traced.steps] : [];
  expect(whole.kind === "ok" && Bun.deepEquals(steps, [...whole.traces])).toBe(true);
  expect(traced.kind === "long" && whole.kind === "ok" && traced.initialReads()).toEqual(
    whole.kind === "ok" ? whole.initialReads() : false,
  );
  expect(state.executed).toBeGreaterThan(executed);
  expect(one(1, 3).kind).toBe("ok");
});

sharedTest("ends a stream of traces at the first failure", () => {
  const { block } = placeOf(1, 0);
  const contents = block.contents();
  const receipts = contents.receipts.map((each, i) =>
    i === 3 ? { ...each, actualFee: 1n } : each,
  );
  const { tracer } = tracerOf({ maxHeldBytes: 10 });
  const traced = tracer.traceBlock({ ...block, contents: () => ({ ...contents, receipts }) });
  const steps = traced.kind === "long" ? [...traced.steps] : [];
  expect(steps).toHaveLength(4);
  expect(steps.at(-1)).toMatchObject({ kind: "differs", index: 3 });
});

sharedTest("refuses a single trace that is too large", () => {
  expect(tracerOf({ maxTraceBytes: 10 }).one(1, 1)).toEqual({
    kind: "too_large",
    index: 1,
  });
});

sharedTest("refuses a block whose receipts are not reproduced", () => {
  const { block } = placeOf(1, 0);
  const contents = block.contents();
  const change = (receipt: object) => ({
    ...block,
    contents: () => ({
      ...contents,
      receipts: contents.receipts.map((each, i) => (i === 2 ? { ...each, ...receipt } : each)),
    }),
  });
  const tracer = new BlockTracer({
    vm: createCairoVm(),
    contextOf: (info) => ({ ...transferBlock(), info }),
    cancellation: { isStopped: () => false, noted: (outcome) => outcome },
    limits: TRACE_LIMITS,
  });
  expect(tracer.traceBlock(change({ actualFee: 1n }))).toMatchObject({
    kind: "differs",
    index: 2,
    reason: expect.stringContaining("and was 1"),
  });
  expect(tracer.traceBlock(change({ status: { kind: "reverted", reason: "why" } }))).toMatchObject({
    kind: "differs",
    reason: "it succeeded now",
  });
  expect(tracer.traceBlock(change({ events: [] }))).toMatchObject({ kind: "differs" });
  const message = { fromAddress: 1n, toAddress: 2n, payload: [] };
  expect(tracer.traceBlock(change({ messages: [message] }))).toMatchObject({ kind: "differs" });
  expect(tracer.traceBlock(block).kind).toBe("ok");
});

sharedTest("stores the hash of the block ten before where contracts read it", () => {
  const { block } = placeOf(0, 0);
  const at = (number: number) => ({
    ...block,
    id: `block ${number}`,
    info: { ...block.info, number },
    contents: () => ({ transactions: [], receipts: [] }),
  });
  const tracer = new BlockTracer({
    vm: createCairoVm(),
    contextOf: (info) => ({ ...transferBlock(), info }),
    cancellation: { isStopped: () => false, noted: (outcome) => outcome },
    limits: TRACE_LIMITS,
  });
  const touched = (number: number) => {
    const traced = tracer.traceBlock(at(number));
    return traced.kind === "ok" ? [...(traced.initialReads().storage.get(1n)?.keys() ?? [])] : [];
  };
  expect([touched(9), touched(10), touched(12)]).toEqual([[], [0n], [2n]]);
});

sharedTest("reports a cancelled machine and keeps earlier traces", () => {
  const cancelFlag = new Int32Array(new SharedArrayBuffer(4));
  const noted: string[] = [];
  const tracer = new BlockTracer({
    vm: createCairoVm({ cancelFlag }),
    contextOf: (info) => ({ ...transferBlock(), info }),
    cancellation: {
      isStopped: () => false,
      noted(outcome) {
        noted.push(outcome.kind);
        return outcome;
      },
    },
    limits: TRACE_LIMITS,
  });
  const { block } = placeOf(1, 0);
  expect(tracer.traceOne(block, 0).kind).toBe("ok");
  cancelFlag[0] = 1;
  // The second one calls no function of its contract: no machine runs for it.
  expect(tracer.traceBlock(block)).toEqual({ kind: "cancelled", done: 2 });
  expect(noted).toEqual(["cancelled"]);
  cancelFlag[0] = 0;
  expect(tracer.traceBlock(block)).toMatchObject({ kind: "ok", traces: { length: 4 } });
});
