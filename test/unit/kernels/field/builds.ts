import { describe } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { FieldKernel } from "#kernels/field/index.ts";
import { P } from "#test/helpers/reference/field.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { buildKernels } from "../../../../scripts/kernels.ts";

await buildKernels(["field"]);

const FOLDER = join(import.meta.dir, "../../../../src/kernels/field/build");

/** Build of the kernel: for any engine, for wide arithmetic, or unoptimised with assertions. */
export type FieldForm = "plain" | "wide" | "debug";

/** Builds that a run tests. The debug build takes a third of the time; after a change of a kernel CI runs it. */
export const TESTED_FORMS = bySize<readonly FieldForm[]>({
  quick: ["plain", "wide"],
  full: ["plain", "wide", "debug"],
});

/** The compiled module of one build. */
export function fieldModule(form: FieldForm): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(join(FOLDER, `field.${form}.wasm`)));
}

/** Declares the same tests for each of {@link TESTED_FORMS}. */
export function describeBuilds(name: string, declare: (kernel: FieldKernel) => void): void {
  describe.each(TESTED_FORMS)(`${name} (%s build)`, (form) => {
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
