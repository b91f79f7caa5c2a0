import type { BuiltinName, CasmClass, LegacyProgram, VmResources } from "#chain/index.ts";
import { KernelError } from "#errors/index.ts";
import type { PlacedProgram, ProgramImage } from "#kernels/vm/index.ts";
import { finishLegacyRun } from "./cairo0/finish.ts";
import { type PreparedLegacyProgram, prepareLegacyProgram } from "./cairo0/program.ts";
import { setUpLegacyRun } from "./cairo0/set-up.ts";
import { RunCancelled } from "./cancellation.ts";
import { finishRun } from "./finish.ts";
import { Machine } from "./machine.ts";
import { MEMORY_LIMIT_TEXT, MemoryLimitReached } from "./memory-limit.ts";
import { type PreparedProgram, prepareProgram } from "./program.ts";
import { type BuiltinSegment, measure } from "./resources.ts";
import type { RunFrame } from "./run-frame.ts";
import { setUpRun } from "./set-up.ts";
import type {
  CairoProgram,
  CairoVm,
  CairoVmOptions,
  EntryPointRun,
  LegacyRun,
  RunOutcome,
} from "./types.ts";

/** Steps between two looks at the cancel flag; the kernel looks more often when they are slow. */
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

/** A run whose segments and registers are ready. */
interface ReadyRun {
  readonly frame: RunFrame;
  readonly builtins: readonly BuiltinSegment[];
  /** Checks and results after the last instruction. */
  finish(): RunOutcome;
}

class KernelCairoVm implements CairoVm {
  readonly #options: CairoVmTestOptions;
  readonly #prepared = new WeakMap<CasmClass, PreparedProgram>();
  readonly #preparedLegacy = new WeakMap<LegacyProgram, PreparedLegacyProgram>();
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
    return this.#onMachine((machine) => this.#runOn(machine, run));
  }

  runLegacy(run: LegacyRun): RunOutcome {
    return this.#onMachine((machine) => this.#runLegacyOn(machine, run));
  }

  #prepareLegacy(program: LegacyProgram): PreparedLegacyProgram {
    const known = this.#preparedLegacy.get(program);
    if (known !== undefined) return known;
    const made = prepareLegacyProgram(program);
    this.#preparedLegacy.set(program, made);
    return made;
  }

  #onMachine(execute: (machine: Machine) => RunOutcome): RunOutcome {
    const machine = this.#machineForRun();
    const isOutermost = machine.depth === 0;
    if (isOutermost) this.#isCancelled = false;
    try {
      return execute(machine);
    } catch (error) {
      if (error instanceof RunCancelled) return { kind: "cancelled" };
      throw error;
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
      isCancelled: () => this.#checkCancelled(),
    });
    return this.#machine;
  }

  #runOn(machine: Machine, run: EntryPointRun): RunOutcome {
    const invalid = invalidBuiltins(run.builtins);
    if (invalid !== undefined) return failedWithout(invalid);
    const { kernel } = machine;
    const program = this.#prepare(run.program.casm);
    return this.#withProgram(machine, program.image, run.countHoles, (placed) => {
      const setUp = setUpRun(kernel, program, placed, run);
      return { ...setUp, finish: () => finishRun(kernel, setUp, run) };
    });
  }

  #runLegacyOn(machine: Machine, run: LegacyRun): RunOutcome {
    const { kernel } = machine;
    const program = this.#prepareLegacy(run.program);
    return this.#withProgram(machine, program.image, true, (placed) => {
      const setUp = setUpLegacyRun(kernel, program, placed, run);
      return { ...setUp, finish: () => finishLegacyRun(kernel, setUp) };
    });
  }

  /** A run of a program, which is kept in memory as long as it runs. */
  #withProgram(
    machine: Machine,
    image: ProgramImage,
    countHoles: boolean,
    setUp: (placed: PlacedProgram) => ReadyRun,
  ): RunOutcome {
    const { kernel } = machine;
    const placed = kernel.pin(image);
    if (placed === undefined) return failedWithout(MEMORY_LIMIT_TEXT);
    try {
      if (!kernel.begin(placed, countHoles)) return failedWithout(MEMORY_LIMIT_TEXT);
      try {
        return this.#runFrame(machine, () => setUp(placed));
      } finally {
        kernel.end(!machine.isBroken);
      }
    } finally {
      kernel.unpin(placed);
    }
  }

  /** A run on its frame; traps and used up memory become failures of this run. */
  #runFrame(machine: Machine, setUp: () => ReadyRun): RunOutcome {
    const { depth } = machine;
    try {
      const ready = setUp();
      machine.push(ready.frame);
      return this.#loop(machine, ready);
    } catch (error) {
      if (error instanceof MemoryLimitReached) return failedWithout(error.message);
      if (!isTrap(error)) throw error;
      machine.isBroken = true;
      return failedWithout(MEMORY_LIMIT_TEXT);
    } finally {
      if (machine.depth > depth) machine.pop();
    }
  }

  #loop(machine: Machine, { frame, builtins, finish }: ReadyRun): RunOutcome {
    const { kernel } = machine;
    for (;;) {
      if (this.#checkCancelled()) return { kind: "cancelled" };
      machine.applyStepLimit(frame);
      const status = kernel.run(SLICE_STEPS);
      const left = machine.countSteps(frame);
      if (this.#isCancelled) return { kind: "cancelled" };
      if (status === "done") return finish();
      if (status === "failed") {
        const failure = machine.failure(frame);
        return { kind: "failed", failure, resources: measure(kernel, builtins, 0) };
      }
      if (left <= 0) {
        const message =
          "Could not reach the end of the program. RunResources has no remaining steps.";
        const failure = machine.failureAt(frame, message);
        return { kind: "out_of_steps", failure, resources: measure(kernel, builtins, 0) };
      }
    }
  }

  /** Once seen, the flag holds for all runs up to the outermost one. */
  #checkCancelled(): boolean {
    const { cancelFlag, isOver } = this.#options;
    if (cancelFlag !== undefined && Atomics.load(cancelFlag, 0) !== 0) this.#isCancelled = true;
    else if (isOver?.() === true) this.#isCancelled = true;
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
