import { type Felt, feltFromShortString } from "#base/primitives/index.ts";

const MAINNET = feltFromShortString("SN_MAIN");

/** Last mainnet block with transactions whose hashes follow older rules. */
const LAST_EARLY_HASHES = 1470;

/** First mainnet block whose hash does not cover the chain id. Source: Pathfinder's constants. */
const FIRST_ERA_END = 833;

/**
 * Sequencer in the hashes of mainnet blocks that do not name one, since block 833.
 *
 * Source: Pathfinder, verification of block hashes; vector: mainnet's block 2240.
 */
export const UNNAMED_SEQUENCER: Felt =
  0x21f4b90b0377c82bf330b7b5295820769e72d79d8acd0effa0ebde6e9988bc5n;

/** Whether transactions of a block may have one of `earlyTransactionHashes`: mainnet blocks up to 1470. */
export function hasEarlyHashes(chainId: Felt, blockNumber: number): boolean {
  return chainId === MAINNET && blockNumber <= LAST_EARLY_HASHES;
}

/** Whether a block's hash may be `firstEraBlockHash`: mainnet blocks below 833. */
export function isFirstEra(chainId: Felt, blockNumber: number): boolean {
  return chainId === MAINNET && blockNumber < FIRST_ERA_END;
}

/** Whether a block is a mainnet block without a published version, and possibly without a sequencer. */
export function isUnversioned(chainId: Felt, protocolVersion: string): boolean {
  return chainId === MAINNET && protocolVersion === "";
}
