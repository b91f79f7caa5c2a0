import { StorageError } from "#base/errors/index.ts";
import { hexFromFelt, type Felt } from "#base/primitives/index.ts";
import type { ReadableFolder } from "#io/folders/index.ts";
import type {
  SnapshotClass,
  SnapshotContract,
  SnapshotMessage,
  SnapshotStorage,
  SnapshotWriter,
} from "#io/storage/index.ts";
import type { SnapshotBlock } from "./check-block.ts";
import { checkClass, type ClassChecks } from "./check-class.ts";
import { rowsOf } from "./file-form.ts";
import type { ImportJournal } from "./import-journal.ts";
import type { SnapshotKind } from "./kinds.ts";
import type { SnapshotFile, SnapshotManifest } from "./manifest.ts";
import { readSnapshotFile } from "./read-file.ts";
import type { RowOf } from "./rows.ts";
import { wrongSnapshot } from "./wrong.ts";

/** Input of {@link importRows}. */
export interface RowImport {
  readonly source: ReadableFolder;
  readonly manifest: SnapshotManifest;
  /** SHA-256 of the manifest, hexadecimal. */
  readonly manifestSha256: string;
  readonly block: SnapshotBlock;
  readonly writer: Pick<
    SnapshotWriter,
    "addClasses" | "addContracts" | "addMessages" | "addStorage"
  >;
  readonly classes: ClassChecks;
  readonly hasClass: (classHash: Felt) => boolean;
  readonly journal: ImportJournal;
  /** Yields to other work; throws to stop. Stored rows are kept. */
  readonly step: (doneBytes: number, totalBytes: number) => Promise<void>;
}

const BATCH_ROWS = 4_096;

/** Number of classes stored per batch; a single class may have megabytes. */
const BATCH_CLASSES = 16;

/**
 * Stores the state after a snapshot's block file by file, skipping files that are already stored. The size
 * and hash of each file are checked before its rows are used. Rows are checked individually only: that state
 * and classes give the state root of the block's header is not verified here.
 *
 * @throws {StorageError} STORAGE_SNAPSHOT_WRONG naming the file and the value
 * @throws as {@link ReadableFolder.read}, and whatever the writer throws
 */
export async function importRows(work: RowImport): Promise<void> {
  const { manifest, manifestSha256, journal, source, step } = work;
  const progress = journal.read();
  const done = progress?.manifest === manifestSha256 ? progress.files : 0;
  const total = manifest.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  let bytesBefore = 0;
  for (const [index, file] of manifest.files.entries()) {
    if (index >= done && isStored(file.kind)) {
      const bytes = await readSnapshotFile(source, file);
      await importFile(work, file, bytes, () => step(bytesBefore, total));
      journal.write({ manifest: manifestSha256, files: index + 1 });
    }
    bytesBefore += file.sizeBytes;
    await step(bytesBefore, total);
  }
}

/** Kinds whose rows {@link importRows} stores. */
type StoredKind = "messages" | "classes" | "contracts" | "storage";

const STORED: ReadonlySet<SnapshotKind> = new Set<StoredKind>([
  "messages",
  "classes",
  "contracts",
  "storage",
]);

function isStored(kind: SnapshotKind): kind is StoredKind {
  return STORED.has(kind);
}

async function importFile(
  work: RowImport,
  { kind, name, rows }: SnapshotFile,
  bytes: Uint8Array,
  step: () => Promise<void>,
): Promise<void> {
  const { writer } = work;
  const checks = rowChecks(work, name);
  let count = 0;
  const each = async <K extends StoredKind>(
    of: K,
    batchRows: number,
    check: (row: RowOf[K]) => Promise<RowOf[K]> | undefined,
    store: (rows: readonly RowOf[K][]) => void,
  ): Promise<void> => {
    let batch: RowOf[K][] = [];
    const flush = async (): Promise<void> => {
      stored(name, () => store(batch));
      batch = [];
      await step();
    };
    for (const row of rowsOf(of, name, bytes)) {
      const checked = check(row);
      batch.push(checked === undefined ? row : await checked);
      count++;
      if (batch.length >= batchRows) await flush();
    }
    if (batch.length > 0) await flush();
  };
  switch (kind) {
    case "messages":
      await each(kind, BATCH_ROWS, checks.message, (batch) => writer.addMessages(batch));
      break;
    case "classes":
      await each(kind, BATCH_CLASSES, checks.declared, (batch) => writer.addClasses(batch));
      break;
    case "contracts":
      await each(kind, BATCH_ROWS, checks.contract, (batch) => writer.addContracts(batch));
      break;
    case "storage":
      await each(kind, BATCH_ROWS, checks.storage, (batch) => writer.addStorage(batch));
      break;
    case "block":
    case "headers":
    case "bundles":
  }
  if (count !== rows) throw wrongSnapshot(name, `expected ${rows} rows, found ${count}`);
}

/** Stores rows, and reports rows that contradict earlier ones as faults of the snapshot. */
function stored(file: string, store: () => void): void {
  try {
    store();
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== "STORAGE_BAD_SNAPSHOT") throw error;
    throw wrongSnapshot(file, error.message, error);
  }
}

/** Checks per kind of row. The asynchronous check returns the row to store. */
function rowChecks({ block, manifest, classes, hasClass }: RowImport, file: string) {
  const { blockNumber } = manifest;
  const { inputs } = block.bundle;
  const requireUpTo = (what: string, found: number): void => {
    if (found <= blockNumber) return;
    throw wrongSnapshot(file, `${what}: expected at most block ${blockNumber}, found ${found}`);
  };
  const known = new Set<Felt>([0n]);
  return {
    message(row: SnapshotMessage): undefined {
      const what = `message ${row.nonce} from L1`;
      requireUpTo(what, row.blockNumber);
      if (row.blockNumber < blockNumber) return;
      const own = inputs.l1Messages[row.position];
      if (own?.nonce === row.nonce && own.transactionHash === row.transactionHash) return;
      throw wrongSnapshot(file, `${what}: expected one that block ${blockNumber} consumed`);
    },
    async declared(row: SnapshotClass): Promise<SnapshotClass> {
      requireUpTo(`class ${hexFromFelt(row.classHash)}`, row.declaredAtBlock);
      return checkClass(file, row, classes);
    },
    contract({ address, classHash }: SnapshotContract): undefined {
      if (known.has(classHash)) return;
      if (!hasClass(classHash)) {
        const what = `contract ${hexFromFelt(address)}`;
        const found = `found ${hexFromFelt(classHash)}`;
        throw wrongSnapshot(file, `${what}: expected a class of the snapshot, ${found}`);
      }
      known.add(classHash);
    },
    storage(row: SnapshotStorage): undefined {
      const what = `storage of contract ${hexFromFelt(row.contractAddress)}`;
      requireUpTo(what, row.updatedAtBlock);
    },
  };
}
