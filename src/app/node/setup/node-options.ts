import type { ConnectionLimits, DumpOn, MethodLimits, RateLimit } from "#api/rpc/index.ts";
import type { AllowedHosts, CorsPolicy } from "#base/primitives/index.ts";
import type { LogFormat, LogLevel } from "#base/telemetry/index.ts";
import type { ChainConfig, ConfigNotice } from "#protocol/config/index.ts";
import type { DevSeed, GasPriceChange } from "#services/sequencer/index.ts";
import type { FollowOptions } from "./follow.ts";
import type { L1Options } from "./l1-options.ts";
import type { ReplicationOptions } from "./replication.ts";

/** Where a server listens; port 0 takes a free one. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** The JSON-RPC server's settings. */
export interface RpcOptions extends ListenAddress {
  readonly cors: CorsPolicy;
  /** `null` to derive them from the address and `cors`. */
  readonly allowedHosts: AllowedHosts | null;
  readonly connections: ConnectionLimits;
  readonly maxRequestSizeBytes: number;
  readonly maxResponseSizeBytes: number;
  /** Calls per batch; 0 refuses batches. */
  readonly maxBatch: number;
  /** A query that runs longer is stopped, one that waits longer refused. */
  readonly timeoutMs: number;
  /** Calls of each address; `null`: no limit. */
  readonly rateLimit: RateLimit | null;
  readonly methods: MethodLimits;
  readonly maxSubscriptionsPerConnection: number;
  /** File that holds the token of the admin methods; `null`: they are off. */
  readonly adminTokenFile: string | null;
  /** On this machine only; 0 takes a free one. */
  readonly adminPort: number;
}

/** The metrics endpoint. */
export interface MetricsOptions extends ListenAddress {
  /** No option asks for the endpoint: the node starts without it if its port is taken, as by another node. */
  readonly isOptional: boolean;
}

/** The feeder gateway's and gateway's settings. */
export interface GatewayOptions extends ListenAddress {
  /** Requests of each address; `null`: no limit. */
  readonly rateLimit: RateLimit | null;
}

/** Prices given on the command line; `null` where the chain or L1 decides. */
export interface GasPriceOptions {
  readonly l1GasPriceWei: bigint | null;
  readonly blobGasPriceWei: bigint | null;
  readonly strkPerEth: number | null;
}

/** Prices of a node that has no L1 and was given none: a development chain's. */
export const DEFAULT_FIXED_PRICES = {
  l1GasPriceWei: 128n,
  blobGasPriceWei: 128n,
  strkPerEth: 1,
} as const satisfies { readonly [K in keyof GasPriceOptions]: NonNullable<GasPriceOptions[K]> };

/** Funded accounts of a development chain, the same for the same seed. */
export interface DevAccountOptions {
  readonly count: number;
  readonly seed: DevSeed;
  /** Of each token, in fri and wei. */
  readonly balance: bigint;
  /**
   * The options that were given, as messages call them; `null` for defaults. A chain that exists
   * has what it was made with: a default gives way to it, an option that says otherwise is refused.
   */
  readonly given: { readonly [K in "count" | "seed" | "balance"]: string | null };
}

/** How a development chain behaves. */
export interface DevnetOptions {
  /** `demand`: blocks are made on request only; else as the chain configuration says. */
  readonly blocks: "configured" | "demand";
  /** Transactions are answered once they are received, and not once they are executed. */
  readonly asyncSubmission: boolean;
  /** Methods that are forbidden, as on the wire; `null`: none. */
  readonly restrictedMethods: readonly string[] | null;
  /** Timestamp of block 0 in Unix seconds, from which time goes on; `null`: 0, and the system's clock. */
  readonly startTime: number | null;
  /** Gas prices until others are set; an absent member has the chain's price. */
  readonly gasPrices: GasPriceChange;
  /** `null`: no dumps are made. */
  readonly dump: DumpOptions | null;
}

/** When the requests that made a development chain are written, and where. */
export interface DumpOptions {
  /** `null`: never; a dump at {@link path} is loaded all the same. */
  readonly on: DumpOn | null;
  /** Absolute; `null` only where dumps are made on request. */
  readonly path: string | null;
}

