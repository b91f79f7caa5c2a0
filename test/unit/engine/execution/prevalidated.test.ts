import { describe, expect } from "bun:test";
import fc from "fast-check";
import { createCairoVm } from "#engine/cairo/index.ts";
import type { CairoVm } from "#engine/cairo/types.ts";
import type { HashedTransaction, InvokeV3 } from "#protocol/chain/index.ts";
import { storageVariableKey } from "#protocol/crypto/index.ts";
import {
  type BlockContext,
  BlockExecutor,
  decodePrevalidated,
  encodePrevalidated,
  type PrevalidatedCall,
  validateTransaction,
} from "#engine/execution/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import { plain } from "#test/helpers/plain.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { SENDER, transfer, transferBlock } from "#test/helpers/transfer-chain.ts";
import { transferState } from "#test/helpers/transfer-state.ts";

const machine = createCairoVm();
let runs = 0;
/** The machine with a count of its runs, nested ones included. */
const vm: CairoVm = {
  memory: machine.memory,
  prepare: machine.prepare.bind(machine),
  runLegacy: machine.runLegacy.bind(machine),
  run: (run) => {
    runs++;
    return machine.run(run);
  },
};

/** Admission's result for a transaction, encoded and decoded as between threads. */
function admitted(
  state: StateReader,
  hashed: HashedTransaction<InvokeV3>,
  block: BlockContext = transferBlock(),
): PrevalidatedCall {
  const outcome = validateTransaction(vm, state, block, hashed);
  if (outcome.kind !== "valid" || outcome.prevalidated === undefined) {
    throw new TypeError(`not validated but ${outcome.kind}`);
  }
  return decodePrevalidated(encodePrevalidated(outcome.prevalidated), hashed.transaction.calldata);
}

/** Outcome of a transaction and the number of machine runs it takes. */
function executed(
  state: StateReader,
  hashed: HashedTransaction<InvokeV3>,
  prevalidated?: PrevalidatedCall,
  block: BlockContext = transferBlock(),
) {
  const executor = new BlockExecutor(vm, state, block);
  runs = 0;
  const outcome = executor.execute(hashed, {}, undefined, prevalidated);
  return { outcome, runs, weights: executor.weights(), diff: executor.stateDiff() };
}

function later(block: BlockContext, seconds: number): BlockContext {
  return { ...block, info: { ...block.info, timestamp: block.info.timestamp + seconds } };
}

