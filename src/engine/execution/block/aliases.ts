import { compareFelts, type Felt } from "#base/primitives/index.ts";
import type { StateDiff } from "#protocol/chain/index.ts";
import {
  type CachedState,
  type Checkpoint,
  modifiedContracts,
  type StateReader,
} from "#engine/state/index.ts";

const COUNTER_KEY = 0n;
/**
 * First number that stateful compression allocates as an alias; keys and addresses below it
 * represent themselves.
 */
export const FIRST_ALIAS = 0x80n;
/** Highest contract address whose storage keys get no aliases. */
export const LAST_PLAIN_CONTRACT = 0xfn;

/**
 * Allocates an alias for every address and storage key that a block touched and that has none (from 0.13.4).
 * The order is ascending by address, with the keys of a contract before its address.
 *
 * Source: the stateful compression of Starknet 0.13.4; blockifier's `state/stateful_compression.rs`.
 */
export function allocateAliases(
  state: CachedState,
  aliasContract: Felt,
  blockStart: Checkpoint,
): void {
  const counter = state.storageAt(aliasContract, COUNTER_KEY);
  let next = counter === 0n ? FIRST_ALIAS : counter;
  for (const key of aliasedKeys(state.diffSince(blockStart))) {
    if (state.storageAt(aliasContract, key) !== 0n) continue;
    state.setStorage(aliasContract, key, next);
    next++;
  }
  if (next !== counter) state.setStorage(aliasContract, COUNTER_KEY, next);
}

/**
 * Reads what {@link allocateAliases} will read for these changes, so that the end of the block needs no value
 * that the state does not have.
 */
export function readAliases(state: StateReader, aliasContract: Felt, changes: StateDiff): void {
  state.storageAt(aliasContract, COUNTER_KEY);
  for (const key of aliasedKeys(changes)) state.storageAt(aliasContract, key);
}

/** Addresses and storage keys that need an alias, in the order of allocation. */
function* aliasedKeys(changes: StateDiff): Iterable<Felt> {
  for (const address of ascending(modifiedContracts(changes))) {
    const cells = changes.storageDiffs.get(address);
    if (cells !== undefined && address > LAST_PLAIN_CONTRACT) {
      for (const key of ascending(cells.keys())) if (key >= FIRST_ALIAS) yield key;
    }
    if (address >= FIRST_ALIAS) yield address;
  }
}

function ascending(values: Iterable<Felt>): Felt[] {
  return [...values].sort(compareFelts);
}
