import type { ObjectStoreOptions } from "#io/objects/index.ts";

/** A gateway by the addresses of its two halves, without a slash at the end. */
export interface GatewayUrls {
  /** Blocks are read below it: ends with `/feeder_gateway` unless a configuration says otherwise. */
  readonly feeder: string;
  /** Transactions are sent below it. */
  readonly gateway: string;
}

/** The two halves of a gateway below one address, which may be that of either half. */
export function gatewayUrlsAt(url: string): GatewayUrls {
  const base = url.replace(/\/+$/, "").replace(/\/(feeder_)?gateway$/, "");
  return { feeder: `${base}/feeder_gateway`, gateway: `${base}/gateway` };
}

/** What messages call where blocks come from. */
export type SourceName = "the gateway" | "the store";

/** What messages call what is followed. */
export function sourceNameOf({ store }: Pick<FollowOptions, "store">): SourceName {
  return store === null ? "the gateway" : "the store";
}

/** What a full node believes of a block beyond what hashes and the signature prove. */
export type SyncVerification =
  /** That its transactions were executed right. */
  | "hashes"
  /** Nothing: they are executed again. */
  | "execution";

/** What a full node follows, and how. Holds no secrets: the key's file is read where it is used. */
export interface FollowOptions {
  /** Where blocks come from: bundles of this store; `null`: the gateways. */
  readonly store: ObjectStoreOptions | null;
  /**
   * Where transactions are handed to, and blocks come from unless there is a store; in order of
   * preference. At least one, but for a standby, which hands transactions to whoever leads.
   */
  readonly gateways: readonly GatewayUrls[];
  /** File with what is sent as `X-Throttling-Bypass`; `null`: nothing is. */
  readonly gatewayKeyFile: string | null;
  /** Last block to take; `null`: there is none. */
  readonly stopAt: number | null;
  readonly verify: SyncVerification;
  /**
   * Whether compiled code is taken from the gateway where the code compiled here has another hash than
   * was declared. Its bytecode is verified by that hash, its hints by nothing.
   */
  readonly trustsCasm: boolean;
}

/** Whether a node follows a chain whose sequencer it may become: it hands transactions to whoever leads. */
export function isStandby({ store, gateways }: FollowOptions): boolean {
  return store !== null && gateways.length === 0;
}

/** A standby takes whatever the leader publishes, and hands transactions to it wherever it is. */
export function followStore(store: ObjectStoreOptions): FollowOptions {
  return {
    store,
    gateways: [],
    gatewayKeyFile: null,
    stopAt: null,
    verify: "hashes",
    trustsCasm: false,
  };
}
