import { type Felt, feltFromShortString, hexFromFelt } from "#base/primitives/index.ts";
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

/** Selectors are the names as short strings, such as `StorageRead`. */
const bySelector: ReadonlyMap<Felt, SyscallHandler> = new Map(
  HANDLERS.map((handler) => [feltFromShortString(handler.name), handler]),
);

/** Syscalls available only to Cairo 0 classes; they have a different error text. */
const CAIRO_0_ONLY: ReadonlyMap<Felt, string> = new Map(
  [
    "DelegateCall",
    "DelegateL1Handler",
    "GetBlockNumber",
    "GetBlockTimestamp",
    "GetCallerAddress",
    "GetContractAddress",
    "GetSequencerAddress",
    "GetTxInfo",
    "GetTxSignature",
    "LibraryCallL1Handler",
  ].map((name) => [feltFromShortString(name), name]),
);

/** Error text for a selector without a handler. */
export function unknownText(selector: Felt): string {
  const name = CAIRO_0_ONLY.get(selector);
  return name === undefined
    ? `Invalid syscall selector: ${hexFromFelt(selector)}.`
    : `Unknown Hint: Unsupported syscall selector ${name}.`;
}

/** Handler of a selector; `undefined` for unknown syscalls. */
export function handlerOf(selector: Felt): SyscallHandler | undefined {
  return bySelector.get(selector);
}
