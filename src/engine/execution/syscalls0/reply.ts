import type { MaybeRelocatable } from "#engine/cairo/index.ts";
import type { SyscallName } from "#protocol/versions/index.ts";
import type { SyscallError } from "../call/errors.ts";
import type { LegacyCursor } from "./cursor.ts";
import type { LegacyCallFrame } from "./frame.ts";

/** What a Cairo 0 syscall gives back: cells of the response, or the end of the transaction. */
export type LegacyReply =
  | { readonly kind: "ok"; readonly values: readonly MaybeRelocatable[] }
  | { readonly kind: "fatal"; readonly error: SyscallError };

/** One syscall of Cairo 0. There is no gas and no failure that the contract could handle. */
export interface LegacySyscall {
  readonly name: SyscallName;
  /** Reads the request, which leaves errors in the cursor, and returns what executes it. */
  prepare(frame: LegacyCallFrame, cursor: LegacyCursor): () => LegacyReply;
}

/** Success. */
export function answer(...values: readonly MaybeRelocatable[]): LegacyReply {
  return { kind: "ok", values };
}

/** A failure that ends the transaction. */
export function abort(message: string): LegacyReply {
  return { kind: "fatal", error: { kind: "message", message } };
}

/** A syscall that validation may not make. */
export function forbiddenInValidation(name: string): LegacyReply {
  return abort(`Unauthorized syscall ${name} in execution mode Validate.`);
}
