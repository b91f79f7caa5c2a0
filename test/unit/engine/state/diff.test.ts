import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { EMPTY_STATE_DIFF, type StateDiff } from "#protocol/chain/index.ts";
import {
  CachedState,
  mergeStateDiffs,
  OverlayState,
  readSetMatches,
  RecordingReader,
  type StateReader,
} from "#engine/state/index.ts";
import { assertProperty } from "#test/helpers/property.ts";

const base: StateReader = {
  storageAt: () => 0n,
  nonceAt: () => 0n,
  classHashAt: () => 0n,
  compiledClassHashOf: () => 0n,
  executableClass: () => undefined,
};

const small = fc.bigInt({ min: 0n, max: 3n });
const cells = fc.array(fc.tuple(small, small, small));

function storage(entries: readonly (readonly [bigint, bigint, bigint])[]): StateDiff {
  const state = new CachedState(base);
  for (const [address, key, value] of entries) state.setStorage(address, key, value + 1n);
  return state.diffSince(0);
}

describe("mergeStateDiffs", () => {
  test("reads like one overlay over the other", () => {
    assertProperty(
      fc.property(cells, cells, (first, second) => {
        const [a, b] = [storage(first), storage(second)];
        const merged = new OverlayState(base, mergeStateDiffs([a, b]));
        const stacked = new OverlayState(new OverlayState(base, a), b);
        for (let address = 0n; address <= 3n; address++) {
          for (let key = 0n; key <= 3n; key++) {
            expect(merged.storageAt(address, key)).toBe(stacked.storageAt(address, key));
          }
        }
      }),
    );
  });

  test("keeps a contract that is deployed and then replaced as a deployment", () => {
    const merged = mergeStateDiffs([
      { ...EMPTY_STATE_DIFF, deployedContracts: new Map([[1n, 2n]]) },
      { ...EMPTY_STATE_DIFF, replacedClasses: new Map([[1n, 3n]]) },
    ]);
    expect([merged.deployedContracts, merged.replacedClasses.size]).toEqual([
      new Map([[1n, 3n]]),
      0,
    ]);
  });

  test("does not modify its inputs", () => {
    const first = storage([[1n, 1n, 1n]]);
    mergeStateDiffs([first, storage([[1n, 1n, 2n]])]);
    expect(first.storageDiffs.get(1n)?.get(1n)).toBe(2n);
  });
});

describe("readSetMatches", () => {
  test("is true if only other values differ", () => {
    const reader = new RecordingReader(base);
    reader.storageAt(1n, 1n);
    reader.nonceAt(2n);
    const later = new OverlayState(base, storage([[1n, 2n, 1n]]));
    expect(readSetMatches(reader.readSet(), later)).toBe(true);
  });

  test("is false if a value that was read has changed", () => {
    const reader = new RecordingReader(base);
    reader.storageAt(1n, 1n);
    const later = new OverlayState(base, storage([[1n, 1n, 1n]]));
    expect(readSetMatches(reader.readSet(), later)).toBe(false);
  });
});
