import { poseidonMany } from "#protocol/crypto/index.ts";
import { compareFelts, type Felt, feltFromShortString } from "#base/primitives/index.ts";
import type { StateDiff } from "./state-diff.ts";

const PREFIX = feltFromShortString("STARKNET_STATE_DIFF0");

/**
 * Commitment to a state diff in block headers since protocol 0.13.2. All parts are sorted by address, class
 * hash or key; contracts without storage changes are omitted; migrated compiled classes count as declared
 * ones.
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
  // Number of diffs of this kind and the data availability mode; both are constants so far.
  fields.push(1n, 0n);
  pushStorage(fields, diff);
  pushPairs(fields, [...diff.nonces]);
  return poseidonMany(fields);
}

/**
 * Commitment to a state diff as sequencers of the public networks signed it before 0.13.2: each kind of
 * change is hashed separately, preceded by version 0.
 *
 * Source: "Introducing p2p authentication and mismatch resolution in v0.12.2", Starknet forum; vector: the
 * signature of mainnet's block 350000.
 */
export function earlyStateDiffCommitment(diff: StateDiff): Felt {
  const deployed: Felt[] = [];
  pushPairs(deployed, [...diff.deployedContracts, ...diff.replacedClasses]);
  const declared: Felt[] = [];
  pushPairs(declared, [...diff.declaredClasses]);
  const deprecated = [...diff.deprecatedDeclaredClasses].sort(compareFelts);
  const written: Felt[] = [];
  pushStorage(written, diff);
  pushPairs(written, [...diff.nonces]);
  return poseidonMany([
    0n,
    poseidonMany(deployed),
    poseidonMany(declared),
    poseidonMany([BigInt(deprecated.length), ...deprecated]),
    1n,
    0n,
    poseidonMany(written),
  ]);
}

function pushStorage(fields: Felt[], diff: StateDiff): void {
  const contracts = [...diff.storageDiffs].filter(([, entries]) => entries.size > 0).sort(byKey);
  fields.push(BigInt(contracts.length));
  for (const [address, entries] of contracts) {
    fields.push(address);
    pushPairs(fields, [...entries]);
  }
}

function byKey(a: readonly [Felt, unknown], b: readonly [Felt, unknown]): number {
  return compareFelts(a[0], b[0]);
}

function pushPairs(fields: Felt[], pairs: [Felt, Felt][]): void {
  fields.push(BigInt(pairs.length));
  for (const [key, value] of pairs.sort(byKey)) fields.push(key, value);
}
