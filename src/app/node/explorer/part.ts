/**
 * Explorer: a page that shows the chain, and the lists that it needs and JSON-RPC lacks.
 *
 * - Options: `explorer`.
 * - Threads: `explorer` (`explorer.thread.ts`), only with the option. It owns `explorer.db`, and reads the chain
 *   behind the commits; query threads read both files for clients.
 * - Needs: the chain on the main thread, the threads, the query pool, the current role, what the node rejected.
 * - Offers: the routes of the explorer, for the JSON-RPC server.
 * - Routes: `/explorer/*`, on the JSON-RPC port.
 * - Ready: immediately; lists say which blocks they cover.
 * - Stops: with the threads.
 */
import { explorerRoutes, loadPageRoutes } from "#api/explorer/index.ts";
import type { PostRoute, QueryPool, SideRoute } from "#api/rpc/index.ts";
import type { NodeHost } from "../setup/node-host.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { ChainView } from "../storage/chain/chain-view.ts";
import type { NodeThreads } from "../threads/node-threads.ts";
import { IndexProgress } from "./index-progress.ts";
import type { Rejections } from "./rejections/rejections.ts";
import { statusOf, type StatusSources } from "./status.ts";

/** Other parts of the node that {@link openExplorer} uses. */
export interface ExplorerNeeds {
  readonly threads: Pick<NodeThreads, "end">;
  readonly storage: {
    readonly view: Pick<ChainView, "onHead"> & {
      readonly chain: StatusSources["chain"];
    };
  };
  readonly queryPool: QueryPool;
  readonly roles: StatusSources["roles"];
  readonly leadership: StatusSources["leadership"];
  readonly rejections: Pick<Rejections, "list" | "refusedBlocks">;
}

/** Minimum time between two rebuilds that query threads cause, in milliseconds. */
const REBUILD_PAUSE_MS = 600_000;

/** Lets the explorer's index follow the chain. @returns the routes of the explorer; none without it */
export async function openExplorer(
  options: Pick<NodeOptions, "explorer" | "version">,
  { threads, storage, queryPool, roles, leadership, rejections }: ExplorerNeeds,
  { log, timer }: Pick<NodeHost, "log" | "timer">,
): Promise<readonly (SideRoute | PostRoute)[]> {
  if (!options.explorer) return [];
  const { chain } = storage.view;
  const { port } = threads.end("explorer");
  const progress = new IndexProgress(log);
  const tell = (number: number): void => port.send({ kind: "head", number });
  port.listen((message) => {
    if (message.kind === "index") progress.note(message.report);
    else tell(chain.latestNumber() ?? -1);
  });
  let heads = 0;
  storage.view.onHead((number) => {
    heads++;
    tell(number);
  });
  let rebuiltMs = -Infinity;
  return explorerRoutes({
    assets: await loadPageRoutes(),
    data: {
      queryPool,
      version() {
        const { from, to } = progress.indexed;
        return `${heads} ${chain.l1AcceptedNumber() ?? "-"} ${from} ${to ?? "-"}`;
      },
      status() {
        const refusedBlocks = rejections.refusedBlocks();
        const { indexed } = progress;
        return statusOf({ options, chain, roles, leadership, indexed, refusedBlocks });
      },
      rejected: () => rejections.list(),
      damaged() {
        const nowMs = timer.nowMs();
        // The chain may be damaged in place of the index: another rebuild would change nothing.
        if (nowMs - rebuiltMs < REBUILD_PAUSE_MS) return;
        rebuiltMs = nowMs;
        port.send({ kind: "rebuild", reason: "a request found it damaged" });
      },
      nowMs: Date.now,
    },
  });
}
