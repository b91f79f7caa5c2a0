import { constantsOf, type ChainConfig } from "#protocol/config/index.ts";
import type { SyncSettings } from "#services/sync/index.ts";
import type { FollowOptions } from "../setup/follow.ts";
import { chainIdFelt, executionConstants, type NodeSetup } from "../setup/setup.ts";

/** How late a new block, and another branch, may be noticed. */
const HEAD_POLL_MS = 1_000;

/** How late what is above the accepted blocks may be seen. */
const PRE_CONFIRMED_POLL_MS = 500;

/** What is held ahead of the newest block. */
const PIPELINE = { maxBlocks: 32, maxBytes: 128 * 2 ** 20 };

/** Of texts that are not checked yet. */
const MAX_TEXT_BYTES = 128 * 2 ** 20;

/** The newest protocol version that the program knows, with those of the configuration. */
export function newestVersionOf(config: ChainConfig): string {
  return constantsOf(config).versions.at(-1) ?? config.latestProtocolVersion;
}

/** What a full node takes, and when it looks. */
export function syncSettings(
  { config, followsL1 }: Pick<NodeSetup, "config" | "followsL1">,
  { gateways, stopAt, trustsCasm }: FollowOptions,
): SyncSettings {
  return {
    chainId: chainIdFelt(config),
    publicKey: config.sequencerPublicKey,
    feeTokens: { strk: config.nativeFeeTokenAddress, eth: config.parentFeeTokenAddress },
    blockHashes(protocolVersion) {
      const { os } = executionConstants(config, protocolVersion);
      const { storedBlockHashBuffer: distance, contractAddresses } = os;
      return { distance, contractAddress: contractAddresses.blockHash };
    },
    newestVersion: newestVersionOf(config),
    gatewayCount: gateways.length,
    stopAt,
    trustsCasm,
    takesL1Status: !followsL1,
    headPollMs: HEAD_POLL_MS,
    preConfirmedPollMs: PRE_CONFIRMED_POLL_MS,
    pipeline: PIPELINE,
    maxTextBytes: MAX_TEXT_BYTES,
  };
}
