import {
  type ChainIdentity,
  createGatewayServer,
  type GatewayObserver,
  type GatewayServer,
} from "#api/gateway/index.ts";
import { type Following, hostPolicyOf, readinessOf, type ServerContext } from "#api/rpc/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { ChainView } from "../storage/chain/chain-view.ts";
import type { WorkerQueryPool } from "../query/query-pool.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { NodeSetup } from "../setup/setup.ts";
import { httpUrl } from "../setup/http-url.ts";
import type { Listeners } from "../query/rpc/listeners.ts";
import { notifyReceived } from "../query/rpc/notify-received.ts";

/** Dependencies of {@link serveGatewayOf}. */
export interface GatewayDeps {
  readonly options: { readonly gateway: NonNullable<NodeOptions["gateway"]> };
  readonly setup: Pick<NodeSetup, "config">;
  readonly view: Pick<ChainView, "live" | "answers">;
  readonly role: { following(): Following | null };
  /** Whether this node currently produces the chain's blocks. */
  readonly leads: () => boolean;
  readonly context: ServerContext;
  readonly queryPool: Pick<WorkerQueryPool, "run">;
  /** Key that signs blocks; `undefined` until a full node knows it. */
  readonly publicKey: () => Felt | undefined;
  readonly gatewayObserver: GatewayObserver;
  readonly log: Logger;
}

/**
 * Serves the feeder gateway and the gateway. Submissions use the same path as those over
 * JSON-RPC. On a development chain, responses do not wait for blocks: they report RECEIVED.
 *
 * @returns the server, which has to stop together with the JSON-RPC server
 */
export function serveGatewayOf(
  listener: NonNullable<Listeners["gateway"]>,
  deps: GatewayDeps,
): GatewayServer {
  const { view, role, context, queryPool, gatewayObserver, log } = deps;
  const { gateway } = deps.options;
  const server = createGatewayServer({
    listener,
    hosts: hostPolicyOf(gateway.host, "local"),
    context,
    queryPool,
    cache: view.answers,
    identity: identityOf(deps),
    feed: view.live,
    submit: notifyReceived(context.submit, view.live),
    leads: deps.leads,
    readiness: () => readinessOf(context.chain, role.following()),
    rateLimit: gateway.rateLimit,
    observer: gatewayObserver,
  });
  log.info(`gateway at ${httpUrl(server.hostname, server.port)}`);
  return server;
}

/** Chain properties that the gateway reports. */
function identityOf({
  setup: { config },
  publicKey,
}: Pick<GatewayDeps, "setup" | "publicKey">): ChainIdentity {
  return {
    publicKey,
    addresses: {
      starknet: config.ethCoreContractAddress,
      parentFeeToken: config.parentFeeTokenAddress,
      nativeFeeToken: config.nativeFeeTokenAddress,
    },
    verifier: config.ethGpsStatementVerifier,
  };
}
