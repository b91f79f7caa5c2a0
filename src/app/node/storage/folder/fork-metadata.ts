import { ConfigError, type ConfigIssue } from "#base/errors/index.ts";
import { type Felt, feltFromHex, hexFromFelt } from "#base/primitives/index.ts";
import type { ForkSetup } from "../../setup/fork.ts";
import type { StoredChainReader } from "#io/storage/index.ts";
import { type ChainMetadata, decodeMetadata, METADATA_KEY } from "./chain-metadata.ts";

/** Fork that a chain continues. */
export type RecordedFork = Pick<ForkSetup, "originChainId" | "forkBlock" | "blockHash">;

/** Returns the metadata of a fork; none for a chain that starts with block 0. */
export function metadataOfFork(fork: RecordedFork | null): ChainMetadata {
  if (fork === null) return {};
  return {
    fork_chain_id: fork.originChainId,
    fork_block: String(fork.forkBlock),
    fork_block_hash: hexFromFelt(fork.blockHash),
  };
}

/** Returns the metadata of a fork that starts before a transaction of the origin. */
export function metadataOfOriginal(
  original: { readonly transactionHash: Felt } | null,
): ChainMetadata {
  return original === null ? {} : { fork_transaction: hexFromFelt(original.transactionHash) };
}

/** Returns the transaction of the origin before which a chain starts; `undefined` for other chains. */
export function originalOfChain(chain: Pick<StoredChainReader, "value">): Felt | undefined {
  const { fork_transaction: hash = "" } = decodeMetadata(chain.value(METADATA_KEY));
  return feltFromHex(hash);
}

/** Returns the fork that a chain continues; `undefined` for a chain that starts with block 0. */
export function forkOfMetadata({
  fork_chain_id: originChainId,
  fork_block: block,
  fork_block_hash: hash = "",
}: ChainMetadata): RecordedFork | undefined {
  const blockHash = feltFromHex(hash);
  if (originChainId === undefined || block === undefined || blockHash === undefined) {
    return undefined;
  }
  return { originChainId, forkBlock: Number(block), blockHash };
}

/** Reason why a fork refuses what depends on state roots. */
export const LOCAL_ROOTS = "state roots of a fork cover its local changes alone";

/** Returns the fork that a stored chain continues; `undefined` for a chain that starts with block 0. */
export function forkOfChain(chain: Pick<StoredChainReader, "value">): RecordedFork | undefined {
  return forkOfMetadata(decodeMetadata(chain.value(METADATA_KEY)));
}

/**
 * Rejects a start with another fork than the one that the chain continues.
 *
 * @param fork - requested fork; `null` for none
 * @param folder - data directory, for the message
 * @throws {ConfigError} with the chain's fork and the requested one
 */
export function requireSameFork(
  metadata: ChainMetadata,
  fork: RecordedFork | null,
  folder: string,
): void {
  const issue = differenceOf(forkOfMetadata(metadata) ?? null, fork);
  if (issue !== undefined) throw otherFork(folder, issue.path, issue.message);
}

/**
 * Creates the error of a folder whose chain is not the requested fork.
 *
 * @param folder - data directory, for the message
 * @param option - option with the requested value
 * @param message - both values
 */
export function otherFork(folder: string, option: string, message: string): ConfigError {
  const advice = "use another folder, or start again with --reset";
  return new ConfigError(`the fork is not that of the chain in ${folder}`, [
    { path: option, line: 0, message: `${message}; ${advice}` },
  ]);
}

function differenceOf(
  made: RecordedFork | null,
  fork: RecordedFork | null,
): ConfigIssue | undefined {
  const issue = (path: string, message: string): ConfigIssue => ({ path, line: 0, message });
  if (made === null) {
    if (fork === null) return undefined;
    return issue("--fork-url", `the chain starts with block 0, not after ${forkBlockText(fork)}`);
  }
  const what = `the chain continues ${forkBlockText(made)}`;
  if (fork === null) return issue("--fork-url", `${what}, and no URL is set`);
  const isOtherChain = made.originChainId !== fork.originChainId;
  if (!isOtherChain && made.forkBlock === fork.forkBlock && made.blockHash === fork.blockHash) {
    return undefined;
  }
  return issue(isOtherChain ? "--fork-url" : "--fork-block", `${what}, not ${forkBlockText(fork)}`);
}

/** Formats the block that a chain continues. */
export function forkBlockText({ originChainId, forkBlock, blockHash }: RecordedFork): string {
  return `block ${forkBlock} of ${originChainId} (${hexFromFelt(blockHash)})`;
}
