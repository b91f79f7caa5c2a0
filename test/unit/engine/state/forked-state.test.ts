import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { StateReader, WrittenState } from "#engine/state/index.ts";
import { ForkedState } from "#engine/state/forked-state.ts";
import { felts } from "#test/helpers/arbitraries.ts";
import { assertProperty } from "#test/helpers/property.ts";

const NOTHING_WRITTEN: WrittenState = {
  storageAt: () => undefined,
  nonceAt: () => undefined,
  classHashAt: () => undefined,
  compiledClassHashOf: () => undefined,
  executableClass: () => undefined,
};

const CLASS = { classHash: 5n, casm: null, program: {} as never, abiLength: 0 };

const ORIGIN: StateReader = {
  storageAt: () => 1n,
  nonceAt: () => 2n,
  classHashAt: () => 3n,
  compiledClassHashOf: () => 4n,
  executableClass: () => CLASS,
};

const UNREAD: StateReader = {
  storageAt: () => expect.unreachable(),
  nonceAt: () => expect.unreachable(),
  classHashAt: () => expect.unreachable(),
  compiledClassHashOf: () => expect.unreachable(),
  executableClass: () => expect.unreachable(),
};

describe("ForkedState", () => {
  test("reads from the origin what no local block wrote", () => {
    const state = new ForkedState(NOTHING_WRITTEN, ORIGIN);
    expect(state.storageAt(7n, 8n)).toBe(1n);
    expect(state.nonceAt(7n)).toBe(2n);
    expect(state.classHashAt(7n)).toBe(3n);
    expect(state.compiledClassHashOf(7n)).toBe(4n);
    expect(state.executableClass(7n)).toBe(CLASS);
  });

  test("reads written values, 0 included, without the origin", () => {
    const written: WrittenState = {
      storageAt: () => 0n,
      nonceAt: () => 0n,
      classHashAt: () => 0n,
      compiledClassHashOf: () => 0n,
      executableClass: () => CLASS,
    };
    const state = new ForkedState(written, UNREAD);
    expect(state.storageAt(7n, 8n)).toBe(0n);
    expect(state.nonceAt(7n)).toBe(0n);
    expect(state.classHashAt(7n)).toBe(0n);
    expect(state.compiledClassHashOf(7n)).toBe(0n);
    expect(state.executableClass(7n)).toBe(CLASS);
  });

  test("asks both for the contract and the key of the request", () => {
    const slots = fc.array(fc.tuple(felts, felts, fc.option(felts), felts), { maxLength: 20 });
    assertProperty(
      fc.property(slots, (rows) => {
        const keyOf = (address: bigint, key: bigint): string => `${address}/${key}`;
        const written = new Map(rows.map(([a, k, value]) => [keyOf(a, k), value ?? undefined]));
        const origin = new Map(rows.map(([a, k, , value]) => [keyOf(a, k), value]));
        const state = new ForkedState(
          { ...NOTHING_WRITTEN, storageAt: (a, k) => written.get(keyOf(a, k)) },
          { ...UNREAD, storageAt: (a, k) => origin.get(keyOf(a, k)) ?? 0n },
        );
        for (const [a, k] of rows) {
          const expected = written.get(keyOf(a, k)) ?? origin.get(keyOf(a, k));
          expect(state.storageAt(a, k)).toBe(expected ?? 0n);
        }
      }),
    );
  });
});
