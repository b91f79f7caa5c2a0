import { defaultsOf, nodeOptions, type NodeValues } from "#app/options/index.ts";
import type { ObjectStoreOptions } from "#io/objects/index.ts";

/** URLs of a gateway's two halves, without a trailing slash. */
export interface GatewayUrls {
  /** Base URL for reading blocks; ends with `/feeder_gateway` unless configured otherwise. */
  readonly feeder: string;
  /** Base URL for sending transactions. */
  readonly gateway: string;
}

/** Derives both halves from one URL, which may be that of either half. */
export function gatewayUrlsAt(url: string): GatewayUrls {
  const base = url.replace(/\/+$/, "").replace(/\/(feeder_)?gateway$/, "");
  return { feeder: `${base}/feeder_gateway`, gateway: `${base}/gateway` };
}

/** Name of the source of blocks in messages. */
export type SourceName = "the gateway" | "the store";

/** Returns the name of the followed source in messages. */
export function sourceNameOf({ store }: Pick<FollowOptions, "store">): SourceName {
  return store === null ? "the gateway" : "the store";
}

/** Returns the hosts of the followed source, without secrets: any of them may have sent a block. */
export function sourceHostsOf({ store, gateways }: FollowOptions): string {
  if (store !== null) return sourceNameOf({ store });
  return gateways.map(({ feeder }) => new URL(feeder).host).join(" or ");
}

/**
 * What a full node trusts in a block beyond its hashes and signature: with `hashes`, that its transactions were
 * executed correctly; with `execution` nothing, since it re-executes them.
 */
export type SyncVerification = NodeValues["follow"]["verify"];

/** Source that a full node follows, and how. Contains no secrets: the key file is read where it is used. */
export interface FollowOptions extends Omit<NodeValues["follow"], "gatewayUrls"> {
  /** Store to read block bundles from; `null` to read blocks from the gateways. */
  readonly store: ObjectStoreOptions | null;
  /**
   * Gateways to forward transactions to, and to read blocks from if there is no store; in order of
   * preference. Only empty on a standby, which forwards transactions to the leader.
   */
  readonly gateways: readonly GatewayUrls[];
}

/**
 * Whether a node follows a chain whose sequencer it may become; it then forwards transactions to the leader.
 */
export function isStandby({ store, gateways }: FollowOptions): boolean {
  return store !== null && gateways.length === 0;
}

/** Returns the options of a standby: it follows the leader's blocks and forwards transactions to it. */
export function followStore(store: ObjectStoreOptions): FollowOptions {
  const { gatewayUrls, ...settings } = defaultsOf(nodeOptions.follow);
  return { ...settings, store, gateways: gatewayUrls.map((url) => gatewayUrlsAt(url)) };
}
