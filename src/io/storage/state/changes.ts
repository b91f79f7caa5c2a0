import type { StateDiff } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** Class hashes of contracts that a diff sets: one that is deployed and replaced ends with the latter. */
export function classChanges(diff: StateDiff): ReadonlyMap<Felt, Felt> {
  return new Map([...diff.deployedContracts, ...diff.replacedClasses]);
}

/** Compiled class hashes that a diff sets. */
export function compiledChanges(diff: StateDiff): ReadonlyMap<Felt, Felt> {
  return new Map([...diff.declaredClasses, ...diff.migratedCompiledClasses]);
}
