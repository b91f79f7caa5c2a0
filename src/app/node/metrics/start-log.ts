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
import { screenLog } from "../setup/start-screen.ts";

/** Codes of notices that are logged as warnings. */
const DANGEROUS: ReadonlySet<string> = new Set([
  "SEQUENCER_ADDRESS_REPLACED",
  "PUBLIC_CORE_CONTRACT",
]);

/** Logs notices about the options, dangerous ones as warnings. */
export function logNotices({ notices }: Pick<NodeOptions, "notices">, log: Logger): void {
  for (const { code, message } of notices) {
    if (DANGEROUS.has(code)) log.warn(message);
    else log.info(message);
  }
}

/** Logs the identity of node and chain, notices about the configuration, and the path of the chain's database. */
export function logIdentity(
  options: NodeOptions,
  { files }: Pick<NodeSetup, "files">,
  log: Logger,
): void {
  const { chain, name, version } = options;
  const shown = screenLog(options, log);
  shown.info(`appchain ${version}`);
  shown.info("node", { name });
  shown.info(`role: ${options.role === "full" ? "full node" : "sequencer"}`);
  shown.info(`network: ${chain.chainName} (chain id ${chain.chainId})`, {
    protocol: chain.latestProtocolVersion,
    configuration: options.chainSource,
  });
  logNotices(options, log);
  shown.info("database", { path: files.chainDatabase });
}

/** Logs the block at which production or sync starts. */
export function logBegin(
  { follow }: Pick<NodeSetup, "follow">,
  { nextBlock }: { readonly nextBlock: number },
  log: Logger,
): void {
  const what = follow === null ? "block production" : "sync";
  log.info(`${what} starts at block ${nextBlock}`, follow === null ? undefined : from(follow));
  if (follow?.verify !== "execution") return;
  log.info(
    "blocks are re-executed before they are stored, except those of older protocol versions",
    {
      from: OLDEST_EXECUTED_VERSION,
    },
  );
}

/** Logs the configured L1 prices, and that L1 is not followed. */
export function logFixedL1({ l1GasWei, l1DataGasWei }: L1Prices, log: Logger): void {
  log.info("L1 gas price (fixed)", { gas_wei: l1GasWei, data_gas_wei: l1DataGasWei });
  log.info("L1 subscription: off");
}

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

/** Logs that blocks use the newest block's prices until L1 reports some. */
export function logOldPrices(finding: string, log: Logger): void {
  log.warn("L1 reports no prices: blocks use those of the newest block until it does", {
    reason: loggable(finding),
  });
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

/** Origins that browsers may call from, formatted for the log. */
export function originsText({ cors }: Pick<RpcOptions, "cors">): string {
  if (cors === "all") return "*";
  return (cors === "local" ? LOCAL_ORIGINS : cors).join(",");
}

/** Log fields of the source of blocks. */
function from({ store, gateways }: FollowOptions): Readonly<Record<string, string>> {
  if (store === null) {
    return { gateways: gateways.map(({ feeder }) => shownAddress(feeder)).join(",") };
  }
  return { store: storeName(store) };
}
