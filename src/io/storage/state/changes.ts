import type { StateDiff } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** Returns the class hashes of contracts that a diff sets; a replacement overrides a deployment. */
export function classChanges(diff: StateDiff): ReadonlyMap<Felt, Felt> {
  return new Map([...diff.deployedContracts, ...diff.replacedClasses]);
}

/** Returns the compiled class hashes that a diff sets. */
export function compiledChanges(diff: StateDiff): ReadonlyMap<Felt, Felt> {
  return new Map([...diff.declaredClasses, ...diff.migratedCompiledClasses]);
}
