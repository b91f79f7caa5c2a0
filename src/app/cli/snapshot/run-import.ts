import { resolve } from "node:path";
import { AppError, ConfigError, NodeError, ObjectStoreError } from "#base/errors/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import {
  checkBlock,
  decodeManifest,
  MANIFEST,
  MAX_MANIFEST_BYTES,
  readBounded,
  requireWhole,
  sha256Of,
  type SnapshotManifest,
  wrongSnapshot,
} from "#services/snapshot/index.ts";
import type { CliContext } from "../command.ts";
import { DATA_FOLDERS } from "../db/data-folder.ts";
import { ProgressLine } from "../db/progress-line.ts";
import { parseArguments, type ParsedArguments } from "../parse-arguments.ts";
import { printable } from "../printable.ts";
import { EXIT } from "../report.ts";
import { type CheckedSnapshot, importChain, type ImportedUpTo } from "./import-chain.ts";
import { type ImportFolder, takeImportFolder } from "./import-folder.ts";
import { sourceOf } from "./open-folder.ts";
import { IMPORT_WORDS, snapshotImportOptions } from "./options.ts";
import { type ImportTrust, trustOf } from "./trust.ts";

type Parsed = ParsedArguments<typeof snapshotImportOptions>;

/** Implements `appchain snapshot import SOURCE`: trusts nothing that it reads. */
export async function runSnapshotImport(
  argv: readonly string[],
  context: CliContext,
): Promise<number> {
  const parsed = parseArguments(snapshotImportOptions, argv, context.environment, IMPORT_WORDS);
  const { options, positionals } = parsed;
  const { basePath } = options;
  const trust = await trustOf(parsed);
  const credentialsFile = options.objectStoreCredentialsFile;
  const source = sourceOf(positionals[0] ?? "", { ...context, credentialsFile });
  const bytes = await readBounded(source, MANIFEST, MAX_MANIFEST_BYTES);
  const manifest = decodeManifest(bytes);
  requireWhole(manifest);
  requireChain(manifest, trust);
  const manifestSha256 = sha256Of(bytes);
  const block = await checkBlock(source, manifest, trust);
  const path = folderOf(basePath, manifest);
  const neededBytes = manifest.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const folder = takeImportFolder(path, manifestSha256, neededBytes);
  const upTo = await putInPlace(folder, path, context, () => {
    if (folder.found === "a part") context.out(printable(`continuing the import to ${path}`));
    const work = { source, manifest, manifestSha256, block, trust };
    return importInto(folder, work, parsed, context);
  });
  for (const text of report(manifest, path, upTo)) context.out(printable(text));
  return EXIT.ok;
}

async function importInto(
  { chainDatabase }: ImportFolder,
  snapshot: CheckedSnapshot,
  { options }: Parsed,
  { terminal, signal }: CliContext,
): Promise<ImportedUpTo> {
  const line = new ProgressLine(terminal, () => performance.now());
  try {
    return await importChain(snapshot, {
      chainDatabase,
      trustsCasm: options.trustCasm,
      compiler: {
        maxResidentBytes: options.compilerMemoryBytes,
        maxCpuMs: options.compilerTimeoutMs,
        niceness: options.compilerNiceness,
      },
      onProgress: (what, done, total) => line.share(what, done, total),
      async step() {
        await new Promise((turn) => void setImmediate(turn));
        if (signal.aborted)
          throw new NodeError("NODE_STOPPED", "stopped before the end of the import");
      },
    });
  } finally {
    line.end();
  }
}

/**
 * Runs the import and puts its result into place. If it was stopped, or the source did not respond, the
 * partial import is kept; after any other failure nothing is left.
 */
async function putInPlace(
  folder: ImportFolder,
  path: string,
  { err }: CliContext,
  work: () => Promise<ImportedUpTo>,
): Promise<ImportedUpTo | undefined> {
  try {
    const upTo = folder.found === "all" ? undefined : await work();
    folder.finish();
    return upTo;
  } catch (error) {
    if (canGoOn(error)) {
      folder.keep();
      err(printable(`the partial import is kept in ${path}: run the command again to continue`));
    } else folder.discard();
    throw error;
  }
}

/** Error codes that may not recur when the command is run again. */
const PASSING: ReadonlySet<string> = new Set([
  "NODE_STOPPED",
  "NODE_UNREACHABLE",
  "NODE_COMPILER_FAILED",
  // Usually a full disk.
  "STORAGE_FAILED",
]);

function canGoOn(error: unknown): boolean {
  if (error instanceof ObjectStoreError) return true;
  return error instanceof AppError && PASSING.has(error.code);
}

/** Requires the snapshot to be of the configuration's chain. */
function requireChain({ chainId }: SnapshotManifest, { config }: ImportTrust): void {
  if (config === null || config.chainId === chainId) return;
  throw wrongSnapshot(MANIFEST, `chain_id: expected ${config.chainId}, found ${chainId}`);
}

/** Derives the folder from the chain id, only if that is a plain name. */
function folderOf(basePath: string | null, { chainId }: SnapshotManifest): string {
  if (basePath !== null) return resolve(basePath);
  if (/^\w[\w-]*$/.test(chainId)) return resolve(DATA_FOLDERS, chainId);
  throw new ConfigError("the chain id cannot be used as a folder name; set --base-path");
}

function report(
  manifest: SnapshotManifest,
  path: string,
  upTo: ImportedUpTo | undefined,
): readonly string[] {
  const { chainId, blockNumber, blockHash, newestBlock } = manifest;
  const lines = [
    `imported chain ${chainId} to ${path}`,
    `first_block: ${blockNumber}, ${hexFromFelt(blockHash)}`,
  ];
  if (upTo === undefined) return lines;
  lines.push(`newest_block: ${upTo.newestBlock}`);
  if (upTo.newestBlock < newestBlock) {
    lines.push(
      `blocks up to ${newestBlock} are omitted, because verifying them requires the key that signs blocks: set --public-key`,
    );
  }
  return lines;
}
