import type { BuiltinName, VmResources } from "#protocol/versions/index.ts";
import type { CasmClass, LegacyProgram } from "#protocol/chain/index.ts";
import type { FeltBlock, Felts } from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { MemoryShare } from "./memory-share.ts";

/** An address in the memory of the Cairo machine. */
export interface Relocatable {
  readonly segment: number;
  readonly offset: number;
}

/** A memory cell's value as syscalls see it. */
export type MaybeRelocatable = Felt | Relocatable;

/** Code prepared for the machine: made once per class and thread, released with its cache. */
export interface CairoProgram {
  readonly casm: CasmClass;
}

/**
 * Memory access for the host while the machine waits in a syscall. Every method may throw
 * {@link MemoryLimitReached}, which ends the run as `out_of_memory`.
 */
export interface VmMemory {
  /** The cell's value; `undefined` when nothing was written. */
  read(address: Relocatable): MaybeRelocatable | undefined;
  /** Values of `count` cells, as {@link read} reads each. Addresses beyond those of cells are unwritten. */
  readMany(address: Relocatable, count: number): readonly (MaybeRelocatable | undefined)[];
  /** An integer cell. @returns `undefined` when the cell is unknown or an address */
  readFelt(address: Relocatable): Felt | undefined;
  /** `length` integer cells. @returns `undefined` when one is unknown or an address */
  readFelts(address: Relocatable, length: number): Felt[] | undefined;
  /** As {@link readFelts}, in the compact form. */
  readBlock(address: Relocatable, length: number): FeltBlock | undefined;
  /** Writes one cell. @returns false when the cell holds another value already */
  write(address: Relocatable, value: MaybeRelocatable): boolean;
  /** Writes consecutive cells up to the first conflict. @returns false when there is one */
  writeMany(address: Relocatable, values: readonly MaybeRelocatable[]): boolean;
  /** Writes consecutive integer cells. @returns false on a conflict */
  writeFelts(address: Relocatable, values: Felts): boolean;
  /**
   * To be called in long work, every few milliseconds. When the run was cancelled it throws what the
   * host must let pass: the machine ends the run.
   */
  pause(): void;
  /** A new empty segment. */
  addSegment(): Relocatable;
  /**
   * A new segment with these values, which can be addresses, marked read-only: it must keep its size
   * to the end of the run.
   */
  addReadOnlySegment(values: readonly MaybeRelocatable[] | FeltBlock): Relocatable;
}

/** Outcome of a syscall as the machine needs it; failures that the contract can see are written to memory. */
export type SyscallOutcome =
  | { readonly kind: "done"; readonly nextPtr: Relocatable }
  | { readonly kind: "fatal"; readonly message: string };

/** Serves the `SystemCall` hints of one run. */
export interface SyscallHost {
  /**
   * Executes the syscall whose frame starts at `frame`, writes the response behind the request.
   * `nextPtr` is where the next frame must start. It may run inner calls on the same machine.
   */
  syscall(memory: VmMemory, frame: Relocatable): SyscallOutcome;
}

/** Steps that are left to one or more runs. */
export interface StepBudget {
  left: number;
}

/** One call of one Cairo 1 entry point. Source: blockifier, `entry_point_execution.rs`. */
export interface EntryPointRun {
  readonly program: CairoProgram;
  readonly entryPointOffset: number;
  readonly builtins: readonly BuiltinName[];
  /** Gas in the gas counter at the first instruction: the entry budget is already taken off. */
  readonly gas: bigint;
  readonly calldata: Felts;
  /** Costs of pedersen, bitwise, ec_op, poseidon, add_mod, mul_mod, blake; read by compiled code. */
  readonly builtinCosts: readonly bigint[];
  /** Most steps that this run may take itself; inner calls have limits of their own. */
  readonly maxSteps: number;
  /**
   * Steps shared with other runs, in place of `maxSteps`: every step of this run counts down, and so
   * do those of nested runs that are given the same object. The reference engine meters a whole
   * transaction phase like this.
   */
  readonly stepBudget?: StepBudget;
  /** Count memory holes exactly: needed where steps are charged. */
  readonly countHoles: boolean;
  readonly host: SyscallHost;
  /**
   * Gives the scalar, below 2^256, that the points of RandomEcPoint hints begin with; asked for at the
   * first of them. It must be the same wherever the transaction runs, and nothing that a contract can
   * know beforehand. Default: 1.
   */
  readonly pointScalar?: () => bigint;
}

