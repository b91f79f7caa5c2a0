import { poseidonMany } from "#protocol/crypto/index.ts";
import { compareFelts, type Felt, feltFromShortString } from "#base/primitives/index.ts";
import type { StateDiff } from "./state-diff.ts";

const PREFIX = feltFromShortString("STARKNET_STATE_DIFF0");

/**
 * Commitment to a state diff as block headers hold it since protocol 0.13.2. Everything is sorted
 * by address, class hash or key; contracts without storage changes are left out; migrated compiled
 * classes count as declared ones.
 *
 * Source: Starknet docs, "State diff commitment".
 */
export function stateDiffCommitment(diff: StateDiff): Felt {
  const fields: Felt[] = [PREFIX];
  pushPairs(fields, [...diff.deployedContracts, ...diff.replacedClasses]);
  pushPairs(fields, [...diff.declaredClasses, ...diff.migratedCompiledClasses]);
  const deprecated = [...diff.deprecatedDeclaredClasses].sort(compareFelts);
  fields.push(BigInt(deprecated.length));
  for (const classHash of deprecated) fields.push(classHash);
  // Number of diffs of this kind and the data availability mode: both are constants so far.
  fields.push(1n, 0n);
  const contracts = [...diff.storageDiffs].filter(([, entries]) => entries.size > 0).sort(byKey);
  fields.push(BigInt(contracts.length));
  for (const [address, entries] of contracts) {
    fields.push(address);
    pushPairs(fields, [...entries]);
  }
  pushPairs(fields, [...diff.nonces]);
  return poseidonMany(fields);
}

function byKey(a: readonly [Felt, unknown], b: readonly [Felt, unknown]): number {
  return compareFelts(a[0], b[0]);
}

function pushPairs(fields: Felt[], pairs: [Felt, Felt][]): void {
  fields.push(BigInt(pairs.length));
  for (const [key, value] of pairs.sort(byKey)) fields.push(key, value);
}
