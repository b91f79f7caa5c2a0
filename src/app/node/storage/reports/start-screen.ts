import type { DevAccount } from "#services/sequencer/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import type { NodeOptions } from "../../setup/node-options.ts";
import { hasStartScreen } from "../../setup/start-screen.ts";
import type { ReportedUrls } from "./config-out.ts";
import { type ChainContracts, chainRows, devAccountLines } from "./dev-report.ts";
import { addressRows, nodeRows, type StartedState } from "./node-rows.ts";
import type { Paint } from "./paint.ts";
import { rowLines } from "./screen-row.ts";

/** Content of the start screen. */
export interface StartScreen {
  readonly urls: ReportedUrls;
  readonly started: StartedState;
  readonly contracts: ChainContracts;
  readonly accounts: readonly DevAccount[];
  /** State with the balances of {@link accounts}. */
  readonly state: StateReader;
  /** Duration of the start in milliseconds. */
  readonly startMs: number;
}

/**
 * Formats the start screen: the chain's ids, contracts and accounts, and last a line that names the URL. On
 * development chains it also has the facts that other nodes log line by line.
 */
export function startScreenLines(
  options: NodeOptions,
  { urls, started, contracts, accounts, state, startMs }: StartScreen,
  paint: Paint,
): readonly string[] {
  const isWhole = hasStartScreen(options);
  const chain = rowLines(chainRows(options.chain, contracts), paint);
  const node = (): readonly string[] => [
    titleOf(options, paint),
    "",
    ...rowLines(nodeRows(options, started), paint),
    ...rowLines(addressRows(options, urls), paint),
  ];
  return [
    ...(isWhole ? ["", ...node()] : []),
    "",
    ...chain,
    "",
    ...devAccountLines(accounts, options.chain, state, paint),
    ...(isWhole ? [stopLine(options)] : []),
    readyLine(options, urls.rpcUrl, startMs, paint),
  ];
}

function titleOf({ version, commit: commitOf }: NodeOptions, { bold, dim }: Paint): string {
  const commit = commitOf();
  return `${bold(`appchain ${version}`)}${commit === null ? "" : dim(` commit ${commit}`)}`;
}

function stopLine({ ephemeral }: NodeOptions): string {
  return ephemeral
    ? "Stop with Ctrl+C, which deletes the chain."
    : "Stop with Ctrl+C; the next start continues the chain.";
}

/** A follower serves requests before it is in sync, and therefore ready. */
function readyLine({ follow }: NodeOptions, rpcUrl: string, startMs: number, paint: Paint): string {
  const word = follow === null ? "ready" : "serving";
  return `${paint.bold(paint.green(word))} ${paint.cyan(rpcUrl)} ${paint.dim(`in ${Math.round(startMs)} ms`)}`;
}