/** A machine error with what is needed for the protocol's error texts. */
export interface VmFailure {
  /** Text of the error in the wording of cairo-vm 3.2.0, without location lines. */
  readonly message: string;
  /** Program counter of the failing instruction, as `0:25`; `null` outside of a run. */
  readonly pc: string | null;
  /** Program counters of the calls that led there, outermost first. */
  readonly traceback: readonly string[];
  /** The error is one of a hint itself: error texts then do not end with a line break. */
  readonly inHint?: boolean;
  /** The run stopped in a hint, or in what a hint has called. */
  readonly duringHint?: boolean;
  /** This machine cannot execute what others may: nothing can be said of the run. */
  readonly isUnsupported?: boolean;
  /** Name of an error outside of a run in the reference engine. */
  readonly name?: string;
  /** Error messages that a Cairo 0 program has for the place, and for each of the calls. */
  readonly notes?: VmFailureNotes;
}

/** Lines that an error text has before its places; empty where there are none. */
export interface VmFailureNotes {
  readonly pc: string;
  readonly traceback: readonly string[];
}

/** What is wrong at the end of a run, with the reference engine's name for it. */
export interface EndProblem {
  readonly name: string;
  readonly message: string;
}

/**
 * One call of one Cairo 0 entry point. Source: blockifier, `deprecated_entry_point_execution.rs`.
 */
export interface LegacyRun {
  readonly program: LegacyProgram;
  readonly entryPointOffset: number;
  readonly selector: Felt;
  readonly calldata: Felts;
  /** Steps that this run and those nested in it may take. */
  readonly stepBudget: StepBudget;
  /** Serves the syscall hints. */
  readonly host: SyscallHost;
}

/** How a run ended. Resources are this run's own, without inner calls. */
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
  /** It needs more memory than a run may have (memory-limit.ts). */
  | { readonly kind: "out_of_memory" }
  | { readonly kind: "cancelled" };

/** A Cairo machine of one thread. Runs may nest through {@link SyscallHost}, at most 64 deep. */
export interface CairoVm {
  /** Prepares compiled code. Cached by the identity of `casm`. */
  prepare(casm: CasmClass): CairoProgram;
  run(run: EntryPointRun): RunOutcome;
  /** Runs Cairo 0 code. It does not panic and uses no gas. */
  runLegacy(run: LegacyRun): RunOutcome;
  /** What its runs may take of the process's memory. */
  readonly memory: MemoryShare;
}

/** Options of a machine. */
export interface CairoVmOptions {
  /** Shared flag: a non-zero value at index 0 cancels all runs within some ten milliseconds. */
  readonly cancelFlag?: Int32Array;
  /** Asked wherever the flag is looked at: `true` cancels all runs, too. */
  readonly isOver?: () => boolean;
  /** Always use the generic slow path; for tests. */
  readonly slowPath?: boolean;
  /** {@link MemoryLimits.cellBytes}; default {@link DEFAULT_MEMORY_BYTES}. */
  readonly maxMemoryBytes?: number;
  /**
   * Most bytes of address space that cells may span, touched or not: the machine's share of what the
   * engine gives to all machines of the process. Default: 1 GiB.
   */
  readonly maxSpanBytes?: number;
  /** Permits that runs need for more than a base (memory-share.ts); without them they need none. */
  readonly memoryPermits?: Int32Array;
  /** What the machines that share it keep together between their runs (kept-memory.ts). */
  readonly keptMemory?: Int32Array;
}
