import type { Felt, Timer } from "#base/primitives/index.ts";
import type { NodeMetrics } from "#base/metrics/index.ts";
import { createGatewayClient, GATEWAY_LIMITS } from "#io/feeder/index.ts";
import { Forwarding, FORWARDING_LIMITS } from "#services/sync/index.ts";
import type { ChainView } from "../../storage/chain/chain-view.ts";
import { readGatewayKey } from "../../storage/folder/gateway-key.ts";
import { recordSync } from "../reports/sync-metrics.ts";
import type { FollowOptions } from "../../setup/follow.ts";
import { chainIdFelt, type NodeSetup } from "../../setup/setup.ts";
import type { Forwarded } from "../follower.ts";
import { inclusionOf } from "../../storage/chain/inclusion.ts";
import {
  type LeaderAddress,
  LeaderGateway,
  type LeaderGatewayOptions,
  type SubmissionGateway,
} from "./leader-gateway.ts";

/**
 * Grace period for requests to the gateway when the node stops, in milliseconds. It exceeds the grace period
 * of the node's own requests. A client still waiting then loses its connection, and a load balancer retries
 * on another node.
 */
const STOP_GRACE_MS = 2_000;

/** Dependencies of {@link forwardTo} and {@link forwardToLeader}. */
export interface ForwardToDeps {
  readonly setup: Pick<NodeSetup, "config">;
  readonly view: Pick<ChainView, "chain" | "feed">;
  readonly metrics: Pick<NodeMetrics, "sync">;
  /** Reports that the gateway has accepted a transaction. */
  readonly onForwarded: (hash: Felt) => void;
  readonly timer: Timer;
}

/**
 * Forwards submissions to the followed gateways.
 *
 * @throws {ConfigError} when the gateway key cannot be read
 */
export function forwardTo(
  { gateways, gatewayKeyFile }: FollowOptions,
  deps: ForwardToDeps,
): Forwarded {
  return forwarded(deps, (signal) => {
    const options = clientOptions(gatewayKeyFile, deps, signal);
    return createGatewayClient({ ...options, gateways, limits: GATEWAY_LIMITS });
  });
}

/**
 * Forwards submissions to the current leader. Without a leader, they are refused with a time to retry.
 *
 * @throws {ConfigError} when the gateway key cannot be read
 */
export function forwardToLeader(
  leader: LeaderAddress,
  { gatewayKeyFile }: Pick<FollowOptions, "gatewayKeyFile">,
  deps: ForwardToDeps,
): Forwarded {
  return forwarded(
    deps,
    (signal) => new LeaderGateway(leader, clientOptions(gatewayKeyFile, deps, signal)),
  );
}

/** Options shared by all gateway clients that submissions are forwarded to. */
export function clientOptions(
  gatewayKeyFile: string | null,
  { metrics, timer }: Pick<ForwardToDeps, "metrics" | "timer">,
  signal: AbortSignal,
): LeaderGatewayOptions {
  return {
    throttlingKey: gatewayKeyFile === null ? undefined : readGatewayKey(gatewayKeyFile),
    timer,
    signal,
    onRequestEnded: (asked) => recordSync({ kind: "gatewayRequestEnded", ...asked }, metrics.sync),
  };
}

/** @param gatewayUntil - creates the gateway client, whose requests are aborted with the signal */
function forwarded(
  { setup, view, onForwarded, timer }: ForwardToDeps,
  gatewayUntil: (signal: AbortSignal) => SubmissionGateway,
): Forwarded {
  const ended = new AbortController();
  const forwarding = new Forwarding({
    chainId: chainIdFelt(setup.config),
    gateway: gatewayUntil(ended.signal),
    inclusionOf: (hash) => inclusionOf(view, hash),
    onForwarded,
    limits: FORWARDING_LIMITS,
    timer,
  });
  return {
    submit: forwarding,
    mempool: forwarding,
    forwardedSubmissions: () => forwarding.forwardedSubmissions(),
    stop(isChange) {
      forwarding.stop(isChange);
      timer.after(STOP_GRACE_MS, () => ended.abort());
    },
  };
}
