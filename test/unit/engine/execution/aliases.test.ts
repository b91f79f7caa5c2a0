import { describe, expect, test } from "bun:test";
import { OriginError } from "#base/errors/index.ts";
import { CachedState, type StateReader } from "#engine/state/index.ts";
import { allocateAliases } from "#engine/execution/block/aliases.ts";
import { interruptible } from "#test/helpers/interruptible-state.ts";
import { compressStorage } from "#test/helpers/compress-storage.ts";

const empty: StateReader = {
  storageAt: () => 0n,
  nonceAt: () => 0n,
  classHashAt: () => 0n,
  compiledClassHashOf: () => 0n,
  executableClass: () => undefined,
};
const ALIASES = 2n;

describe("allocateAliases", () => {
  test("writes the counter even if nothing needs an alias", () => {
    const state = new CachedState(empty);
    allocateAliases(state, ALIASES, 0);
    expect(state.storageAt(ALIASES, 0n)).toBe(0x80n);
  });

  test("fails when the counter is lost, even if nothing needs an alias: its first value depends on it", () => {
    const state = new CachedState(interruptible(empty, (address) => address === ALIASES));
    expect(() => allocateAliases(state, ALIASES, 0)).toThrow(OriginError);
  });

  test("numbers contracts in ascending order, the keys of each before its address", () => {
    const state = new CachedState(empty);
    state.setStorage(0x2000n, 0x500n, 1n);
    state.setStorage(0x1000n, 0x700n, 1n);
    state.setStorage(0x1000n, 0x600n, 1n);
    state.setNonce(0x1000n, 1n);
    allocateAliases(state, ALIASES, 0);
    const aliases = [0x600n, 0x700n, 0x1000n, 0x500n, 0x2000n, 0n].map((key) =>
      state.storageAt(ALIASES, key),
    );
    expect(aliases).toEqual([0x80n, 0x81n, 0x82n, 0x83n, 0x84n, 0x85n]);
  });

  test("assigns no alias to small keys and keys of system contracts", () => {
    const state = new CachedState(empty);
    state.setStorage(0x1n, 0x900n, 1n);
    state.setStorage(0x1000n, 0x7fn, 1n);
    allocateAliases(state, ALIASES, 0);
    const aliases = [0x900n, 0x7fn, 0x1000n].map((key) => state.storageAt(ALIASES, key));
    expect(aliases).toEqual([0n, 0n, 0x80n]);
  });

  test("compressStorage replaces contracts and keys by their aliases", () => {
    const state = new CachedState(empty);
    state.setStorage(0x1000n, 0x600n, 5n);
    allocateAliases(state, ALIASES, 0);
    const diff = new Map([[0x1000n, new Map([[0x600n, 5n]])]]);
    expect(compressStorage(diff, state, ALIASES)).toEqual(
      new Map([[0x81n, new Map([[0x80n, 5n]])]]),
    );
  });
});
