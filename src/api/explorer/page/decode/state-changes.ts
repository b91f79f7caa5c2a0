import { feltText } from "../abi/felt.ts";
import { type Entry, listIn, objectIn } from "../abi/read-entry.ts";

/** Storage value that changed. */
export interface StorageChange {
  readonly contract: string;
  readonly key: string;
  /** `null` if it is unknown. */
  readonly before: string | null;
  readonly after: string;
}

/** Pair of an address or hash with its new value. */
export interface StateChange {
  readonly address: string;
  readonly value: string;
}

/** Lists of a `state_diff`, in its order. */
export interface StateChanges {
  readonly storage: readonly StorageChange[];
  readonly nonces: readonly StateChange[];
  /** Class hashes by address. */
  readonly deployed: readonly StateChange[];
  /** Class hashes by address. */
  readonly replaced: readonly StateChange[];
  /** Compiled class hashes by class hash; `0x0` for Cairo 0 classes. */
  readonly declared: readonly StateChange[];
  /** Compiled class hashes by class hash, of classes that were compiled again. */
  readonly migrated: readonly StateChange[];
}

/** Reads the `state_diff` of a trace or state update. */
export function stateChangesOf(diff: unknown): StateChanges {
  const lists = objectIn(diff);
  const pairs = (name: string, key: string, value: string): readonly StateChange[] =>
    listIn(lists[name]).map((one) => {
      const entry = objectIn(one);
      return { address: feltText(entry[key]), value: feltText(entry[value]) };
    });
  const cairo0 = listIn(lists["deprecated_declared_classes"]);
  return {
    storage: storageOf(lists),
    nonces: pairs("nonces", "contract_address", "nonce"),
    deployed: pairs("deployed_contracts", "address", "class_hash"),
    replaced: pairs("replaced_classes", "contract_address", "class_hash"),
    declared: [
      ...pairs("declared_classes", "class_hash", "compiled_class_hash"),
      ...cairo0.map((hash) => ({ address: feltText(hash), value: "0x0" })),
    ],
    migrated: pairs("migrated_compiled_classes", "class_hash", "compiled_class_hash"),
  };
}

/**
 * Sets the values before a transaction: those of the last earlier transaction of the block that changed them, or those of
 * the block before.
 *
 * @param earlier - `state_diff` of the transactions before it in its block, in order
 * @param parent - value at the parent block; `undefined` if unknown
 */
export function withBefore(
  changes: readonly StorageChange[],
  earlier: readonly unknown[],
  parent: (contract: string, key: string) => string | undefined,
): readonly StorageChange[] {
  const last = new Map<string, string>();
  for (const diff of earlier) {
    for (const { contract, key, after } of storageOf(objectIn(diff))) {
      last.set(`${contract} ${key}`, after);
    }
  }
  return changes.map((change) => {
    const { contract, key } = change;
    const before = last.get(`${contract} ${key}`) ?? parent(contract, key);
    return { ...change, before: before === undefined ? null : feltText(before) };
  });
}

function storageOf(lists: Entry): readonly StorageChange[] {
  return listIn(lists["storage_diffs"]).flatMap((one) => {
    const { address, storage_entries } = objectIn(one);
    return listIn(storage_entries).map((entry): StorageChange => {
      const { key, value } = objectIn(entry);
      return {
        contract: feltText(address),
        key: feltText(key),
        before: null,
        after: feltText(value),
      };
    });
  });
}
