/**
 * Sync: follows a gateway or an object store, and verifies each block before it is stored.
 *
 * - Options: `follow` of the setup, `syncOptions`, the log's format for the progress line.
 * - Threads: `sync` and `verifier` (`NAME.thread.ts` here).
 * - Needs: the compiler, reverts of the chain, restarts of the threads, L1, and the leader's address on a
 *   shared chain.
 * - Offers: {@link Follower}: forwarded submissions, sync status, growth of the chain.
 * - Metrics: `sync`, imported blocks.
 * - Ready: while the node is not behind its source.
 * - Stops: in-flight forwards are answered, then L1 is no longer followed.
 */
import type { syncOptions } from "#app/options/index.ts";
import type { ClassCompiler } from "#services/admission/index.ts";
import type { L1ChainPort } from "#services/l1-watch/index.ts";
import type { L1Connection } from "../l1/l1-connection.ts";
import { settleAndNotify } from "../l1/settle-and-notify.ts";
import { type FollowOptions, sourceHostsOf, sourceNameOf } from "../setup/follow.ts";
import type { NodeHost } from "../setup/node-host.ts";
import type { NodeOptions } from "../setup/node-options.ts";
import type { NodeSetup } from "../setup/setup.ts";
import type { ChainView } from "../storage/chain/chain-view.ts";
import type { ChainRevert } from "../storage/revert/chain-revert.ts";
import type { NodeThreads } from "../threads/node-threads.ts";
import { Follower } from "./follower.ts";
import { forwardTo, type ForwardToDeps, forwardToLeader } from "./forwarding/forward-to.ts";
import type { LeaderAddress } from "./forwarding/leader-gateway.ts";
import { Reorg } from "./reorg.ts";
import type { ImportReport } from "./reports/import-report.ts";
import { SyncLog } from "./reports/sync-log.ts";
import { terminalOf, TerminalLine } from "./reports/terminal-line.ts";

/** Other parts of the node that {@link openFollower} uses. */
export interface FollowerNeeds {
  readonly options: Pick<NodeOptions, keyof typeof syncOptions | "log">;
  readonly setup: NodeSetup;
  readonly threads: Pick<NodeThreads, "end">;
  readonly view: ChainView;
  readonly compiler: { readonly service: ClassCompiler };
  readonly revert: Pick<ChainRevert, "to">;
  /** Restarts the threads in the same role. */
  readonly restart: () => Promise<void>;
  readonly report: ImportReport;
  /** Address of the leader's gateway on a shared chain; `null` when the chain has one sequencer. */
  readonly leader: LeaderAddress | null;
  readonly l1: Pick<L1Connection, "follow">;
  readonly l1Chain: L1ChainPort;
}

/** Opens sync on the main thread; from now on the view follows the blocks of its threads. */
export function openFollower(
  follow: FollowOptions,
  needs: FollowerNeeds,
  { metrics, log, timer, lifecycle }: NodeHost,
): Follower {
  const { options, setup, threads, view, compiler, revert, restart, report, leader } = needs;
  const { chain } = view;
  const sync = threads.end("sync");
  const way: ForwardToDeps = {
    setup,
    view,
    metrics,
    onForwarded: (hash) => sync.port.send({ kind: "transactionForwarded", hash }),
    timer,
  };
  const nowMs = (): number => timer.nowMs();
  const line = new TerminalLine(terminalOf(options.log.format), nowMs);
  const sourceName = sourceNameOf(follow);
  const follower = new Follower({
    sync,
    compiler,
    forwarded: leader === null ? forwardTo(follow, way) : forwardToLeader(leader, follow, way),
    reorg: new Reorg({ chain, revert, restart, log, timer }),
    log: new SyncLog({ log, line, sourceName, nowMs }),
    metrics,
    stopAt: follow.stopAt,
    graceMs: options.sourceGraceMs,
    sourceName,
    followL1: (ports) =>
      needs.l1.follow(needs.l1Chain, {
        settle: settleAndNotify((...block) => ports.settleOnL1(...block), view),
        production: null,
      }),
    accepted: (block) => report.imported(block),
    refused: (refusal) => report.refused(refusal, sourceHostsOf(follow)),
    onOtherChain: (message) => lifecycle.refuse(message),
    timer,
  });
  view.follow(follower.growth, (block) => follower.accepted(block));
  return follower;
}
