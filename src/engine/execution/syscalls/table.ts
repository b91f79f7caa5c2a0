import { type Felt, feltFromShortString } from "#base/primitives/index.ts";
import { callContract, deploy, libraryCall, metaTxV0 } from "./calls.ts";
import { emitEvent, sendMessageToL1 } from "./emissions.ts";
import { keccak, sha256ProcessBlock, sha512ProcessBlock } from "./hashes.ts";
import { getBlockHash, getExecutionInfo } from "./info.ts";
import type { SyscallHandler } from "./reply.ts";
import { SECP_SYSCALLS } from "./secp.ts";
import { getClassHashAt, replaceClass, storageRead, storageWrite } from "./storage.ts";

const HANDLERS: readonly SyscallHandler[] = [
  callContract,
  deploy,
  emitEvent,
  getBlockHash,
  getClassHashAt,
  getExecutionInfo,
  keccak,
  libraryCall,
  metaTxV0,
  replaceClass,
  ...SECP_SYSCALLS,
  sendMessageToL1,
  sha256ProcessBlock,
  sha512ProcessBlock,
  storageRead,
  storageWrite,
];

/** Selectors are the names as short strings: `StorageRead`. */
const bySelector: ReadonlyMap<Felt, SyscallHandler> = new Map(
  HANDLERS.map((handler) => [feltFromShortString(handler.name), handler]),
);

/** The handler of a selector; `undefined` for syscalls that are unknown or not supported yet. */
export function handlerOf(selector: Felt): SyscallHandler | undefined {
  return bySelector.get(selector);
}
