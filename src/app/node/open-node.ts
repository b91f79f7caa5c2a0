import type { Timer } from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import { ChainView } from "./chain/chain-view.ts";
import { resumeTime } from "./devnet/start-devnet.ts";
import { openChain } from "./folder/open-chain.ts";
import { type PreparedFolder, prepareFolder } from "./folder/prepare.ts";
import { resetOf } from "./folder/reset-folder.ts";
import { logL1 } from "./reports/start-log.ts";
import { logPrepared } from "./reports/start-report.ts";
import type { NodeOptions } from "./setup/node-options.ts";
import type { NodeSetup } from "./setup/setup.ts";

/**
 * Takes the data directory and stores the genesis of a new chain.
 *
 * @param disposables - gives the directory back
 * @throws {AppError} as {@link prepareFolder}
 */
export async function openFolder(
  options: NodeOptions,
  setup: NodeSetup,
  log: Logger,
  disposables: AsyncDisposableStack,
): Promise<PreparedFolder> {
  log.info("database", { path: setup.files.chainDatabase });
  const prepared = await prepareFolder(setup, options.devAccounts, resetOf(options));
  disposables.defer(() => prepared.folder.release());
  logPrepared(prepared, options, log);
  logL1(setup.l1Prices, log);
  return prepared;
}

/** Opens the chain for the main thread's reads. */
export async function openView(
  setup: NodeSetup,
  timer: Timer,
  disposables: AsyncDisposableStack,
): Promise<ChainView> {
  const opened = await openChain(setup);
  disposables.defer(() => opened.close());
  const view = new ChainView(opened.chain, timer);
  resumeTime(setup, view.chain);
  return view;
}
