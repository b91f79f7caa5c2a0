import type { MaybeRelocatable } from "#engine/cairo/index.ts";
import type { SyscallName } from "#protocol/versions/index.ts";
import type { Felts } from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { SyscallError } from "../call/errors.ts";
import type { Cursor } from "./cursor.ts";
import type { CallFrame } from "./frame.ts";

/** What a syscall gives back. */
export type SyscallReply =
  | { readonly kind: "ok"; readonly gas: number; readonly values: readonly MaybeRelocatable[] }
  /** A failure that the contract can handle. */
  | { readonly kind: "revert"; readonly gas: number; readonly data: Felts }
  /** A failure that ends the transaction. */
  | { readonly kind: "fatal"; readonly error: SyscallError };

/** A syscall whose request was read. */
export interface PreparedSyscall {
  /** Length that its cost grows with. */
  readonly linear: number;
  /** @param gas - what is left after the syscall's own cost */
  run(gas: number): SyscallReply;
}

/** One syscall of Cairo 1. */
export interface SyscallHandler {
  readonly name: SyscallName;
  /** Reads the request; errors are left in the cursor. */
  prepare(frame: CallFrame, cursor: Cursor): PreparedSyscall;
}

const NO_VALUES: readonly MaybeRelocatable[] = [];

/** Success. */
export function ok(gas: number, values: readonly MaybeRelocatable[] = NO_VALUES): SyscallReply {
  return { kind: "ok", gas, values };
}

/** A failure that the contract can handle. */
export function revert(gas: number, ...data: readonly Felt[]): SyscallReply {
  return { kind: "revert", gas, data };
}

/** A failure that ends the transaction. */
export function fatal(message: string): SyscallReply {
  return { kind: "fatal", error: { kind: "message", message } };
}

/** A syscall that validation may not make. */
export function forbiddenInValidate(name: string): SyscallReply {
  return fatal(`Unauthorized syscall ${name} in execution mode Validate.`);
}
