import { resolve } from "node:path";
import {
  type ConfigNotice,
  type CorsOrigins,
  type DevAccountOptions,
  loadChainConfig,
  parseDurationMs,
  type LoadedChainConfig,
  type NodeOptions,
  type RpcOptions,
} from "#config/index.ts";
import { ConfigError } from "#errors/index.ts";
import type { CliContext } from "./command.ts";
import type { OptionValues } from "./option.ts";
import { NO_WORDS, type ParsedArguments, parseArguments } from "./parse-arguments.ts";
import { nodeOptions, sequencerOptions } from "./run-options.ts";
import { VERSION } from "./version.ts";

const LOCAL_HOST = "127.0.0.1";
const ANY_HOST = "0.0.0.0";
const MIB = 1024 * 1024;
const DEFAULT_DEV_ACCOUNTS = 10;

type Given = ParsedArguments<typeof sequencerOptions>;
type Options = OptionValues<typeof sequencerOptions>;

/** `appchain node` and the root form. */
export async function runNode(argv: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseArguments(nodeOptions, argv, context.environment, NO_WORDS);
  return run(parsed.options.sequencer ? "sequencer" : "full", parsed, context);
}

/** `appchain sequencer`. */
export async function runSequencer(argv: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseArguments(sequencerOptions, argv, context.environment, NO_WORDS);
  return run("sequencer", parsed, context);
}

async function run(role: NodeOptions["role"], given: Given, context: CliContext): Promise<number> {
  const loaded = await loadChainConfig({ ...sourceOf(given), overrides: overridesOf(given), role });
  const node = await context.startNode(toNodeOptions(role, given, loaded, context.signal));
  return node.closed;
}

/**
 * The configuration that was asked for. Of two, the one on the command line wins over the one in
 * the environment; two of one kind are left for the loader to refuse.
 */
function sourceOf({ options, given }: Given): { path?: string; preset?: string } {
  const { chainConfigPath: path, preset } = options;
  const pathFrom = given.get("chain-config-path");
  const presetFrom = given.get("preset");
  const onlyLine = pathFrom !== undefined && presetFrom !== undefined && pathFrom !== presetFrom;
  return {
    ...(path !== undefined && (!onlyLine || pathFrom === "line") ? { path } : {}),
    ...(preset !== undefined && (!onlyLine || presetFrom === "line") ? { preset } : {}),
  };
}

/** The overrides, after them those that have an option of their own. */
function overridesOf({ options }: Given): readonly string[] {
  const { chainConfigOverride, blockTime, l2GasPrice } = options;
  return [
    ...chainConfigOverride,
    ...(blockTime === null ? [] : fixedInterval(blockTime, chainConfigOverride)),
    ...(l2GasPrice === null ? [] : [`l2_gas_price={type: fixed, price: ${l2GasPrice}}`]),
  ];
}

function toNodeOptions(
  role: NodeOptions["role"],
  given: Given,
  loaded: LoadedChainConfig,
  signal: AbortSignal,
): NodeOptions {
  const { options } = given;
  const { config } = loaded;
  return {
    version: VERSION,
    name: options.name,
    role,
    basePath: resolve(options.basePath ?? `appchain-data/${config.chainId}`),
    chain: config,
    chainSource: loaded.source,
    notices: [...loaded.notices, ...noticesOf(given)],
    configOut: absolute(options.configOut),
    l1Endpoint: options.l1Endpoint,
    gasPrices: {
      l1GasPriceWei: options.l1GasPrice,
      blobGasPriceWei: options.blobGasPrice,
      strkPerEth: options.strkPerEth,
    },
    gasPricePollMs: options.gasPricePoll,
    chargeFee: !options.noChargeFee,
    devAccounts: devAccountsOf(given),
    privateKeyFile: absolute(options.privateKeyFile),
    rpc: rpcOf(options),
    metrics: listenOn(options.metricsPort, options.metricsExternal),
    gateway: listenOn(options.gatewayPort, options.gatewayExternal),
    gatewayUrl: options.gatewayUrl?.replace(/\/+$/, "") ?? null,
    syncStopAt: options.syncStopAt,
    log: { level: options.logLevel, format: options.logFormat },
    signal,
  };
}

/** Options that were given and have no effect in this version. */
function noticesOf({ given }: Given): readonly ConfigNotice[] {
  return Object.values(sequencerOptions)
    .filter(({ flag, notBuilt }) => notBuilt === true && given.has(flag))
    .map(({ flag }) => ({
      code: "OPTION_NOT_BUILT",
      message: `--${flag} has no effect: what it sets is not built yet`,
    }));
}

function rpcOf(options: Options): RpcOptions {
  if (options.rpcHost !== null && options.rpcExternal) {
    throw new ConfigError("wrong command line", [
      { path: "--rpc-host", line: 0, message: "give it or --rpc-external, not both" },
    ]);
  }
  const cors: CorsOrigins = options.rpcCors;
  return {
    host: options.rpcHost ?? (options.rpcExternal ? ANY_HOST : LOCAL_HOST),
    port: options.rpcPort,
    cors,
    maxConnections: options.rpcMaxConnections,
    maxRequestSizeBytes: options.rpcMaxRequestSize * MIB,
    maxResponseSizeBytes: options.rpcMaxResponseSize * MIB,
    maxBatch: options.rpcMaxBatch,
    maxSubscriptionsPerConnection: options.rpcMaxSubscriptions,
    adminTokenFile: absolute(options.rpcAdminTokenFile),
  };
}

function listenOn(port: number | null, external: boolean): NodeOptions["metrics"] {
  return port === null ? null : { host: external ? ANY_HOST : LOCAL_HOST, port };
}

/** Development accounts are for chains made for development: the preset, or asked for by number. */
function devAccountsOf({ options }: Given): DevAccountOptions | null {
  const count = options.devAccounts ?? (options.preset === "devnet" ? DEFAULT_DEV_ACCOUNTS : 0);
  return count === 0 ? null : { count, seed: options.devSeed, balance: options.devBalance };
}

function absolute(path: string | null): string | null {
  return path === null ? null : resolve(path);
}

/** The longest `pending_block_update_time` of a preset. */
const LONGEST_PRESET_UPDATE_MS = 2_000;

/** Overrides that make blocks at a fixed interval, empty ones too, whatever the preset does. */
function fixedInterval(blockTime: string, overrides: readonly string[]): string[] {
  const short = (parseDurationMs(blockTime) ?? 0) < LONGEST_PRESET_UPDATE_MS;
  const isGiven = overrides.some((text) => text.includes("pending_block_update_time"));
  return [
    `block_time=${blockTime}`,
    "blocks_on_demand=false",
    "no_empty_blocks=false",
    // The pending block can not be refreshed less often than blocks close.
    ...(short && !isGiven ? [`pending_block_update_time=${blockTime}`] : []),
  ];
}
