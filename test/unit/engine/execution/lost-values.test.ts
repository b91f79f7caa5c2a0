import { describe, expect } from "bun:test";
import { OriginError } from "#base/errors/index.ts";
import { createCairoVm } from "#engine/cairo/index.ts";
import { BlockExecutor, validateTransaction } from "#engine/execution/index.ts";
import { interruptible } from "#test/helpers/interruptible-state.ts";
import { UnreliableState, untilReliable } from "#test/helpers/scenario/unreliable-state.ts";
import { sharedTest } from "#test/helpers/shared.ts";
import { SENDER, transfer, transferBlock } from "#test/helpers/transfer-chain.ts";
import { transferState } from "#test/helpers/transfer-state.ts";

const vm = createCairoVm();

/** A state that can be lost. */
function losable() {
  const switched = { isLost: false };
  return { reader: interruptible(transferState(), () => switched.isLost), switched };
}

describe("a block whose state loses values", () => {
  sharedTest("includes a transaction as if no read had failed", () => {
    const state = new UnreliableState(transferState());
    const executor = new BlockExecutor(vm, state, transferBlock());
    const outcome = untilReliable(() => executor.execute(transfer(0n)), executor);
    const expected = new BlockExecutor(vm, transferState(), transferBlock()).execute(transfer(0n));
    expect(state.failures).toBeGreaterThan(5);
    expect(outcome).toEqual(expected);
  });

  sharedTest("keeps its weights when a transaction fails", () => {
    const { reader, switched } = losable();
    const executor = new BlockExecutor(vm, reader, transferBlock());
    executor.execute(transfer(0n));
    const before = executor.weights();
    switched.isLost = true;
    expect(() => executor.execute(transfer(1n))).toThrow(OriginError);
    expect(executor.weights()).toEqual(before);
  });

  sharedTest("ends without reads after reading ahead", () => {
    const { reader, switched } = losable();
    const executor = new BlockExecutor(vm, reader, transferBlock());
    executor.readAhead();
    executor.execute(transfer(0n));
    executor.change((state) => state.setStorage(0x1234n, 0x5678n, 1n));
    switched.isLost = true;
    const { stateDiff } = executor.finish();
    expect([...(stateDiff.storageDiffs.get(2n)?.keys() ?? [])]).toContain(0x5678n);
  });

  sharedTest("ends later when a read of its end fails", () => {
    const { reader, switched } = losable();
    const executor = new BlockExecutor(vm, reader, transferBlock());
    executor.execute(transfer(0n));
    switched.isLost = true;
    expect(() => executor.finish()).toThrow(OriginError);
    switched.isLost = false;
    const untouched = new BlockExecutor(vm, transferState(), transferBlock());
    untouched.execute(transfer(0n));
    expect(executor.finish()).toEqual(untouched.finish());
  });

  sharedTest("drops a write whose aliases cannot be read", () => {
    const reader = interruptible(transferState(), (address) => address !== 0x1234n);
    const executor = new BlockExecutor(vm, reader, transferBlock());
    executor.readAhead();
    expect(() => executor.change((state) => state.setStorage(0x1234n, 0x5678n, 1n))).toThrow(
      OriginError,
    );
    expect(executor.stateDiff().storageDiffs.size).toBe(0);
  });
});

describe("a validation whose state loses values", () => {
  sharedTest("throws each time, and then decides as if no read had failed", () => {
    const block = transferBlock();
    const state = new UnreliableState(transferState());
    const decide = () => validateTransaction(vm, state, block, transfer(0n));
    let failures = 0;
    for (;;) {
      try {
        expect(decide()).toEqual(validateTransaction(vm, transferState(), block, transfer(0n)));
        break;
      } catch (error) {
        if (!(error instanceof OriginError)) throw error;
        failures++;
      }
    }
    expect(failures).toBeGreaterThan(3);
    expect(state.nonceAt(SENDER)).toBe(0n);
  });
});
