import type { Timer } from "#base/primitives/index.ts";
import type { L1ChainPort } from "#services/l1-watch/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { ChainView } from "../chain/chain-view.ts";
import type { NodeCompiler } from "../compiler/start-class-compiler.ts";
import {
  type FollowedL1,
  L1_NOT_FOLLOWED,
  type L1Connection,
  type L1RolePorts,
} from "../l1/followed-l1.ts";
import { l1ProductionPorts } from "../l1/production-ports.ts";
import type { RemoteThreads } from "../production/remote-threads.ts";
import type { WorkerQueryPool } from "../query/query-pool.ts";
import { FreeTransactionsReport } from "../reports/free-transactions-report.ts";
import type { NodeReports } from "../reports/node-reports.ts";
import { SyncLog } from "../reports/sync-log.ts";
import { type Terminal, TerminalLine } from "../reports/terminal-line.ts";
import type { ChainRevert } from "../revert/chain-revert.ts";
import { type FollowOptions, sourceNameOf } from "../setup/follow.ts";
import { freeRulesOf, type NodeSetup } from "../setup/setup.ts";
import { atTurnEnd } from "../threads/batched-port.ts";
import type { NodeThreads } from "../threads/node-threads.ts";
import { Follower } from "./follower.ts";
import { forwardTo, type ForwardToDeps, forwardToLeader } from "./forward-to.ts";
import type { LeaderAddress } from "./leader-gateway.ts";
import { Production } from "./production.ts";
import { Reorg } from "./reorg.ts";

/** Main thread's part of a chain that several sequencers share. */
export interface SharedRole {
  /** Destination of submissions while this node does not lead. */
  readonly leader: LeaderAddress;
  /** Called when a block of this node is published. */
  readonly onPublished: () => void;
  /** Called with the reason while a block of this node waits to be published, then with `undefined`. */
  readonly onWaiting: (reason: string | undefined) => void;
  /** Called when another sequencer's block is published in place of one of this node. */
  readonly onRefused: () => void;
}

/** Dependencies of {@link openServices}. */
export interface ServicesDeps {
  readonly setup: NodeSetup;
  readonly threads: Pick<NodeThreads, "end" | "validators">;
  readonly queryPool: WorkerQueryPool;
  readonly view: ChainView;
  readonly compiler: NodeCompiler;
  readonly reports: NodeReports;
  readonly revert: Pick<ChainRevert, "to">;
  /** Restarts the threads in the same role. */
  readonly restart: () => Promise<void>;
  /** Stops the node, because the gateway serves another chain than the folder's. */
  readonly onOtherChain: (message: string) => void;
  /** `null` if the chain is not shared with other sequencers. */
  readonly shared: SharedRole | null;
  /** As `NodeOptions.sourceGraceMs`. */
  readonly sourceGraceMs: number;
  /** Shows sync progress. */
  readonly terminal: Terminal;
  /** `null` if L1 is not followed. */
  readonly l1: L1Connection | null;
  /** Chain data that following L1 needs. */
  readonly l1Chain: L1ChainPort;
  readonly log: Logger;
  readonly timer: Timer;
}

/** Creates the main thread's part of the node's role, and connects it to the chain view. */
export function openServices(deps: ServicesDeps): Production | Follower {
  const { setup, view, reports } = deps;
  const services =
    setup.follow === null
      ? new Production({
          ...reports,
          ...deps,
          atTurnEnd,
          followL1: (remote) => followAsProducer(remote, deps),
        })
      : openFollower(setup.follow, deps);
  const made = services instanceof Production ? services : undefined;
  view.follow(services.growth, (block) => {
    services.accepted(block);
    if (made !== undefined) deps.shared?.onPublished();
  });
  if (made === undefined) return services;
  reportFreeTransactions(made, deps);
  made.remote.onGate((message) => {
    if (message.state === "refused") deps.shared?.onRefused();
    else deps.shared?.onWaiting(message.state === "waiting" ? message.reason : undefined);
  });
  return made;
}

/** Notifies subscribers of each block that is accepted on L1. */
function settleAndNotify(
  settle: L1RolePorts["settle"],
  { view }: ServicesDeps,
): L1RolePorts["settle"] {
  return async (blockNumber, blockHash) => {
    const isDone = await settle(blockNumber, blockHash);
    if (isDone) view.live.settled(blockNumber);
    return isDone;
  };
}

function followAsProducer(remote: RemoteThreads, deps: ServicesDeps): FollowedL1 {
  const { l1, l1Chain, log } = deps;
  if (l1 === null) return L1_NOT_FOLLOWED;
  return l1.follow(l1Chain, {
    settle: settleAndNotify((...block) => remote.settleOnL1(...block), deps),
    production: l1ProductionPorts(remote.control, log),
  });
}

function followAsFollower(follower: Pick<Follower, "settleOnL1">, deps: ServicesDeps): FollowedL1 {
  const { l1, l1Chain } = deps;
  if (l1 === null) return L1_NOT_FOLLOWED;
  return l1.follow(l1Chain, {
    settle: settleAndNotify((...block) => follower.settleOnL1(...block), deps),
    production: null,
  });
}

/** Checks after each delta whether the period of free transactions has ended. */
function reportFreeTransactions(
  { remote }: Pick<Production, "remote">,
  { setup, view, log }: Pick<ServicesDeps, "setup" | "view" | "log">,
): void {
  const state = () => view.feed.current().state();
  const report = new FreeTransactionsReport({ rules: freeRulesOf(setup), state, log });
  remote.onGrowth(() => report.look());
}

function openFollower(follow: FollowOptions, deps: ServicesDeps): Follower {
  const { setup, threads, view, compiler, reports, revert, restart, terminal, log, timer } = deps;
  const { chain } = view;
  const { shared } = deps;
  const sync = threads.end("sync");
  const way: ForwardToDeps = {
    setup,
    view,
    metrics: reports.metrics,
    onTaken: (hash) => sync.port.send({ kind: "handedOn", hash }),
    timer,
  };
  const nowMs = (): number => timer.nowMs();
  const line = new TerminalLine(terminal, nowMs);
  const sourceName = sourceNameOf(follow);
  return new Follower({
    sync,
    compiler,
    forwarded:
      shared === null ? forwardTo(follow, way) : forwardToLeader(shared.leader, follow, way),
    reorg: new Reorg({ chain, revert, restart, log, timer }),
    log: new SyncLog({ log, line, sourceName, nowMs }),
    metrics: reports.metrics,
    stopAt: follow.stopAt,
    graceMs: deps.sourceGraceMs,
    sourceName,
    followL1: (follower) => followAsFollower(follower, deps),
    accepted: reports.imported,
    onOtherChain: deps.onOtherChain,
    timer,
  });
}
