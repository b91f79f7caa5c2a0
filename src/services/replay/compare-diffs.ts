import { compareFelts, type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { StateDiff } from "#protocol/chain/index.ts";
import { differ } from "./difference.ts";

/** What of a state diff is left out of a comparison. */
export interface LeftOut {
  /** A contract whose storage does not matter. */
  readonly storageOf?: Felt;
  readonly migrations?: boolean;
}

/**
 * Compares what a block changed when it was executed again with what the node tells.
 *
 * @throws {DifferenceFound} at the first change that is another one, or that only one side has
 */
export function compareDiffs(ours: StateDiff, theirs: StateDiff, leftOut: LeftOut = {}): void {
  const { storageOf, migrations = false } = leftOut;
  const addresses = new Set([...ours.storageDiffs.keys(), ...theirs.storageDiffs.keys()]);
  for (const address of [...addresses].sort(compareFelts)) {
    if (address === storageOf) continue;
    compareMaps(
      `storage_diffs of ${hexFromFelt(address)}`,
      ours.storageDiffs.get(address) ?? NOTHING,
      theirs.storageDiffs.get(address) ?? NOTHING,
    );
  }
  compareMaps("nonces", ours.nonces, theirs.nonces);
  compareMaps("deployed_contracts", ours.deployedContracts, theirs.deployedContracts);
  compareMaps("replaced_classes", ours.replacedClasses, theirs.replacedClasses);
  compareMaps("declared_classes", ours.declaredClasses, theirs.declaredClasses);
  compareMaps(
    "deprecated_declared_classes",
    asMap(ours.deprecatedDeclaredClasses),
    asMap(theirs.deprecatedDeclaredClasses),
  );
  if (migrations) return;
  const field = "migrated_compiled_classes";
  compareMaps(field, ours.migratedCompiledClasses, theirs.migratedCompiledClasses);
}

const NOTHING: ReadonlyMap<Felt, Felt> = new Map();

function asMap(set: ReadonlySet<Felt>): ReadonlyMap<Felt, Felt> {
  return new Map([...set].map((value) => [value, 1n]));
}

function compareMaps(
  field: string,
  ours: ReadonlyMap<Felt, Felt>,
  theirs: ReadonlyMap<Felt, Felt>,
): void {
  for (const key of [...new Set([...ours.keys(), ...theirs.keys()])].sort(compareFelts)) {
    const own = ours.get(key);
    const other = theirs.get(key);
    if (own === other) continue;
    const shown = (value: Felt | undefined): string | Felt => value ?? "unchanged";
    differ(`state_diff.${field}: ${hexFromFelt(key)}`, shown(own), shown(other));
  }
}
