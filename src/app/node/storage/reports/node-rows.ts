import type { L1Prices } from "#services/sequencer/index.ts";
import { originsText } from "../../setup/origins-text.ts";
import { forkText, type ReportedFork } from "../../setup/fork.ts";
import type { NodeOptions, RpcOptions } from "../../setup/node-options.ts";
import type { ReportedUrls } from "./config-out.ts";
import type { ScreenRow } from "./screen-row.ts";

/** State of a node at the end of its start. */
export interface StartedState {
  /** Path of the chain's database. */
  readonly database: string;
  /** Number of the first block that this run produces. */
  readonly nextBlock: number;
  readonly l1Prices: Pick<L1Prices, "l1GasWei" | "l1DataGasWei">;
  /** `null` for a chain with a block 0. */
  readonly fork: ReportedFork | null;
}

/** Rows about a node that produces blocks: name, network, database, first block, L1. */
export function nodeRows(
  { name, chain, chainSource, ephemeral, l1, devnet }: NodeOptions,
  { database, nextBlock, l1Prices, fork }: StartedState,
): readonly ScreenRow[] {
  return [
    ["Node", `${name}, sequencer`],
    ["Network", `${chain.chainName}, protocol ${chain.latestProtocolVersion}, ${chainSource}`],
    ...forkRows(fork),
    ["Database", `${database}${ephemeral ? " (deleted at the end)" : ""}`],
    ["Blocks", `production starts at block ${nextBlock}`],
    ["L1", `${followingOf(l1)}${hasOtherPrices(devnet) ? "" : pricesOf(l1Prices)}`],
  ];
}

function forkRows(fork: StartedState["fork"]): readonly ScreenRow[] {
  return fork === null ? [] : [["Fork", forkText(fork)]];
}

/** Rows about the addresses of a node. */
export function addressRows(
  { rpc, explorer }: { readonly rpc: Pick<RpcOptions, "cors"> } & Pick<NodeOptions, "explorer">,
  { rpcUrl, metricsUrl }: ReportedUrls,
): readonly ScreenRow[] {
  return [
    ["JSON-RPC", rpcUrl],
    ...(explorer ? [["Explorer", `${rpcUrl}/explorer/`] as const] : []),
    [
      "Origins",
      rpc.cors === "local" ? "localhost, 127.0.0.1 and [::1], any port" : originsText(rpc),
    ],
    ["Metrics", metricsUrl ?? "off"],
  ];
}

function followingOf(l1: NodeOptions["l1"]): string {
  if (l1 === null) return "not followed";
  return l1.endpoints.length === 1 ? "followed" : `followed at ${l1.endpoints.length} endpoints`;
}

const pricesOf = ({ l1GasWei, l1DataGasWei }: StartedState["l1Prices"]): string =>
  `, gas ${l1GasWei} wei, data gas ${l1DataGasWei} wei`;

/** Whether options of a development chain replace the prices of L1. */
const hasOtherPrices = (devnet: NodeOptions["devnet"]): boolean =>
  Object.values(devnet?.gasPrices ?? {}).some(
    ({ wei, fri }) => wei !== undefined || fri !== undefined,
  );
