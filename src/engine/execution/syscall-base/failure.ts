import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { SyscallError } from "../call/errors.ts";

/** Syscall failure that ends the transaction. */
export interface FatalReply {
  readonly kind: "fatal";
  readonly error: SyscallError;
}

/** Creates a failure that ends the transaction. */
export function fatal(message: string): FatalReply {
  return { kind: "fatal", error: { kind: "message", message } };
}

/** Error text for a syscall argument with an invalid value. */
export function invalidInputText(input: Felt, expected: string): string {
  return `Invalid syscall input: ${hexFromFelt(input)}; ${expected}`;
}

/** Ends a transaction whose validation executes a forbidden syscall. */
export function forbiddenInValidation(name: string): FatalReply {
  return fatal(`Unauthorized syscall ${name} in execution mode Validate.`);
}
