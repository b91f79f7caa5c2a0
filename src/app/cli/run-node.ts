import { tmpdir } from "node:os";
import { resolve } from "node:path";
import type { ListenAddress, NodeOptions, RpcOptions } from "#app/node/index.ts";
import { nodeOptions, sequencerOptions, settingOptions, settingsOf } from "#app/options/index.ts";
import { loadChainConfig, type LoadedChainConfig } from "#protocol/config/index.ts";
import type { CliContext } from "./command.ts";
import { configChangesOf, configSourceOf } from "./config-source.ts";
import { checkConfigOptions } from "./devnet-options.ts";
import { forkFolderName } from "./fork-options.ts";
import { notBoth, wrongCommandLine, wrongOption } from "./option-errors.ts";
import type { SourcedOptions } from "./sourced-options.ts";
import { l1Of } from "./l1-options.ts";
import { NO_WORDS, parseArguments } from "./parse-arguments.ts";
import { roleOptionsOf } from "./role-options.ts";
import { VERSION } from "./version.ts";
import { programCommit } from "./version/commit.ts";
import { shortCommit } from "./version/version-text.ts";

const LOCAL_HOST = "127.0.0.1";
const ANY_HOST = "0.0.0.0";

/** Implements `appchain node` and the root form. */
export async function runNode(argv: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseArguments(nodeOptions, argv, context.environment, NO_WORDS);
  return run(parsed.options.sequencer ? "sequencer" : "full", parsed, context);
}

/** Implements `appchain sequencer`. */
export async function runSequencer(argv: readonly string[], context: CliContext): Promise<number> {
  const parsed = parseArguments(sequencerOptions, argv, context.environment, NO_WORDS);
  if (parsed.sources.get("sequencer") === "line" && !parsed.options.sequencer) {
    throw wrongCommandLine("--sequencer", "cannot be false for the command sequencer");
  }
  return run("sequencer", parsed, context);
}

async function run(
  role: NodeOptions["role"],
  values: SourcedOptions,
  context: CliContext,
): Promise<number> {
  const source = configSourceOf(values);
  checkConfigOptions(values, source.preset === "devnet");
  const loaded = await loadChainConfig({
    ...source,
    ...configChangesOf(nodeOptions, values),
    role,
  });
  const node = await context.startNode(toNodeOptions(role, values, loaded, context.signal));
  return node.closed;
}

/** Takes the settings as they are, and combines the options of the parts that need it. */
function toNodeOptions(
  role: NodeOptions["role"],
  values: SourcedOptions,
  loaded: LoadedChainConfig,
  signal: AbortSignal,
): NodeOptions {
  const ofRole = roleOptionsOf(role, values, loaded);
  return {
    ...settingsOf(settingOptions, values.options),
    ...ofRole,
    version: VERSION,
    commit: commitOfProgram,
    ...dataFolderOf(
      values,
      ofRole.fork === null ? ofRole.chain.chainId : forkFolderName(ofRole.fork),
    ),
    chainSource: loaded.source,
    notices: [...loaded.notices, ...ofRole.notices],
    l1: l1Of(values, ofRole.chain),
    rpc: rpcOf(values),
    metrics: metricsOf(values, ofRole.devnet !== null),
    gateway: gatewayOf(values),
    explorer: explorerOf(values, ofRole.devnet !== null),
    signal,
  };
}

/** If one is on the command line and one in the environment, the command line wins. */
function dataFolderOf(
  { options, sources }: SourcedOptions<"basePath" | "ephemeral" | "reset" | "newChain">,
  defaultName: string,
): Pick<NodeOptions, "basePath" | "ephemeral" | "reset" | "newChain"> {
  const { basePath, ephemeral, reset, newChain } = options;
  if (reset && newChain) throw notBoth(sources, "reset", "new-chain");
  const isOverruled = basePath !== null && sources.get("base-path") === "line";
  if (ephemeral && basePath !== null && sources.get("ephemeral") === sources.get("base-path")) {
    throw notBoth(sources, "ephemeral", "base-path");
  }
  return ephemeral && !isOverruled
    ? { basePath: tmpdir(), ephemeral, reset: false, newChain: false }
    : {
        basePath: resolve(basePath ?? `appchain-data/${defaultName}`),
        ephemeral: false,
        reset,
        newChain,
      };
}

function rpcOf({ options, sources }: SourcedOptions<"rpc">): RpcOptions {
  const { host, isExternal, rateLimit, ...settings } = options.rpc;
  if (host !== null && isExternal) throw notBoth(sources, "rpc-host", "rpc-external");
  return {
    ...settings,
    host: host?.replace(/^\[(.*)\]$/, "$1") ?? hostOf(isExternal),
    rateLimit: rateLimitOf(rateLimit, sources),
  };
}

function gatewayOf({ options }: SourcedOptions<"gateway">): NodeOptions["gateway"] {
  const { port, isExternal, ratePerSecond: perSecond, ...settings } = options.gateway;
  const burst = perSecond * BURST_SECONDS;
  const rateLimit = perSecond === 0 ? null : { perSecond, burst };
  return port === null ? null : { ...settings, ...listenOn(port, isExternal), rateLimit };
}

/** Burst size, in seconds at the full rate. */
const BURST_SECONDS = 5;

function rateLimitOf(
  { perSecond, burst }: SourcedOptions["options"]["rpc"]["rateLimit"],
  sources: SourcedOptions["sources"],
): RpcOptions["rateLimit"] {
  if (perSecond > 0) return { perSecond, burst: burst ?? perSecond * BURST_SECONDS };
  if (burst === null) return null;
  throw wrongOption(sources, "rpc-rate-burst", "has no effect without --rpc-rate-limit: set both");
}

function metricsOf(
  { options, sources }: SourcedOptions<"metrics">,
  isDevnet: boolean,
): NodeOptions["metrics"] {
  const { port, isExternal, ...settings } = options.metrics;
  const isOptional = isDevnet && !sources.has("metrics-port");
  return port === null ? null : { ...settings, ...listenOn(port, isExternal), isOptional };
}

/** On by default for a development chain alone: the index takes disk space, which other nodes spend only on request. */
function explorerOf({ options }: SourcedOptions<"explorer">, isDevnet: boolean): boolean {
  return options.explorer === null ? isDevnet : options.explorer === "on";
}

function listenOn(port: number, isExternal: boolean): ListenAddress {
  return { host: hostOf(isExternal), port };
}

function hostOf(isExternal: boolean): string {
  return isExternal ? ANY_HOST : LOCAL_HOST;
}

/** Formats the commit of the program for people; `null` if unknown. */
function commitOfProgram(): string | null {
  const commit = programCommit();
  return commit === undefined ? null : shortCommit(commit);
}
