import { address, array, type Decoder, felt, memberPath, object } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { StateDiff } from "#protocol/chain/index.ts";
import { storageKey } from "#base/codec/index.ts";

/** State changes of a block, as reported by a node. */
export interface RemoteUpdate {
  readonly blockHash: Felt;
  readonly oldRoot: Felt;
  readonly newRoot: Felt;
  readonly stateDiff: StateDiff;
}

const classRow = object({ class_hash: felt, compiled_class_hash: felt });

const diffMembers = object(
  {
    storage_diffs: array(
      object({ address, storage_entries: array(object({ key: storageKey, value: felt })) }),
    ),
    deprecated_declared_classes: array(felt),
    declared_classes: array(classRow),
    deployed_contracts: array(object({ address, class_hash: felt })),
    replaced_classes: array(object({ contract_address: address, class_hash: felt })),
    nonces: array(object({ contract_address: address, nonce: felt })),
  },
  { migrated_compiled_classes: array(classRow) },
);

/** Decodes STATE_DIFF; rejects duplicate entries. */
export const remoteDiff: Decoder<StateDiff> = {
  describe: diffMembers.describe,
  decode(value, path) {
    const read = diffMembers.decode(value, path);
    const map = <T, V>(
      name: string,
      rows: readonly T[],
      entry: (row: T) => readonly [Felt, V],
    ): Map<Felt, V> => uniqueMap(memberPath(path, name), rows.map(entry));
    const deprecated = map(
      "deprecated_declared_classes",
      read.deprecated_declared_classes,
      (row) => [row, true] as const,
    );
    return {
      storageDiffs: map("storage_diffs", read.storage_diffs, (row) => [
        row.address,
        map(
          `storage_diffs.${hexFromFelt(row.address)}`,
          row.storage_entries,
          ({ key, value: cell }) => [key, cell],
        ),
      ]),
      nonces: map("nonces", read.nonces, (row) => [row.contract_address, row.nonce]),
      deployedContracts: map("deployed_contracts", read.deployed_contracts, (row) => [
        row.address,
        row.class_hash,
      ]),
      replacedClasses: map("replaced_classes", read.replaced_classes, (row) => [
        row.contract_address,
        row.class_hash,
      ]),
      declaredClasses: map("declared_classes", read.declared_classes, (row) => [
        row.class_hash,
        row.compiled_class_hash,
      ]),
      deprecatedDeclaredClasses: new Set(deprecated.keys()),
      migratedCompiledClasses: map(
        "migrated_compiled_classes",
        read.migrated_compiled_classes ?? [],
        (row) => [row.class_hash, row.compiled_class_hash],
      ),
    };
  },
};

/**
 * Builds a map, rejecting duplicate keys.
 *
 * @throws {DecodeError} for a duplicate key
 */
export function uniqueMap<V>(path: string, rows: readonly (readonly [Felt, V])[]): Map<Felt, V> {
  const result = new Map<Felt, V>();
  for (const [key, value] of rows) {
    if (result.has(key)) throw new DecodeError(path, `${hexFromFelt(key)} once, not twice`);
    result.set(key, value);
  }
  return result;
}

const updateMembers = object({
  block_hash: felt,
  old_root: felt,
  new_root: felt,
  state_diff: remoteDiff,
});

/** Decodes STATE_UPDATE. */
export const remoteUpdate: Decoder<RemoteUpdate> = {
  describe: updateMembers.describe,
  decode(value, path) {
    const read = updateMembers.decode(value, path);
    return {
      blockHash: read.block_hash,
      oldRoot: read.old_root,
      newRoot: read.new_root,
      stateDiff: read.state_diff,
    };
  },
};
