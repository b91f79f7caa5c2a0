import type { MaybeRelocatable } from "#engine/cairo/index.ts";
import type { FatalReply } from "../syscall-base/failure.ts";

/** Result of a Cairo 0 syscall: the cells of the response, or the end of the transaction. */
export type DeprecatedReply =
  { readonly kind: "ok"; readonly values: readonly MaybeRelocatable[] } | FatalReply;

/** Creates a successful response. */
export function answer(...values: readonly MaybeRelocatable[]): DeprecatedReply {
  return { kind: "ok", values };
}
