import { emptyStateDiff, type MutableStateDiff, type StateDiff } from "#protocol/chain/index.ts";

/**
 * Merges a later diff into `target`; later values win. A contract that `target` deploys and `later` replaces
 * stays a deployment with the later class. A class declared and then migrated stays declared. Values that
 * return to their original are kept, because a diff does not contain the originals.
 */
export function applyStateDiff(target: MutableStateDiff, later: StateDiff): void {
  for (const [address, cells] of later.storageDiffs) {
    let own = target.storageDiffs.get(address);
    if (own === undefined) target.storageDiffs.set(address, (own = new Map()));
    for (const [key, value] of cells) own.set(key, value);
  }
  for (const [address, nonce] of later.nonces) target.nonces.set(address, nonce);
  for (const [address, hash] of later.deployedContracts) {
    target.deployedContracts.set(address, hash);
  }
  for (const [address, hash] of later.replacedClasses) {
    const deployed = target.deployedContracts.has(address);
    (deployed ? target.deployedContracts : target.replacedClasses).set(address, hash);
  }
  for (const [hash, compiled] of later.declaredClasses) target.declaredClasses.set(hash, compiled);
  for (const hash of later.deprecatedDeclaredClasses) target.deprecatedDeclaredClasses.add(hash);
  for (const [hash, compiled] of later.migratedCompiledClasses) {
    const declared = target.declaredClasses.has(hash);
    (declared ? target.declaredClasses : target.migratedCompiledClasses).set(hash, compiled);
  }
}

/** Merges the diffs of consecutive intervals by the rules of {@link applyStateDiff}. */
export function mergeStateDiffs(diffs: Iterable<StateDiff>): MutableStateDiff {
  const result = emptyStateDiff();
  for (const diff of diffs) applyStateDiff(result, diff);
  return result;
}
