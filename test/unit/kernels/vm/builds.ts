import { describe } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { prepareProgram } from "#engine/cairo/program.ts";
import {
  type PlacedProgram,
  type VmHost,
  VmKernel,
  type VmKernelOptions,
} from "#kernels/vm/index.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { classOf, push } from "#test/unit/engine/cairo/assembler.ts";
import { buildKernels } from "../../../../scripts/kernels.ts";

await buildKernels(["vm"]);

const FOLDER = join(import.meta.dir, "../../../../src/kernels/vm/build");

export type VmForm = "plain" | "wide" | "debug";

/** Compiles the module of one build. */
export function vmModule(form: VmForm): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(join(FOLDER, `vm.${form}.wasm`)));
}

/** A host that rejects everything. */
export const NO_HOST: VmHost = { systemCall: () => 1, hint: () => 1, pause: () => undefined };

/** A small kernel of one build. */
export function smallKernel(form: VmForm, options: Partial<VmKernelOptions> = {}): VmKernel {
  const sizes = { cellBytes: 16 << 20, programBytes: 1 << 20 };
  return new VmKernel(NO_HOST, { ...sizes, module: vmModule(form), ...options });
}

/** Pins a minimal program for which frames can be created. */
export function emptyProgram(kernel: VmKernel): PlacedProgram {
  const placed = kernel.pin(prepareProgram(classOf(push(0n))).image);
  if (placed === undefined) throw new TypeError("no room");
  return placed;
}

/** Builds that a run tests. The debug build takes a third of the time; after a change of a kernel CI runs it. */
const TESTED_FORMS = bySize<readonly VmForm[]>({
  quick: ["plain", "wide"],
  full: ["plain", "wide", "debug"],
});

/** Declares the same tests for each of {@link TESTED_FORMS}. */
export function describeBuilds(name: string, declare: (kernel: VmKernel) => void): void {
  describe.each(TESTED_FORMS)(`${name} (%s build)`, (form) => {
    declare(smallKernel(form));
  });
}

/** Cells below the first input: a call frame. */
const FRAME = 2;

/** Hint operand for input number `index`, `[fp + index]`. */
export function input(index: number): unknown {
  return { Deref: { register: "FP", offset: index } };
}

/** Hint destination for result number `index`, `[ap + index]`. */
export function output(index: number): unknown {
  return { register: "AP", offset: index };
}

/**
 * Executes one hint after pushing its inputs.
 *
 * @returns the results; `undefined` if the hint fails
 */
export function runHint(
  kernel: VmKernel,
  hint: unknown,
  inputs: readonly bigint[],
  outputs: number,
): (bigint | undefined)[] | undefined {
  const pushes = inputs.flatMap(push);
  // The hint is attached to `ap += outputs`.
  const advance = [0x40780017fff7fffn, BigInt(outputs)];
  const { image } = prepareProgram(classOf([...pushes, ...advance], { [pushes.length]: [hint] }));
  const placed = kernel.pin(image);
  if (placed === undefined || !kernel.begin(placed, false)) throw new TypeError("no room");
  try {
    kernel.writeMany({ segment: 1, offset: 0 }, [0n, 0n]);
    kernel.setRegisters(0, FRAME, FRAME, 99);
    kernel.setStepLimit(1000);
    if (kernel.run(inputs.length + 1) === "failed") return undefined;
    const first = { segment: 1, offset: FRAME + inputs.length };
    return kernel
      .readMany(first, outputs)
      .map((value) => (typeof value === "bigint" ? value : undefined));
  } finally {
    kernel.end();
    kernel.unpin(placed);
  }
}
