import type { MaybeRelocatable } from "#engine/cairo/index.ts";
import type { FatalReply } from "../syscall-base/failure.ts";

/** What a syscall of Cairo 0 gives back: cells of the response, or the end of the transaction. */
export type DeprecatedReply =
  { readonly kind: "ok"; readonly values: readonly MaybeRelocatable[] } | FatalReply;

/** Success. */
export function answer(...values: readonly MaybeRelocatable[]): DeprecatedReply {
  return { kind: "ok", values };
}
