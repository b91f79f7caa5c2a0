import { hexFromFelt } from "#base/primitives/index.ts";
import type { SealedBlock } from "#protocol/chain/index.ts";
import { protocolRules } from "#protocol/versions/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import { refuse } from "./refusal.ts";

/**
 * Requires that a state diff lists each contract and class correctly as new or changed, given the state
 * before. Hashes cover deployed and replaced classes as one list, and likewise declared and migrated ones.
 *
 * A deployed contract has no class before, a contract with a replaced class has one; a declared class has no
 * compiled class hash before, a migrated one has one. A block may also replace or migrate what it deploys or
 * declares.
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
