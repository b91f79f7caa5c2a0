import { type FollowOptions, type GatewayUrls, gatewayUrlsAt } from "#app/node/index.ts";
import type { NodeValues } from "#app/options/index.ts";
import { ConfigError } from "#base/errors/index.ts";
import type { LoadedChainConfig } from "#protocol/config/index.ts";

/**
 * Combines the options of a full node's source with the chain configuration.
 *
 * @param store - source of blocks; `null` for the gateways
 * @throws {ConfigError} when neither the options nor the configuration name a gateway
 */
export function followOf(
  { gatewayUrls, ...settings }: NodeValues["follow"],
  store: FollowOptions["store"],
  { config, source }: LoadedChainConfig,
): FollowOptions {
  const sources = gatewayUrls.map((url) => gatewayUrlsAt(url));
  const configured = configuredGateway(config);
  const gateways = sources.length > 0 ? sources : configured === undefined ? [] : [configured];
  if (gateways.length === 0) {
    throw new ConfigError(
      `a full node needs a gateway to ${store === null ? "follow" : "forward transactions to"}: set --gateway-url URL, or set feeder_gateway_url and gateway_url in the chain configuration (${source} has neither)`,
    );
  }
  return { ...settings, store, gateways };
}

/** Gateway of the configuration; if it has only one of the two addresses, the other is derived from it. */
function configuredGateway({
  feederGatewayUrl: feeder,
  gatewayUrl: gateway,
}: LoadedChainConfig["config"]): GatewayUrls | undefined {
  const only = feeder ?? gateway;
  if (only === null) return undefined;
  const derived = gatewayUrlsAt(only);
  return {
    feeder: withPath(feeder ?? derived.feeder, "/feeder_gateway"),
    gateway: withPath(gateway ?? derived.gateway, "/gateway"),
  };
}

/** Adds the usual path to an address without one; networks give full addresses. */
function withPath(url: string, path: string): string {
  const bare = url.replace(/\/+$/, "");
  return new URL(bare).pathname === "/" ? bare + path : bare;
}
