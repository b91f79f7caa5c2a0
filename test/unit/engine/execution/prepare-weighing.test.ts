import { expect, test } from "bun:test";
import { prepareWeighing } from "#engine/execution/index.ts";
import { blakeHashOf } from "#engine/execution/blake-hash.ts";
import { casmHashCost } from "#engine/execution/block/casm-hash-cost.ts";
import type { CasmClass } from "#protocol/chain/index.ts";

/** A class that notes how often its bytecode is looked at. */
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

test("a class that was prepared is weighed without a look at its bytecode", () => {
  const { casm, looks } = watchedClass();
  prepareWeighing(casm, true);
  looks.count = 0;
  casmHashCost(casm, "blake");
  blakeHashOf(casm);
  expect(looks.count).toBe(0);
});

test("a class is not hashed where no class gets a new form of its hash", () => {
  const { casm, looks } = watchedClass();
  prepareWeighing(casm, false);
  looks.count = 0;
  blakeHashOf(casm);
  expect(looks.count).toBeGreaterThan(0);
});
