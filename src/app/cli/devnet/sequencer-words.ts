import { DEFAULT_METHODS } from "#app/options/index.ts";
import { notBoth, wrongOption } from "../option-errors.ts";
import type { ParsedArguments } from "../parse-arguments.ts";
import { devnetCommandOptions } from "./options.ts";

type Parsed = ParsedArguments<typeof devnetCommandOptions>;

const RESTRICTIVE = "--restrictive-mode";

/**
 * Joins the values of `--restrictive-mode`, which takes any number of words in starknet-devnet, into one
 * word.
 */
export function joinedMethods(argv: readonly string[]): readonly string[] {
  const at = argv.indexOf(RESTRICTIVE);
  if (at === -1) return argv;
  const rest = argv.slice(at + 1);
  const next = rest.findIndex((word) => word.startsWith("-"));
  const methods = next === -1 ? rest : rest.slice(0, next);
  const value = methods.length === 0 ? DEFAULT_METHODS : methods.join(",");
  return [...argv.slice(0, at), `${RESTRICTIVE}=${value}`, ...rest.slice(methods.length)];
}

/**
 * Translates a command line of starknet-devnet to the one of `sequencer`, for an ephemeral chain of the
 * preset devnet.
 *
 * @param seed - seed of the accounts, if there are any
 * @throws {ConfigError} for unsupported options
 */
export function sequencerWords(
  { options, sources }: Parsed,
  seed: number | bigint,
): readonly string[] {
  if (options.predeclareArgent) {
    throw wrongOption(
      sources,
      "predeclare-argent",
      "the program does not include Argent's classes: get their files and declare them with --predeclare-class PATH",
    );
  }
  if (options.accountClassCustom !== null && sources.has("account-class")) {
    throw notBoth(sources, "account-class", "account-class-custom");
  }
  const valued: Readonly<Record<string, string | number | bigint | null>> = {
    "rpc-host": options.host,
    "rpc-port": options.port,
    "rpc-timeout": `${options.timeout}s`,
    "fork-network": options.forkNetwork,
    "fork-block": options.forkBlock,
    // As in starknet-devnet, a fork has the chain id of its network.
    "chain-id": options.forkNetwork === null || sources.has("chain-id") ? options.chainId : null,
    "dev-accounts": options.accounts,
    "dev-balance": options.accounts === 0 ? null : options.initialBalance,
    seed: options.accounts === 0 ? null : seed,
    "account-class": options.accountClassCustom,
    "predeclare-class": options.predeclareClass,
    "system-classes": options.systemClasses,
    "start-time": options.startTime,
    "block-generation-on": options.blockGenerationOn,
    "dump-on": options.dumpOn,
    "dump-path": options.dumpPath,
    "gas-price-wei": options.gasPriceWei ?? options.gasPrice,
    "gas-price-fri": options.gasPriceFri,
    "data-gas-price-wei": options.dataGasPriceWei ?? options.dataGasPrice,
    "data-gas-price-fri": options.dataGasPriceFri,
    "l2-gas-price-wei": options.l2GasPriceWei ?? options.l2GasPrice,
    "l2-gas-price-fri": options.l2GasPriceFri,
    "metrics-port": options.metricsHost === null ? "off" : options.metricsPort,
    "restrictive-mode": methodsOf(options.restrictiveMode),
  };
  const switches = [
    "--ephemeral",
    ...(options.liteMode ? ["--lite-mode"] : []),
    ...(options.metricsHost === "0.0.0.0" ? ["--metrics-external"] : []),
  ];
  const words = Object.entries(valued).flatMap(([flag, value]) =>
    value === null ? [] : [`--${flag}=${value}`],
  );
  return ["--preset=devnet", ...switches, ...words];
}

function methodsOf(methods: Parsed["options"]["restrictiveMode"]): string | null {
  return methods === null || methods === DEFAULT_METHODS ? methods : methods.join(",");
}
