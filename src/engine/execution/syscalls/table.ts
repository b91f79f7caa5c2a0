import { type Felt, feltFromShortString } from "#base/primitives/index.ts";
import { CALL_SYSCALLS } from "./calls.ts";
import { EMISSION_SYSCALLS } from "./emissions.ts";
import type { SyscallHandler } from "./handler.ts";
import { HASH_SYSCALLS } from "./hashes.ts";
import { INFO_SYSCALLS } from "./info.ts";
import { metaTxV0 } from "./meta-tx.ts";
import { SECP_SYSCALLS } from "./secp.ts";
import { STATE_SYSCALLS } from "./storage.ts";

const HANDLERS: readonly SyscallHandler[] = [
  ...CALL_SYSCALLS,
  ...EMISSION_SYSCALLS,
  ...HASH_SYSCALLS,
  ...INFO_SYSCALLS,
  metaTxV0,
  ...SECP_SYSCALLS,
  ...STATE_SYSCALLS,
];

/** Selectors are the names as short strings: `StorageRead`. */
const bySelector: ReadonlyMap<Felt, SyscallHandler> = new Map(
  HANDLERS.map((handler) => [feltFromShortString(handler.name), handler]),
);

/** The handler of a selector; `undefined` for syscalls that are unknown or not supported yet. */
export function handlerOf(selector: Felt): SyscallHandler | undefined {
  return bySelector.get(selector);
}
