import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { AppError, ConfigError, StorageError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import {
  type BackupManifest,
  CHAIN_SCHEMA_VERSION,
  fileFailure,
  fileIdentity,
  lockFolder,
  openBackup,
  type OpenBackup,
  syncPath,
} from "#io/storage/index.ts";
import type { CliContext } from "../command.ts";
import { parseArguments } from "../parse-arguments.ts";
import { printable } from "../printable.ts";
import { EXIT } from "../report.ts";
import { DATA_FOLDERS } from "./data-folder.ts";
import { BACKUP_WORDS, dbRestoreOptions } from "./options.ts";
import { ProgressLine } from "./progress-line.ts";
import { stepOf } from "./run-backup.ts";

const KEY = "block-signing.key";

/** Implements `appchain db restore FILE`: restores into a folder without a chain. */
export async function runDbRestore(argv: readonly string[], context: CliContext): Promise<number> {
  const { options, positionals } = parseArguments(
    dbRestoreOptions,
    argv,
    context.environment,
    BACKUP_WORDS,
  );
  const backup = openBackup(resolve(positionals[0] ?? ""));
  try {
    const { manifest } = backup;
    requireKnown(manifest);
    const folder = folderOf(options.basePath, manifest);
    await restore(backup, folder, context);
    context.out(printable(`restored chain ${manifest.chainId} to ${folder}`));
    context.out(`newest_block: ${manifest.newestBlock ?? "none"}`);
    if (!existsSync(join(folder, KEY))) {
      context.out(
        "the key that signs blocks is not in the backup: put it back before you start the node",
      );
    }
    return EXIT.ok;
  } finally {
    backup.close();
  }
}

function requireKnown({ schemaVersion }: BackupManifest): void {
  if (schemaVersion <= CHAIN_SCHEMA_VERSION) return;
  throw new StorageError(
    "STORAGE_NEWER_SCHEMA",
    `The backup has schema version ${schemaVersion}, but this program supports versions up to ${CHAIN_SCHEMA_VERSION}. Use a newer program.`,
    { meta: { found: schemaVersion, known: CHAIN_SCHEMA_VERSION } },
  );
}

/** Derives the folder from the chain id, only if that is a plain name. */
function folderOf(basePath: string | null, { chainId }: BackupManifest): string {
  if (basePath !== null) return resolve(basePath);
  if (/^\w[\w-]*$/.test(chainId)) return resolve(DATA_FOLDERS, chainId);
  throw new ConfigError("the chain id cannot be used as a folder name; set --base-path");
}

/**
 * Restores into a separate folder, and moves the files from there. While that folder exists the restore is
 * incomplete: a node refuses the directory, and another restore starts over.
 */
async function restore(
  backup: OpenBackup,
  folder: string,
  { terminal, signal }: CliContext,
): Promise<void> {
  const { OWN_FILES, DATABASE_SUFFIXES, RESTORE_FOLDER } = await import("#app/node/index.ts");
  makeFolder(folder);
  const lock = lockFolder(folder);
  const line = new ProgressLine(terminal, () => performance.now());
  const staging = join(folder, RESTORE_FOLDER);
  const own = OWN_FILES.filter((name) => name !== KEY && name !== "lock.db").flatMap((name) =>
    DATABASE_SUFFIXES.map((beside) => name + beside),
  );
  try {
    const present = new Set(readdirSync(folder));
    // Files that a killed restore had already moved; the directory had none of them before it.
    if (present.has(RESTORE_FOLDER))
      for (const name of own) rmSync(join(folder, name), { force: true });
    else
      refuseChain(
        folder,
        own.filter((name) => present.has(name)),
      );
    rmSync(staging, { recursive: true, force: true });
    mkdirSync(staging, { mode: 0o700 });
    syncPath(folder);
    let isWhole = false;
    try {
      const onStep = (done: number, total: number) => stepOf(line, "restore", done, total, signal);
      await backup.extractTo(staging, onStep);
      requireSame(backup.manifest, fileIdentity(join(staging, "chain.db")));
      await requireSameKey(folder, staging);
      isWhole = true;
    } finally {
      if (!isWhole) rmSync(staging, { recursive: true, force: true });
    }
    const names = readdirSync(staging).filter((name) => name !== "chain.db");
    for (const name of [...names, "chain.db"]) {
      if (existsSync(join(staging, name))) renameSync(join(staging, name), join(folder, name));
    }
    syncPath(folder);
    rmSync(staging, { recursive: true });
    syncPath(folder);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw fileFailure(`the restore to ${folder} failed`, cause);
  } finally {
    line.end();
    lock.release();
  }
}

/** Creates a folder with the permissions that a node uses. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o750 });
  } catch (cause) {
    throw fileFailure(`the data directory ${folder} cannot be created`, cause);
  }
}

function refuseChain(folder: string, found: readonly string[]): void {
  if (found.length === 0) return;
  const message = `${folder} already contains a chain, or a part of one (${found.slice(0, 5).join(", ")}); choose another folder with --base-path`;
  throw new StorageError("STORAGE_EXISTS", message, { meta: { folder } });
}

function requireSame(
  { chainId, schemaVersion }: BackupManifest,
  found: { readonly chainId: string; readonly schemaVersion: number },
): void {
  if (found.chainId === chainId && found.schemaVersion === schemaVersion) return;
  const message = `the backup names chain ${chainId}, but contains chain ${found.chainId}`;
  throw new StorageError("STORAGE_BACKUP_DAMAGED", message);
}

/** An existing key is the operator's: it is never replaced. */
async function requireSameKey(folder: string, staging: string): Promise<void> {
  const [there, restored] = [join(folder, KEY), join(staging, KEY)];
  if (!existsSync(there) || !existsSync(restored)) return;
  const { loadSigningKey } = await import("#app/node/index.ts");
  const keyOf = (path: string): Felt => loadSigningKey({ path, mayCreate: false }).publicKey;
  if (keyOf(there) !== keyOf(restored)) {
    const message = `${there} differs from the key of the backup; move it away first`;
    throw new StorageError("STORAGE_EXISTS", message, { meta: { folder } });
  }
}
