import type { BuiltinName, VmResources } from "#protocol/versions/index.ts";
import type { CasmClass, LegacyProgram } from "#protocol/chain/index.ts";
import type { FeltBlock, Felts } from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { MemoryShare } from "./memory-share.ts";

/** Address in the memory of the Cairo machine. */
export interface Relocatable {
  readonly segment: number;
  readonly offset: number;
}

/** Value of a memory cell, as syscalls see it. */
export type MaybeRelocatable = Felt | Relocatable;

/** Code prepared for the machine: created once per class and thread, released with its cache. */
export interface CairoProgram {
  readonly casm: CasmClass;
}

/**
 * Memory access for the host while the machine waits in a syscall. Every method may throw
 * {@link MemoryLimitReached}, which ends the run as `out_of_memory`.
 */
export interface VmMemory {
  /** Value of the cell; `undefined` when nothing was written. */
  read(address: Relocatable): MaybeRelocatable | undefined;
  /** Values of `count` cells, each as by {@link read}. Addresses beyond the valid range read as unwritten. */
  readMany(address: Relocatable, count: number): readonly (MaybeRelocatable | undefined)[];
  /** Reads an integer cell. @returns `undefined` when the cell is unknown or an address */
  readFelt(address: Relocatable): Felt | undefined;
  /** Reads `length` integer cells. @returns `undefined` when one is unknown or an address */
  readFelts(address: Relocatable, length: number): Felt[] | undefined;
  /** Like {@link readFelts}, in the compact form. */
  readBlock(address: Relocatable, length: number): FeltBlock | undefined;
  /** Writes one cell. @returns false when the cell already holds another value */
  write(address: Relocatable, value: MaybeRelocatable): boolean;
  /** Writes consecutive cells up to the first conflict. @returns false on a conflict */
  writeMany(address: Relocatable, values: readonly MaybeRelocatable[]): boolean;
  /** Writes consecutive integer cells. @returns false on a conflict */
  writeFelts(address: Relocatable, values: Felts): boolean;
  /**
   * Must be called every few milliseconds during long work. Throws when the run was cancelled; the host must
   * not catch that, so that the machine can end the run.
   */
  pause(): void;
  addSegment(): Relocatable;
  /**
   * Adds a segment with these values, which may be addresses, and marks it read-only: it must keep its size
   * to the end of the run.
   */
  addReadOnlySegment(values: readonly MaybeRelocatable[] | FeltBlock): Relocatable;
}

/** Outcome of a syscall for the machine; failures that the contract can see are written to memory instead. */
export type SyscallOutcome =
  | { readonly kind: "done"; readonly nextPtr: Relocatable }
  | { readonly kind: "fatal"; readonly message: string };

/** Serves the `SystemCall` hints of one run. */
export interface SyscallHost {
  /**
   * Executes the syscall whose frame starts at `frame` and writes the response after the request. `nextPtr`
   * is the required start of the next frame. It may run inner calls on the same machine.
   */
  syscall(memory: VmMemory, frame: Relocatable): SyscallOutcome;
}

/** Remaining steps of one or more runs. */
export interface StepBudget {
  left: number;
}

/** Call of a Cairo 1 entry point. Source: blockifier, `entry_point_execution.rs`. */
export interface EntryPointRun {
  readonly program: CairoProgram;
  readonly entryPointOffset: number;
  readonly builtins: readonly BuiltinName[];
  /** Gas counter at the first instruction; the entry budget is already deducted. */
  readonly gas: bigint;
  readonly calldata: Felts;
  /** Costs of pedersen, bitwise, ec_op, poseidon, add_mod, mul_mod, blake; read by compiled code. */
  readonly builtinCosts: readonly bigint[];
  /** Maximum steps of this run; inner calls have their own limits. */
  readonly maxSteps: number;
  /**
   * Budget shared with other runs, used instead of `maxSteps`. Steps of this run and of nested runs with the
   * same object are deducted from it. The reference engine meters a whole transaction phase like this.
   */
  readonly stepBudget?: StepBudget;
  /** Count memory holes exactly: needed when steps are charged. */
  readonly countHoles: boolean;
  readonly host: SyscallHost;
  /**
   * Returns the scalar, below 2^256, from which the points of RandomEcPoint hints are derived; called at the
   * first such hint. It must be deterministic for the transaction, and unpredictable for the contract.
   * Default: 1.
   */
  readonly pointScalar?: () => bigint;
}

