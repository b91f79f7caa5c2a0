import { decodeBundle } from "#protocol/chain/index.ts";
import { protocolRules } from "#protocol/versions/index.ts";
import { applyStateDiff, PEDERSEN } from "#protocol/trie/index.ts";
import {
  type ChainWriterOptions,
  createChainReader,
  createChainWriter,
  createSnapshotWriter,
  type DatabaseHandle,
  openDatabase,
  openSnapshotReader,
  type SnapshotClass,
  type SnapshotContract,
  type SnapshotMessage,
  type SnapshotReader,
  type SnapshotStorage,
  type SnapshotWriter,
  type StoredChainReader,
} from "#io/storage/index.ts";

/** Rows of all pages, of `size` each. */
function allRows<T>(page: (after: T | undefined, max: number) => readonly T[], size: number): T[] {
  const rows: T[] = [];
  for (;;) {
    const next = page(rows.at(-1), size);
    if (next.length === 0) return rows;
    rows.push(...next);
  }
}

/** All rows of a snapshot, without its blocks. */
export interface SnapshotRows {
  readonly classes: readonly SnapshotClass[];
  readonly contracts: readonly SnapshotContract[];
  readonly storage: readonly SnapshotStorage[];
  readonly messages: readonly SnapshotMessage[];
}

/** Reads {@link SnapshotRows} in pages of `size`. */
export function rowsOf(reader: SnapshotReader, size: number): SnapshotRows {
  return {
    classes: allRows((after, max) => reader.classes(after, max), size),
    contracts: allRows((after, max) => reader.contracts(after, max), size),
    storage: allRows((after, max) => reader.storage(after, max), size),
    messages: allRows((after, max) => reader.messages(after, max), size),
  };
}

/** Adds all rows to a writer, without finishing. */
export function addRows(writer: SnapshotWriter, rows: SnapshotRows): void {
  writer.addClasses(rows.classes);
  writer.addContracts(rows.contracts);
  writer.addStorage(rows.storage);
  writer.addMessages(rows.messages);
}

/** Finishes a snapshot like its source. */
export function finishCopy(reader: SnapshotReader, writer: SnapshotWriter): void {
  const bundle = decodeBundle(reader.bundleBytes(reader.blockNumber) ?? new Uint8Array());
  writer.finish({ bundle, headers: reader.headers().slice(0, -1) }, () => undefined);
}

/** Adds a chain's later blocks to another chain, whose newest block it must have. */
export async function addBlocks(
  source: StoredChainReader,
  path: string,
  chainId: string,
  retention: ChainWriterOptions = {},
): Promise<void> {
  const handle = await openDatabase({ path, chainId, mode: "writer", durability: "normal" });
  try {
    const writer = createChainWriter(handle, retention);
    const reader = createChainReader(handle);
    for (let number = (reader.latestNumber() ?? -1) + 1; ; number++) {
      const bundle = source.bundle(number);
      if (bundle === undefined) return;
      const { header, stateDiff } = bundle.block;
      const { stateRoot, changes } = applyStateDiff({
        diff: stateDiff,
        store: writer.trieStore,
        contracts: reader.stateAt(number - 1),
        pedersen: PEDERSEN,
        alwaysHashClasses: protocolRules(header.protocolVersion).alwaysHashClasses,
      });
      if (stateRoot !== header.newRoot) throw new TypeError(`block ${number} has another root`);
      writer.commitBlock({ ...bundle, trie: changes });
    }
  } finally {
    handle.close();
  }
}

/**
 * Creates a database at `path` with the chain of another one from a block on; the caller adds later
 * blocks.
 *
 * @param reading - a reader's handle without any other use meanwhile
 */
export async function copyFrom(
  reading: DatabaseHandle,
  blockNumber: number,
  path: string,
  size = 3,
): Promise<void> {
  const { chainId } = reading.options;
  const writing = await openDatabase({ path, chainId, mode: "writer", durability: "normal" });
  const reader = openSnapshotReader(reading, blockNumber);
  try {
    const writer = createSnapshotWriter(writing);
    addRows(writer, rowsOf(reader, size));
    finishCopy(reader, writer);
  } finally {
    reader.close();
    writing.close();
  }
}
