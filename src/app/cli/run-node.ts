import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { loadChainConfig, type LoadedChainConfig } from "#protocol/config/index.ts";
import type { ListenAddress, NodeOptions, RpcOptions } from "#app/node/index.ts";
import { blockGenerationSettings } from "./block-generation.ts";
import type { CliContext } from "./command.ts";
import { configChangesOf, configSourceOf } from "./config-source.ts";
import { executionMemoryBytes } from "./execution-memory.ts";
import { chainIdSettings } from "./devnet-options.ts";
import { notBoth, wrongCommandLine, wrongOption } from "./given.ts";
import { NO_WORDS, type ParsedArguments, parseArguments } from "./parse-arguments.ts";
import { l1Of } from "./l1-options.ts";
import { roleOptionsOf } from "./role-options.ts";
import { nodeOptions, sequencerOptions } from "./run-options.ts";
import { storageOf } from "./storage-options.ts";
import { VERSION } from "./version.ts";
import { programCommit } from "./version/commit.ts";
import { shortCommit } from "./version/version-text.ts";

const LOCAL_HOST = "127.0.0.1";
const ANY_HOST = "0.0.0.0";
const MIB = 1024 * 1024;

type Given = ParsedArguments<typeof sequencerOptions>;

/** `appchain node` and the root form. */
export async function runNode(argv: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseArguments(nodeOptions, argv, context.environment, NO_WORDS);
  return run(parsed.options.sequencer ? "sequencer" : "full", parsed, context);
}

/** `appchain sequencer`. */
export async function runSequencer(argv: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseArguments(sequencerOptions, argv, context.environment, NO_WORDS);
  if (parsed.given.get("sequencer") === "line" && !parsed.options.sequencer) {
    throw wrongCommandLine("--sequencer", "cannot be false for the command sequencer");
  }
  return run("sequencer", parsed, context);
}

async function run(role: NodeOptions["role"], given: Given, context: CliContext): Promise<number> {
  const changes = configChangesOf(given);
  const source = configSourceOf(given);
  const loaded = await loadChainConfig({
    ...source,
    ...changes,
    settings: [
      ...(changes.settings ?? []),
      ...blockGenerationSettings(given),
      ...chainIdSettings(given, source.preset === "devnet"),
    ],
    role,
  });
  const node = await context.startNode(toNodeOptions(role, given, loaded, context.signal));
  return node.closed;
}

function toNodeOptions(
  role: NodeOptions["role"],
  given: Given,
  loaded: LoadedChainConfig,
  signal: AbortSignal,
): NodeOptions {
  const { options } = given;
  const ofRole = roleOptionsOf(role, given, loaded);
  return {
    version: VERSION,
    commit: commitOfProgram(),
    name: options.name,
    ...ofRole,
    ...dataFolderOf(given, ofRole.chain.chainId),
    chainSource: loaded.source,
    notices: [...loaded.notices, ...ofRole.notices],
    configOut: absolute(options.configOut),
    l1: l1Of(given, ofRole.chain),
    chargeFee: !options.noChargeFee,
    allowBootstrap: options.allowBootstrap,
    executionMemoryBytes: executionMemoryBytes(options.executionMemory),
    warmUpTransfers: options.warmUpTransfers,
    storage: storageOf(options),
    sourceGraceMs: options.sourceGrace,
    maxSteps: options.maxSteps,
    admissionThreads: options.admissionThreads,
    compilerMemoryBytes: options.compilerMemory * MIB,
    compilerTimeoutMs: options.compilerTimeout,
    compilerNiceness: options.compilerNice,
    startTimeoutMs: options.startTimeout,
    stallTimeoutMs: options.stallTimeout,
    privateKeyFile: absolute(options.privateKeyFile),
    rpc: rpcOf(given),
    metrics: metricsOf(given, ofRole.devnet !== null),
    gateway: gatewayOf(given),
    log: { level: options.logLevel, format: options.logFormat },
    signal,
  };
}

