import type { StateReader } from "#engine/state/index.ts";
import type { DevAccount } from "#services/sequencer/index.ts";
import { devAccountLines, type ReportedUrls, writeConfigOut } from "./dev-report.ts";
import type { NodeOptions } from "./node-options.ts";

/**
 * Tells scripts and people how to reach the chain and with which accounts: the file of `--config-out`,
 * and lines on a terminal.
 *
 * @param state - has the accounts' balances
 * @throws {ConfigError} when the file can not be written
 */
export function reportAccounts(
  options: NodeOptions,
  urls: ReportedUrls,
  state: StateReader,
  accounts: readonly DevAccount[],
): void {
  if (options.configOut !== null) writeConfigOut(options.configOut, options, urls, accounts);
  if (options.log.format !== "text") return;
  for (const line of devAccountLines(accounts, options.chain, state)) {
    process.stdout.write(`${line}\n`);
  }
}
