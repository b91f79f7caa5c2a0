import type { BuiltinName, CasmClass, VmResources } from "#chain/index.ts";
import { KernelError } from "#errors/index.ts";
import type { PlacedProgram } from "#kernels/vm/index.ts";
import { finishRun } from "./finish.ts";
import { Machine } from "./machine.ts";
import { MEMORY_LIMIT_TEXT, MemoryLimitReached } from "./memory-limit.ts";
import { type PreparedProgram, prepareProgram } from "./program.ts";
import { measure } from "./resources.ts";
import { type RunSetUp, setUpRun } from "./set-up.ts";
import type {
  CairoProgram,
  CairoVm,
  CairoVmOptions,
  EntryPointRun,
  RunOutcome,
  VmFailure,
} from "./types.ts";

/** Steps between two looks at the cancel flag. */
const SLICE_STEPS = 2 ** 20;

/**
 * The same in every thread: an estimate must fail where a block would. Large enough for what the
 * protocol's step and gas limits allow; memory that no run touches costs nothing.
 */
const DEFAULT_MEMORY_BYTES = 1536 * 2 ** 20;

/** A run that touched more gives its memory back: an instance can only grow. */
const KEPT_MEMORY_BYTES = 192 * 2 ** 20;

/** Enough for a few hundred classes of usual size. */
const MAX_PROGRAM_BYTES = 96 * 2 ** 20;

/** Builtins of Cairo 1 entry points in the order that they must be listed in. */
const ORDER: readonly BuiltinName[] = [
  "pedersen",
  "range_check",
  "bitwise",
  "ec_op",
  "poseidon",
  "segment_arena",
  "range_check96",
  "add_mod",
  "mul_mod",
];

/** Parts of the memory: cells, and programs kept beyond the running ones. */
function shares(maxMemoryBytes: number): {
  readonly cellBytes: number;
  readonly programBytes: number;
} {
  const unit = Math.floor(maxMemoryBytes / 16 / 65_536) * 65_536;
  return { cellBytes: 13 * unit, programBytes: Math.min(3 * unit, MAX_PROGRAM_BYTES) };
}

/** Options for tests beside those of the contract. */
export interface CairoVmTestOptions extends CairoVmOptions {
  /** Another build of the kernel. */
  readonly module?: WebAssembly.Module;
}

/** A machine for one thread. Cheap until its first run. */
export function createCairoVm(options: CairoVmTestOptions = {}): CairoVm {
  return new KernelCairoVm(options);
}

class KernelCairoVm implements CairoVm {
  readonly #options: CairoVmTestOptions;
  readonly #prepared = new WeakMap<CasmClass, PreparedProgram>();
  #machine: Machine | undefined;
  #isCancelled = false;

  constructor(options: CairoVmTestOptions) {
    this.#options = options;
  }

  prepare(casm: CasmClass): CairoProgram {
    return this.#prepare(casm);
  }

  #prepare(casm: CasmClass): PreparedProgram {
    const known = this.#prepared.get(casm);
    if (known !== undefined) return known;
    const made = prepareProgram(casm);
    this.#prepared.set(casm, made);
    return made;
  }

  run(run: EntryPointRun): RunOutcome {
    const machine = this.#machineForRun();
    const isOutermost = machine.depth === 0;
    if (isOutermost) this.#isCancelled = false;
    try {
      return this.#runOn(machine, run);
    } finally {
      const isDone = machine.isBroken || machine.kernel.peakBytes > KEPT_MEMORY_BYTES;
      if (isOutermost && isDone) this.#machine = undefined;
    }
  }

  #machineForRun(): Machine {
    const { maxMemoryBytes, slowPath, module } = this.#options;
    this.#machine ??= new Machine({
      ...shares(maxMemoryBytes ?? DEFAULT_MEMORY_BYTES),
      slowPath: slowPath === true,
      module,
    });
    return this.#machine;
  }

  #runOn(machine: Machine, run: EntryPointRun): RunOutcome {
    const invalid = invalidBuiltins(run.builtins);
    if (invalid !== undefined) return failedWithout(invalid);
    const { kernel } = machine;
    const program = this.#prepare(run.program.casm);
    const placed = kernel.pin(program.image);
    if (placed === undefined) return failedWithout(MEMORY_LIMIT_TEXT);
    try {
      if (!kernel.begin(placed, run.countHoles)) return failedWithout(MEMORY_LIMIT_TEXT);
      try {
        return this.#runFrame(machine, program, placed, run);
      } finally {
        kernel.end();
      }
    } finally {
      kernel.unpin(placed);
    }
  }

  /** A run on its frame; traps and used up memory become failures of this run. */
  #runFrame(
    machine: Machine,
    program: PreparedProgram,
    placed: PlacedProgram,
    run: EntryPointRun,
  ): RunOutcome {
    const { depth } = machine;
    try {
      const setUp = setUpRun(machine.kernel, program, placed, run);
      machine.push(setUp.frame);
      return this.#loop(machine, setUp, run);
    } catch (error) {
      if (error instanceof MemoryLimitReached) return failedWithout(error.message);
      if (!isTrap(error)) throw error;
      machine.isBroken = true;
      return failedWithout(MEMORY_LIMIT_TEXT);
    } finally {
      if (machine.depth > depth) machine.pop();
    }
  }

  #loop(machine: Machine, setUp: RunSetUp, run: EntryPointRun): RunOutcome {
    const { kernel } = machine;
    const { frame } = setUp;
    for (;;) {
      if (this.#checkCancelled()) return { kind: "cancelled" };
      machine.applyStepLimit(frame);
      const status = kernel.run(SLICE_STEPS);
      const left = machine.countSteps(frame);
      if (this.#isCancelled) return { kind: "cancelled" };
      if (status === "done") return finishRun(kernel, setUp, run);
      if (status === "failed") {
        const failure = machine.failure(frame);
        return { kind: "failed", failure, resources: measure(kernel, setUp.builtins, 0) };
      }
      if (left <= 0) {
        const failure: VmFailure = {
          message: "Could not reach the end of the program. RunResources has no remaining steps.",
          pc: kernel.pc.offset,
          traceback: machine.traceback(),
        };
        return { kind: "out_of_steps", failure, resources: measure(kernel, setUp.builtins, 0) };
      }
    }
  }

  /** Once seen, the flag holds for all runs up to the outermost one. */
  #checkCancelled(): boolean {
    const flag = this.#options.cancelFlag;
    if (flag !== undefined && Atomics.load(flag, 0) !== 0) this.#isCancelled = true;
    return this.#isCancelled;
  }
}

/** `undefined` when the builtins are supported and in order. */
function invalidBuiltins(builtins: readonly BuiltinName[]): string | undefined {
  let next = 0;
  for (const name of builtins) {
    const index = ORDER.indexOf(name, next);
    if (index < 0) {
      return (
        "Entry point uses unsupported builtins or an invalid builtin order: " +
        `[${builtins.join(", ")}].`
      );
    }
    next = index + 1;
  }
  return undefined;
}

function failedWithout(message: string): RunOutcome {
  const resources: VmResources = { steps: 0, memoryHoles: 0, builtins: {} };
  return { kind: "failed", failure: { message, pc: null, traceback: [] }, resources };
}

/** Whether the kernel died: a WebAssembly trap, an abort, or an overflow of the native stack. */
function isTrap(error: unknown): boolean {
  return (
    error instanceof WebAssembly.RuntimeError ||
    (error instanceof KernelError && error.code === "KERNEL_ABORTED") ||
    (error instanceof RangeError && error.message.startsWith("Maximum call stack"))
  );
}
