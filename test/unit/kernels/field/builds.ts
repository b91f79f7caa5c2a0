import { describe } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { FieldKernel } from "#kernels/field/index.ts";
import { P } from "#test/helpers/reference/field.ts";
import { buildKernels } from "../../../../scripts/kernels.ts";

await buildKernels(["field"]);

const FOLDER = join(import.meta.dir, "../../../../src/kernels/field/build");

/** The compiled module of one build. */
export function fieldModule(form: "plain" | "wide" | "debug"): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(join(FOLDER, `field.${form}.wasm`)));
}

/** Declares the same tests for the plain, the wide and the debug build. */
export function describeBuilds(name: string, declare: (kernel: FieldKernel) => void): void {
  describe.each(["plain", "wide", "debug"] as const)(`${name} (%s build)`, (form) => {
    declare(new FieldKernel(fieldModule(form)));
  });
}

/** Felts at limb, window and field boundaries. */
export const EDGES: readonly bigint[] = [
  ...[0n, 1n, 2n, 3n, P - 1n, P - 2n, P >> 1n, (P >> 1n) + 1n],
  ...[1n << 63n, (1n << 64n) - 1n, 1n << 64n, (1n << 128n) - 1n, 1n << 128n, 1n << 192n],
  ...[(1n << 192n) - 1n, 1n << 248n, (1n << 248n) - 1n, (1n << 251n) - 1n, 1n << 251n],
  ...[17n << 192n, (17n << 192n) + 1n, P - (1n << 64n), P - (1n << 192n), P - (1n << 248n)],
];

/** Random felts, biased to limb and field boundaries and to small values. */
export const felts = fc.oneof(
  { weight: 2, arbitrary: fc.bigInt({ min: 0n, max: P - 1n }) },
  { weight: 1, arbitrary: fc.constantFrom(...EDGES) },
  { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }) },
);