describe("a validation result of admission", () => {
  sharedTest("is reused with the same result as validating again", () => {
    const hashed = transfer(0n);
    const state = transferState();
    const fresh = executed(state, hashed);
    const reused = executed(state, hashed, admitted(state, hashed));
    expect(fresh.runs - reused.runs).toBe(1);
    expect(plain({ ...reused, runs: 0 })).toEqual(plain({ ...fresh, runs: 0 }));
  });

  sharedTest("survives encoding between threads", () => {
    const hashed = transfer(0n);
    const outcome = validateTransaction(vm, transferState(), transferBlock(), hashed);
    if (outcome.kind !== "valid") throw new TypeError("not valid");
    expect(plain(admitted(transferState(), hashed))).toEqual(plain(outcome.prevalidated));
  });

  sharedTest("is reused for a nonce that was ahead at admission", () => {
    const state = transferState();
    const second = admitted(state, transfer(1n));
    const executor = new BlockExecutor(vm, state, transferBlock());
    executor.execute(transfer(0n));
    runs = 0;
    expect(executor.execute(transfer(1n), {}, undefined, second).kind).toBe("included");
    const withReuse = runs;
    runs = 0;
    executor.execute(transfer(2n));
    expect(runs - withReuse).toBe(1);
  });

  sharedTest("is discarded if a value that it read has changed", () => {
    const hashed = transfer(0n);
    const prevalidated = admitted(transferState(), hashed);
    const changed = transferState();
    changed.store(SENDER, storageVariableKey("Account_public_key"), 1234n);
    const { outcome } = executed(changed, hashed, prevalidated);
    expect(outcome.kind === "rejected" && outcome.error.code).toBe("VALIDATION_FAILED");
  });

  sharedTest("is discarded for another signature", () => {
    const hashed = transfer(0n);
    const state = transferState();
    const forged = { ...hashed, transaction: { ...hashed.transaction, signature: [1n, 2n] } };
    expect(executed(state, forged, admitted(state, hashed)).outcome.kind).toBe("rejected");
  });

  sharedTest("is discarded if validation would see another timestamp", () => {
    const hashed = transfer(0n);
    const state = transferState();
    const block = transferBlock();
    const prevalidated = admitted(state, hashed, block);
    const fresh = executed(state, hashed).runs;
    const rounding = block.constants.os.validateRounding.timestampSeconds;
    const inSameHour = rounding - (block.info.timestamp % rounding) - 1;
    const runsAfter = (seconds: number): number =>
      executed(state, hashed, prevalidated, later(block, seconds)).runs;
    expect([runsAfter(inSameHour), runsAfter(inSameHour + 1)]).toEqual([fresh - 1, fresh]);
  });

  sharedTest("is discarded if validation would see another block number", () => {
    const hashed = transfer(0n);
    const state = transferState();
    const prevalidated = admitted(state, hashed, transferBlock(undefined, 199));
    const fresh = executed(state, hashed).runs;
    const runsAt = (number: number): number =>
      executed(state, hashed, prevalidated, transferBlock(undefined, number)).runs;
    expect([runsAt(100), runsAt(200)]).toEqual([fresh - 1, fresh]);
  });

  sharedTest("is discarded for another protocol version, chain or gas limit", () => {
    const hashed = transfer(0n);
    const state = transferState();
    const prevalidated = admitted(state, hashed);
    const fresh = executed(state, hashed).runs;
    const { environment } = prevalidated;
    for (const change of [
      { protocolVersion: "0.14.3" },
      { chainId: 1n },
      { initialGas: environment.initialGas - 1 },
      { maxSteps: environment.maxSteps - 1 },
      { onlyQuery: true },
      { transactionHash: 1n },
    ]) {
      const other = { ...prevalidated, environment: { ...environment, ...change } };
      expect(executed(state, hashed, other).runs).toBe(fresh);
    }
  });

  sharedTest("yields the same block for any sequence of transfers", () => {
    const kinds = fc.record({
      amount: fc.constantFrom(0n, 1n, 10n ** 29n, 10n ** 31n),
      recipient: fc.constantFrom(0xb0bn, SENDER, 0xccn),
      l2GasLimit: fc.constantFrom(100_000_000n, 900_000n),
      // Blocks of admission and of execution sometimes round to different times.
      secondsLater: fc.constantFrom(0, 60, 7200),
    });
    assertProperty(
      fc.property(fc.array(kinds, { minLength: 1, maxLength: 5 }), (sequence) => {
        const state = transferState();
        const plain = new BlockExecutor(vm, state, transferBlock());
        const reusing = new BlockExecutor(vm, state, transferBlock());
        for (const [nonce, { secondsLater, ...options }] of sequence.entries()) {
          const hashed = transfer(BigInt(nonce), options);
          const block = later(transferBlock(), secondsLater);
          const admission = validateTransaction(vm, reusing.reader(), block, hashed);
          const prevalidated = admission.kind === "valid" ? admission.prevalidated : undefined;
          const expected = plain.execute(hashed);
          expect(reusing.execute(hashed, {}, undefined, prevalidated)).toEqual(expected);
        }
        expect(reusing.finish()).toEqual(plain.finish());
      }),
      { numRuns: 15 },
    );
  });
});

describe("a chain without fees", () => {
  const zero = { maxAmount: 0n, maxPricePerUnit: 0n };
  const free = (): HashedTransaction<InvokeV3> => {
    const { hash, transaction } = transfer(0n);
    const resourceBounds = { l1Gas: zero, l2Gas: zero, l1DataGas: zero };
    return { hash, transaction: { ...transaction, resourceBounds } };
  };

  sharedTest("replaces bounds of zero by the protocol maximum", () => {
    const gasOf = (chargeFee: { chargeFee?: false }): number | undefined => {
      const outcome = validateTransaction(vm, transferState(), transferBlock(), free(), chargeFee);
      return outcome.kind === "valid" ? outcome.prevalidated?.environment.initialGas : undefined;
    };
    const most = Number(transferBlock().constants.os.validateMaxSierraGas);
    expect([gasOf({ chargeFee: false }), gasOf({})]).toEqual([most, 0]);
  });

  sharedTest("reuses validation results", () => {
    const state = transferState();
    const hashed = free();
    const admission = validateTransaction(vm, state, transferBlock(), hashed, { chargeFee: false });
    const executor = new BlockExecutor(vm, state, transferBlock());
    const flags = { chargeFee: false, freeGas: true };
    runs = 0;
    const prevalidated = admission.kind === "valid" ? admission.prevalidated : undefined;
    executor.execute(hashed, flags, undefined, prevalidated);
    const reused = runs;
    runs = 0;
    new BlockExecutor(vm, state, transferBlock()).execute(hashed, flags);
    expect(runs - reused).toBe(1);
  });
});
