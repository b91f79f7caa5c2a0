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
 * How long what the gateway was asked may still be answered when the node stops: longer than its own
 * requests may go on then. Whoever still waits is told nothing, but loses the connection, upon which a
 * load balancer asks another node.
 */
const STOP_GRACE_MS = 2_000;

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
  deps: ForwardToDeps,
): Forwarded {
  return forwarded(deps, (signal) => {
    const options = clientOptions(gatewayKeyFile, deps, signal);
    return createGatewayClient({ ...options, gateways, limits: GATEWAY_LIMITS });
  });
}

/**
 * Hands submissions to whoever leads when they come. While nobody does, they are answered with when to
 * send them again.
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

/** What all clients of gateways have that transactions are handed to. */
export function clientOptions(
  gatewayKeyFile: string | null,
  { metrics, timer }: Pick<ForwardToDeps, "metrics" | "timer">,
  signal: AbortSignal,
): LeaderGatewayOptions {
  return {
    throttlingKey: gatewayKeyFile === null ? undefined : readGatewayKey(gatewayKeyFile),
    timer,
    signal,
    onAsked: (asked) => recordSync({ kind: "gatewayAsked", ...asked }, metrics.sync),
  };
}

/** @param gatewayUntil - makes the gateway, whose questions end with the signal */
function forwarded(
  { setup, view, onTaken, timer }: ForwardToDeps,
  gatewayUntil: (signal: AbortSignal) => SubmissionGateway,
): Forwarded {
  const ended = new AbortController();
  const forwarding = new Forwarding({
    chainId: chainIdFelt(setup.config),
    gateway: gatewayUntil(ended.signal),
    inclusionOf: (hash) => inclusionOf(view, hash),
    onTaken,
    limits: FORWARDING_LIMITS,
    timer,
  });
  return {
    submit: forwarding,
    mempool: forwarding,
    handedOn: () => forwarding.handedOn(),
    stop(isChange) {
      forwarding.stop(isChange);
      timer.after(STOP_GRACE_MS, () => ended.abort());
    },
  };
}
