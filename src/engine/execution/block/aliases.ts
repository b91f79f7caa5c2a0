import { OriginError } from "#base/errors/index.ts";
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
 * A block that needs no alias only writes the counter's first value, and so waits for no origin: on a fork whose
 * origin is lost, the next block with aliases writes it.
 *
 * Source: the stateful compression of Starknet 0.13.4; blockifier's `state/stateful_compression.rs`.
 *
 * @throws {OriginError} when a value of the fork's origin is missing that an alias depends on
 */
export function allocateAliases(
  state: CachedState,
  aliasContract: Felt,
  blockStart: Checkpoint,
): void {
  const keys = [...aliasedKeys(state.diffSince(blockStart))];
  const counter = counterFor(keys, state, aliasContract);
  if (counter === undefined) return;
  let next = counter === 0n ? FIRST_ALIAS : counter;
  for (const key of keys) {
    if (state.storageAt(aliasContract, key) !== 0n) continue;
    state.setStorage(aliasContract, key, next);
    next++;
  }
  if (next !== counter) state.setStorage(aliasContract, COUNTER_KEY, next);
}

/** Returns the counter; `undefined` if the origin does not return it and no key needs it. */
function counterFor(
  keys: readonly Felt[],
  state: StateReader,
  aliasContract: Felt,
): Felt | undefined {
  try {
    return state.storageAt(aliasContract, COUNTER_KEY);
  } catch (error) {
    if (!(error instanceof OriginError) || keys.length > 0) throw error;
    return undefined;
  }
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
