import type { VmFailureNotes } from "#engine/cairo/index.ts";
import { type Felt, paddedHexFromFelt } from "#base/primitives/index.ts";
import type { TrackedResource } from "./tracked-resource.ts";

/** Error that stopped an entry point. Unlike a panic, the caller cannot handle it. */
export type CallError =
  | {
      /** The machine stopped at an instruction. */
      readonly kind: "vm";
      /** `null` for an error after the run. */
      readonly pc: string | null;
      readonly traceback: readonly string[];
      readonly cause: VmCause;
      readonly trackedResource: TrackedResource;
      /** Reference engine's name of an error after the run. */
      readonly name?: string | undefined;
      /** Set when the machine stopped in a hint of the instruction. */
      readonly duringHint?: boolean | undefined;
      /** Error messages of Cairo 0 programs. */
      readonly notes?: VmFailureNotes | undefined;
    }
  | { readonly kind: "panic"; readonly panic: Panic }
  | {
      readonly kind: "message";
      /** Reference engine's name of the error; becomes the kind of a rejection. */
      readonly name: string;
      readonly message: string;
    };

/** Panic that reached the outermost call. */
export interface Panic {
  /** Calls that passed the panic on, then the one that panicked; empty when they cannot be determined. */
  readonly frames: readonly CallFailureFrame[];
  /** Panic felts in readable form. */
  readonly reason: string;
  /** Frames and reason, formatted as a revert reason. */
  readonly text: string;
}

/** Frame of a failed call (CONTRACT_EXECUTION_ERROR of the specification). */
export interface CallFailureFrame {
  readonly contractAddress: Felt;
  readonly classHash: Felt;
  readonly selector: Felt;
}

/** Cause of a machine stop. */
export type VmCause =
  | { readonly kind: "machine"; readonly message: string }
  /** A hint failed; its text ends without a line break. */
  | { readonly kind: "hint"; readonly message: string }
  | { readonly kind: "syscall"; readonly error: SyscallError };

/** Error of a syscall that ended the transaction. */
export type SyscallError =
  | {
      readonly kind: "call";
      readonly isLibraryCall: boolean;
      readonly contractAddress: Felt;
      readonly classHash: Felt;
      readonly selector: Felt;
      readonly error: SyscallError;
    }
  | { readonly kind: "constructor"; readonly error: ConstructorError }
  | { readonly kind: "entry_point"; readonly error: CallError }
  | { readonly kind: "message"; readonly message: string };

/** Error of a failed deployment. */
export interface ConstructorError {
  readonly contractAddress: Felt;
  readonly classHash: Felt;
  /** `undefined` when the constructor was not reached. */
  readonly selector: Felt | undefined;
  readonly error: CallError;
}

/** Error text for an undeclared class. */
export function undeclaredText(classHash: Felt): string {
  return `Class with hash ${paddedHexFromFelt(classHash)} is not declared.`;
}

/** Creates an error with a plain text. */
export function messageError(name: string, message: string): CallError {
  return { kind: "message", name, message };
}
