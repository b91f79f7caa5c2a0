import { rmSync } from "node:fs";
import { wrongCommandLine } from "../option-errors.ts";
import { ConfigError, NodeError, StorageError } from "#base/errors/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import {
  CHAIN_SCHEMA_VERSION,
  createChainReader,
  createChainWriter,
  type DatabaseHandle,
  fileFailure,
  openDatabase,
  type StoredChainReader,
  type RevertProgress,
} from "#io/storage/index.ts";
import type { CliContext } from "../command.ts";
import { NO_WORDS, parseArguments } from "../parse-arguments.ts";
import { EXIT } from "../report.ts";
import { type DataFolder, lockedDataFolder } from "./data-folder.ts";
import { laterStartText } from "./first-block.ts";
import { dbRevertOptions } from "./options.ts";
import { ProgressLine } from "./progress-line.ts";

/** Implements `appchain db revert --to N`: no node may be running. */
export async function runDbRevert(argv: readonly string[], context: CliContext): Promise<number> {
  const { options } = parseArguments(dbRevertOptions, argv, context.environment, NO_WORDS);
  const { to, yes, force, dropReceived } = options;
  if (to === null) throw wrongCommandLine("--to", "name the block that becomes the newest one");
  const folder = await lockedDataFolder(options.basePath);
  try {
    requireCurrent(folder);
    const handle = await openDatabase({
      path: folder.chainDatabase,
      chainId: folder.chainId,
      mode: "writer",
      durability: "full",
    });
    try {
      return await revert(handle, folder, { to, yes, force, dropReceived }, context);
    } finally {
      handle.close();
    }
  } finally {
    folder.lock.release();
  }
}

interface Request {
  readonly to: number;
  readonly yes: boolean;
  readonly force: boolean;
  readonly dropReceived: boolean;
}

async function revert(
  handle: DatabaseHandle,
  folder: DataFolder,
  { to, yes, force, dropReceived }: Request,
  context: CliContext,
): Promise<number> {
  const chain = createChainReader(handle);
  const latest = chain.latestNumber() ?? -1;
  if (to > latest) throw wrongCommandLine("--to", `is ${to}, and the newest block is ${latest}`);
  const oldest = chain.oldestBlock();
  if (to < oldest) {
    const why = await laterStartText(chain);
    throw wrongCommandLine("--to", `is ${to}, and the oldest block is ${oldest}: ${why}`);
  }
  if (to === latest) {
    context.out(`block ${to} is the newest one already`);
    return EXIT.ok;
  }
  await requireOwnBlocks(chain);
  const accepted = chain.l1AcceptedNumber();
  if (accepted !== undefined && accepted > to && !force) {
    const what = `blocks up to ${accepted} are accepted on L1, which does not revert them`;
    throw new NodeError("NODE_REVERT_REFUSED", `${what}; add --force to revert them anyway`);
  }
  if (!yes) {
    const lost = `${latest - to} blocks with ${countTransactions(chain, to, latest)} transactions`;
    throw new ConfigError(`${lost} would be lost permanently; add --yes to revert`);
  }
  const line = new ProgressLine(context.terminal, () => performance.now());
  try {
    // Last chance to stop: the rest is one transaction.
    if (context.signal.aborted) throw new NodeError("NODE_STOPPED", "stopped before the revert");
    revertTo(handle, to, line);
  } finally {
    line.end();
  }
  if (dropReceived) {
    const { DATABASE_SUFFIXES } = await import("#app/node/index.ts");
    for (const beside of DATABASE_SUFFIXES)
      rmSync(folder.mempoolDatabase + beside, { force: true });
  }
  const hash = chain.header(to)?.hash ?? 0n;
  context.out(`newest_block: ${to}, ${hexFromFelt(hash)}`);
  context.out(`blocks reverted: ${latest - to}`);
  return EXIT.ok;
}

/** Refuses to revert published blocks: other nodes have them and continue from them. */
async function requireOwnBlocks(chain: StoredChainReader): Promise<void> {
  const { publishedBlocks } = await import("#app/node/index.ts");
  const published = publishedBlocks(chain);
  if (published === undefined) return;
  throw new NodeError(
    "NODE_REVERT_REFUSED",
    `the blocks are published in ${published.store}, and other nodes have them: they cannot be reverted. If there are no other nodes, start the sequencer once without --publish-gate`,
  );
}

/** Requires the current schema: only a starting node migrates. */
function requireCurrent({ chainDatabase, schemaVersion: found }: DataFolder): void {
  if (found === CHAIN_SCHEMA_VERSION) return;
  throw new StorageError(
    "STORAGE_OLDER_SCHEMA",
    `The database ${chainDatabase} has schema version ${found}, but version ${CHAIN_SCHEMA_VERSION} is required. Start the node once to upgrade it.`,
    { meta: { path: chainDatabase, found, known: CHAIN_SCHEMA_VERSION } },
  );
}

function revertTo(handle: DatabaseHandle, to: number, line: ProgressLine): void {
  try {
    createChainWriter(handle).revertTo(to, (progress) => showProgress(line, progress));
    handle.checkpoint();
  } catch (error) {
    // Report the disk's error, which the operator can act on.
    if (!(error instanceof StorageError) || error.cause === undefined) throw error;
    throw fileFailure(`the chain cannot be reverted to block ${to}`, error.cause);
  }
}

function showProgress(line: ProgressLine, { phase, done, total }: RevertProgress): void {
  line.share(phase === "blocks" ? "reverting blocks" : "building tries", done, total);
}

function countTransactions(chain: StoredChainReader, to: number, latest: number): number {
  let count = 0;
  for (let number = to + 1; number <= latest; number++) {
    count += chain.header(number)?.transactionCount ?? 0;
  }
  return count;
}
