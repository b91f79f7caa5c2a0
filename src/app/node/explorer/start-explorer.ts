import { SYSTEM_TIMER } from "#base/primitives/index.ts";
import { ExplorerIndexer } from "#services/explorer-index/index.ts";
import { openChain } from "../storage/folder/open-chain.ts";
import type { WorkerContext, WorkerService } from "../threads/runtime.ts";
import { IndexFile } from "./index-file.ts";
import { lowerThreadPriority } from "./low-thread-priority.ts";

/**
 * Starts to fill the explorer's index. It reads stored blocks only: on a fork those above the fork block. A
 * failure of the index never stops the node.
 *
 * @throws {StorageError} when the chain cannot be opened
 */
export async function startExplorer({
  setup,
  main,
}: Pick<WorkerContext<"explorer">, "setup" | "main">): Promise<WorkerService> {
  lowerThreadPriority();
  const opened = await openChain(setup);
  const file = new IndexFile(setup.files.explorerDatabase, setup.config.chainId);
  const indexer = new ExplorerIndexer({
    chain: opened.chain,
    open: () => file.open(),
    remove: () => file.remove(),
    isInPlace: () => file.isInPlace(),
    report: (report) => main.send({ kind: "index", report }),
    timer: SYSTEM_TIMER,
  });
  main.listen((message) => {
    if (message.kind === "head") indexer.grown(message.number);
    else indexer.rebuild(message.reason);
  });
  main.send({ kind: "headNeeded" });
  return {
    forget: () => undefined,
    probe: () => undefined,
    stop() {
      indexer.stop();
      opened.close();
    },
  };
}
