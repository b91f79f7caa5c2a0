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

/** What the rows of a snapshot are stored with. */
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
  /** Whether a class was stored. */
  readonly hasClass: (classHash: Felt) => boolean;
  readonly journal: ImportJournal;
  /** Lets others have their turn, and throws to stop: what is stored stays. */
  readonly step: (doneBytes: number, totalBytes: number) => Promise<void>;
}

/** Rows that are stored at once. */
const BATCH_ROWS = 4_096;

/** The same of classes, of which one may have megabytes. */
const BATCH_CLASSES = 16;

/**
 * Stores what a snapshot has of the state after its block, file by file; files that are stored already are
 * not read again. Each is checked before anything of it is used. Rows are checked as far as a row alone
 * can be: state and classes have to give the root of the block's header, which is not computed here.
 *
 * @throws {StorageError} STORAGE_SNAPSHOT_WRONG naming the file and the value
 * @throws as {@link ReadableFolder.read}, and what the writer throws
 */
export async function importRows(work: RowImport): Promise<void> {
  const { manifest, manifestSha256, journal, source, step } = work;
  const begun = journal.read();
  const done = begun?.manifest === manifestSha256 ? begun.files : 0;
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

/** Kinds whose rows are stored here. */
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

/** Stores rows; those that do not fit the ones before them are the snapshot's fault. */
function stored(file: string, store: () => void): void {
  try {
    store();
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== "STORAGE_BAD_SNAPSHOT") throw error;
    throw wrongSnapshot(file, error.message, error);
  }
}

/** What is asked of each row; a check that has to wait gives the row that is stored. */
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
