import type { FollowOptions } from "#app/node/setup/follow.ts";
import type { GasPriceOptions, GatewayOptions } from "#app/node/setup/node-options.ts";
import type { ReplicationOptions } from "#app/node/setup/replication.ts";
import { defaultsOf, nodeOptions } from "#app/options/index.ts";

const { gatewayUrls: _noUrls, ...FOLLOW } = defaultsOf(nodeOptions.follow);
const { takeoverAfterMs: _whenStandby, ...REPLICATION } = defaultsOf(nodeOptions.replication);
const {
  isExternal: _local,
  ratePerSecond: _unlimited,
  ...GATEWAY
} = defaultsOf(nodeOptions.gateway);

/** Object store without credentials; no test connects to it. */
const STORE = {
  bucket: "b",
  prefix: "",
  endpoint: "http://e",
  region: "r",
  credentialsFile: null,
};

/** Options of a leading sequencer that shares its chain, with declared defaults except `changed`. */
export function replicationOptions(changed: Partial<ReplicationOptions> = {}): ReplicationOptions {
  return { ...REPLICATION, store: STORE, standby: null, ...changed };
}

/** Options of a full node's source, with declared defaults except `changed`; no gateway by default. */
export function followOptions(changed: Partial<FollowOptions> = {}): FollowOptions {
  return { ...FOLLOW, store: null, gateways: [], ...changed };
}

/** Options of the gateways, on a free local port, with declared defaults except `changed`. */
export function gatewayOptions(changed: Partial<GatewayOptions> = {}): GatewayOptions {
  return { ...GATEWAY, host: "127.0.0.1", port: 0, rateLimit: null, ...changed };
}

/** Gas price options, with declared defaults except `changed`. */
export function gasPriceOptions(changed: Partial<GasPriceOptions> = {}): GasPriceOptions {
  return { ...defaultsOf(nodeOptions.gasPrices), ...changed };
}
