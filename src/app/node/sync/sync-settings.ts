import { constantsOf, type ChainConfig } from "#protocol/config/index.ts";
import type { SyncSettings } from "#services/sync/index.ts";
import { signerOf } from "../storage/folder/public-key.ts";
import { type FollowOptions, sourceNameOf } from "../setup/follow.ts";
import { chainIdFelt, executionConstants, type NodeSetup } from "../setup/setup.ts";

/** Poll interval for new blocks and reorgs, in milliseconds. */
const HEAD_POLL_MS = 1_000;

/** Poll interval of a store, in milliseconds; shorter, because it only has accepted blocks. */
const STORE_POLL_MS = 500;

/** Poll interval for pre-confirmed blocks, in milliseconds. */
const PRE_CONFIRMED_POLL_MS = 500;

/** Maximum blocks fetched ahead of the newest stored one. */
const PIPELINE = { maxBlocks: 32, maxBytes: 128 * 2 ** 20 };

/** Maximum size of responses that are not verified yet. */
const MAX_TEXT_BYTES = 128 * 2 ** 20;

/** Newest protocol version known to the program or the configuration. */
export function newestVersionOf(config: ChainConfig): string {
  return constantsOf(config).versions.at(-1) ?? config.latestProtocolVersion;
}

/**
 * Settings of sync on a full node or a standby.
 *
 * @throws {ConfigError} as {@link signerOf}
 */
export function syncSettings(
  setup: Pick<NodeSetup, "config" | "files" | "follow" | "followsL1">,
  { store, gateways, stopAt, trustsCasm }: FollowOptions,
): SyncSettings {
  const { config, followsL1 } = setup;
  return {
    chainId: chainIdFelt(config),
    publicKey: signerOf(setup),
    feeTokens: { strk: config.nativeFeeTokenAddress, eth: config.parentFeeTokenAddress },
    blockHashes(protocolVersion) {
      const { os } = executionConstants(config, protocolVersion);
      const { storedBlockHashBuffer: distance, contractAddresses } = os;
      return { distance, contractAddress: contractAddresses.blockHash };
    },
    newestVersion: newestVersionOf(config),
    sourceName: sourceNameOf({ store }),
    gatewayCount: store === null ? gateways.length : 1,
    stopAt,
    trustsCasm,
    takesL1Status: !followsL1,
    headPollMs: store === null ? HEAD_POLL_MS : STORE_POLL_MS,
    preConfirmedPollMs: PRE_CONFIRMED_POLL_MS,
    pipeline: PIPELINE,
    maxTextBytes: MAX_TEXT_BYTES,
  };
}