/** If one is on the command line and one in the environment, the command line wins. */
function dataFolderOf(
  { options, given }: Given,
  chainId: string,
): Pick<NodeOptions, "basePath" | "ephemeral" | "reset" | "newChain"> {
  const { basePath, ephemeral, reset, newChain } = options;
  if (reset && newChain) throw notBoth(given, "reset", "new-chain");
  const isOverruled = basePath !== null && given.get("base-path") === "line";
  if (ephemeral && basePath !== null && given.get("ephemeral") === given.get("base-path")) {
    throw notBoth(given, "ephemeral", "base-path");
  }
  return ephemeral && !isOverruled
    ? { basePath: tmpdir(), ephemeral, reset: false, newChain: false }
    : {
        basePath: resolve(basePath ?? `appchain-data/${chainId}`),
        ephemeral: false,
        reset,
        newChain,
      };
}

function rpcOf({ options, given }: Given): RpcOptions {
  if (options.rpcHost !== null && options.rpcExternal) {
    throw notBoth(given, "rpc-host", "rpc-external");
  }
  return {
    host:
      options.rpcHost?.replace(/^\[(.*)\]$/, "$1") ?? (options.rpcExternal ? ANY_HOST : LOCAL_HOST),
    port: options.rpcPort,
    cors: options.rpcCors,
    allowedHosts: options.rpcAllowedHosts,
    connections: {
      max: options.rpcMaxConnections,
      maxPerAddress: options.rpcMaxConnectionsPerAddress ?? Infinity,
    },
    maxRequestSizeBytes: options.rpcMaxRequestSize * MIB,
    maxResponseSizeBytes: options.rpcMaxResponseSize * MIB,
    maxBatch: options.rpcMaxBatch,
    timeoutMs: options.rpcTimeout,
    rateLimit: rateLimitOf({ options, given }),
    methods: {
      maxEventsChunk: options.rpcMaxEventsChunk,
      maxEventKeys: options.rpcMaxEventKeys,
      maxTransactions: options.rpcMaxTransactions,
      maxProofKeys: options.rpcMaxProofKeys,
    },
    maxSubscriptionsPerConnection: options.rpcMaxSubscriptions,
    adminTokenFile: absolute(options.rpcAdminTokenFile),
    adminPort: options.rpcAdminPort,
  };
}

function gatewayOf({ options }: Given): NodeOptions["gateway"] {
  const { gatewayRateLimit: perSecond } = options;
  const address = listenOn(options.gatewayPort, options.gatewayExternal);
  const burst = perSecond * BURST_SECONDS;
  return address && { ...address, rateLimit: perSecond === 0 ? null : { perSecond, burst } };
}

/** Burst size, in seconds at the full rate. */
const BURST_SECONDS = 5;

function rateLimitOf({
  options,
  given,
}: Pick<Given, "options" | "given">): RpcOptions["rateLimit"] {
  const { rpcRateLimit: perSecond, rpcRateBurst: burst } = options;
  if (perSecond > 0) return { perSecond, burst: burst ?? perSecond * BURST_SECONDS };
  if (burst === null) return null;
  throw wrongOption(given, "rpc-rate-burst", "has no effect without --rpc-rate-limit: set both");
}

function metricsOf({ options, given }: Given, isDevnet: boolean): NodeOptions["metrics"] {
  const address = listenOn(options.metricsPort, options.metricsExternal);
  return address && { ...address, isOptional: isDevnet && !given.has("metrics-port") };
}

function listenOn(port: number | null, external: boolean): ListenAddress | null {
  return port === null ? null : { host: external ? ANY_HOST : LOCAL_HOST, port };
}

function absolute(path: string | null): string | null {
  return path === null ? null : resolve(path);
}

/** Commit of the program, for people; `null` if unknown. */
function commitOfProgram(): string | null {
  const commit = programCommit();
  return commit === undefined ? null : shortCommit(commit);
}
