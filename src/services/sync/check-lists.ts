import { hexFromFelt } from "#base/primitives/index.ts";
import type { SealedBlock } from "#protocol/chain/index.ts";
import { protocolRules } from "#protocol/versions/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import { refuse } from "./refusal.ts";

/**
 * Requires that a state diff names each contract and class in the list that it belongs to by the state
 * before: hashes cover deployed and replaced classes as one list, and so declared and migrated ones.
 *
 * A contract that is deployed has no class before, one whose class is replaced has one; a class that is
 * declared has no compiled class hash before, one that is migrated has one. What a block deploys or declares
 * it may also replace or migrate.
 *
 * @param stateBefore - state before the block
 * @throws {BlockRefused} `state_diff_commitment`
 */
export function requireLists(
  { header, stateDiff }: Pick<SealedBlock, "header" | "stateDiff">,
  stateBefore: Pick<StateReader, "classHashAt" | "compiledClassHashOf">,
): void {
  const { deployedContracts, replacedClasses, declaredClasses, migratedCompiledClasses } =
    stateDiff;
  const wrong = (list: string, value: bigint, why: string): never =>
    refuse("state_diff_commitment", header.number, `${list}: ${hexFromFelt(value)} ${why}`);
  for (const address of deployedContracts.keys()) {
    const before = stateBefore.classHashAt(address);
    if (before !== 0n)
      wrong("deployed_contracts", address, `has class ${hexFromFelt(before)} already`);
  }
  for (const address of replacedClasses.keys()) {
    if (deployedContracts.has(address) || stateBefore.classHashAt(address) !== 0n) continue;
    wrong("replaced_classes", address, "has no class that could be replaced");
  }
  if (protocolRules(header.protocolVersion).compiledClassHash !== "blake") return;
  for (const classHash of declaredClasses.keys()) {
    if (stateBefore.compiledClassHashOf(classHash) === 0n) continue;
    wrong("declared_classes", classHash, "is declared already");
  }
  for (const classHash of migratedCompiledClasses.keys()) {
    if (declaredClasses.has(classHash) || stateBefore.compiledClassHashOf(classHash) !== 0n)
      continue;
    wrong("migrated_compiled_classes", classHash, "was not declared before");
  }
}
