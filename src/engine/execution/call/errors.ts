import type { VmFailureNotes } from "#engine/cairo/index.ts";
import { type Felt, paddedHexFromFelt } from "#base/primitives/index.ts";
import type { TrackedResource } from "./tracked-resource.ts";

/**
 * Why an entry point could not be run to its end. Not to be confused with a panic, which is a result
 * that the caller can handle.
 */
export type CallError =
  | {
      /** The machine stopped at an instruction. */
      readonly kind: "vm";
      /** `null` when the error came after the run. */
      readonly pc: string | null;
      readonly traceback: readonly string[];
      readonly cause: VmCause;
      readonly trackedResource: TrackedResource;
      /** Name of an error that came after the run. */
      readonly name?: string | undefined;
      /** The machine stopped in a hint of the instruction. */
      readonly duringHint?: boolean | undefined;
      /** Error messages of Cairo 0 programs. */
      readonly notes?: VmFailureNotes | undefined;
    }
  | { readonly kind: "panic"; readonly panic: Panic }
  | {
      readonly kind: "message";
      /** Name of the error in the reference engine, for the kind of a rejection. */
      readonly name: string;
      readonly message: string;
    };

/** A panic that nobody could handle. */
export interface Panic {
  /** The call that panicked, behind those that passed its panic on; empty when they are not certain. */
  readonly frames: readonly CallFailureFrame[];
  /** Felts of the panic, as people read them. */
  readonly reason: string;
  /** Frames and reason, as a revert reason has them. */
  readonly text: string;
}

/** One frame of a failed call (CONTRACT_EXECUTION_ERROR of the specification). */
export interface CallFailureFrame {
  readonly contractAddress: Felt;
  readonly classHash: Felt;
  readonly selector: Felt;
}

/** What stopped the machine. */
export type VmCause =
  | { readonly kind: "machine"; readonly message: string }
  /** A hint failed: its text ends without a line break. */
  | { readonly kind: "hint"; readonly message: string }
  | { readonly kind: "syscall"; readonly error: SyscallError };

/** Why a syscall ended the transaction. */
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

/** Why a contract could not be deployed. */
export interface ConstructorError {
  readonly contractAddress: Felt;
  readonly classHash: Felt;
  /** Unknown when the constructor was not reached. */
  readonly selector: Felt | undefined;
  readonly error: CallError;
}

/** Text of a class that is not there. */
export function undeclaredText(classHash: Felt): string {
  return `Class with hash ${paddedHexFromFelt(classHash)} is not declared.`;
}

/** An error with a plain text. */
export function messageError(name: string, message: string): CallError {
  return { kind: "message", name, message };
}
