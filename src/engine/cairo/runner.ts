import type { VmResources } from "#protocol/versions/index.ts";
import type { CasmClass, LegacyProgram } from "#protocol/chain/index.ts";
import { KernelError } from "#base/errors/index.ts";
import { SYSTEM_TIMER, type Timer } from "#base/primitives/index.ts";
import { CAUSES, LAYOUT, type PlacedProgram, type ProgramImage } from "#kernels/vm/index.ts";
import { entryPointBuiltinsProblem } from "./builtin-order.ts";
import { finishLegacyRun } from "./cairo0/finish.ts";
import { type PreparedLegacyProgram, prepareLegacyProgram } from "./cairo0/program.ts";
import { setUpLegacyRun } from "./cairo0/set-up.ts";
import { RunCancelled } from "./cancellation.ts";
import { finishRun } from "./finish.ts";
import { createRetainedMemory, RetainedMemory } from "./kept-memory.ts";
import { Machine } from "./machine.ts";
import { MachineKeeper } from "./machine-keeper.ts";
import {
  DEFAULT_MEMORY_BYTES,
  isOutOfMemory,
  MAX_PROGRAM_BYTES,
  memoryLimits,
} from "./memory-limit.ts";
import { MemoryShare } from "./memory-share.ts";
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

const OUT_OF_MEMORY: RunOutcome = { kind: "out_of_memory" };

/** Steps between checks of the cancel flag; the kernel checks more often when steps are slow. */
const SLICE_STEPS = 2 ** 20;

/** Default address space of a machine: some dozens of machines of this size fit in a process. */
const DEFAULT_SPAN_BYTES = 2 ** 30;

/** Test-only options. */
export interface CairoVmTestOptions extends CairoVmOptions {
  readonly module?: WebAssembly.Module;
  readonly timer?: Timer;
}

/** Creates a machine for one thread. Cheap until its first run. */
export function createCairoVm(options: CairoVmTestOptions = {}): CairoVm {
  return new KernelCairoVm(options);
}

/** Run whose segments and registers are ready. */
interface ReadyRun {
  readonly frame: RunFrame;
  readonly builtins: readonly BuiltinSegment[];
  /** Runs the checks after the last instruction and returns the results. */
  finish(): RunOutcome;
}

class KernelCairoVm implements CairoVm {
  readonly #options: CairoVmTestOptions;
  readonly #prepared = new WeakMap<CasmClass, PreparedProgram>();
  readonly #preparedLegacy = new WeakMap<LegacyProgram, PreparedLegacyProgram>();
  readonly memory: MemoryShare;
  readonly #keeper: MachineKeeper<Machine>;
  #isCancelled = false;

