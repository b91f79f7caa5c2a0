import { describe, expect } from "bun:test";
import { createCairoVm } from "#engine/cairo/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import type { TracedBlock } from "#api/rpc/traces/access.ts";
import { findTraced } from "#api/rpc/traces/traced-block.ts";
import { BlockTracer } from "#app/node/query/block-tracer.ts";
import { TRACE_LIMITS } from "#app/node/query/trace-limits.ts";
import { fakeHeader } from "#test/helpers/fake-chain.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { type TraceWorld, traceWorld } from "#test/helpers/trace-world.ts";
import { transferBlock } from "#test/helpers/transfer-chain.ts";

/** The sealed, not yet accepted block has one transaction; the one above it has two. */
const SEALED = 2;
const BUILDING = 3;

let made: TraceWorld | undefined;

function unaccepted(number: number): TracedBlock {
  made ??= traceWorld();
  const found = findTraced(made.context, made.transactions[number]?.[0]?.hash ?? 0n);
  if (found === undefined) throw new TypeError(`there is no block ${number}`);
  return found.block;
}

/** The same block once it is accepted, read again from storage. */
function accepted(block: TracedBlock, change: Partial<TracedBlock> = {}): TracedBlock {
  const { transactions, receipts } = block.contents();
  return {
    ...block,
    id: `accepted ${block.info.number}`,
    info: fakeHeader({ ...block.info, hash: 0xabcn }),
    contents: () => ({
      transactions: transactions.map(({ hash, transaction }) => ({
        hash,
        transaction: structuredClone(transaction),
        bytes: Uint8Array.of(1),
      })),
      receipts: structuredClone(receipts),
    }),
    ...change,
  };
}

function tracer() {
  const state = { executed: 0 };
  const blocks = new BlockTracer({
    vm: createCairoVm(),
    contextOf: (info) => ({ ...transferBlock(), info }),
    cancellation: {
      isStopped() {
        state.executed++;
        return false;
      },
      noted: (outcome) => outcome,
    },
    limits: TRACE_LIMITS,
  });
  return { state, blocks };
}

/** Traces with the block's initial reads. */
function toldOf(traced: ReturnType<BlockTracer["traceBlock"]>) {
  return traced.kind === "ok" ? { ...traced, initialReads: traced.initialReads() } : traced;
}

describe("traces made while a block was being built", () => {
  sharedTest("are reused once the block is accepted", () => {
    const { state, blocks } = tracer();
    const before = blocks.traceBlock(unaccepted(BUILDING));
    expect(state.executed).toBe(2);
    const after = blocks.traceBlock(accepted(unaccepted(BUILDING)));
    expect(state.executed).toBe(2);
    expect(toldOf(after)).toEqual(toldOf(before));
  });

  sharedTest("are continued if the block has grown since", () => {
    const { state, blocks } = tracer();
    blocks.traceOne(unaccepted(BUILDING), 0);
    const block = accepted(unaccepted(BUILDING));
    const anew = tracer().blocks.traceOne(accepted(unaccepted(BUILDING)), 1);
    expect(blocks.traceOne(block, 1)).toEqual(anew);
    expect(state.executed).toBe(2);
    expect(blocks.traceOne(block, 0).kind).toBe("ok");
    expect(state.executed).toBe(2);
  });
});

/** The same state with some methods replaced. */
function otherState(state: StateReader, change: Partial<StateReader>): StateReader {
  return {
    storageAt: (address, key) => state.storageAt(address, key),
    nonceAt: (address) => state.nonceAt(address),
    classHashAt: (address) => state.classHashAt(address),
    compiledClassHashOf: (hash) => state.compiledClassHashOf(hash),
    executableClass: (hash) => state.executableClass(hash),
    ...change,
  };
}

describe("a changed block is executed again", () => {
  const changes: readonly (readonly [what: string, of: (block: TracedBlock) => TracedBlock])[] = [
    [
      "with another time",
      (block) => accepted(block, { info: { ...block.info, timestamp: block.info.timestamp + 1 } }),
    ],
    ["on a state that differs in what it reads", (block) => onOtherState(block)],
    [
      "with another signature of a transaction",
      (block) => {
        const { transactions, receipts } = block.contents();
        const signed = transactions.map(({ hash, transaction }) => ({
          hash,
          transaction: { ...transaction, signature: [1n] } as typeof transaction,
        }));
        return accepted(block, { contents: () => ({ transactions: signed, receipts }) });
      },
    ],
    [
      "with another receipt",
      (block) => {
        const { transactions, receipts } = block.contents();
        const other = receipts.map((receipt) => ({
          ...receipt,
          actualFee: receipt.actualFee + 1n,
        }));
        return accepted(block, { contents: () => ({ transactions, receipts: other }) });
      },
    ],
    [
      "with other transactions",
      (block) => accepted(block, { contents: () => unaccepted(BUILDING).contents() }),
    ],
  ];

  function onOtherState(block: TracedBlock): TracedBlock {
    const { before } = block;
    let reads = 0;
    const changed = otherState(before, {
      // Changes one compared value that affects nothing else.
      storageAt: (address, key) => before.storageAt(address, key) + (reads++ === 0 ? 1n : 0n),
    });
    return accepted(block, { before: changed });
  }

  for (const [what, of] of changes) {
    sharedTest(what, () => {
      const { state, blocks } = tracer();
      expect(blocks.traceOne(unaccepted(SEALED), 0).kind).toBe("ok");
      expect(state.executed).toBe(1);
      blocks.traceOne(of(unaccepted(SEALED)), 0);
      expect(state.executed).toBe(2);
    });
  }
});

sharedTest("a block on a chain whose old block has another hash is executed again", () => {
  const { state, blocks } = tracer();
  const block = unaccepted(SEALED);
  // From block 10 on, contracts can read the hash of an old block.
  const high = { ...block, info: { ...block.info, number: 12 } };
  const otherHash = otherState(block.after, {
    storageAt: (address, key) => (address === 1n ? 0xabcn : block.after.storageAt(address, key)),
  });
  blocks.traceOne(high, 0);
  blocks.traceOne(accepted(high), 0);
  expect(state.executed).toBe(1);
  blocks.traceOne({ ...high, id: "another", after: otherHash }, 0);
  expect(state.executed).toBe(2);
});
