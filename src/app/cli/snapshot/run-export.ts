import { mkdirSync, readdirSync } from "node:fs";
import { ConfigError, NodeError, StorageError } from "#base/errors/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { Directory, type WritableFolder } from "#io/folders/index.ts";
import {
  createChainReader,
  fileFailure,
  openDatabase,
  openSnapshotReader,
  type StoredChainReader,
} from "#io/storage/index.ts";
import {
  dropExport,
  exportSnapshot,
  findExport,
  type SnapshotManifest,
} from "#services/snapshot/index.ts";
import type { CliContext } from "../command.ts";
import { dataFolder } from "../db/data-folder.ts";
import { ProgressLine } from "../db/progress-line.ts";
import { sizeText } from "../db/sizes.ts";
import { wrongCommandLine } from "../option-errors.ts";
import { parseArguments } from "../parse-arguments.ts";
import { printable } from "../printable.ts";
import { EXIT } from "../report.ts";
import { targetOf } from "./open-folder.ts";
import { EXPORT_WORDS, snapshotExportOptions } from "./options.ts";

/** Target file size: a quarter of the maximum, so that a store receives a file in seconds. */
const FILE_BYTES: number = 16 * 2 ** 20;

/** Implements `appchain snapshot export TARGET`: a node may be running. */
export async function runSnapshotExport(
  argv: readonly string[],
  context: CliContext,
): Promise<number> {
  const { options, positionals } = parseArguments(
    snapshotExportOptions,
    argv,
    context.environment,
    EXPORT_WORDS,
  );
  const { basePath, at } = options;
  const credentialsFile = options.objectStoreCredentialsFile;
  const target = targetOf(positionals[0] ?? "", { ...context, credentialsFile });
  const folder = dataFolder(basePath);
  const handle = await openDatabase({
    path: folder.chainDatabase,
    chainId: folder.chainId,
    mode: "reader",
    durability: "normal",
  });
  try {
    const chain = createChainReader(handle);
    await refuseFork(chain, folder.path);
    const startManifest = await beginExport(target, chain, folder.chainId, at);
    const reader = openSnapshotReader(handle, startManifest.blockNumber);
    const line = new ProgressLine(context.terminal, () => performance.now());
    try {
      const manifest = await exportSnapshot({
        reader,
        target,
        startManifest,
        fileBytes: FILE_BYTES,
        async step(kind, rows) {
          line.say(`writing ${kind}: ${rows}`);
          await new Promise((turn) => void setImmediate(turn));
          if (!context.signal.aborted) return;
          const hint = "run the command again to continue";
          throw new NodeError("NODE_STOPPED", `stopped before the end of the export; ${hint}`);
        },
      });
      line.end();
      for (const text of report(manifest)) context.out(printable(text));
      return EXIT.ok;
    } finally {
      line.end();
      reader.close();
    }
  } finally {
    handle.close();
  }
}

/** Refuses a fork: an import compares the state with the roots of a whole chain. */
async function refuseFork(chain: StoredChainReader, path: string): Promise<void> {
  const { forkOfChain, LOCAL_ROOTS } = await import("#app/node/index.ts");
  if (forkOfChain(chain) === undefined) return;
  throw new ConfigError(`the chain in ${path} is a fork and cannot be exported: ${LOCAL_ROOTS}`);
}

/** Returns the manifest of a partial export to continue, or of a new one. */
async function beginExport(
  target: WritableFolder,
  chain: StoredChainReader,
  chainId: string,
  at: number | null,
): Promise<SnapshotManifest> {
  if (target instanceof Directory) makeDirectory(target.name);
  const found = await findExport(target);
  if (found?.isWhole === true) {
    const message = `${target.name} already contains a snapshot, of block ${found.manifest.blockNumber}; choose another place`;
    throw new StorageError("STORAGE_EXISTS", message);
  }
  if (found !== undefined) {
    const { manifest } = found;
    if (canContinue(manifest, chain, chainId, at)) return manifest;
    await dropExport(target, manifest);
  } else if (target instanceof Directory) {
    requireEmpty(target.name);
  }
  const newestBlock = chain.latestNumber();
  const blockNumber = at ?? newestBlock;
  const header = blockNumber === undefined ? undefined : chain.header(blockNumber);
  if (newestBlock === undefined || header === undefined) {
    const has =
      newestBlock === undefined
        ? "has no block"
        : `goes from block ${chain.oldestBlock()} to ${newestBlock}`;
    throw wrongCommandLine("--at", `the block does not exist: the chain ${has}`);
  }
  const { number, hash, newRoot } = header;
  return {
    chainId,
    blockNumber: number,
    blockHash: hash,
    stateRoot: newRoot,
    newestBlock,
    files: [],
  };
}

/** Whether a started export is of the requested block, still matches the chain, and can still be read. */
function canContinue(
  { chainId, blockNumber, blockHash, newestBlock }: SnapshotManifest,
  chain: StoredChainReader,
  ownChainId: string,
  at: number | null,
): boolean {
  return (
    chainId === ownChainId &&
    (at ?? blockNumber) === blockNumber &&
    chain.header(blockNumber)?.hash === blockHash &&
    chain.header(newestBlock) !== undefined &&
    chain.oldestStateBlock() <= blockNumber
  );
}

function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (cause) {
    throw fileFailure(`the directory ${path} cannot be created`, cause);
  }
}

/** Refuses to write next to files of unknown origin. */
function requireEmpty(path: string): void {
  const [first] = readdirSync(path);
  if (first === undefined) return;
  const message = `${path} is not empty (${first}); a snapshot needs a directory of its own`;
  throw new StorageError("STORAGE_EXISTS", message);
}

function report(manifest: SnapshotManifest): readonly string[] {
  const { chainId, blockNumber, blockHash, newestBlock, files } = manifest;
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return [
    `chain_id: ${chainId}`,
    `block: ${blockNumber}`,
    `block_hash: ${hexFromFelt(blockHash)}`,
    `newest_block: ${newestBlock}`,
    `files: ${files.length}`,
    `size: ${sizeText(bytes)}`,
  ];
}
