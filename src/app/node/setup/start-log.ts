import { hexFromFelt, shownAddress } from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import { storeName } from "#io/objects/index.ts";
import { OLDEST_EXECUTED_VERSION } from "#services/sync/index.ts";
import type { FollowOptions } from "./follow.ts";
import { forkText } from "./fork.ts";
import type { NodeSetup } from "./setup.ts";
import type { NodeOptions } from "./node-options.ts";
import { screenLog } from "./start-screen.ts";

/** Codes of notices that are logged as warnings. */
const DANGEROUS: ReadonlySet<string> = new Set([
  "SEQUENCER_ADDRESS_REPLACED",
  "PUBLIC_CORE_CONTRACT",
  "FORK_OTHER_VERSION",
  "FORK_SAME_CHAIN_ID",
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
  { files, fork }: Pick<NodeSetup, "files" | "fork">,
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
  if (fork !== null) {
    shown.info(`fork of ${forkText(fork)}`, { block_hash: hexFromFelt(fork.blockHash) });
  }
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

/** Log fields of the source of blocks. */
function from({ store, gateways }: FollowOptions): Readonly<Record<string, string>> {
  if (store === null) {
    return { gateways: gateways.map(({ feeder }) => shownAddress(feeder)).join(",") };
  }
  return { store: storeName(store) };
}
