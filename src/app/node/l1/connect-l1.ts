import type { Timer } from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import { createL1Source, createPriceOracle, L1_LIMITS } from "#io/l1/index.ts";
import { type FixedPrices, PriceWatch } from "#services/l1-watch/index.ts";
import type { L1Report } from "./reports/l1-report.ts";
import { logL1Fetch, logL1Subscription, logMissingRateSource } from "./reports/l1-start-log.ts";
import { fixedL1Prices } from "../setup/l1-prices.ts";
import type { L1Options } from "../setup/l1-options.ts";
import type { GasPriceOptions, NodeOptions } from "../setup/node-options.ts";
import type { L1Connection } from "./l1-connection.ts";
import { OpenedL1 } from "./opened-l1.ts";
import { readOracleKey } from "./oracle-key.ts";

/** Dependencies of {@link connectL1}. */
export interface ConnectDeps {
  readonly report: L1Report;
  readonly log: Logger;
  readonly timer: Timer;
}

/** Options of a node that follows L1. */
export type L1NodeOptions = Pick<NodeOptions, "chain" | "gasPrices" | "role" | "signal"> & {
  readonly l1: L1Options;
};

/** As {@link openL1}, for a node that follows L1. Loaded lazily. */
export async function connectL1(
  options: L1NodeOptions,
  { report, log, timer }: ConnectDeps,
  disposables: AsyncDisposableStack,
): Promise<L1Connection> {
  const { l1, chain, gasPrices, role } = options;
  const ended = new AbortController();
  const { signal } = ended;
  const fixed = fixedPrices(options);
  const apiKey = apiKeyOf(l1);
  const source = createL1Source({
    endpoints: l1.endpoints,
    coreContractAddress: chain.ethCoreContractAddress,
    chainId: undefined,
    limits: L1_LIMITS,
    timer,
    signal,
    onEndpoint: (name, state, reason) => report.endpoint(name, state, reason),
    onNoFeeHistory: (name, reason) => report.noFeeHistory(name, reason),
  });
  const prices =
    role === "full"
      ? null
      : new PriceWatch({
          source,
          oracle:
            l1.oracle === null
              ? null
              : createPriceOracle({ url: l1.oracle.url, apiKey, timer, signal }),
          fixed,
          needsDataGas: chain.l1DaMode === "BLOB",
          pollMs: l1.gasPricePollMs,
          timer,
          onPrices: (newPrices) => connection.setPrices(newPrices),
          onEvent: (event) => report.price(event),
        });
  const connection: OpenedL1 = new OpenedL1({
    source,
    prices,
    fixed,
    finality: l1.finality,
    acceptedDivergences: l1.acceptedDivergences,
    config: chain,
    report,
    log,
    timer,
  });
  disposables.defer(async () => {
    ended.abort();
    await connection.end();
    report.flush();
  });
  logL1Fetch(prices !== null, log);
  await connection.look(options.signal);
  const isRateMissing = l1.oracle === null && gasPrices.strkPerEth === null;
  if (prices !== null && isRateMissing) logMissingRateSource(log);
  logL1Subscription(
    { ...l1, address: chain.ethCoreContractAddress, chainId: connection.chainId },
    log,
  );
  return connection;
}

/** Prices that are not queried from L1: explicit options, and without an oracle the exchange rate. */
function fixedPrices({ gasPrices, l1 }: Pick<L1NodeOptions, "gasPrices" | "l1">): FixedPrices {
  const { l1GasWei, l1DataGasWei, friPerWei } = fixedL1Prices(gasPrices);
  const isFixed = (name: keyof GasPriceOptions): boolean => gasPrices[name] !== null;
  return {
    ...(isFixed("l1GasPriceWei") ? { l1GasWei } : {}),
    ...(isFixed("blobGasPriceWei") ? { l1DataGasWei } : {}),
    ...(isFixed("strkPerEth") || l1.oracle === null ? { friPerWei } : {}),
  };
}

function apiKeyOf({ oracle }: L1Options): string | undefined {
  if (oracle === null || oracle.apiKeyFile === null) return undefined;
  return readOracleKey(oracle.apiKeyFile);
}
