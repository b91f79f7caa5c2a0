import type { RateLimit } from "#api/rpc/index.ts";
import type { NodeValues, OptionValues, settingOptions } from "#app/options/index.ts";
import type { ChainConfig, ConfigNotice } from "#protocol/config/index.ts";
import type { DevSeed, GasPriceChange } from "#services/sequencer/index.ts";
import type { FollowOptions } from "./follow.ts";
import type { ForkOptions } from "./fork.ts";
import type { L1Options } from "./l1-options.ts";
import type { ReplicationOptions } from "./replication.ts";

/** Listen address of a server; port 0 selects a free one. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Options of the JSON-RPC server. */
export interface RpcOptions
  extends ListenAddress, Omit<NodeValues["rpc"], "host" | "port" | "isExternal" | "rateLimit"> {
  /** Rate limit per address; `null` for none. */
  readonly rateLimit: RateLimit | null;
}

/** Options of the metrics endpoint. */
export interface MetricsOptions
  extends ListenAddress, Omit<NodeValues["metrics"], "port" | "isExternal"> {
  /** True if no option requests the endpoint: the node then starts without it when its port is taken. */
  readonly isOptional: boolean;
}

/** Options of the feeder gateway and gateway. */
export interface GatewayOptions
  extends ListenAddress, Omit<NodeValues["gateway"], "port" | "isExternal" | "ratePerSecond"> {
  /** Rate limit per address; `null` for none. */
  readonly rateLimit: RateLimit | null;
}

/** Configured gas prices; `null` to use the chain's or L1's. */
export type GasPriceOptions = NodeValues["gasPrices"];

/**
 * Default L1 gas prices of a node that neither follows L1 nor has prices set, as on a development
 * chain.
 */
export const DEFAULT_FIXED_PRICES = {
  l1GasPriceWei: 128n,
  blobGasPriceWei: 128n,
  strkPerEth: 1,
} as const satisfies { readonly [K in keyof GasPriceOptions]?: NonNullable<GasPriceOptions[K]> };

/** Funded accounts of a development chain, derived from the seed. */
export interface DevAccountOptions {
  readonly count: number;
  readonly seed: DevSeed;
  /** Initial balance in each token, in fri and wei. */
  readonly balance: bigint;
  /**
   * Option names of explicitly set values; `null` for defaults. An existing chain keeps the values it was
   * created with: a differing default is ignored, a differing option is refused.
   */
  readonly setBy: { readonly [K in "count" | "seed" | "balance"]: string | null };
}

/** Options of a development chain. */
export interface DevnetOptions extends Omit<
  NodeValues["devnet"],
  "blockGeneration" | "restrictedMethods" | "gasPrices" | "dump"
> {
  /** `demand`: blocks are made on request only; `configured`: as the chain configuration says. */
  readonly blocks: "configured" | "demand";
  /** Forbidden methods, as on the wire; `null` for none. */
  readonly restrictedMethods: readonly string[] | null;
  /** Initial gas prices; an absent member uses the chain's price. */
  readonly gasPrices: GasPriceChange;
  /** `null` to disable dumps. */
  readonly dump: DumpOptions | null;
}

/** Options of dumps, which record the requests that built a development chain. */
export type DumpOptions = NodeValues["devnet"]["dump"];

/** Retention of history, and memory for tries. */
export type StorageOptions = NodeValues["storage"];

/** Options of `startNode`: the declared options and the chain configuration, typed. */
export interface NodeOptions extends OptionValues<typeof settingOptions> {
  /** Version of the program. */
  readonly version: string;
  /** Reads the commit of the program, which runs git from source; `null` if unknown. */
  readonly commit: () => string | null;
  readonly role: "sequencer" | "full";
  /**
   * Absolute path of the data folder; for an ephemeral node, the folder in which a temporary one is created.
   */
  readonly basePath: string;
  /** Whether the data folder is a temporary one that is deleted with the node. */
  readonly ephemeral: boolean;
  /** Whether to delete the chain in the data folder first. */
  readonly reset: boolean;
  /** Whether to start a new chain if the chain database is missing and other files of a chain are left. */
  readonly newChain: boolean;
  readonly chain: ChainConfig;
  /** Name of the configuration in messages: a file or `preset NAME`. */
  readonly chainSource: string;
  /** Notices to log at the start. */
  readonly notices: readonly ConfigNotice[];
  /** `null` if L1 is not followed. */
  readonly l1: L1Options | null;
  readonly devAccounts: DevAccountOptions | null;
  /** Development features: developer methods and their faucet; `null` to disable them. */
  readonly devnet: DevnetOptions | null;
  readonly rpc: RpcOptions;
  /** `null` to disable the metrics endpoint. */
  readonly metrics: MetricsOptions | null;
  /** Feeder gateway and gateway; `null` to disable them. */
  readonly gateway: GatewayOptions | null;
  /** Whether the node serves the explorer. */
  readonly explorer: boolean;
  /** Source that a full node or standby follows; `null` if the node produces blocks. */
  readonly follow: FollowOptions | null;
  /** `null` for a chain with a block 0. */
  readonly fork: ForkOptions | null;
  /** `null` for a sequencer that does not share its chain, or a full node. */
  readonly replication: ReplicationOptions | null;
  /** Aborted to stop the node. */
  readonly signal: AbortSignal;
}

/** A started node: `closed` resolves with the exit code once everything has stopped. */
export interface StartedNode {
  readonly closed: Promise<number>;
}
