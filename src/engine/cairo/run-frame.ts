import type { Address, PlacedProgram } from "#kernels/vm/index.ts";
import type { HostHint } from "./hint-encoder.ts";
import type { StepBudget, SyscallHost } from "./types.ts";

/** What a run keeps on the host while its frame exists. */
export interface RunFrame {
  readonly program: { readonly hostHints: readonly HostHint[] };
  readonly placed: PlacedProgram;
  readonly host: SyscallHost;
  /** Steps that are left, for this run alone or shared with the runs nested in it. */
  readonly stepBudget: StepBudget;
  /** See `EntryPointRun.pointScalar`. */
  readonly pointScalar?: (() => bigint) | undefined;
  /** Steps of this run that the budget already counts. */
  countedSteps: number;
  /** Segment of the builtin costs, named by the last cell of the program. */
  readonly costsSegment: number;
  /** Where the next syscall frame must start. */
  syscallPtr: Address;
  /** Read-only segments with their sizes. */
  readonly readOnly: { readonly segment: number; readonly length: number }[];
  /** The host found memory used up. */
  isOutOfMemory?: boolean;
  /** Text of the failure that the host caused. */
  hostFailure: string | undefined;
  /** The failure is one of a hint itself. */
  failedInHint?: boolean;
  /** See `VmFailure.isUnsupported`. */
  isUnsupported?: boolean;
  /** Set for Cairo 0 runs. */
  readonly legacy?: LegacyHooks;
}

/** A failure on the host's side of a Cairo 0 hint. */
export interface HostFailure {
  readonly message: string;
  readonly inHint: boolean;
  /** See `VmFailure.isUnsupported`. */
  readonly isUnsupported?: boolean;
}

/** The host's side of a Cairo 0 run. */
export interface LegacyHooks {
  /** Executes a hint by its number; `syscall` makes the syscall at an address. */
  hint(number: number, syscall: (at: Address) => HostFailure | undefined): HostFailure | undefined;
  /** Checks a written cell of the signature builtin. @returns what is wrong with it */
  validateSignature(at: Address): string | undefined;
  /** Lines that the program has for errors at a program counter; each with its line break. */
  errorMessages(pc: number): string;
}
