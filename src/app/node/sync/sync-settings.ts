import { constantsOf, type ChainConfig } from "#protocol/config/index.ts";
import type { SyncSettings } from "#services/sync/index.ts";
import { signerOf } from "../storage/folder/public-key.ts";
import { type FollowOptions, sourceNameOf } from "../setup/follow.ts";
import { chainIdFelt, executionConstants, type NodeSetup } from "../setup/setup.ts";

/** How late a new block, and another branch, may be noticed. */
const HEAD_POLL_MS = 1_000;

/** The same of a store: it tells nothing that is not accepted, so that its blocks are waited for. */
const STORE_POLL_MS = 500;

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

/**
 * What a full node or a standby takes, and when it looks.
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
