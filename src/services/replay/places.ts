import type { Felt } from "#base/primitives/index.ts";
import type { HashedTransaction, StateDiff } from "#protocol/chain/index.ts";
import type { ProtocolConstants } from "#protocol/versions/index.ts";
import type { RemoteReads } from "#io/client/index.ts";

/**
 * Contracts with their storage keys, and classes, that a block reads or writes; a replay requests
 * proofs for them.
 */
export interface Places {
  /** Storage keys by contract. A contract without keys is included for its class and nonce. */
  readonly contracts: ReadonlyMap<Felt, ReadonlySet<Felt>>;
  readonly classes: ReadonlySet<Felt>;
}

/** Inputs of {@link placesOf}. */
export interface PlacesInput {
  readonly reads: RemoteReads;
  readonly diff: StateDiff;
  readonly transactions: readonly HashedTransaction[];
  readonly constants: ProtocolConstants;
}

/** Storage key of the alias contract's counter; read in every block with aliases. */
const ALIAS_COUNTER = 0n;

/**
 * Returns the places that a block reads or writes: the reads of its trace, the changes of its state diff, and
 * the aliases of all changes, which closing the block reads but traces omit.
 */
export function placesOf({ reads, diff, transactions, constants }: PlacesInput): Places {
  const contracts = new Map<Felt, Set<Felt>>();
  const keysOf = (address: Felt): Set<Felt> => {
    let keys = contracts.get(address);
    if (keys === undefined) contracts.set(address, (keys = new Set()));
    return keys;
  };
  for (const table of [reads.storage, diff.storageDiffs]) {
    for (const [address, cells] of table) {
      const keys = keysOf(address);
      for (const key of cells.keys()) keys.add(key);
    }
  }
  for (const table of [
    reads.nonces,
    reads.classHashes,
    diff.nonces,
    diff.deployedContracts,
    diff.replacedClasses,
  ]) {
    for (const address of table.keys()) keysOf(address);
  }
  if (constants.flags.enableStatefulCompression) {
    const changed = [...changedContracts(diff)];
    const aliases = keysOf(constants.os.contractAddresses.alias).add(ALIAS_COUNTER);
    for (const address of changed) {
      aliases.add(address);
      for (const key of diff.storageDiffs.get(address)?.keys() ?? []) aliases.add(key);
    }
  }
  const declared = transactions.flatMap(({ transaction }) =>
    transaction.type === "DECLARE" ? [transaction.classHash] : [],
  );
  const classes = new Set([
    ...reads.declared.keys(),
    ...diff.declaredClasses.keys(),
    ...diff.migratedCompiledClasses.keys(),
    ...declared,
  ]);
  return { contracts, classes };
}

function changedContracts(diff: StateDiff): Set<Felt> {
  return new Set([
    ...diff.storageDiffs.keys(),
    ...diff.nonces.keys(),
    ...diff.deployedContracts.keys(),
    ...diff.replacedClasses.keys(),
  ]);
}
