import { describe, expect, test } from "bun:test";
import { decodeContractClass, emptyStateDiff, type EncodedClass } from "#protocol/chain/index.ts";
import { InvariantError } from "#base/errors/index.ts";
import {
  decodePendingDelta,
  encodePendingDelta,
  type PendingDelta,
  PendingOverlay,
} from "#engine/state/index.ts";
import { renamedClass } from "#test/helpers/declare-world.ts";
import { encodedClassOf } from "#test/helpers/encoded-class.ts";
import { numberedChain, storageState } from "#test/helpers/memory-chain.ts";
import { base, delta, info } from "#test/helpers/pending-deltas.ts";

describe("PendingOverlay", () => {
  test("reads the accepted state if nothing is pending", () => {
    expect(new PendingOverlay(base(4)).state().storageAt(1n, 7n)).toBe(4n);
  });

  test("reads the newest write of all pending blocks", () => {
    const overlay = new PendingOverlay(base(4));
    overlay.apply(delta(5, 0, [[1n, 10n]]));
    overlay.apply(delta(5, 1, [[2n, 20n]]));
    overlay.apply(delta(6, 0, [[1n, 11n]]));
    const state = overlay.state();
    expect([1n, 2n, 7n].map((key) => state.storageAt(1n, key))).toEqual([11n, 20n, 4n]);
  });

  test("reports the topmost block as the newest", () => {
    const overlay = new PendingOverlay(base(-1));
    overlay.apply(delta(0, 0, []));
    overlay.apply(delta(1, 0, []));
    expect(overlay.newest()?.info.number).toBe(1);
  });

  test("reads accepted blocks from the database and keeps the pending ones", () => {
    const overlay = new PendingOverlay(base(4));
    overlay.apply(delta(5, 0, [[1n, 10n]]));
    overlay.apply(delta(6, 0, [[2n, 20n]]));
    const before = overlay.state();
    overlay.accepted(5);
    expect(overlay.blocks().map((block) => block.info.number)).toEqual([6]);
    expect(overlay.state().storageAt(1n, 7n)).toBe(5n);
    expect(before.storageAt(1n, 2n)).toBe(20n);
  });

  test("rereads everything when a block is accepted whose deltas are missing", () => {
    const overlay = new PendingOverlay(base(4));
    expect(overlay.state().storageAt(1n, 7n)).toBe(4n);
    overlay.apply(delta(5, 0, [[1n, 10n]]));
    const before = overlay.state();
    overlay.accepted(5);
    expect(overlay.state().storageAt(1n, 7n)).toBe(5n);
    // A reader of the partial block keeps its view.
    expect([before.storageAt(1n, 1n), before.storageAt(1n, 7n)]).toEqual([10n, 4n]);
    overlay.apply({ ...delta(6, 0, [[1n, 11n]]), sealed: true });
    overlay.accepted(7);
    expect(overlay.state().storageAt(1n, 7n)).toBe(7n);
  });

  test("rejects a delta out of sequence", () => {
    const overlay = new PendingOverlay(base(4));
    overlay.apply(delta(5, 0, []));
    expect(() => overlay.apply(delta(5, 2, []))).toThrow(InvariantError);
    expect(() => overlay.apply(delta(7, 0, []))).toThrow(InvariantError);
  });
});

/** A delta that declares a class. */
function declaring(number: number, sequence: number, declared: EncodedClass): PendingDelta {
  const declaredClasses = new Map([[declared.classHash, BigInt(number)]]);
  const diff = { ...emptyStateDiff(), declaredClasses };
  return { ...delta(number, sequence, []), diff, classes: [declared] };
}

