import type { StateDiff } from "#protocol/chain/index.ts";
import type { JsonObject } from "#base/codec/index.ts";
import { compareFelts, type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { StateUpdateAnswer } from "../version.ts";

/** Encodes STATE_UPDATE or PRE_CONFIRMED_STATE_UPDATE of JSON-RPC 0.10. */
export function encodeStateUpdate(answer: StateUpdateAnswer): JsonObject {
  return encodeUpdateWith(encodeStateDiff, answer);
}

/** Encodes a state update; `encodeDiff` writes its state diff. */
export function encodeUpdateWith(
  encodeDiff: (diff: StateDiff) => JsonObject,
  answer: StateUpdateAnswer,
): JsonObject {
  const { blockHash, newRoot, oldRoot, stateDiff } = answer;
  return {
    ...(blockHash === undefined ? {} : { block_hash: hexFromFelt(blockHash) }),
    ...(newRoot === undefined ? {} : { new_root: hexFromFelt(newRoot) }),
    ...(oldRoot === undefined ? {} : { old_root: hexFromFelt(oldRoot) }),
    state_diff: encodeDiff(stateDiff),
  };
}

/** Encodes STATE_DIFF of JSON-RPC 0.10; lists are in ascending order, so that equal diffs have equal encodings. */
export function encodeStateDiff(diff: StateDiff): JsonObject {
  return {
    ...encodeChanges(diff),
    migrated_compiled_classes: pairs(
      diff.migratedCompiledClasses,
      "class_hash",
      "compiled_class_hash",
    ),
  };
}

/** Encodes the members of STATE_DIFF that every version has. */
export function encodeChanges(diff: StateDiff): JsonObject {
  return {
    storage_diffs: sorted(diff.storageDiffs.keys()).map((address) => ({
      address: hexFromFelt(address),
      storage_entries: pairs(diff.storageDiffs.get(address) ?? new Map(), "key", "value"),
    })),
    deprecated_declared_classes: sorted(diff.deprecatedDeclaredClasses).map(hexFromFelt),
    declared_classes: pairs(diff.declaredClasses, "class_hash", "compiled_class_hash"),
    deployed_contracts: pairs(diff.deployedContracts, "address", "class_hash"),
    replaced_classes: pairs(diff.replacedClasses, "contract_address", "class_hash"),
    nonces: pairs(diff.nonces, "contract_address", "nonce"),
  };
}

function pairs(map: ReadonlyMap<Felt, Felt>, keyName: string, valueName: string): JsonObject[] {
  return sorted(map.keys()).map((key) => ({
    [keyName]: hexFromFelt(key),
    [valueName]: hexFromFelt(map.get(key) ?? 0n),
  }));
}

function sorted(values: Iterable<Felt>): Felt[] {
  return [...values].sort(compareFelts);
}
