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

/** The end of a transaction whose validation makes a syscall that it may not make. */
export function forbiddenInValidation(name: string): FatalReply {
  return fatal(`Unauthorized syscall ${name} in execution mode Validate.`);
}