/** Machine error with the details that the protocol's error texts need. */
export interface VmFailure {
  /** Error text in the wording of cairo-vm 3.2.0, without location lines. */
  readonly message: string;
  /** Program counter of the failing instruction, such as `0:25`; `null` outside a run. */
  readonly pc: string | null;
  /** Program counters of the enclosing calls, outermost first. */
  readonly traceback: readonly string[];
  /** Set for an error of the hint itself: error texts then do not end with a line break. */
  readonly inHint?: boolean;
  /** Set when the run stopped in a hint, or in code called by one. */
  readonly duringHint?: boolean;
  /** Set when this machine lacks a feature that others may have: the run's real outcome is unknown. */
  readonly isUnsupported?: boolean;
  /** Reference engine's name of an error outside a run. */
  readonly name?: string;
  /** Error messages of a Cairo 0 program for the failing location and for each of the calls. */
  readonly notes?: VmFailureNotes;
}

/** Lines that precede the locations in an error text; empty if the program has none. */
export interface VmFailureNotes {
  readonly pc: string;
  readonly traceback: readonly string[];
}

/** Problem at the end of a run, with the reference engine's name for it. */
export interface EndProblem {
  readonly name: string;
  readonly message: string;
}

/** Call of a Cairo 0 entry point. Source: blockifier, `deprecated_entry_point_execution.rs`. */
export interface LegacyRun {
  readonly program: LegacyProgram;
  readonly entryPointOffset: number;
  readonly selector: Felt;
  readonly calldata: Felts;
  /** Steps that this run and its nested runs may take. */
  readonly stepBudget: StepBudget;
  readonly host: SyscallHost;
}

/** Result of a run. Resources are this run's own, without inner calls. */
export type RunOutcome =
  | {
      readonly kind: "returned";
      readonly panicked: boolean;
      readonly retdata: FeltBlock;
      readonly gasLeft: bigint;
      readonly resources: VmResources;
      /** Executed Blake2s instructions: the counter `blake_opcode` of the bouncer and the fee. */
      readonly blakeCount: number;
    }
  | { readonly kind: "failed"; readonly failure: VmFailure; readonly resources: VmResources }
  | { readonly kind: "out_of_steps"; readonly failure: VmFailure; readonly resources: VmResources }
  /** The run needs more memory than it may have (memory-limit.ts). */
  | { readonly kind: "out_of_memory" }
  | { readonly kind: "cancelled" };

/** Cairo machine of one thread. Runs may nest through {@link SyscallHost}, at most 64 deep. */
export interface CairoVm {
  /** Prepares compiled code; cached by the identity of `casm`. */
  prepare(casm: CasmClass): CairoProgram;
  run(run: EntryPointRun): RunOutcome;
  /** Runs Cairo 0 code, which neither panics nor uses gas. */
  runLegacy(run: LegacyRun): RunOutcome;
  /** Memory of the process that this machine's runs may take. */
  readonly memory: MemoryShare;
}

/** Options of a machine. */
export interface CairoVmOptions {
  /** Shared flag: a non-zero value at index 0 cancels all runs within some ten milliseconds. */
  readonly cancelFlag?: Int32Array;
  /** Polled together with the flag: `true` also cancels all runs. */
  readonly isOver?: () => boolean;
  /** Always use the generic slow path; for tests. */
  readonly slowPath?: boolean;
  /** {@link MemoryLimits.cellBytes}; default {@link DEFAULT_MEMORY_BYTES}. */
  readonly maxMemoryBytes?: number;
  /**
   * Maximum address space in bytes that cells may span, touched or not: this machine's share of the address
   * space for all machines of the process. Default: 1 GiB.
   */
  readonly maxSpanBytes?: number;
  /** Permits for memory beyond the base (memory-share.ts); without them no permit is needed. */
  readonly memoryPermits?: Int32Array;
  /** Shared counter of memory kept between runs (kept-memory.ts). */
  readonly retainedMemory?: Int32Array;
}
