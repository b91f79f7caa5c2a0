import type { StateReader } from "#engine/state/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import { universalDeployers } from "../folder/chain-contracts.ts";
import { type ReportedUrls, writeConfigOut } from "./config-out.ts";
import type { StartedState } from "./node-rows.ts";
import { hasColours, paintOf } from "./paint.ts";
import { type PrintedChain, printedState } from "./printed-state.ts";
import { startScreenLines } from "./start-screen.ts";
import type { NodeOptions } from "../../setup/node-options.ts";
import type { NodeSetup } from "../../setup/setup.ts";
import { screenLog, type StartScreenOptions } from "../../setup/start-screen.ts";
import type { PreparedFolder } from "../folder/prepared-folder.ts";
import { dangersOf } from "./dangers.ts";

/** Logs whether the chain is new or resumed, and at which block. */
export function logPrepared(
  { folder, nextBlock, isResumed }: PreparedFolder,
  options: Pick<NodeOptions, "basePath" | "ephemeral"> & StartScreenOptions,
  log: Logger,
): void {
  const { basePath, ephemeral } = options;
  if (folder.deleted > 0) log.info(`deleted the chain in ${basePath}`, { files: folder.deleted });
  if (ephemeral) {
    screenLog(options, log).info(`ephemeral: ${basePath} is deleted when the node ends`);
  }
  if (isResumed) {
    log.info(`resuming block ${nextBlock}; delete ${basePath} (or use --reset) to start fresh`);
  }
}

/** Standard output, environment and process age, which decide how the start screen looks. */
export interface ScreenPorts {
  readonly output: { readonly isTTY?: boolean; write(text: string): unknown };
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Time since the start of the process, in milliseconds. */
  uptimeMs(): number;
}

/** Returns standard output, environment and age of this process. */
export function processScreen(): ScreenPorts {
  return {
    output: process.stdout,
    environment: process.env,
    uptimeMs: () => process.uptime() * 1000,
  };
}

/**
 * Content of the report on a chain that is ready: its URLs, its accounts, and the state to read
 * balances from.
 */
export interface ReadyChain {
  readonly urls: ReportedUrls;
  readonly prepared: Pick<PreparedFolder, "accountClass" | "accounts">;
  readonly started: StartedState;
  readonly state: StateReader;
}

/**
 * Reports a chain that is ready: warnings, the file of `--config-out`, and for text logs the start screen.
 *
 * @param screen - where the start screen appears; `null` for none
 * @throws {ConfigError} when the file cannot be written
 */
export function reportChain(
  options: NodeOptions,
  { urls, prepared, started, state }: ReadyChain,
  screen: ScreenPorts | null,
  log: Logger,
): void {
  const accounts = prepared.accounts(state);
  const contracts = {
    accountClass: prepared.accountClass,
    universalDeployers: universalDeployers(options.chain, state),
  };
  for (const danger of dangersOf(options, accounts.length)) log.warn(danger);
  if (options.configOut !== null) {
    writeConfigOut(options.configOut, options, { urls, contracts, accounts, fork: started.fork });
  }
  if (options.log.format !== "text" || screen === null) return;
  const { output, environment, uptimeMs } = screen;
  const paint = paintOf(hasColours({ isTTY: output.isTTY === true, environment }));
  const shown = { urls, started, contracts, accounts, state, startMs: uptimeMs() };
  output.write(`${startScreenLines(options, shown, paint).join("\n")}\n`);
}

/** Folder, storage, fork and URLs of a started node, which {@link reportStarted} reports. */
export interface StartedNodeReport extends ReportedUrls {
  readonly folder: {
    readonly prepared: Pick<PreparedFolder, "accountClass" | "accounts" | "nextBlock">;
  };
  readonly storage: {
    readonly setup: Pick<NodeSetup, "files" | "l1Prices" | "fork">;
    readonly view: PrintedChain["view"];
  };
  readonly fork: PrintedChain["fork"];
  /** Parts that replaced others print no start screen. */
  readonly generation: { readonly isRenewal: boolean };
}

/** As {@link reportChain}, with the parts of a node. */
export async function reportStarted(
  options: NodeOptions,
  { folder: { prepared }, storage: { setup, view }, fork, generation, ...urls }: StartedNodeReport,
  { log }: { readonly log: Logger },
): Promise<void> {
  const started = {
    database: setup.files.chainDatabase,
    nextBlock: prepared.nextBlock,
    l1Prices: setup.l1Prices,
    fork: setup.fork,
  };
  const state = await printedState(options, { prepared, view, fork });
  const chain = { urls, prepared, started, state };
  const screen = generation.isRenewal ? null : processScreen();
  reportChain(options, chain, screen, log);
}
