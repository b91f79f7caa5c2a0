import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Felt } from "#base/primitives/index.ts";
import { CachedState, type StateReader } from "#engine/state/index.ts";
import { assertProperty } from "#test/helpers/property.ts";

/** A state in which every value is a function of its address and key. */
const base: StateReader = {
  storageAt: (address, key) => (key % 2n === 0n ? address * 100n + key : 0n),
  nonceAt: (address) => address,
  classHashAt: (address) => (address % 2n === 0n ? address + 7n : 0n),
  compiledClassHashOf: () => 0n,
  executableClass: () => undefined,
};

type Write =
  | { readonly kind: "storage"; readonly address: Felt; readonly key: Felt; readonly value: Felt }
  | { readonly kind: "nonce"; readonly address: Felt; readonly value: Felt }
  | { readonly kind: "class"; readonly address: Felt; readonly value: Felt };

const small = fc.bigInt({ min: 0n, max: 3n });
const write: fc.Arbitrary<Write> = fc.oneof(
  fc.record({ kind: fc.constant("storage" as const), address: small, key: small, value: small }),
  fc.record({ kind: fc.constant("nonce" as const), address: small, value: small }),
  fc.record({ kind: fc.constant("class" as const), address: small, value: small }),
);

function apply(state: CachedState, { kind, address, value, ...rest }: Write): void {
  if (kind === "storage") state.setStorage(address, "key" in rest ? rest.key : 0n, value);
  else if (kind === "nonce") state.setNonce(address, value);
  else state.setClassHash(address, value);
}

/** All values of the small state space. */
function snapshot(state: StateReader): Felt[] {
  const values: Felt[] = [];
  for (let address = 0n; address <= 3n; address++) {
    values.push(state.nonceAt(address), state.classHashAt(address));
    for (let key = 0n; key <= 3n; key++) values.push(state.storageAt(address, key));
  }
  return values;
}

describe("CachedState", () => {
  test("revertTo restores every value of a checkpoint", () => {
    assertProperty(
      fc.property(fc.array(write), fc.array(write), (before, after) => {
        const state = new CachedState(base);
        for (const one of before) apply(state, one);
        const expected = snapshot(state);
        const checkpoint = state.checkpoint();
        for (const one of after) apply(state, one);
        state.revertTo(checkpoint);
        expect(snapshot(state)).toEqual(expected);
      }),
    );
  });

  test("diffSince contains exactly the values that differ from the checkpoint", () => {
    assertProperty(
      fc.property(fc.array(write), fc.array(write), (before, after) => {
        const state = new CachedState(base);
        const old = new CachedState(base);
        for (const one of before) {
          apply(state, one);
          apply(old, one);
        }
        const checkpoint = state.checkpoint();
        for (const one of after) apply(state, one);
        const diff = state.diffSince(checkpoint);
        for (let address = 0n; address <= 3n; address++) {
          const changed = (now: Felt, then: Felt): Felt | undefined =>
            now === then ? undefined : now;
          expect(diff.nonces.get(address)).toBe(
            changed(state.nonceAt(address), old.nonceAt(address)),
          );
          const wasDeployed = old.classHashAt(address) !== 0n;
          const classes = wasDeployed ? diff.replacedClasses : diff.deployedContracts;
          expect(classes.get(address)).toBe(
            changed(state.classHashAt(address), old.classHashAt(address)),
          );
          for (let key = 0n; key <= 3n; key++) {
            expect(diff.storageDiffs.get(address)?.get(key)).toBe(
              changed(state.storageAt(address, key), old.storageAt(address, key)),
            );
          }
        }
      }),
    );
  });

  test("changesSince counts cells that changed from 0 as allocated", () => {
    const state = new CachedState(base);
    state.setStorage(1n, 1n, 5n);
    state.setStorage(1n, 3n, 5n);
    state.setStorage(1n, 3n, 0n);
    state.setStorage(1n, 2n, 5n);
    expect(state.changesSince(0).allocatedKeys).toBe(1);
  });

  test("diffSince contains a declared class with its compiled class hash", () => {
    const state = new CachedState(base);
    const casm = {
      prime: 0n,
      compilerVersion: "",
      bytecode: [],
      bytecodeSegmentLengths: null,
      hints: new Map(),
      entryPoints: { EXTERNAL: [], L1_HANDLER: [], CONSTRUCTOR: [] },
    };
    state.declareClass({
      classHash: 9n,
      casm,
      sierraVersion: [1, 7, 0],
      sierraProgramLength: 1,
      abiLength: 0,
    });
    state.setCompiledClassHash(9n, 10n);
    const diff = state.diffSince(0);
    expect([diff.declaredClasses, diff.migratedCompiledClasses.size]).toEqual([
      new Map([[9n, 10n]]),
      0,
    ]);
  });

  test("diffSince reports a changed compiled class hash without a declaration as a migration", () => {
    const state = new CachedState(base);
    state.setCompiledClassHash(9n, 10n);
    expect(state.diffSince(0).migratedCompiledClasses).toEqual(new Map([[9n, 10n]]));
  });

  test("trim drops values that were only read without changing state, diffs or checkpoints", () => {
    assertProperty(
      fc.property(fc.array(write), fc.array(write), (first, second) => {
        const state = new CachedState(base);
        for (const each of first) apply(state, each);
        const before = snapshot(state);
        const diff = state.diffSince(0);
        state.trim(0);
        expect(state.size()).toBeLessThanOrEqual(2 * first.length);
        expect([snapshot(state), state.diffSince(0)]).toEqual([before, diff]);
        const checkpoint = state.checkpoint();
        for (const each of second) apply(state, each);
        state.trim(0);
        state.revertTo(checkpoint);
        expect(snapshot(state)).toEqual(before);
      }),
    );
  });

  test("caches classes up to a total size", () => {
    const asked: Felt[] = [];
    const casm = { bytecode: { length: 200_000 } };
    const state = new CachedState({
      ...base,
      executableClass: (classHash) => {
        asked.push(classHash);
        return { classHash, casm } as unknown as ReturnType<StateReader["executableClass"]>;
      },
    });
    for (const classHash of [1n, 2n, 1n, 2n, 3n, 3n, 1n]) state.executableClass(classHash);
    expect(asked).toEqual([1n, 2n, 3n, 1n]);
  });
});
