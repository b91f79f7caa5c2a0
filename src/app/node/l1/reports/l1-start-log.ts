import type { L1Error } from "#base/errors/index.ts";
import { loggable, type Logger } from "#base/telemetry/index.ts";
import type { L1Finality } from "#io/l1/index.ts";
import type { L1Prices } from "#services/sequencer/index.ts";

/** Logs that L1 is queried. @param takesPrices - whether for prices, too */
export function logL1Fetch(takesPrices: boolean, log: Logger): void {
  log.info(takesPrices ? "fetching the initial L1 gas prices" : "asking L1 for its chain");
}

/** Logs the prices reported by L1 and the oracle. */
export function logL1Prices({ l1GasWei, l1DataGasWei, friPerWei }: L1Prices, log: Logger): void {
  log.info("L1 gas price", {
    gas_wei: l1GasWei,
    data_gas_wei: l1DataGasWei,
    strk_per_eth: Number(friPerWei.numerator) / Number(friPerWei.denominator),
  });
}

/** Logs that the exchange rate has no source. */
export function logMissingRateSource(log: Logger): void {
  log.warn(
    "the exchange rate is 1 STRK per ETH: set --strk-per-eth, or an oracle with --oracle-url",
  );
}

/** Logs that L1 does not respond at the start, which does not stop the chain. */
export function logNoL1(error: L1Error, log: Logger): void {
  log.warn("L1 does not respond: retrying", { reason: loggable(error.message) });
}

/** Properties of following L1 for the log. */
export interface L1Subscription {
  readonly endpoints: readonly string[];
  readonly finality: L1Finality;
  /** Address of the core contract. */
  readonly address: bigint;
  /** Chain id of L1; `undefined` if not known yet. */
  readonly chainId: number | undefined;
}

/** Logs that L1 is followed, and how. */
export function logL1Subscription(l1: L1Subscription, log: Logger): void {
  log.info("subscribed to L1 state verification", {
    core_contract: `0x${l1.address.toString(16).padStart(40, "0")}`,
    l1_chain_id: l1.chainId ?? "unknown",
    finality: l1.finality,
    endpoints: l1.endpoints.length,
  });
}
