import type { MaybeRelocatable } from "#engine/cairo/index.ts";
import type { Felts } from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { FatalReply } from "../syscall-base/failure.ts";

/** Result of a Cairo 1 syscall. */
export type SyscallReply =
  | { readonly kind: "ok"; readonly gas: number; readonly values: readonly MaybeRelocatable[] }
  /** Failure that the contract can handle. */
  | { readonly kind: "revert"; readonly gas: number; readonly data: Felts }
  | FatalReply;

const NO_VALUES: readonly MaybeRelocatable[] = [];

/** Creates a successful reply. */
export function ok(gas: number, values: readonly MaybeRelocatable[] = NO_VALUES): SyscallReply {
  return { kind: "ok", gas, values };
}

/** Creates a failure that the contract can handle. */
export function revert(gas: number, ...data: readonly Felt[]): SyscallReply {
  return { kind: "revert", gas, data };
}
