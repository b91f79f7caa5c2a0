import { join } from "node:path";
import type { Felt } from "#base/primitives/index.ts";
import { compileClass } from "#engine/sierra/index.ts";
import type { ReadableFolder } from "#io/folders/index.ts";
import {
  createChainReader,
  createChainWriter,
  createSnapshotWriter,
  openDatabase,
  openSnapshotReader,
  type SnapshotReader,
  type StoredChainReader,
} from "#io/storage/index.ts";
import type { ReplayCompiler } from "#services/replay/index.ts";
import {
  applyLater,
  checkBlock,
  decodeManifest,
  exportSnapshot,
  findExport,
  type ImportJournal,
  type ImportProgress,
  importRows,
  MAX_MANIFEST_BYTES,
  readBounded,
  MANIFEST,
  requireWhole,
  sha256Of,
  type SnapshotManifest,
  type SnapshotTrust,
} from "#services/snapshot/index.ts";
import { FakeTimer } from "./fake-timer.ts";
import { MemoryFolder } from "./memory-folder.ts";
import { bySize } from "./test-size.ts";
import { makeTrueChain, TRUE_CHAIN_ID } from "./true-chain.ts";

/** Number of blocks above the genesis block in a {@link SnapshotWorld}. */
export const WORLD_BLOCKS = 24;

/** Number of the block at which a {@link SnapshotWorld} is exported by default. */
export const WORLD_AT = 20;

/** Chain of which a test exports snapshots. */
export interface SnapshotWorld extends Disposable {
  readonly publicKey: Felt;
  readonly chain: StoredChainReader;
  /** Exports the chain at a block, or resumes an export. */
  exportTo(target: MemoryFolder, options?: Partial<ExportOptions>): Promise<SnapshotManifest>;
}

/** Options of an export. */
export interface ExportOptions {
  readonly at: number;
  readonly newest: number;
  readonly fileBytes: number;
  readonly step: () => Promise<void>;
}

/** Creates a chain with transactions, messages from L1, deletions and a migrated class. */
export async function makeSnapshotWorld(folder: string, seed = 1): Promise<SnapshotWorld> {
  const { publicKey } = await makeTrueChain(folder, {
    blocks: WORLD_BLOCKS,
    transactions: 4,
    seed,
    genesis: bySize({ quick: "small", full: "devnet" }),
  });
  const reading = {
    path: join(folder, "chain.db"),
    chainId: TRUE_CHAIN_ID,
    mode: "reader",
    durability: "normal",
  } as const;
  const [handle, held] = [await openDatabase(reading), await openDatabase(reading)];
  const chain = createChainReader(handle);
  return {
    publicKey,
    chain,
    async exportTo(target, options = {}) {
      const reader = openSnapshotReader(held, options.at ?? WORLD_AT);
      try {
        return await writeSnapshot(chain, reader, target, options);
      } finally {
        reader.close();
      }
    },
    [Symbol.dispose]() {
      handle.close();
      held.close();
    },
  };
}

/** Snapshot of a chain that was imported to `path`. */
export async function makeSnapshotFrom(path: string, at: number): Promise<MemoryFolder> {
  const target = new MemoryFolder();
  const reading = { path, chainId: TRUE_CHAIN_ID, mode: "reader", durability: "normal" } as const;
  const handle = await openDatabase(reading);
  const chain = createChainReader(handle);
  const reader = openSnapshotReader(handle, at);
  try {
    await writeSnapshot(chain, reader, target, { at });
    return target;
  } finally {
    reader.close();
    handle.close();
  }
}

async function writeSnapshot(
  chain: StoredChainReader,
  reader: SnapshotReader,
  target: MemoryFolder,
  options: Partial<ExportOptions>,
): Promise<SnapshotManifest> {
  const { at = WORLD_AT, newest = WORLD_BLOCKS, fileBytes = 1_500 } = options;
  const header = chain.header(at);
  if (header === undefined) throw new RangeError("there is no such block");
  const found = await findExport(target);
  return exportSnapshot({
    reader,
    target,
    startManifest: found?.manifest ?? {
      chainId: TRUE_CHAIN_ID,
      blockNumber: at,
      blockHash: header.hash,
      stateRoot: header.newRoot,
      newestBlock: newest,
      files: [],
    },
    fileBytes,
    step: options.step ?? (async () => undefined),
  });
}

/** Compiles in this thread, each class once. */
export function threadCompiler(): ReplayCompiler {
  const known = new Map<Felt, ReturnType<typeof compileClass>>();
  return {
    async compile(classHash, contractClass) {
      const limits = { maxBytecodeSize: Infinity, libfuncs: "all" } as const;
      const compiled = known.get(classHash) ?? compileClass(contractClass, limits);
      known.set(classHash, compiled);
      return { kind: "compiled", casm: compiled };
    },
  };
}

/** Options of an import. */
export interface ImportOptions {
  readonly trust: SnapshotTrust;
  readonly compiler: ReplayCompiler;
  readonly trustsCasm?: boolean;
  /** Journal of a test that repeats an import after a failure. */
  readonly journal?: ImportJournal;
  readonly step?: () => Promise<void>;
}

/** A journal in memory. */
export function memoryJournal(): ImportJournal {
  let progress: ImportProgress | undefined;
  return {
    read: () => progress,
    write(next) {
      progress = next;
    },
  };
}

/**
 * Imports a snapshot into the database at `path`, or resumes an import.
 *
 * @returns the result of reading the chain afterwards
 */
export async function importFrom<T>(
  source: ReadableFolder,
  path: string,
  options: ImportOptions,
  read: (chain: StoredChainReader) => T,
): Promise<T> {
  const { trust, compiler, trustsCasm = false, step = async () => undefined } = options;
  const bytes = await readBounded(source, MANIFEST, MAX_MANIFEST_BYTES);
  const manifest = decodeManifest(bytes);
  requireWhole(manifest);
  const block = await checkBlock(source, manifest, trust);
  const handle = await openDatabase({
    path,
    chainId: manifest.chainId,
    mode: "writer",
    durability: "normal",
  });
  try {
    const chain = createChainReader(handle);
    const classes = { compiler, trustsCasm };
    if (chain.latestNumber() === undefined) {
      const writer = createSnapshotWriter(handle);
      await importRows({
        source,
        manifest,
        manifestSha256: sha256Of(bytes),
        block,
        writer,
        classes,
        hasClass: (classHash) => chain.declaredClass(classHash) !== undefined,
        journal: options.journal ?? memoryJournal(),
        step,
      });
      writer.finish(block, () => undefined);
    }
    const { publicKey } = trust;
    const writer = createChainWriter(handle);
    const timer = new FakeTimer();
    if (publicKey !== null) {
      await applyLater({ source, manifest, publicKey, classes, chain, writer, timer, step });
    }
    return read(chain);
  } finally {
    handle.close();
  }
}
