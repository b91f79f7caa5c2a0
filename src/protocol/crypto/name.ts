import { ADDRESS_BOUND, type Felt } from "#base/primitives/index.ts";
import { starknetKeccak } from "./digest.ts";
import { pedersen } from "./pedersen.ts";

/** Names of the default entry points, whose selector is 0. */
const DEFAULT_ENTRY_POINTS: ReadonlySet<string> = new Set(["__default__", "__l1_default__"]);

/** Selector of an entry point or event by its name. */
export function selectorFromName(name: string): Felt {
  return DEFAULT_ENTRY_POINTS.has(name) ? 0n : starknetKeccak(name);
}

/**
 * Storage key of a contract's variable; `args` are the mapping keys in order.
 *
 * `sn_keccak(name)`, hashed with each key by Pedersen, modulo 2^251 - 256. Source: Starknet docs, "Contract
 * storage / Storage layout".
 */
export function storageVariableKey(name: string, ...args: readonly Felt[]): Felt {
  let key = starknetKeccak(name);
  for (const arg of args) key = pedersen(key, arg);
  return key % ADDRESS_BOUND;
}
