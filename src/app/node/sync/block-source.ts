import { invariant } from "#base/errors/index.ts";
import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { createGatewayClient, GATEWAY_LIMITS } from "#io/feeder/index.ts";
import {
  type ObjectStoreOptions,
  openObjectStore,
  readObjectStoreKeys,
} from "#io/objects/index.ts";
import type { StoredChainReader } from "#io/storage/index.ts";
import {
  type BlockSource,
  type GatewayRequestEnded,
  keptPublicKey,
  StoreSource,
} from "#services/sync/index.ts";
import { readGatewayKey } from "../storage/folder/gateway-key.ts";
import { signerOf } from "../storage/folder/public-key.ts";
import type { FollowOptions } from "../setup/follow.ts";
import type { WorkerContext } from "../threads/runtime.ts";

/** Dependencies of {@link openBlockSource}. */
export interface BlockSourceDeps {
  readonly setup: WorkerContext<"sync">["setup"];
  /** Stored blocks. */
  readonly chain: Pick<StoredChainReader, "latestNumber" | "value">;
  /** Called with the outcome of each request. */
  readonly onRequestEnded: (asked: GatewayRequestEnded) => void;
  /** Aborts all requests. */
  readonly signal: AbortSignal;
}

/**
 * Opens the source of the followed blocks; sends no request yet.
 *
 * @throws {ConfigError} when a key that it needs cannot be read
 */
export function openBlockSource(deps: BlockSourceDeps): BlockSource {
  const { follow } = deps.setup;
  invariant(follow !== null, "a full node has something to follow");
  return follow.store === null ? gatewaySource(follow, deps) : storeSource(follow.store, deps);
}

function gatewaySource(
  { gateways, gatewayKeyFile }: FollowOptions,
  { onRequestEnded, signal }: BlockSourceDeps,
): BlockSource {
  return createGatewayClient({
    gateways,
    throttlingKey: gatewayKeyFile === null ? undefined : readGatewayKey(gatewayKeyFile),
    limits: GATEWAY_LIMITS,
    timer: SYSTEM_TIMER,
    signal,
    onRequestEnded: (asked) => onRequestEnded({ kind: "gatewayRequestEnded", ...asked }),
  });
}

function storeSource(
  options: ObjectStoreOptions,
  { setup, chain, onRequestEnded, signal }: BlockSourceDeps,
): BlockSource {
  const { chainId, nativeFeeTokenAddress, parentFeeTokenAddress } = setup.config;
  return new StoreSource({
    store: openObjectStore(options, readObjectStoreKeys(options, process.env), signal),
    chain: {
      chainId,
      publicKey: signerOf(setup) ?? keptPublicKey(chain) ?? null,
      nativeFeeToken: nativeFeeTokenAddress,
      parentFeeToken: parentFeeTokenAddress,
    },
    newestStored: chain.latestNumber() ?? -1,
    timer: SYSTEM_TIMER,
    onRequestEnded,
    signal,
  });
}
