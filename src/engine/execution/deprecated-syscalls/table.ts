import { type Felt, feltFromShortString } from "#base/primitives/index.ts";
import { CALL_SYSCALLS } from "./calls.ts";
import type { DeprecatedSyscall } from "./handler.ts";
import { INFO_SYSCALLS } from "./info.ts";
import { STATE_SYSCALLS } from "./state.ts";

/** Selectors are the names as short strings, such as `StorageRead`. */
const bySelector: ReadonlyMap<Felt, DeprecatedSyscall> = new Map(
  [...CALL_SYSCALLS, ...INFO_SYSCALLS, ...STATE_SYSCALLS].map((syscall) => [
    feltFromShortString(syscall.name),
    syscall,
  ]),
);

/** Cairo 0 syscall with this selector; `undefined` if unknown. */
export function deprecatedSyscallOf(selector: Felt): DeprecatedSyscall | undefined {
  return bySelector.get(selector);
}
