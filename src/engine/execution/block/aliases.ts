import { compareFelts, type Felt } from "#base/primitives/index.ts";
import { type CachedState, type Checkpoint, modifiedContracts } from "#engine/state/index.ts";

const COUNTER_KEY = 0n;
/** First alias; smaller keys and addresses represent themselves. */
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
  const diff = state.diffSince(blockStart);
  const counter = state.storageAt(aliasContract, COUNTER_KEY);
  let next = counter === 0n ? FIRST_ALIAS : counter;
  const allocate = (key: Felt): void => {
    if (key < FIRST_ALIAS || state.storageAt(aliasContract, key) !== 0n) return;
    state.setStorage(aliasContract, key, next);
    next++;
  };
  for (const address of ascending(modifiedContracts(diff))) {
    const cells = diff.storageDiffs.get(address);
    if (cells !== undefined && address > LAST_PLAIN_CONTRACT) {
      for (const key of ascending(cells.keys())) allocate(key);
    }
    allocate(address);
  }
  if (next !== counter) state.setStorage(aliasContract, COUNTER_KEY, next);
}

function ascending(values: Iterable<Felt>): Felt[] {
  return [...values].sort(compareFelts);
}