  constructor(options: CairoVmTestOptions) {
    this.#options = options;
    const limits = memoryLimits(options.maxMemoryBytes ?? DEFAULT_MEMORY_BYTES);
    this.memory = new MemoryShare(limits, options.memoryPermits, () => this.#checkCancelled());
    this.#keeper = new MachineKeeper({
      make: () => this.#makeMachine(),
      kept: new RetainedMemory(options.retainedMemory ?? createRetainedMemory(), limits.cellBytes),
      timer: options.timer ?? SYSTEM_TIMER,
      collect: () => Bun.gc(true),
    });
  }

  prepare(casm: CasmClass): CairoProgram {
    return this.#prepare(casm);
  }

  #prepare(casm: CasmClass): PreparedProgram {
    return cached(this.#prepared, casm, prepareProgram);
  }

  run(run: EntryPointRun): RunOutcome {
    return this.#onMachine((machine) => this.#runOn(machine, run));
  }

  runLegacy(run: LegacyRun): RunOutcome {
    return this.#onMachine((machine) => this.#runLegacyOn(machine, run));
  }

  #prepareLegacy(program: LegacyProgram): PreparedLegacyProgram {
    return cached(this.#preparedLegacy, program, prepareLegacyProgram);
  }

  #onMachine(execute: (machine: Machine) => RunOutcome): RunOutcome {
    const running = this.#keeper.machine;
    if (running !== undefined && running.depth > 0) return this.#execute(running, execute);
    this.#isCancelled = false;
    let machine: Machine;
    try {
      machine = this.#keeper.forRun();
      machine.applyBudget();
    } catch (error) {
      // The process has no address space left for another machine.
      if (error instanceof KernelError || error instanceof RangeError) return OUT_OF_MEMORY;
      throw error;
    }
    machine.watchRun();
    try {
      return this.#execute(machine, execute);
    } finally {
      this.memory.lower();
      this.#keeper.afterRun(machine, this.memory.takeHostPeak());
    }
  }

  #execute(machine: Machine, execute: (machine: Machine) => RunOutcome): RunOutcome {
    try {
      return execute(machine);
    } catch (error) {
      if (error instanceof RunCancelled) return { kind: "cancelled" };
      throw error;
    }
  }

  #makeMachine(): Machine {
    const { memory } = this;
    const { slowPath, module } = this.#options;
    const { cellBytes } = memory.limits;
    return new Machine({
      cellBytes,
      maxSpanBytes: this.#options.maxSpanBytes ?? DEFAULT_SPAN_BYTES,
      programBytes: Math.min(Math.ceil(cellBytes / 4), MAX_PROGRAM_BYTES),
      slowPath: slowPath === true,
      module,
      isCancelled: () => this.#checkCancelled(),
      memory,
    });
  }

  #runOn(machine: Machine, run: EntryPointRun): RunOutcome {
    const invalid = entryPointBuiltinsProblem(run.builtins);
    if (invalid !== undefined) return failedWithout(invalid);
    const { kernel } = machine;
    const program = this.#prepare(run.program.casm);
    return this.#withProgram(machine, program.image, run.countHoles, (placed) => {
      const setUp = setUpRun(kernel, program, placed, run);
      return { ...setUp, finish: () => finishRun(kernel, setUp, run, this.memory.limits) };
    });
  }

  #runLegacyOn(machine: Machine, run: LegacyRun): RunOutcome {
    const { kernel } = machine;
    const program = this.#prepareLegacy(run.program);
    return this.#withProgram(machine, program.image, true, (placed) => {
      const setUp = setUpLegacyRun(kernel, program, placed, run);
      return { ...setUp, finish: () => finishLegacyRun(kernel, setUp, this.memory.limits) };
    });
  }

  /** Executes a program, which stays pinned in memory while it runs. */
  #withProgram(
    machine: Machine,
    image: ProgramImage,
    countHoles: boolean,
    setUp: (placed: PlacedProgram) => ReadyRun,
  ): RunOutcome {
    const { kernel } = machine;
    if (machine.depth >= LAYOUT.MAX_FRAMES) return failedWithout(CAUSES.capacity);
    const placed = kernel.pin(image);
    if (placed === undefined) return OUT_OF_MEMORY;
    try {
      if (!kernel.begin(placed, countHoles)) return OUT_OF_MEMORY;
      try {
        return this.#runFrame(machine, () => setUp(placed));
      } finally {
        if (!machine.isBroken && !machine.isInterrupted) kernel.end();
      }
    } finally {
      kernel.unpin(placed);
    }
  }

  /** Executes a run on its frame; traps and exhausted memory become outcomes of this run. */
  #runFrame(machine: Machine, setUp: () => ReadyRun): RunOutcome {
    const { depth } = machine;
    try {
      const ready = setUp();
      machine.push(ready.frame);
      return this.#loop(machine, ready);
    } catch (error) {
      if (isTrap(error)) machine.isBroken = true;
      else if (!isOutOfMemory(error)) throw error;
      return this.#isCancelled ? { kind: "cancelled" } : OUT_OF_MEMORY;
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
        const isHosts = frame.hostFailure !== undefined;
        if (frame.isOutOfMemory === true) return OUT_OF_MEMORY;
        if (!isHosts && kernel.failure().cause === "memory_limit") return OUT_OF_MEMORY;
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

  /** Cancellation is sticky: once observed, it holds for all runs up to the outermost one. */
  #checkCancelled(): boolean {
    const { cancelFlag, isOver } = this.#options;
    if (cancelFlag !== undefined && Atomics.load(cancelFlag, 0) !== 0) this.#isCancelled = true;
    else if (isOver?.() === true) this.#isCancelled = true;
    return this.#isCancelled;
  }
}

function failedWithout(message: string): RunOutcome {
  const resources: VmResources = { steps: 0, memoryHoles: 0, builtins: {} };
  return { kind: "failed", failure: { message, pc: null, traceback: [] }, resources };
}

/**
 * Whether the kernel died: a WebAssembly trap, an abort, or an overflow of the native stack. The run then
 * counts as out of memory: it must not be included as reverted.
 */
function isTrap(error: unknown): boolean {
  return (
    error instanceof WebAssembly.RuntimeError ||
    (error instanceof KernelError && error.code === "KERNEL_ABORTED") ||
    (error instanceof RangeError && error.message.startsWith("Maximum call stack"))
  );
}

/** Returns the cached value of a key; creates it on first use. */
function cached<K extends object, V>(known: WeakMap<K, V>, key: K, make: (key: K) => V): V {
  let value = known.get(key);
  if (value === undefined) known.set(key, (value = make(key)));
  return value;
}
