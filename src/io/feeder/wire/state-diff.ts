import {
  array,
  type Codec,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberPath,
  mismatch,
  object,
} from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { StateDiff } from "#protocol/chain/index.ts";
import { compareProtocolVersions } from "#protocol/versions/index.ts";
import { felt, trieKey } from "./numbers.ts";

/** Codec of a map as an object with hex keys. */
function keyed<V>(describe: string, values: Codec<V>): Codec<ReadonlyMap<Felt, V>> {
  return {
    describe,
    decode(value, path) {
      if (!isJsonObject(value)) return mismatch(path, describe, value);
      const map = new Map<Felt, V>();
      for (const [name, member] of Object.entries(value)) {
        const at = memberPath(path, name);
        const key = trieKey.decode(name, at);
        if (map.has(key)) throw new DecodeError(at, "key that stands once");
        map.set(key, values.decode(member, at));
      }
      return map;
    },
    encode(map) {
      const result: Record<string, JsonValue> = {};
      for (const [key, value] of map) result[hexFromFelt(key)] = values.encode(value);
      return result;
    },
  };
}

/** Codec of a map as a list of key-value pairs. A repeated key must have the same value. */
function pairs(keyName: string, valueName: string): Codec<ReadonlyMap<Felt, Felt>> {
  const list = array(object({ [keyName]: trieKey, [valueName]: felt }));
  const describe = `list of ${keyName} and ${valueName}`;
  return {
    describe,
    decode(value, path) {
      const map = new Map<Felt, Felt>();
      for (const [i, pair] of list.decode(value, path).entries()) {
        const [key, mapped] = [pair[keyName] ?? 0n, pair[valueName] ?? 0n];
        if ((map.get(key) ?? mapped) !== mapped) {
          throw new DecodeError(`${path}[${i}]`, `${keyName} with one ${valueName}`);
        }
        map.set(key, mapped);
      }
      return map;
    },
    encode: (map) =>
      Array.from(map, ([key, value]) => ({
        [keyName]: hexFromFelt(key),
        [valueName]: hexFromFelt(value),
      })),
  };
}

const hashes: Codec<ReadonlySet<Felt>> = {
  describe: "list of class hashes",
  decode: (value, path) => new Set(array(trieKey).decode(value, path)),
  encode: (set) => Array.from(set, hexFromFelt),
};

const classes = pairs("class_hash", "compiled_class_hash");
const contracts = pairs("address", "class_hash");

const required = {
  storage_diffs: keyed("storage changes by contract", pairs("key", "value")),
  nonces: keyed("nonces by contract", felt),
  deployed_contracts: contracts,
  old_declared_contracts: hashes,
  declared_classes: classes,
  replaced_classes: contracts,
};

const stateDiff = object(required, { migrated_compiled_classes: classes });

/** Whether blocks of a protocol version list classes with a migrated compiled class hash. */
export function hasMigrations(protocolVersion: string): boolean {
  return compareProtocolVersions(protocolVersion, "0.14.1") >= 0;
}

/** Reads and writes `state_diff`; migrations are included from 0.14.1 on. */
export const gatewayStateDiff = {
  /** @throws {DecodeError} naming the first invalid place */
  read(value: unknown, path: string): StateDiff {
    const read = stateDiff.decode(value, path);
    return {
      storageDiffs: withoutEmpty(read.storage_diffs),
      nonces: read.nonces,
      deployedContracts: read.deployed_contracts,
      replacedClasses: read.replaced_classes,
      declaredClasses: read.declared_classes,
      deprecatedDeclaredClasses: read.old_declared_contracts,
      migratedCompiledClasses: read.migrated_compiled_classes ?? new Map(),
    };
  },

  /** @param withMigrations - whether the protocol version has migrations: {@link hasMigrations} */
  write(diff: StateDiff, withMigrations: boolean): JsonObject {
    const isIncluded = withMigrations || diff.migratedCompiledClasses.size > 0;
    return {
      storage_diffs: required.storage_diffs.encode(withoutEmpty(diff.storageDiffs)),
      nonces: required.nonces.encode(diff.nonces),
      deployed_contracts: contracts.encode(diff.deployedContracts),
      old_declared_contracts: hashes.encode(diff.deprecatedDeclaredClasses),
      declared_classes: classes.encode(diff.declaredClasses),
      replaced_classes: contracts.encode(diff.replacedClasses),
      migrated_compiled_classes: isIncluded
        ? classes.encode(diff.migratedCompiledClasses)
        : undefined,
    };
  },
};

/** Contracts without storage changes are not part of a diff. */
function withoutEmpty(storage: StateDiff["storageDiffs"]): StateDiff["storageDiffs"] {
  for (const entries of storage.values()) {
    if (entries.size === 0) return new Map([...storage].filter(([, each]) => each.size > 0));
  }
  return storage;
}
