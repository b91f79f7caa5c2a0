import { describe, expect, test } from "bun:test";
import { createCairoVm, createMemoryPermits } from "#engine/cairo/index.ts";
import type { CairoVm } from "#engine/cairo/types.ts";
import { type HashedTransaction, type InvokeV3, transactionHash } from "#protocol/chain/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import {
  type BlockContext,
  BlockExecutor,
  callContract,
  type CallInfo,
  estimateFee,
  simulateTransactions,
  TraceMemory,
  validateTransaction,
} from "#engine/execution/index.ts";
import { FeltBlock } from "#kernels/vm/index.ts";
import { InitialState } from "#test/helpers/scenario/initial-state.ts";
import { type CallLoop, callLoopClass, LOOP_CONTRACT } from "#test/helpers/call-loop.ts";
import { SEQUENCER, STRK } from "#test/helpers/transfer-chain.ts";
import { callHostile } from "#test/helpers/hostile-chain.ts";
import { record } from "#test/contracts/hostile/contract.ts";
import { BUILT_IN_CONSTANTS } from "#protocol/versions/index.ts";

const MIB = 2 ** 20;
const CHAIN_ID = 1n;
const PRICES = {
  l1Gas: { wei: 1n, fri: 1n },
  l1DataGas: { wei: 1n, fri: 1n },
  l2Gas: { wei: 1n, fri: 1n },
};

const BLOCK: BlockContext = {
  info: {
    number: 5,
    timestamp: 1_700_000_000,
    sequencerAddress: SEQUENCER,
    gasPrices: PRICES,
    l1DaMode: "BLOB",
    protocolVersion: "0.14.4",
  },
  chainId: CHAIN_ID,
  feeTokens: { strk: STRK, eth: 1n },
  constants: BUILT_IN_CONSTANTS.at("0.14.4"),
  bouncer: { limits: {} },
};

/** Bytes that a call keeps in addition to its data. */
const RECORD_BYTES = 2048;

/** Felts that each call receives. */
const LENGTH = 1000;
const DATA_BYTES = LENGTH * 32;

/** Machine with 16 MiB of cells and 4 MiB for the data of calls. */
const small = createCairoVm({ maxMemoryBytes: 16 * MIB });

/**
 * Number of failed calls, whose results the caller may still forward, that fills 4 MiB: each
 * holds a record and a result, the last one its calldata too.
 */
const MOST_FAILED =
  Math.floor((4 * MIB - RECORD_BYTES - 2 * DATA_BYTES) / (RECORD_BYTES + DATA_BYTES)) + 1;

/** A contract whose `__execute__`, `__validate__` and `go` call in a loop. */
function stateWith(loop: Omit<CallLoop, "name">): InitialState {
  const names = ["__execute__", "__validate__", "go"];
  const executable = callLoopClass(names.map((name) => ({ name, ...loop })));
  const state = new InitialState();
  state.classes.set(executable.classHash, executable);
  state.classHashes.set(LOOP_CONTRACT, executable.classHash);
  return state;
}

const FELTS = Array.from({ length: LENGTH }, (_, i) => BigInt(i) << 200n);

function invoke(): HashedTransaction<InvokeV3> {
  const transaction: InvokeV3 = {
    type: "INVOKE",
    version: 3,
    resourceBounds: {
      l1Gas: { maxAmount: 0n, maxPricePerUnit: 1n },
      l2Gas: { maxAmount: 1_000_000_000n, maxPricePerUnit: 1n },
      l1DataGas: { maxAmount: 10_000n, maxPricePerUnit: 1n },
    },
    tip: 0n,
    paymasterData: [],
    nonceDataAvailabilityMode: 0,
    feeDataAvailabilityMode: 0,
    accountDeploymentData: [],
    proofFacts: [],
    signature: [],
    nonce: 0n,
    senderAddress: LOOP_CONTRACT,
    calldata: FELTS,
  };
  return { hash: transactionHash(transaction, CHAIN_ID), transaction };
}

function call(vm: CairoVm, state: InitialState) {
  return callContract(vm, state, BLOCK, {
    contractAddress: LOOP_CONTRACT,
    entryPointSelector: selectorFromName("go"),
    calldata: FELTS,
  });
}

const WITHOUT_VALIDATION = { validate: false, chargeFee: false };

