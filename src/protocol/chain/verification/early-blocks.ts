import { type Felt, feltFromShortString } from "#base/primitives/index.ts";

const MAINNET = feltFromShortString("SN_MAIN");

/** The last block of mainnet with transactions whose hashes follow older rules. */
const LAST_EARLY_HASHES = 1470;

/** The first block of mainnet whose hash no longer covers the chain id. Source: Pathfinder's constants. */
const FIRST_ERA_END = 833;

/**
 * Sequencer in the hashes of mainnet's blocks that do not name one, from block 833 on.
 *
 * Source: Pathfinder, verification of block hashes; vector: mainnet's block 2240.
 */
export const UNNAMED_SEQUENCER: Felt =
  0x21f4b90b0377c82bf330b7b5295820769e72d79d8acd0effa0ebde6e9988bc5n;

/** Whether a block may have transactions with one of `earlyTransactionHashes`: mainnet's up to 1470. */
export function hasEarlyHashes(chainId: Felt, blockNumber: number): boolean {
  return chainId === MAINNET && blockNumber <= LAST_EARLY_HASHES;
}

/** Whether a block's hash may be the one of `firstEraBlockHash`: mainnet's below 833. */
export function isFirstEra(chainId: Felt, blockNumber: number): boolean {
  return chainId === MAINNET && blockNumber < FIRST_ERA_END;
}

/** Whether the block is one of those of mainnet whose version, and perhaps sequencer, was never told. */
export function isUnversioned(chainId: Felt, protocolVersion: string): boolean {
  return chainId === MAINNET && protocolVersion === "";
}
