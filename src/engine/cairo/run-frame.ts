import type { Address, PlacedProgram } from "#kernels/vm/index.ts";
import type { HostHint } from "./hint-encoder.ts";
import type { StepBudget, SyscallHost } from "./types.ts";

/** Host-side state of a run while its frame exists. */
export interface RunFrame {
  readonly program: { readonly hostHints: readonly HostHint[] };
  readonly placed: PlacedProgram;
  readonly host: SyscallHost;
  /** Remaining steps, for this run alone or shared with its nested runs. */
  readonly stepBudget: StepBudget;
  /** See `EntryPointRun.pointScalar`. */
  readonly pointScalar?: (() => bigint) | undefined;
  /** Steps of this run that are already deducted from the budget. */
  countedSteps: number;
  /** Segment of the builtin costs; the program's last cell points to it. */
  readonly costsSegment: number;
  /** Required address of the next syscall frame. */
  syscallPtr: Address;
  /** Read-only segments with their sizes. */
  readonly readOnly: { readonly segment: number; readonly length: number }[];
  /** Set when the host ran out of memory. */
  isOutOfMemory?: boolean;
  /** Text of a failure caused by the host. */
  hostFailure: string | undefined;
  /** Whether the failure is one of the hint itself. */
  failedInHint?: boolean;
  /** See `VmFailure.isUnsupported`. */
  isUnsupported?: boolean;
  /** Set for Cairo 0 runs. */
  readonly legacy?: LegacyHooks;
}

/** Host-side failure of a Cairo 0 hint. */
export interface HostFailure {
  readonly message: string;
  readonly inHint: boolean;
  /** See `VmFailure.isUnsupported`. */
  readonly isUnsupported?: boolean;
}

/** Host-side callbacks of a Cairo 0 run. */
export interface LegacyHooks {
  /** Executes a hint by its number; `syscall` executes the syscall at an address. */
  hint(number: number, syscall: (at: Address) => HostFailure | undefined): HostFailure | undefined;
  /** Checks a written cell of the signature builtin. @returns the error text, if any */
  validateSignature(at: Address): string | undefined;
  /** Returns the program's error messages for a program counter, one per line, each with its line break. */
  errorMessages(pc: number): string;
}
