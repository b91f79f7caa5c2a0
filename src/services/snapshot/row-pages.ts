import { StorageError } from "#base/errors/index.ts";
import type { SnapshotReader } from "#io/storage/index.ts";
import type { SnapshotKind } from "./kinds.ts";
import type { RowOf } from "./rows.ts";

/** Number of rows per page, for kinds with small rows. */
const PAGE_ROWS = 2_000;

/** Number of classes per page; a single class may have megabytes. */
const PAGE_CLASSES = 8;

/**
 * Returns the next rows of a kind; an empty list at the end.
 *
 * @param after - last row of the previous page; `undefined` for the first page
 * @param done - number of rows before this page
 */
export type RowPages<K extends SnapshotKind> = (
  after: RowOf[K] | undefined,
  done: number,
) => readonly RowOf[K][];

/**
 * Returns readers of a snapshot's rows, page by page.
 *
 * @param newestBlock - last block whose bundle is included
 */
export function rowPages(
  reader: SnapshotReader,
  newestBlock: number,
): { readonly [K in SnapshotKind]: RowPages<K> } {
  const { blockNumber } = reader;
  return {
    block: (_, done) => (done === 0 ? [bundleOf(reader, blockNumber)] : []),
    headers: (_, done) => reader.headers().slice(done, -1),
    messages: (after) => reader.messages(after, PAGE_ROWS),
    classes: (after) => reader.classes(after, PAGE_CLASSES),
    contracts: (after) => reader.contracts(after, PAGE_ROWS),
    storage: (after) => reader.storage(after, PAGE_ROWS),
    bundles(_, done) {
      const next = blockNumber + 1 + done;
      return next > newestBlock ? [] : [bundleOf(reader, next)];
    },
  };
}

function bundleOf(reader: SnapshotReader, blockNumber: number): Uint8Array {
  const bytes = reader.bundleBytes(blockNumber);
  if (bytes !== undefined) return bytes;
  const message = `the chain has no block ${blockNumber}`;
  throw new StorageError("STORAGE_UNKNOWN_BLOCK", message, { meta: { blockNumber } });
}
