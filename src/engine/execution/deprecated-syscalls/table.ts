import { type Felt, feltFromShortString } from "#base/primitives/index.ts";
import { CALL_SYSCALLS } from "./calls.ts";
import type { DeprecatedSyscall } from "./handler.ts";
import { INFO_SYSCALLS } from "./info.ts";
import { STATE_SYSCALLS } from "./state.ts";

/** Selectors are the names as short strings: `StorageRead`. */
const bySelector: ReadonlyMap<Felt, DeprecatedSyscall> = new Map(
  [...CALL_SYSCALLS, ...INFO_SYSCALLS, ...STATE_SYSCALLS].map((syscall) => [
    feltFromShortString(syscall.name),
    syscall,
  ]),
);

/** The Cairo 0 syscall of a selector; `undefined` when there is none. */
export function deprecatedSyscallOf(selector: Felt): DeprecatedSyscall | undefined {
  return bySelector.get(selector);
}
