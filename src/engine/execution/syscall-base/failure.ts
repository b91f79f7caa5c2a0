import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { SyscallError } from "../call/errors.ts";

/** A failure of a syscall that ends the transaction. */
export interface FatalReply {
  readonly kind: "fatal";
  readonly error: SyscallError;
}

/** A failure that ends the transaction, with its text. */
export function fatal(message: string): FatalReply {
  return { kind: "fatal", error: { kind: "message", message } };
}

/** Text of a failure by an argument of a syscall that may not have this value. */
export function invalidInputText(input: Felt, expected: string): string {
  return `Invalid syscall input: ${hexFromFelt(input)}; ${expected}`;
}

/** The end of a transaction whose validation makes a syscall that it may not make. */
export function forbiddenInValidation(name: string): FatalReply {
  return fatal(`Unauthorized syscall ${name} in execution mode Validate.`);
}
