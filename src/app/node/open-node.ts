import type { Timer } from "#base/primitives/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import { ChainView } from "./chain/chain-view.ts";
import { resumeTime } from "./devnet/start-devnet.ts";
import { openChain } from "./folder/open-chain.ts";
import { prepareFolder } from "./folder/prepare.ts";
import { prepareFollower } from "./folder/prepare-follower.ts";
import type { PreparedFolder } from "./folder/prepared-folder.ts";
import { resetOf } from "./folder/reset-folder.ts";
import { logL1 } from "./reports/start-log.ts";
import { logPrepared } from "./reports/start-report.ts";
import type { NodeOptions } from "./setup/node-options.ts";
import type { NodeSetup } from "./setup/setup.ts";

/**
 * Takes the data directory; of a new chain that is made here it stores the genesis.
 *
 * @param disposables - gives the directory back
 * @throws {AppError} as {@link prepareFolder} and {@link prepareFollower}
 */
export async function openFolder(
  options: NodeOptions,
  setup: NodeSetup,
  log: Logger,
  disposables: AsyncDisposableStack,
): Promise<PreparedFolder> {
  log.info("database", { path: setup.files.chainDatabase });
  const isFollower = setup.follow !== null;
  const prepared = isFollower
    ? await prepareFollower(setup, resetOf(options))
    : await prepareFolder(setup, options.devAccounts, resetOf(options));
  disposables.defer(() => prepared.folder.release());
  logPrepared(prepared, options, log);
  if (!isFollower) logL1(setup.l1Prices, log);
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
