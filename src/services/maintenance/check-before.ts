import type { Felt } from "#base/primitives/index.ts";
import { blockHashMismatch, compiledClassHash } from "#protocol/chain/index.ts";
import type { IntegrityReader } from "#io/storage/index.ts";
import { ancestorOf } from "./block-contents.ts";
import { checkDefinition, classRowOf, compiledOf } from "./check-classes.ts";
import { differ, requireNone, requireSame } from "./difference.ts";

/** Number of headers needed before a block: each block stores the hash of its tenth predecessor. */
const ANCESTORS = 10;

/**
 * Checks the stored headers of the blocks before the oldest stored block, which a chain from a snapshot has:
 * each header's hash, and that each is the parent of the next one.
 *
 * @param oldest - number of the oldest stored block
 * @param chainId - chain id of these blocks; `null` checks only parent hashes
 * @throws {StorageError} STORAGE_DIFFERENCE
 */
export function checkAncestors(
  reader: IntegrityReader,
  oldest: number,
  chainId: Felt | null,
): void {
  let parentHash: Felt | undefined;
  for (let number = oldest - 1; number >= Math.max(0, oldest - ANCESTORS); number--) {
    const header = ancestorOf(reader, number);
    const field = `ancestor_headers, block ${number}`;
    if (chainId !== null) requireNone("meta", field, blockHashMismatch(header, chainId));
    if (parentHash !== undefined) requireSame("meta", field, parentHash, header.hash);
    parentHash = header.parentHash;
  }
}

/**
 * Checks the classes declared before the first block: definitions, and compiled code against the state of the
 * oldest block whose state is kept.
 *
 * @throws {StorageError} STORAGE_DIFFERENCE
 */
export function* checkOlderClasses(reader: IntegrityReader, oldest: number): Generator<void, void> {
  const missing = reader.missingClass();
  if (missing !== undefined) classRowOf(reader, missing);
  let last: Felt | undefined;
  for (;;) {
    const hashes = reader.blocks.classesBelow(oldest, last);
    if (hashes.length === 0) return;
    for (const classHash of hashes) {
      checkClass(reader, classHash);
      last = classHash;
      yield;
    }
  }
}

function checkClass(reader: IntegrityReader, classHash: Felt): void {
  const row = classRowOf(reader, classHash);
  const state = reader.chain.stateAt(reader.marks().oldestState);
  const compiled = state.compiledClassHashOf(classHash);
  checkDefinition(classHash, row, compiled === 0n ? "legacy" : "sierra");
  if (compiled === 0n) return;
  const casm = compiledOf(row);
  // The class may have been migrated or not.
  const isSame = (["blake", "poseidon"] as const).some(
    (hash) => compiledClassHash(casm, hash) === compiled,
  );
  if (isSame) return;
  const what = `expected 0x${compiled.toString(16)}, the value in the state`;
  differ("class", `compiled class hash of 0x${classHash.toString(16)}`, what);
}
