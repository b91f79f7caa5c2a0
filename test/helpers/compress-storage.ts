import type { Felt } from "#base/primitives/index.ts";
import { FIRST_ALIAS, LAST_PLAIN_CONTRACT } from "#engine/execution/block/aliases.ts";
import type { StateReader } from "#engine/state/index.ts";
import type { StateDiff } from "#protocol/chain/index.ts";

/**
 * Replaces addresses and keys of storage changes by their aliases, as published on L1.
 *
 * @param state - the state after `allocateAliases`: every key of the diff has an alias
 */
export function compressStorage(
  storageDiffs: StateDiff["storageDiffs"],
  state: StateReader,
  aliasContract: Felt,
): Map<Felt, Map<Felt, Felt>> {
  const aliasOf = (key: Felt): Felt =>
    key < FIRST_ALIAS ? key : state.storageAt(aliasContract, key);
  const result = new Map<Felt, Map<Felt, Felt>>();
  for (const [address, cells] of storageDiffs) {
    const compressed = new Map<Felt, Felt>();
    for (const [key, value] of cells) {
      compressed.set(address > LAST_PLAIN_CONTRACT ? aliasOf(key) : key, value);
    }
    result.set(aliasOf(address), compressed);
  }
  return result;
}