describe("PendingOverlay: a declared class", () => {
  const FIRST = encodedClassOf(renamedClass("account", "1"));
  const SECOND = encodedClassOf(renamedClass("account", "2"));

  test("is visible from its delta on and in later blocks", () => {
    const overlay = new PendingOverlay(base(4));
    overlay.apply(delta(5, 0, []));
    const opened = overlay.newest();
    expect(opened?.declaredClass?.(FIRST.classHash)).toBeUndefined();
    overlay.apply(declaring(5, 1, FIRST));
    overlay.apply(declaring(6, 0, SECOND));
    const [lower, upper] = overlay.blocks();
    const declared = decodeContractClass(FIRST.contractClass);
    expect(lower?.declaredClass?.(FIRST.classHash)).toEqual(declared);
    expect(upper?.declaredClass?.(FIRST.classHash)).toEqual(declared);
    expect(lower?.declaredClass?.(SECOND.classHash)).toBeUndefined();
    const state = overlay.state();
    expect(state.executableClass(FIRST.classHash)).toMatchObject({
      classHash: FIRST.classHash,
      abiLength: 1,
    });
    expect(lower?.state.executableClass(SECOND.classHash)).toBeUndefined();
    expect(state.compiledClassHashOf(FIRST.classHash)).toBe(5n);
    expect(state.compiledClassHashOf(SECOND.classHash)).toBe(6n);
  });

  test("is decoded once", () => {
    const overlay = new PendingOverlay(base(4));
    overlay.apply(declaring(5, 0, FIRST));
    const executable = overlay.state().executableClass(FIRST.classHash);
    overlay.apply(delta(6, 0, []));
    expect(overlay.state().executableClass(FIRST.classHash)).toBe(executable as never);
  });

  test("is left to the database once its block is accepted", () => {
    const overlay = new PendingOverlay(base(4));
    overlay.apply(declaring(5, 0, FIRST));
    overlay.apply(declaring(6, 0, SECOND));
    overlay.accepted(5);
    const newest = overlay.newest();
    expect(newest?.declaredClass?.(FIRST.classHash)).toBeUndefined();
    expect(overlay.state().executableClass(FIRST.classHash)).toBeUndefined();
    expect(newest?.declaredClass?.(SECOND.classHash)).toBeDefined();
  });
});

describe("PendingOverlay: L1 messages", () => {
  const message = (transactionHash: bigint, l1TransactionHash: bigint | null) => ({
    transactionHash,
    nonce: transactionHash,
    messageHash: 3n,
    l1TransactionHash,
    l1BlockNumber: null,
  });
  const consuming = (number: number, sequence: number, hash: bigint, l1Hash: bigint | null) =>
    decodePendingDelta(
      encodePendingDelta({
        ...delta(number, sequence, []),
        l1Messages: [message(hash, l1Hash)],
      }),
    );

  test("are found in their block by the sending L1 transaction", () => {
    const overlay = new PendingOverlay(base(4));
    const largest = (1n << 256n) - 1n;
    overlay.apply(consuming(5, 0, 1n, largest));
    overlay.apply(consuming(5, 1, 2n, null));
    overlay.apply(consuming(5, 2, 3n, largest));
    overlay.apply(consuming(6, 0, 4n, largest));
    const found = (hash: bigint) =>
      overlay.blocks().map((block) => block.messagesOfL1Transaction?.(hash));
    expect(found(largest)).toEqual([[1n, 3n], [4n]]);
    expect(found(7n)).toEqual([[], []]);
    overlay.accepted(5);
    expect(found(largest)).toEqual([[4n]]);
  });

  test("are found in their block by nonce", () => {
    const overlay = new PendingOverlay(base(4));
    overlay.apply(consuming(5, 0, 1n, 7n));
    overlay.apply(consuming(6, 0, 4n, null));
    const found = (nonce: bigint) =>
      overlay.blocks().map((block) => block.consumedL1Message?.(nonce));
    expect(found(message(1n, 7n).nonce)).toEqual([1n, undefined]);
    expect(found(message(4n, null).nonce)).toEqual([undefined, 4n]);
    expect(found(99n)).toEqual([undefined, undefined]);
  });
});

test("a restarted block replaces its earlier deltas and the blocks above", () => {
  const overlay = new PendingOverlay(numberedChain(3, () => storageState(new Map())));
  const later = { ...info(5), timestamp: 9_999 };
  overlay.apply(delta(4, 0, [[10n, 1n]]));
  overlay.apply(delta(5, 0, [[11n, 2n]]));
  overlay.apply(delta(5, 1, [[12n, 3n]]));
  const before = overlay.newest();
  expect(() => overlay.apply({ ...delta(5, 3, []), info: later })).toThrow(InvariantError);
  expect(() => overlay.apply({ ...delta(4, 1, []), info: info(4) })).toThrow(InvariantError);
  overlay.apply({ ...delta(5, 2, [[12n, 4n]]), info: later });
  overlay.apply(delta(5, 3, [[13n, 5n]]));
  const values = () => [10n, 11n, 12n, 13n].map((key) => overlay.state().storageAt(1n, key));
  expect(values()).toEqual([1n, 0n, 4n, 5n]);
  expect([overlay.blocks().length, overlay.newest()?.info]).toEqual([2, later]);
  // A reader of the earlier block keeps its view.
  expect(before?.state.storageAt(1n, 11n)).toBe(2n);
  overlay.accepted(4);
  expect(values()).toEqual([0n, 0n, 4n, 5n]);
});
