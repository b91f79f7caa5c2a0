import type { ConnectionLimits, DumpOn, MethodLimits, RateLimit } from "#api/rpc/index.ts";
import type { AllowedHosts, CorsPolicy } from "#base/primitives/index.ts";
import type { LogFormat, LogLevel } from "#base/telemetry/index.ts";
import type { ChainConfig, ConfigNotice } from "#protocol/config/index.ts";
import type { DevSeed, GasPriceChange } from "#services/sequencer/index.ts";
import type { FollowOptions } from "./follow.ts";
import type { L1Options } from "./l1-options.ts";
import type { ReplicationOptions } from "./replication.ts";

/** Listen address of a server; port 0 selects a free one. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Options of the JSON-RPC server. */
export interface RpcOptions extends ListenAddress {
  readonly cors: CorsPolicy;
  /** Accepted Host headers; `null` to derive them from the address and `cors`. */
  readonly allowedHosts: AllowedHosts | null;
  readonly connections: ConnectionLimits;
  readonly maxRequestSizeBytes: number;
  readonly maxResponseSizeBytes: number;
  /** Maximum calls per batch; 0 refuses batches. */
  readonly maxBatch: number;
  /** Time limit of a running query, and of the wait in the queue, in milliseconds. */
  readonly timeoutMs: number;
  /** Rate limit per address; `null` for none. */
  readonly rateLimit: RateLimit | null;
  readonly methods: MethodLimits;
  readonly maxSubscriptionsPerConnection: number;
  /** File with the token of the admin methods; `null` to disable them. */
  readonly adminTokenFile: string | null;
  /** Port on this machine only; 0 selects a free one. */
  readonly adminPort: number;
}

/** Options of the metrics endpoint. */
export interface MetricsOptions extends ListenAddress {
  /** True if no option requests the endpoint: the node then starts without it when its port is taken. */
  readonly isOptional: boolean;
}

/** Options of the feeder gateway and gateway. */
export interface GatewayOptions extends ListenAddress {
  /** Rate limit per address; `null` for none. */
  readonly rateLimit: RateLimit | null;
}

/** Configured gas prices; `null` to use the chain's or L1's. */
export interface GasPriceOptions {
  readonly l1GasPriceWei: bigint | null;
  readonly blobGasPriceWei: bigint | null;
  readonly strkPerEth: number | null;
}

/** Default prices of a node without L1, those of a development chain. */
export const DEFAULT_FIXED_PRICES = {
  l1GasPriceWei: 128n,
  blobGasPriceWei: 128n,
  strkPerEth: 1,
} as const satisfies { readonly [K in keyof GasPriceOptions]: NonNullable<GasPriceOptions[K]> };

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
  readonly given: { readonly [K in "count" | "seed" | "balance"]: string | null };
}

/** Options of a development chain. */
export interface DevnetOptions {
  /** `demand`: blocks are made on request only; `configured`: as the chain configuration says. */
  readonly blocks: "configured" | "demand";
  /** Whether transactions are acknowledged once received, not once executed. */
  readonly asyncSubmission: boolean;
  /** Forbidden methods, as on the wire; `null` for none. */
  readonly restrictedMethods: readonly string[] | null;
  /**
   * Timestamp of block 0 in Unix seconds, from which time continues; `null` for 0, with the system's clock
   * afterwards.
   */
  readonly startTime: number | null;
  /** Initial gas prices; an absent member uses the chain's price. */
  readonly gasPrices: GasPriceChange;
  /** `null` to disable dumps. */
  readonly dump: DumpOptions | null;
}

/** Options of dumps, which record the requests that built a development chain. */
export interface DumpOptions {
  /** Trigger of automatic dumps; `null` for none. A dump at {@link path} is loaded in any case. */
  readonly on: DumpOn | null;
  /** Absolute path; `null` only if dumps are made on request. */
  readonly path: string | null;
}

/** Retention of history, and memory for tries. */
export interface StorageOptions {
  /** Number of newest blocks whose tries are kept. */
  readonly keepProofs: number | "archive";
  /** Number of newest blocks whose state is kept, at least `MIN_KEPT_STATES`. */
  readonly pruneHistory: number | "archive";
  readonly trieCacheBytes: number;
}

/** Options of `startNode`: the command line and the chain configuration, typed. */
export interface NodeOptions {
  /** Version of the program. */
  readonly version: string;
  /** Commit that the program was built from; `null` if not known. */
  readonly commit: string | null;
  readonly name: string;
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
  /** File to write the chain id, addresses and development accounts to, as JSON for scripts. */
  readonly configOut: string | null;
  /** `null` if L1 is not followed. */
  readonly l1: L1Options | null;
  readonly gasPrices: GasPriceOptions;
  readonly chargeFee: boolean;
  /** Whether public addresses accept free transactions while the native fee token has no contract. */
  readonly allowBootstrap: boolean;
  /** Maximum memory of the cells of one transaction or call (the memory rule of #cairo). */
  readonly executionMemoryBytes: number;
  /**
   * Transfers that a sequencer executes after its start to warm up; 0 disables all work ahead of requests.
   */
  readonly warmUpTransfers: number;
  readonly storage: StorageOptions;
  /** Maximum Cairo steps of a call or simulated transaction; `null` for the chain's limit. */
  readonly maxSteps: number | null;
  /** Number of threads that validate submissions, at least 1. */
  readonly admissionThreads: number;
  /** Resident memory, in bytes, above which a class compiler process is killed. */
  readonly compilerMemoryBytes: number;
  /** Processor time per class, in milliseconds, after which a class compiler process is killed. */
  readonly compilerTimeoutMs: number;
  /** Scheduling priority of class compiler processes, 0 to 19. */
  readonly compilerNiceness: number;
  /** Time without progress after which the start of a thread fails, in milliseconds. */
  readonly startTimeoutMs: number;
  /** Time without progress after which a thread counts as stalled, in milliseconds. */
  readonly stallTimeoutMs: number;
  readonly devAccounts: DevAccountOptions | null;
  /** Development features: developer methods and their faucet; `null` to disable them. */
  readonly devnet: DevnetOptions | null;
  /** File with the key that signs blocks; `null` to keep it in the data folder. */
  readonly privateKeyFile: string | null;
  readonly rpc: RpcOptions;
  /** `null` to disable the metrics endpoint. */
  readonly metrics: MetricsOptions | null;
  /** Feeder gateway and gateway; `null` to disable them. */
  readonly gateway: GatewayOptions | null;
  /** Source that a full node or standby follows; `null` if the node produces blocks. */
  readonly follow: FollowOptions | null;
  /**
   * Time in which a follower stays ready without news of its source, or without the next block, in
   * milliseconds. It exceeds a stall and a takeover together.
   */
  readonly sourceGraceMs: number;
  /** `null` for a sequencer that does not share its chain, or a full node. */
  readonly replication: ReplicationOptions | null;
  /** Whether to produce blocks even if the clock is behind the newest one. */
  readonly trustClock: boolean;
  readonly log: { readonly level: LogLevel; readonly format: LogFormat };
  /** Aborted to stop the node. */
  readonly signal: AbortSignal;
}

/** A started node: `closed` resolves with the exit code once everything has stopped. */
export interface StartedNode {
  readonly closed: Promise<number>;
}
