import type { Felt } from "#base/primitives/index.ts";

/**
 * State changes of a block or a transaction. Maps are unordered; encoders sort. A contract in
 * `deployedContracts` had no class before; one in `replacedClasses` had another class.
 */
export interface StateDiff {
  /** New value by contract address and storage key. */
  readonly storageDiffs: ReadonlyMap<Felt, ReadonlyMap<Felt, Felt>>;
  readonly nonces: ReadonlyMap<Felt, Felt>;
  readonly deployedContracts: ReadonlyMap<Felt, Felt>;
  readonly replacedClasses: ReadonlyMap<Felt, Felt>;
  /** Compiled class hash by class hash, for Sierra classes. */
  readonly declaredClasses: ReadonlyMap<Felt, Felt>;
  readonly deprecatedDeclaredClasses: ReadonlySet<Felt>;
  /** New compiled class hash by class hash, since 0.14.1. */
  readonly migratedCompiledClasses: ReadonlyMap<Felt, Felt>;
}

type Mutable<T> =
  T extends ReadonlyMap<infer K, infer V>
    ? Map<K, V>
    : T extends ReadonlySet<infer K>
      ? Set<K>
      : never;

/** A state diff under construction. */
export interface MutableStateDiff extends StateDiff {
  readonly storageDiffs: Map<Felt, Map<Felt, Felt>>;
  readonly nonces: Mutable<StateDiff["nonces"]>;
  readonly deployedContracts: Mutable<StateDiff["deployedContracts"]>;
  readonly replacedClasses: Mutable<StateDiff["replacedClasses"]>;
  readonly declaredClasses: Mutable<StateDiff["declaredClasses"]>;
  readonly deprecatedDeclaredClasses: Mutable<StateDiff["deprecatedDeclaredClasses"]>;
  readonly migratedCompiledClasses: Mutable<StateDiff["migratedCompiledClasses"]>;
}

/** Creates a mutable diff without changes. */
export function emptyStateDiff(): MutableStateDiff {
  return {
    storageDiffs: new Map(),
    nonces: new Map(),
    deployedContracts: new Map(),
    replacedClasses: new Map(),
    declaredClasses: new Map(),
    deprecatedDeclaredClasses: new Set(),
    migratedCompiledClasses: new Map(),
  };
}

/** Diff without changes. */
export const EMPTY_STATE_DIFF: StateDiff = emptyStateDiff();

/** Length of a diff as block headers count it since protocol 0.13.2. */
export function stateDiffLength(diff: StateDiff): number {
  let length = 0;
  for (const entries of diff.storageDiffs.values()) length += entries.size;
  return (
    length +
    diff.nonces.size +
    diff.deployedContracts.size +
    diff.replacedClasses.size +
    diff.declaredClasses.size +
    diff.deprecatedDeclaredClasses.size +
    diff.migratedCompiledClasses.size
  );
}
