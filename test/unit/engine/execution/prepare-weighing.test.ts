import { expect, test } from "bun:test";
import { prepareWeighing } from "#engine/execution/index.ts";
import { blakeHashOf } from "#engine/execution/blake-hash.ts";
import { casmHashCost } from "#engine/execution/block/casm-hash-cost.ts";
import type { CasmClass } from "#protocol/chain/index.ts";

/** Class that counts accesses to its bytecode. */
function watchedClass() {
  const looks = { count: 0 };
  const casm = {
    entryPoints: { CONSTRUCTOR: [], EXTERNAL: [], L1_HANDLER: [] },
    bytecodeSegmentLengths: undefined,
    get bytecode() {
      looks.count++;
      return [1n, 2n, 3n];
    },
  } as unknown as CasmClass;
  return { casm, looks };
}

test("a prepared class is weighed without reading its bytecode", () => {
  const { casm, looks } = watchedClass();
  prepareWeighing(casm, true);
  looks.count = 0;
  casmHashCost(casm, "blake");
  blakeHashOf(casm);
  expect(looks.count).toBe(0);
});

test("prepareWeighing does not hash a class that needs no new hash", () => {
  const { casm, looks } = watchedClass();
  prepareWeighing(casm, false);
  looks.count = 0;
  blakeHashOf(casm);
  expect(looks.count).toBeGreaterThan(0);
});