/** What is kept of the past, and how much memory goes to its tries. */
export interface StorageOptions {
  /** Newest blocks whose tries are kept. */
  readonly keepProofs: number | "archive";
  /** Newest blocks whose state is kept, at least `MIN_KEPT_STATES`. */
  readonly pruneHistory: number | "archive";
  readonly trieCacheBytes: number;
}

/** Everything that `startNode` needs: the command line and the chain configuration, typed. */
export interface NodeOptions {
  /** Version of the program. */
  readonly version: string;
  readonly name: string;
  readonly role: "sequencer" | "full";
  /** Absolute path of the data folder; of an ephemeral node the folder that one is made in. */
  readonly basePath: string;
  /** The data folder is a temporary one that goes with the node. */
  readonly ephemeral: boolean;
  /** Delete the chain in the data folder first. */
  readonly reset: boolean;
  /** Begin a new chain where the chain database is missing and other files of a chain are left. */
  readonly newChain: boolean;
  readonly chain: ChainConfig;
  /** How messages call the configuration: a file or `preset NAME`. */
  readonly chainSource: string;
  /** To be logged at start. */
  readonly notices: readonly ConfigNotice[];
  /** File to write the chain id, addresses and development accounts to, as JSON for scripts. */
  readonly configOut: string | null;
  /** `null`: L1 is not followed. */
  readonly l1: L1Options | null;
  readonly gasPrices: GasPriceOptions;
  readonly chargeFee: boolean;
  /** Free transactions are taken on public addresses, too, while the native fee token has no contract. */
  readonly allowBootstrap: boolean;
  /** What one transaction or call may take for its cells (the memory rule of #cairo). */
  readonly executionMemoryBytes: number;
  /**
   * Transfers that a sequencer makes for itself after its start; 0: none, and the node does no other work ahead of
   * requests.
   */
  readonly warmUpTransfers: number;
  readonly storage: StorageOptions;
  /** Cairo steps of a call or simulated transaction; `null` for the chain's limit. */
  readonly maxSteps: number | null;
  /** Threads that validate submissions, from 1 on. */
  readonly admissionThreads: number;
  /** Resident memory above which a process that compiles a class is killed. */
  readonly compilerMemoryBytes: number;
  /** Processor time of a class after which the process that compiles it is killed. */
  readonly compilerTimeoutMs: number;
  /** Priority of a process that compiles a class, 0 to 19. */
  readonly compilerNiceness: number;
  /** Time without progress after which the start of a thread fails. */
  readonly startTimeoutMs: number;
  /** Time without progress after which a thread counts as stalled. */
  readonly stallTimeoutMs: number;
  readonly devAccounts: DevAccountOptions | null;
  /** The development features: methods for developers and their faucet; `null`: off. */
  readonly devnet: DevnetOptions | null;
  /** File with the key that signs blocks; `null`: kept in the data folder. */
  readonly privateKeyFile: string | null;
  readonly rpc: RpcOptions;
  /** `null`: no metrics endpoint. */
  readonly metrics: MetricsOptions | null;
  /** The feeder gateway and gateway; `null`: off. */
  readonly gateway: GatewayOptions | null;
  /** What a full node or a standby follows, and how; `null`: the node makes blocks. */
  readonly follow: FollowOptions | null;
  /**
   * How long a node that follows stays ready without news of its source, or without the next block;
   * milliseconds, above a stall and a takeover together.
   */
  readonly sourceGraceMs: number;
  /** `null`: the sequencer stands alone, or the node is a full node. */
  readonly replication: ReplicationOptions | null;
  /** Blocks are made also where the clock is behind the newest one. */
  readonly trustClock: boolean;
  readonly log: { readonly level: LogLevel; readonly format: LogFormat };
  /** Aborted when the node shall stop. */
  readonly signal: AbortSignal;
}

/** A started node: `closed` settles with the exit code once everything has stopped. */
export interface StartedNode {
  readonly closed: Promise<number>;
}
