import { endpointOf } from "#io/http/index.ts";
import { LOCAL_ORIGINS } from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { L1Prices } from "#services/sequencer/index.ts";
import { OLDEST_EXECUTED_VERSION } from "#services/sync/index.ts";
import type { NodeOptions, RpcOptions } from "../setup/node-options.ts";
import { logNotices } from "./start-report.ts";

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
  { role, follow }: Pick<NodeOptions, "role" | "follow">,
  { nextBlock }: { readonly nextBlock: number },
  log: Logger,
): void {
  const what = role === "full" ? "sync" : "block production";
  const from = follow?.gateways.map(({ feeder }) => endpointOf(feeder).url).join(",");
  log.info(
    `${what} starts at block ${nextBlock}`,
    from === undefined ? undefined : { gateways: from },
  );
  if (follow?.verify !== "execution") return;
  log.info("blocks are executed again before they are stored, those of older protocols excepted", {
    from: OLDEST_EXECUTED_VERSION,
  });
}

/** Says what L1 costs, and that it is not followed. */
export function logL1({ l1GasWei, l1DataGasWei }: L1Prices, log: Logger): void {
  log.info("L1 gas price (fixed)", { gas_wei: l1GasWei, data_gas_wei: l1DataGasWei });
  log.info("L1 subscription: off");
}

/** The origins that browsers may call from, as the log names them. */
export function originsText({ cors }: Pick<RpcOptions, "cors">): string {
  if (cors === "all") return "*";
  return (cors === "local" ? LOCAL_ORIGINS : cors).join(",");
}
