import { StorageError } from "#base/errors/index.ts";
import type { BlockHeader } from "#protocol/chain/index.ts";
import { packHeaders } from "./ancestors.ts";
import { ANCESTOR_HEADERS_KEY, META, type MetaTables } from "./meta.ts";

/**
 * Records that a chain starts with a later block than block 0. Needs an open transaction.
 *
 * @param blockNumber - number of the first block, above 0
 * @param options.ancestors - headers of the last blocks before it, oldest first
 * @param options.oldestState - oldest block whose state can be read
 */
export function setFirstBlock(
  meta: MetaTables,
  blockNumber: number,
  {
    ancestors,
    oldestState,
  }: { readonly ancestors: readonly BlockHeader[]; readonly oldestState: number },
): void {
  meta.setBytes(ANCESTOR_HEADERS_KEY, packHeaders(ancestors));
  meta.setNumber(META.oldestBlock, blockNumber);
  meta.setNumber(META.oldestStateBlock, oldestState);
  meta.setNumber(META.oldestTrieBlock, blockNumber);
  meta.setNumber(META.prunedStateBlock, blockNumber);
}

/** Creates the error for beginning a chain in a database with blocks. */
export function notEmptyError(newest: number): StorageError {
  const message = `The database has a chain already; its newest block is ${newest}.`;
  return new StorageError("STORAGE_NOT_EMPTY", message, { meta: { newest } });
}
