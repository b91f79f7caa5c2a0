import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import {
  type BlockHeader,
  casmHashFunctionOf,
  type ExecutableClass,
  type HashedTransaction,
} from "#protocol/chain/index.ts";
import type { ToldReads } from "#io/client/index.ts";
import { differ, requireSame } from "./difference.ts";
import type { Places } from "./places.ts";
import type { ProvenState } from "./proven-state.ts";
import { type ClassShelf, witnessOf } from "./read-classes.ts";
import type { WitnessClass } from "./witness-reader.ts";

/** What is read of a class that was not declared. */
const UNDECLARED: WitnessClass = { executable: undefined, compiledClassHash: 0n };

/**
 * The classes that a block reads, as they were before it: those that its trace says to be declared,
 * with their code; of the others that they were not.
 *
 * @throws {DifferenceFound} when a class or its code is not the one that was declared
 */
export async function witnessClasses(
  shelf: ClassShelf,
  { classLeaves }: ProvenState,
  { declared }: ToldReads,
  { classes }: Places,
  blockNumber: number,
): Promise<Map<Felt, WitnessClass>> {
  const result = new Map<Felt, WitnessClass>();
  for (const classHash of classes) {
    const leaf = classLeaves.get(classHash) ?? 0n;
    if (declared.get(classHash) === true || leaf !== 0n) {
      result.set(classHash, witnessOf(classHash, await shelf.read(classHash, blockNumber), leaf));
    } else result.set(classHash, UNDECLARED);
  }
  return result;
}

/**
 * The classes that a block's transactions declare, with the code that each names.
 *
 * @throws {DifferenceFound} when the node gives other code
 */
export async function declaredClasses(
  shelf: ClassShelf,
  transactions: readonly HashedTransaction[],
  { number, protocolVersion }: Pick<BlockHeader, "number" | "protocolVersion">,
): Promise<Map<Felt, ExecutableClass>> {
  const result = new Map<Felt, ExecutableClass>();
  for (const [index, { hash, transaction }] of transactions.entries()) {
    if (transaction.type !== "DECLARE") continue;
    const { classHash } = transaction;
    const place = { index, hash };
    const { executable, compiledHashes } = await shelf.read(classHash, number);
    const isSierra = "compiledClassHash" in transaction;
    if (isSierra !== (compiledHashes !== null)) {
      const kinds = { true: "a Sierra class", false: "a Cairo 0 class" } as const;
      const field = `class ${hexFromFelt(classHash)}`;
      differ(field, kinds[`${isSierra}`], kinds[`${!isSierra}`], place);
    }
    if (isSierra && compiledHashes !== null) {
      const field = `hash of the code that getCompiledCasm gives for ${hexFromFelt(classHash)}`;
      const ours = compiledHashes[casmHashFunctionOf(protocolVersion)];
      requireSame(field, ours, transaction.compiledClassHash, place);
    }
    result.set(classHash, executable);
  }
  return result;
}
