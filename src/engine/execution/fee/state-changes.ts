import type { Felt } from "#base/primitives/index.ts";
import { type Changes, modifiedContracts, storageUpdateCount } from "#engine/state/index.ts";
import { balanceKey } from "./balance.ts";

/** Counts of state changes that fees depend on. */
export interface StateChangesCount {
  readonly storageUpdates: number;
  readonly classHashUpdates: number;
  readonly compiledClassHashUpdates: number;
  readonly modifiedContracts: number;
  /** Storage cells that were 0 before. */
  readonly allocatedKeys: number;
}

/**
 * Counts state changes for the fee. Always includes the sender's balance, which the fee will change; never
 * counts the fee token contract, which every transaction changes.
 *
 * @param sender - `undefined` for messages from L1
 */
export function countForFee(
  changes: Changes,
  sender: Felt | undefined,
  feeToken: Felt,
): StateChangesCount {
  const { diff } = changes;
  const contracts = modifiedContracts(diff);
  let storageUpdates = storageUpdateCount(diff);
  if (sender !== undefined && diff.storageDiffs.get(feeToken)?.has(balanceKey(sender)) !== true) {
    storageUpdates++;
  }
  contracts.delete(feeToken);
  return {
    storageUpdates,
    classHashUpdates: diff.deployedContracts.size + diff.replacedClasses.size,
    compiledClassHashUpdates: diff.declaredClasses.size + diff.migratedCompiledClasses.size,
    modifiedContracts: contracts.size,
    allocatedKeys: changes.allocatedKeys,
  };
}

/** Words that state changes add to the data availability segment. */
export function daWords(changes: Omit<StateChangesCount, "allocatedKeys">): number {
  return (
    changes.modifiedContracts * 2 +
    changes.classHashUpdates +
    changes.storageUpdates * 2 +
    changes.compiledClassHashUpdates * 2
  );
}
