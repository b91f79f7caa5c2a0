import { loggable, type Logger } from "#base/telemetry/index.ts";
import type { L1Prices } from "#services/sequencer/index.ts";

/** Logs the configured L1 prices, and that L1 is not followed. */
export function logFixedL1({ l1GasWei, l1DataGasWei }: L1Prices, log: Logger): void {
  log.info("L1 gas price (fixed)", { gas_wei: l1GasWei, data_gas_wei: l1DataGasWei });
  log.info("L1 subscription: off");
}

/** Logs that blocks use the newest block's prices until L1 reports some. */
export function logOldPrices(finding: string, log: Logger): void {
  log.warn("L1 reports no prices: blocks use those of the newest block until it does", {
    reason: loggable(finding),
  });
}
