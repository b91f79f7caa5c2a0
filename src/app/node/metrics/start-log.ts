import { LOCAL_ORIGINS, shownAddress } from "#base/primitives/index.ts";
import { loggable, type Logger } from "#base/telemetry/index.ts";
import type { L1Error } from "#base/errors/index.ts";
import type { L1Finality } from "#io/l1/index.ts";
import { storeName } from "#io/objects/index.ts";
import type { L1Prices } from "#services/sequencer/index.ts";
import { OLDEST_EXECUTED_VERSION } from "#services/sync/index.ts";
import type { FollowOptions } from "../setup/follow.ts";
import type { NodeSetup } from "../setup/setup.ts";
import type { NodeOptions, RpcOptions } from "../setup/node-options.ts";

/** Notices about something dangerous. */
const DANGEROUS: ReadonlySet<string> = new Set([
  "SEQUENCER_ADDRESS_REPLACED",
  "PUBLIC_CORE_CONTRACT",
]);

/** Logs what the operator should know of the options, loudly where it is dangerous. */
export function logNotices({ notices }: Pick<NodeOptions, "notices">, log: Logger): void {
  for (const { code, message } of notices) {
    if (DANGEROUS.has(code)) log.warn(message);
    else log.info(message);
  }
}

/** Says which node of which chain this is, and what is to be known about its configuration. */
export function logIdentity(options: NodeOptions, log: Logger): void {
  const { chain, name, version } = options;
  log.info(`appchain ${version}`);
  log.info("node", { name });
  log.info(`role: ${options.role === "full" ? "full node" : "sequencer"}`);
  log.info(`network: ${chain.chainName} (chain id ${chain.chainId})`, {
    protocol: chain.latestProtocolVersion,
    configuration: options.chainSource,
  });
  logNotices(options, log);
}

/** Says at which block the chain goes on: it is made here, or followed. */
export function logBegin(
  { follow }: Pick<NodeSetup, "follow">,
  { nextBlock }: { readonly nextBlock: number },
  log: Logger,
): void {
  const what = follow === null ? "block production" : "sync";
  log.info(`${what} starts at block ${nextBlock}`, follow === null ? undefined : from(follow));
  if (follow?.verify !== "execution") return;
  log.info("blocks are executed again before they are stored, those of older protocols excepted", {
    from: OLDEST_EXECUTED_VERSION,
  });
}

/** Says what L1 costs by the command line, and that it is not followed. */
export function logFixedL1({ l1GasWei, l1DataGasWei }: L1Prices, log: Logger): void {
  log.info("L1 gas price (fixed)", { gas_wei: l1GasWei, data_gas_wei: l1DataGasWei });
  log.info("L1 subscription: off");
}

/** Says that L1 is asked. @param takesPrices - for its prices, too */
export function logL1Fetch(takesPrices: boolean, log: Logger): void {
  log.info(takesPrices ? "fetching the initial L1 gas prices" : "asking L1 for its chain");
}

/** Says what L1 costs by itself, and the oracle. */
export function logL1Prices({ l1GasWei, l1DataGasWei, friPerWei }: L1Prices, log: Logger): void {
  log.info("L1 gas price", {
    gas_wei: l1GasWei,
    data_gas_wei: l1DataGasWei,
    strk_per_eth: Number(friPerWei.numerator) / Number(friPerWei.denominator),
  });
}

/** Says that nobody tells the exchange rate. */
export function logRateNotTold(log: Logger): void {
  log.warn(
    "the exchange rate is 1 STRK per ETH: give --strk-per-eth, or an oracle with --oracle-url",
  );
}

/** Says that L1 gives no answer at the start, which does not stop the chain. */
export function logNoL1(error: L1Error, log: Logger): void {
  log.warn("L1 gives no answer: it is asked again and again", { reason: loggable(error.message) });
}

/** Says that blocks have the prices of the newest one until L1 tells some. */
export function logOldPrices(finding: string, log: Logger): void {
  log.warn("L1 tells no prices: blocks have those of the newest one until it does", {
    reason: loggable(finding),
  });
}

/** What of L1 the log names. */
export interface L1Subscription {
  readonly endpoints: readonly string[];
  readonly finality: L1Finality;
  /** Of the core contract. */
  readonly address: bigint;
  /** Of L1; `undefined`: not known yet. */
  readonly chainId: number | undefined;
}

/** Says what of L1 is followed from now on. */
export function logL1Subscription(l1: L1Subscription, log: Logger): void {
  log.info("subscribed to L1 state verification", {
    core_contract: `0x${l1.address.toString(16).padStart(40, "0")}`,
    l1_chain_id: l1.chainId ?? "unknown",
    finality: l1.finality,
    endpoints: l1.endpoints.length,
  });
}

/** The origins that browsers may call from, as the log names them. */
export function originsText({ cors }: Pick<RpcOptions, "cors">): string {
  if (cors === "all") return "*";
  return (cors === "local" ? LOCAL_ORIGINS : cors).join(",");
}

/** Where blocks come from. */
function from({ store, gateways }: FollowOptions): Readonly<Record<string, string>> {
  if (store === null) {
    return { gateways: gateways.map(({ feeder }) => shownAddress(feeder)).join(",") };
  }
  return { store: storeName(store) };
}
