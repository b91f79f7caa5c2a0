import { StorageError } from "#base/errors/index.ts";

/**
 * Fails a request because the index names something that the chain does not have: the index is damaged, or the
 * chain was reverted meanwhile.
 */
export function missingRow(block: number): never {
  const message = `The explorer's index names a row of block ${block} that the chain does not have.`;
  throw new StorageError("STORAGE_DAMAGED", message, { meta: { block } });
}
