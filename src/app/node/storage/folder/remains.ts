import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ConfigError, StorageError } from "#base/errors/index.ts";
import { isUnwritten } from "#io/storage/index.ts";
import { isStandby } from "../../setup/follow.ts";
import { VALIDATOR_JOURNALS } from "../../setup/node-files.ts";
import type { NodeSetup } from "../../setup/setup.ts";
import { DATABASE_SUFFIXES, OWN_FILES } from "./own-files.ts";
import { hasSigningKey } from "./signing-key.ts";

const KEY = "block-signing.key";

/** Files of a sequencer that prove that its chain was started. */
const OF_CHAIN: readonly string[] = [
  "mempool.db",
  "execution.journal",
  "commit.journal",
  "validation.journal",
  ...VALIDATOR_JOURNALS,
];

/** Files that a new chain keeps: its key, and files that belong to no chain. */
const KEPT: readonly string[] = [KEY, "lock.db", "disk.probe"];

/**
 * Rejects a data directory in which the chain database is missing or empty while other files of a chain
 * exist: a sequencer would start a new chain under the same key. A standby is exempt: it takes its chain from
 * the store.
 *
 * @param newChain - whether the operator wants a new chain
 * @returns whether such files exist, which {@link deleteRemains} deletes
 * @throws {ConfigError} that names the remaining files and the remedy
 */
export function requireNoRemains(
  { files, follow }: Pick<NodeSetup, "files" | "follow">,
  newChain: boolean,
): boolean {
  if (follow !== null && isStandby(follow)) return false;
  const { folder, chainDatabase } = files;
  // A key provided by the operator says nothing about a chain.
  const hasOwnKey =
    follow === null && files.signingKey.mayCreate && hasSigningKey(files.signingKey);
  const expected = hasOwnKey ? [KEY, ...OF_CHAIN] : OF_CHAIN;
  const left = expected.filter((name) => existsSync(join(folder, name)));
  if (left.length === 0 || hasChain(chainDatabase)) return false;
  if (follow === null && newChain) return true;
  const hasKey = left.includes(KEY);
  const what = existsSync(chainDatabase) ? "is empty" : "is missing";
  const [begins, advice] =
    follow === null
      ? [
          `a new chain would start ${hasKey ? "under the same key" : "with the remaining files"}`,
          `--new-chain starts a new chain${hasKey ? " with that key" : ""} and deletes the other files, --reset one with another key`,
        ]
      : [
          "a full node does not use a sequencer's folder",
          "--reset deletes them and syncs the chain from its source",
        ];
  throw new ConfigError(
    `${chainDatabase} ${what}, but ${shown(left)} ${left.length === 1 ? "is" : "are"} still there: ${begins}. Put chain.db back; or move the files away, all but the key, and restore a backup with \`appchain db restore FILE --base-path ${folder}\`. ${advice}`,
  );
}

function shown(names: readonly string[]): string {
  return names.length <= 3 ? names.join(", ") : `${names.slice(0, 3).join(", ")} and others`;
}

/** Whether a chain database exists and was written to; also true for a damaged one. */
function hasChain(path: string): boolean {
  if (!existsSync(path)) return false;
  try {
    return !isUnwritten(path);
  } catch (error) {
    // Opening the database reports the error.
    if (error instanceof StorageError) return true;
    throw error;
  }
}

/** Deletes the files of a chain without its database, except the key. */
export function deleteRemains(folder: string): void {
  for (const name of OWN_FILES.filter((own) => !KEPT.includes(own))) {
    for (const suffix of DATABASE_SUFFIXES) rmSync(join(folder, name + suffix), { force: true });
  }
}