describe("a transaction above the memory limits", () => {
  const fits = stateWith({ target: "fail", count: MOST_FAILED });
  const tooMuch = stateWith({ target: "fail", count: MOST_FAILED + 1 });

  test("fails as a call with an error that names the limits", () => {
    expect(call(small, fits).kind).toBe("ok");
    const outcome = call(small, tooMuch);
    expect(outcome.kind === "failed" && outcome.failure.message).toBe(
      "The transaction exceeds the memory limits of this node: 16 MiB for the cells of its " +
        "calls, 4 MiB for the data that they pass on and leave behind.",
    );
  });

  test("is rejected by a block without a trace, not included as reverted", () => {
    const executor = new BlockExecutor(small, fits, BLOCK);
    expect(executor.execute(invoke(), WITHOUT_VALIDATION)).toMatchObject({
      kind: "included",
      info: { revertReason: null },
    });
    const other = new BlockExecutor(small, tooMuch, BLOCK);
    const outcome = other.execute(invoke(), WITHOUT_VALIDATION);
    expect(outcome).toMatchObject({ kind: "rejected", error: { code: "OUT_OF_MEMORY" } });
    expect(other.stateDiff().nonces.size).toBe(0);
  });

  test("fails in an estimate", () => {
    const estimate = (state: InitialState) =>
      estimateFee(small, state, BLOCK, [{ transaction: invoke() }], { skipValidate: true });
    expect(estimate(fits).kind).toBe("ok");
    expect(estimate(tooMuch)).toMatchObject({
      kind: "failed",
      index: 0,
      reason: expect.stringContaining("exceeds the memory limits"),
    });
  });

  test("is rejected by validation, in admission and in a block", () => {
    const validate = (state: InitialState) => {
      const outcome = validateTransaction(small, state, BLOCK, invoke(), { chargeFee: false });
      return outcome.kind === "rejected" ? outcome.error.code : outcome.kind;
    };
    // At the limit, only the missing result VALID is wrong.
    expect(validate(fits)).toBe("VALIDATION_FAILED");
    expect(validate(tooMuch)).toBe("OUT_OF_MEMORY");
    const executed = new BlockExecutor(small, tooMuch, BLOCK).execute(invoke(), {
      chargeFee: false,
    });
    expect(executed).toMatchObject({ kind: "rejected", error: { code: "OUT_OF_MEMORY" } });
  });

  test("leaves machine and executor usable", () => {
    const executor = new BlockExecutor(small, tooMuch, BLOCK);
    executor.execute(invoke(), WITHOUT_VALIDATION);
    expect(call(small, fits).kind).toBe("ok");
  });

  test("has separate limits for cells and data", () => {
    // Results stay in the cells of the caller: 16 MiB of them, minus what segments take.
    const perCall = DATA_BYTES;
    const most = Math.floor((16 * MIB) / perCall);
    expect(call(small, stateWith({ target: "echo", count: most - 80 })).kind).toBe("ok");
    expect(call(small, stateWith({ target: "echo", count: most })).kind).toBe("failed");
  });

  test("returns its memory permit", () => {
    const memoryPermits = createMemoryPermits(1);
    const vm = createCairoVm({ maxSpanBytes: 2 ** 32, memoryPermits });
    expect(call(vm, stateWith({ target: "sink", count: 9000 })).kind).toBe("ok");
    expect(memoryPermits[0]).toBe(1);
  });

  test("pays only for the records of calls that keep no data", () => {
    const most = Math.floor((4 * MIB - DATA_BYTES) / RECORD_BYTES);
    expect(call(small, stateWith({ target: "sink", count: most })).kind).toBe("ok");
    expect(call(small, stateWith({ target: "sink", count: most + 1 })).kind).toBe("failed");
  });
});

test("a call may pass over more than three gigabytes without writing them", () => {
  const holes = (count: number) => callHostile(record("stack_holes", { count })).kind;
  expect(holes(5_500)).toBe("ok");
  // The address space of the machine limits what the hand-written code does not pay for.
  expect(holes(6_000)).toBe("failed");
});

