import { expect, test } from "bun:test";
import { createCairoVm } from "#engine/cairo/index.ts";
import { type BlockContext, BlockExecutor } from "#engine/execution/index.ts";
import { tracedBlock } from "#api/rpc/traces/traced-block.ts";
import { weighBlock } from "#app/node/query/weigh-block.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { type TraceWorld, traceWorld } from "#test/helpers/trace-world.ts";
import { transferBlock } from "#test/helpers/transfer-chain.ts";

const vm = createCairoVm();
const cancellation = { isStopped: () => false, noted: <T>(outcome: T) => outcome };
/** Far from the protocol's costs, so that other costs give other weights. */
const COSTS = { pedersen: 1_000_000n, poseidon: 3_000_000n, range_check: 7n };
/** Below any transaction: existing blocks are weighed regardless of limits. */
const LIMITS = { stateDiffSize: 1n, transactionCount: 1n };

let made: TraceWorld | undefined;
const world = (): TraceWorld => (made ??= traceWorld({ vm }));

function weigh(number: number, bouncer: BlockContext["bouncer"], parts = {}) {
  const block = tracedBlock(world().context, { kind: "accepted", number });
  expect(block).toBeDefined();
  const contextOf = (info: BlockContext["info"]) => ({ ...transferBlock(bouncer), info });
  return block && weighBlock({ vm, contextOf, cancellation, ...parts }, block);
}

/** Weights of the block at its creation. */
function weightsAtCreation(number: number, bouncer: BlockContext["bouncer"]) {
  const { states, transactions } = world();
  const before = states[number];
  if (before === undefined) throw new RangeError(`no state before block ${number}`);
  const executor = new BlockExecutor(vm, before, transferBlock(bouncer, number));
  executor.begin(undefined);
  for (const transaction of transactions[number] ?? []) {
    expect(executor.execute(transaction).kind).toBe("included");
  }
  return executor.weights();
}

for (const number of [0, 1]) {
  sharedTest(
    `block ${number} weighs the same as at its creation, at the costs of its chain`,
    () => {
      const made = weightsAtCreation(number, { limits: {}, provingGasCosts: COSTS });
      expect(made.provingGas).not.toBe(weightsAtCreation(number, { limits: {} }).provingGas);
      expect(made.transactionCount).toBe(BigInt(world().transactions[number]?.length ?? 0));
      const bouncer = { limits: LIMITS, provingGasCosts: COSTS };
      expect(weigh(number, bouncer)).toEqual({ kind: "ok", weights: made });
    },
  );
}

sharedTest("a cancellation ends weighing between two transactions", () => {
  let asked = 0;
  const stopping = { ...cancellation, isStopped: () => ++asked > 2 };
  expect(weigh(1, { limits: {} }, { cancellation: stopping })).toEqual({
    kind: "cancelled",
    done: 2,
  });
});

sharedTest("a block that is not reproduced has no weights", () => {
  const block = tracedBlock(world().context, { kind: "accepted", number: 0 });
  if (block === undefined) throw new RangeError("no block 0");
  const contents = () => {
    const { transactions, receipts } = block.contents();
    return { transactions, receipts: receipts.map((r) => ({ ...r, actualFee: 1n })) };
  };
  const contextOf = (info: BlockContext["info"]) => ({ ...transferBlock(), info });
  expect(weighBlock({ vm, contextOf, cancellation }, { ...block, contents })).toMatchObject({
    kind: "differs",
    index: 0,
  });
});

test("a block without transactions weighs nothing", () => {
  const state = { before: {} as never, after: {} as never };
  const contents = () => ({ transactions: [], receipts: [] });
  const { info } = transferBlock();
  const contextOf = () => transferBlock();
  const outcome = weighBlock({ vm, contextOf, cancellation }, { id: "", info, contents, ...state });
  expect(outcome).toMatchObject({ kind: "ok", weights: { transactionCount: 0n, l1Gas: 0n } });
});
