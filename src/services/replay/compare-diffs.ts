import { compareFelts, type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { StateDiff } from "#protocol/chain/index.ts";
import { differ, type TransactionPlace } from "./difference.ts";

/** Parts of a state diff that a comparison omits. */
export interface Omissions {
  /** A contract whose storage is not compared; `null` to compare every contract. */
  readonly storageOf: Felt | null;
  readonly migrations: boolean;
}

/**
 * Names what a compared state diff belongs to, for the report of a difference: `prefix` precedes the field's
 * name; `transaction` is absent for the diff of a whole block.
 */
export interface DiffOf {
  readonly prefix: string;
  readonly transaction?: TransactionPlace;
}

/** {@link Omissions} of a comparison that covers the whole state diff. */
export const NOTHING_OMITTED: Omissions = { storageOf: null, migrations: false };

const OF_BLOCK: DiffOf = { prefix: "" };

/**
 * Compares the changes of a re-executed block or transaction with the node's.
 *
 * @throws {DifferenceFound} at the first change that differs, or exists on one side only
 */
export function compareDiffs(
  ours: StateDiff,
  theirs: StateDiff,
  omissions: Omissions,
  of: DiffOf = OF_BLOCK,
): void {
  const { storageOf, migrations } = omissions;
  const same = (field: string, a: ReadonlyMap<Felt, Felt>, b: ReadonlyMap<Felt, Felt>): void =>
    compareMaps(`${of.prefix}state_diff.${field}`, a, b, of.transaction);
  const addresses = new Set([...ours.storageDiffs.keys(), ...theirs.storageDiffs.keys()]);
  for (const address of [...addresses].sort(compareFelts)) {
    if (address === storageOf) continue;
    same(
      `storage_diffs of ${hexFromFelt(address)}`,
      ours.storageDiffs.get(address) ?? NOTHING,
      theirs.storageDiffs.get(address) ?? NOTHING,
    );
  }
  same("nonces", ours.nonces, theirs.nonces);
  same("deployed_contracts", ours.deployedContracts, theirs.deployedContracts);
  same("replaced_classes", ours.replacedClasses, theirs.replacedClasses);
  same("declared_classes", ours.declaredClasses, theirs.declaredClasses);
  same(
    "deprecated_declared_classes",
    asMap(ours.deprecatedDeclaredClasses),
    asMap(theirs.deprecatedDeclaredClasses),
  );
  if (migrations) return;
  const field = "migrated_compiled_classes";
  same(field, ours.migratedCompiledClasses, theirs.migratedCompiledClasses);
}

const NOTHING: ReadonlyMap<Felt, Felt> = new Map();

function asMap(set: ReadonlySet<Felt>): ReadonlyMap<Felt, Felt> {
  return new Map([...set].map((value) => [value, 1n]));
}

function compareMaps(
  field: string,
  ours: ReadonlyMap<Felt, Felt>,
  theirs: ReadonlyMap<Felt, Felt>,
  transaction: TransactionPlace | undefined,
): void {
  for (const key of [...new Set([...ours.keys(), ...theirs.keys()])].sort(compareFelts)) {
    const own = ours.get(key);
    const other = theirs.get(key);
    if (own === other) continue;
    const shown = (value: Felt | undefined): string | Felt => value ?? "unchanged";
    differ(`${field}: ${hexFromFelt(key)}`, shown(own), shown(other), transaction);
  }
}