describe("data passed between calls", () => {
  /** Machine that records calldata and results of its runs. */
  function spied(): { readonly vm: CairoVm; readonly given: unknown[]; readonly got: unknown[] } {
    const given: unknown[] = [];
    const got: unknown[] = [];
    const vm: CairoVm = {
      memory: small.memory,
      prepare: small.prepare.bind(small),
      runLegacy: small.runLegacy.bind(small),
      run(run) {
        given.push(run.calldata);
        const outcome = small.run(run);
        got.push(outcome.kind === "returned" ? outcome.retdata : outcome);
        return outcome;
      },
    };
    return { vm, given, got };
  }

  function executedWith(vm: CairoVm, trace?: TraceMemory): CallInfo {
    const executor = new BlockExecutor(vm, stateWith({ target: "echo", count: 3 }), BLOCK);
    const flags = trace === undefined ? {} : { trace };
    const outcome = executor.execute(invoke(), { ...WITHOUT_VALIDATION, ...flags });
    if (outcome.kind !== "included" || outcome.info.execute === null) {
      throw new TypeError(`not executed but ${outcome.kind}`);
    }
    return outcome.info.execute;
  }

  test("is one buffer for caller, callee and trace", () => {
    const { vm, given, got } = spied();
    const root = executedWith(vm, new TraceMemory(6 * DATA_BYTES));
    for (const [i, inner] of root.innerCalls.entries()) {
      expect(inner.calldata).toBeInstanceOf(FeltBlock);
      expect(inner.calldata).toBe(given[i + 1] as FeltBlock);
      expect(inner.result).toBe(got[i] as FeltBlock);
      expect((inner.calldata as FeltBlock).toArray()).toEqual(FELTS);
      expect((inner.result as FeltBlock).toArray()).toEqual(FELTS);
    }
    expect(root.innerCalls).toHaveLength(3);
  });

  test("is released immediately if no trace needs it", () => {
    const { vm, given, got } = spied();
    const root = executedWith(vm);
    expect(root.innerCalls.map(({ calldata, result }) => [calldata.length, result.length])).toEqual(
      [1, 2, 3].map(() => [0, 0]),
    );
    const blocks = [...given.slice(1), ...got.slice(0, 3)] as FeltBlock[];
    expect(blocks.map(({ length }) => length)).toEqual([0, 0, 0, 0, 0, 0]);
  });
});

describe("tracing does not change the effects of a transaction", () => {
  /** Number of calls with six times the data that a phase may hold at a time. */
  const COUNT = Math.floor((24 * MIB) / DATA_BYTES);
  /** The data once, in buffers that double in size, and a little for each call. */
  const KEPT_BYTES = 3 * DATA_BYTES;

  function executed(trace?: TraceMemory) {
    const executor = new BlockExecutor(small, stateWith({ target: "sink", count: COUNT }), BLOCK);
    const flags = trace === undefined ? {} : { trace };
    const outcome = executor.execute(invoke(), { ...WITHOUT_VALIDATION, ...flags });
    if (outcome.kind !== "included") throw new TypeError(JSON.stringify(outcome));
    const calls = outcome.info.execute?.innerCalls ?? [];
    return { ...outcome, kept: calls.filter(({ calldata }) => calldata.length === LENGTH).length };
  }

  const without = executed();

  test.each([
    ["for all calls, sharing equal data", KEPT_BYTES, COUNT, false],
    ["for no call", 1, 0, true],
  ])("with room %s", (_, maxBytes, kept, isExceeded) => {
    const trace = new TraceMemory(maxBytes);
    const outcome = executed(trace);
    expect(outcome.receipt).toEqual(without.receipt);
    expect(outcome.info.stateDiff).toEqual(without.info.stateDiff);
    expect([outcome.kept, trace.isExceeded]).toEqual([kept, isExceeded]);
  });

  test("without a trace", () => {
    expect(without.kept).toBe(0);
  });

  test.each([
    [2 ** 24, { kind: "ok" }],
    [DATA_BYTES / 2, { kind: "too_large", index: 0 }],
  ] as const)(
    "in a simulation, which names the transaction that is too large: %p bytes",
    (most, end) => {
      const state = stateWith({ target: "sink", count: COUNT });
      const simulated = simulateTransactions(
        small,
        state,
        BLOCK,
        [{ transaction: invoke() }],
        { skipValidate: true, skipFeeCharge: true },
        { maxTraceBytes: most },
      );
      expect(simulated).toMatchObject(end);
    },
  );
});
