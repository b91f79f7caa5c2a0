import type { StateReader } from "#engine/state/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import { universalDeployers } from "../folder/chain-contracts.ts";
import { type ReportedUrls, writeConfigOut } from "./config-out.ts";
import { chainLines, devAccountLines } from "./dev-report.ts";
import type { NodeOptions } from "../../setup/node-options.ts";
import type { PreparedFolder } from "../folder/prepared-folder.ts";
import { dangersOf } from "../../metrics/warnings.ts";

/** Logs whether the chain is new or resumed, and at which block. */
export function logPrepared(
  { folder, nextBlock, isResumed }: PreparedFolder,
  { basePath, ephemeral }: Pick<NodeOptions, "basePath" | "ephemeral">,
  log: Logger,
): void {
  if (folder.deleted > 0) log.info(`deleted the chain in ${basePath}`, { files: folder.deleted });
  if (ephemeral) log.info(`ephemeral: ${basePath} is deleted when the node ends`);
  if (isResumed) {
    log.info(`resuming block ${nextBlock}; delete ${basePath} (or use --reset) to start fresh`);
  }
}

/**
 * Reports a chain that is ready: warnings, the file of `--config-out`, and for text logs a banner with its
 * ids, contracts and funded accounts.
 *
 * @throws {ConfigError} when the file cannot be written
 */
export function reportChain(
  options: NodeOptions,
  urls: ReportedUrls,
  prepared: Pick<PreparedFolder, "accountClass" | "accounts">,
  state: StateReader,
  log: Logger,
): void {
  const accounts = prepared.accounts(state);
  const contracts = {
    accountClass: prepared.accountClass,
    universalDeployers: universalDeployers(options.chain, state),
  };
  for (const danger of dangersOf(options, accounts.length)) log.warn(danger);
  if (options.configOut !== null) {
    writeConfigOut(options.configOut, options, urls, contracts, accounts);
  }
  if (options.log.format !== "text") return;
  const lines = [
    ...chainLines(options.chain, contracts),
    ...devAccountLines(accounts, options.chain, state),
  ];
  for (const line of lines) process.stdout.write(`${line}\n`);
}

/** What {@link reportStarted} reports. */
export interface StartedNodeReport extends ReportedUrls {
  readonly folder: { readonly prepared: Pick<PreparedFolder, "accountClass" | "accounts"> };
  readonly storage: { readonly view: { latestState(): StateReader } };
}

/** As {@link reportChain}, with the parts of a node. */
export function reportStarted(
  options: NodeOptions,
  { folder, storage, ...urls }: StartedNodeReport,
  { log }: { readonly log: Logger },
): void {
  reportChain(options, urls, folder.prepared, storage.view.latestState(), log);
}
