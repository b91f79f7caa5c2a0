import { existsSync } from "node:fs";
import { ConfigError } from "#base/errors/index.ts";
import { verifyBlockSignature } from "#protocol/chain/index.ts";
import type { StoredChainReader } from "#io/storage/index.ts";
import type { NodeFiles } from "../../setup/node-files.ts";
import { type ChainMetadata, isFollowed } from "./chain-metadata.ts";
import { loadSigningKey, requireSigningKey } from "./signing-key.ts";

/**
 * Rejects following with a chain that this node has produced. Where the gateway has other blocks,
 * acknowledged ones would be reverted, and transactions waiting in the folder would never be sent.
 *
 * @throws {ConfigError} for such a chain
 */
export function requireFollowed(metadata: ChainMetadata, { folder }: NodeFiles): void {
  if (isFollowed(metadata)) return;
  throw new ConfigError(
    `the data directory ${folder} is a sequencer's: a full node does not sync another node's blocks into it; choose another one with --base-path, or start a new chain with --reset`,
  );
}

/**
 * Rejects block production with another key than the one that signed the newest block: followers of the chain
 * would reject blocks signed with it.
 *
 * @throws {ConfigError} when the key is missing or differs
 */
export function requireOwnKey(
  metadata: ChainMetadata,
  { signingKey, folder }: NodeFiles,
  chain: Pick<StoredChainReader, "header" | "signature">,
  newest: number,
): void {
  const isTaken = isFollowed(metadata);
  if (!isTaken) requireSigningKey(signingKey);
  const header = chain.header(newest);
  const signature = chain.signature(newest);
  const isOwn =
    header !== undefined &&
    signature !== undefined &&
    existsSync(signingKey.path) &&
    verifyBlockSignature(loadSigningKey(signingKey).publicKey, header, signature);
  if (isOwn) return;
  throw new ConfigError(
    isTaken
      ? `the data directory ${folder} is a full node's: to continue its chain as the sequencer, stop the current sequencer and give the key that signed them with --private-key-file`
      : `${signingKey.path}: another key signed block ${newest} of the data directory ${folder}; put that key back, or give it with --private-key-file`,
  );
}
