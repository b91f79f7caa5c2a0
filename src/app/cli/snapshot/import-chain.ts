import { AppError, StorageError } from "#base/errors/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import type { ReadableFolder } from "#io/folders/index.ts";
import {
  createChainReader,
  createChainWriter,
  createSnapshotWriter,
  type DatabaseHandle,
  openDatabase,
} from "#io/storage/index.ts";
import {
  applyLater,
  decodeProgress,
  encodeProgress,
  importRows,
  type ImportJournal,
  MANIFEST,
  type SnapshotBlock,
  type SnapshotManifest,
  wrongSnapshot,
} from "#services/snapshot/index.ts";
import { type CompilerSettings, keepImported, startReplayCompiler } from "#app/node/index.ts";
import type { ImportTrust } from "./trust.ts";

/** Key of the import's progress in the chain's database. */
const JOURNAL_KEY = "snapshot-import";

/** A snapshot with the results of all checks before its import. */
export interface CheckedSnapshot {
  readonly source: ReadableFolder;
  readonly manifest: SnapshotManifest;
  readonly manifestSha256: string;
  readonly block: SnapshotBlock;
  readonly trust: ImportTrust;
}

/** Settings of an import. */
export interface ChainImport {
  /** Created if it does not exist. */
  readonly chainDatabase: string;
  readonly trustsCasm: boolean;
  readonly compiler: CompilerSettings;
  readonly onProgress: (what: string, done: number, total: number) => void;
  /** Yields to other work, and throws to stop: what is stored stays. */
  readonly step: () => Promise<void>;
}

/** Newest block of the imported chain. */
export interface ImportedUpTo {
  readonly newestBlock: number;
}

/**
 * Creates the database of a snapshot's chain, or completes a partial one.
 *
 * @throws {StorageError} when the snapshot is wrong, or the database fails
 * @throws whatever the source throws
 */
export async function importChain(
  snapshot: CheckedSnapshot,
  work: ChainImport,
): Promise<ImportedUpTo> {
  const { manifest } = snapshot;
  // After a power loss, the last rows are lost together with the progress that covers them.
  const handle = await openDatabase({
    path: work.chainDatabase,
    chainId: manifest.chainId,
    mode: "writer",
    durability: "normal",
  });
  const compiler = startReplayCompiler(work.compiler, SYSTEM_TIMER);
  try {
    const classes = { compiler, trustsCasm: work.trustsCasm };
    const chain = createChainReader(handle);
    if (chain.latestNumber() === undefined) await importState(snapshot, work, handle, classes);
    const { publicKey } = snapshot.trust;
    const writer = createChainWriter(handle);
    if (publicKey !== null) {
      await applyLater({
        ...snapshot,
        publicKey,
        classes,
        chain,
        writer,
        timer: SYSTEM_TIMER,
        async step(done, total) {
          work.onProgress("verifying blocks", done, total);
          handle.checkpointIfLong();
          await work.step();
        },
      });
    }
    keepImported(chain, writer, snapshot.trust);
    writer.putValue(JOURNAL_KEY, undefined);
    handle.checkpoint();
    return { newestBlock: chain.latestNumber() ?? manifest.blockNumber };
  } finally {
    await compiler.stop();
    handle.close();
  }
}

async function importState(
  { source, manifest, manifestSha256, block }: CheckedSnapshot,
  { onProgress, step }: ChainImport,
  handle: DatabaseHandle,
  classes: Parameters<typeof importRows>[0]["classes"],
): Promise<void> {
  const chain = createChainReader(handle);
  const writer = createSnapshotWriter(handle);
  await importRows({
    source,
    manifest,
    manifestSha256,
    block,
    writer,
    classes,
    hasClass: (classHash) => chain.declaredClass(classHash) !== undefined,
    journal: journalOf(handle),
    async step(done, total) {
      onProgress("importing rows", done, total);
      handle.checkpointIfLong();
      await step();
    },
  });
  try {
    const { bundle, headers } = block;
    writer.finish({ bundle, headers }, (done, total) => onProgress("building tries", done, total));
  } catch (error) {
    if (!(error instanceof AppError) || !MISFITS.has(error.code)) throw error;
    throw wrongSnapshot(MANIFEST, `its files together are invalid: ${error.message}`, error);
  }
}

/** Error codes of a wrong snapshot, detected once all of its rows are stored. */
const MISFITS: ReadonlySet<string> = new Set<StorageError["code"]>([
  "STORAGE_ROOT_MISMATCH",
  "STORAGE_BAD_SNAPSHOT",
]);

function journalOf(handle: DatabaseHandle): ImportJournal {
  const chain = createChainReader(handle);
  const writer = createChainWriter(handle);
  return {
    read() {
      const bytes = chain.value(JOURNAL_KEY);
      return bytes === undefined ? undefined : decodeProgress(bytes);
    },
    write: (progress) => writer.putValue(JOURNAL_KEY, encodeProgress(progress)),
  };
}
