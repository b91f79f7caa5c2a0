import { existsSync } from "node:fs";
import {
  createChainReader,
  fileIdentity,
  isUnwritten,
  openDatabase,
  type StoredChainReader,
} from "#io/storage/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { BlockHeader } from "#protocol/chain/index.ts";
import { chainFailure } from "../../setup/damaged-chain.ts";
import type { ForkOptions, ForkPin } from "../../setup/fork.ts";
import type { NodeFiles } from "../../setup/node-files.ts";
import { forkOfChain, originalOfChain, otherFork } from "./fork-metadata.ts";

/** Number of headers before the fork block that a chain may record. */
const ANCESTORS = 10;

/** Folder and block of a requested fork. */
export interface RequestedFork {
  readonly files: Pick<NodeFiles, "folder" | "chainDatabase">;
  readonly block: ForkOptions["block"];
}

/**
 * Reads the fork block that the chain of a folder continues, without the network.
 *
 * @returns `undefined` without a chain, or for a chain without blocks
 * @throws {ConfigError} when the chain starts with block 0, or continues another block than the requested one
 * @throws {StorageError} when the database cannot be opened or is damaged
 */
export async function recordedFork({ files, block }: RequestedFork): Promise<ForkPin | undefined> {
  const { folder, chainDatabase } = files;
  const found = await readChain(chainDatabase, pinOf);
  if (found === undefined) return undefined;
  if (found === null) {
    throw otherFork(folder, "--fork-url", "the chain starts with block 0, and is no fork");
  }
  requireSameBlock(found.header, block, folder);
  return found;
}

/** Transaction of the origin before which a chain starts. */
export interface RecordedOriginal {
  readonly transactionHash: Felt;
  /** First block of the chain: it has the conditions of the transaction's block. */
  readonly header: BlockHeader;
}

/**
 * Reads the transaction before which the chain of a folder starts; `undefined` for other chains.
 *
 * @throws {StorageError} when the database cannot be opened or is damaged
 */
export function recordedOriginal({
  chainDatabase,
}: Pick<NodeFiles, "chainDatabase">): Promise<RecordedOriginal | undefined> {
  return readChain(chainDatabase, (chain) => {
    const transactionHash = originalOfChain(chain);
    const header = chain.header(chain.oldestBlock());
    return transactionHash === undefined || header === undefined
      ? undefined
      : { transactionHash, header };
  });
}

/**
 * Whether the chain database of a folder has blocks.
 *
 * @throws {StorageError} when it cannot be opened or is damaged
 */
export async function hasBlocks({
  chainDatabase,
}: Pick<NodeFiles, "chainDatabase">): Promise<boolean> {
  return (await readChain(chainDatabase, () => true)) ?? false;
}

/** Reads a chain that has blocks; `undefined` without one. */
async function readChain<T>(
  path: string,
  read: (chain: StoredChainReader) => T,
): Promise<T | undefined> {
  if (!existsSync(path) || isUnwritten(path)) return undefined;
  try {
    const { chainId } = fileIdentity(path);
    const database = await openDatabase({ path, chainId, mode: "reader", durability: "full" });
    try {
      const chain = createChainReader(database);
      return chain.latestNumber() === undefined ? undefined : read(chain);
    } finally {
      database.close();
    }
  } catch (error) {
    throw chainFailure(path, error);
  }
}

function requireSameBlock(
  { number, hash }: BlockHeader,
  block: ForkOptions["block"],
  folder: string,
): void {
  if (block === null) return;
  const isSame = block.kind === "number" ? block.number === number : block.hash === hash;
  if (isSame) return;
  const requested = block.kind === "number" ? String(block.number) : hexFromFelt(block.hash);
  const found = `the chain continues block ${number} (${hexFromFelt(hash)})`;
  throw otherFork(folder, "--fork-block", `${found}, not ${requested}`);
}

/** Returns the fork block of a chain; `null` if it starts with block 0. */
function pinOf(chain: StoredChainReader): ForkPin | null {
  const fork = forkOfChain(chain);
  if (fork === undefined) return null;
  const { forkBlock, originChainId } = fork;
  const header = chain.ancestorHeader(forkBlock);
  if (header === undefined) return null;
  const ancestors: BlockHeader[] = [];
  for (let number = Math.max(0, forkBlock - ANCESTORS); number < forkBlock; number++) {
    const ancestor = chain.ancestorHeader(number);
    if (ancestor !== undefined) ancestors.push(ancestor);
  }
  return { chainId: originChainId, header, ancestors };
}
