import type { Felt, Timer } from "#base/primitives/index.ts";
import type { NodeMetrics } from "#base/telemetry/index.ts";
import { createGatewayClient, GATEWAY_LIMITS } from "#io/feeder/index.ts";
import { Forwarding, FORWARDING_LIMITS } from "#services/sync/index.ts";
import type { ChainView } from "../chain/chain-view.ts";
import { readGatewayKey } from "../folder/gateway-key.ts";
import { recordSync } from "../reports/sync-metrics.ts";
import type { FollowOptions } from "../setup/follow.ts";
import { chainIdFelt, type NodeSetup } from "../setup/setup.ts";
import type { Forwarded } from "./follower.ts";

/** What handing on works with. */
export interface ForwardToDeps {
  readonly setup: Pick<NodeSetup, "config">;
  readonly view: Pick<ChainView, "chain" | "feed">;
  readonly metrics: Pick<NodeMetrics, "sync">;
  /** The gateway has taken a transaction. */
  readonly onTaken: (hash: Felt) => void;
  readonly timer: Timer;
}

/**
 * Hands submissions to the gateways that are followed.
 *
 * @throws {ConfigError} when the gateway key cannot be read
 */
export function forwardTo(
  { gateways, gatewayKeyFile }: FollowOptions,
  { setup, view, metrics, onTaken, timer }: ForwardToDeps,
): Forwarded {
  const ended = new AbortController();
  const gateway = createGatewayClient({
    gateways,
    throttlingKey: gatewayKeyFile === null ? undefined : readGatewayKey(gatewayKeyFile),
    limits: GATEWAY_LIMITS,
    timer,
    signal: ended.signal,
    onAsked: (asked) => recordSync({ kind: "gatewayAsked", ...asked }, metrics.sync),
  });
  const forwarding = new Forwarding({
    chainId: chainIdFelt(setup.config),
    gateway,
    isIncluded: (hash) => isIncluded(view, hash),
    onTaken,
    limits: FORWARDING_LIMITS,
    timer,
  });
  return {
    submit: forwarding,
    mempool: forwarding,
    stop() {
      forwarding.stop();
      ended.abort();
    },
  };
}

/** Whether a transaction is in a block that this node has seen, accepted or not. */
function isIncluded({ chain, feed }: Pick<ChainView, "chain" | "feed">, hash: bigint): boolean {
  if (chain.locate(hash) !== undefined) return true;
  return feed
    .current()
    .blocks()
    .some((block) => block.find(hash) !== undefined);
}
