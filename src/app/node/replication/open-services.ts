import type { Timer } from "#base/primitives/index.ts";
import type { L1ChainPort } from "#services/l1-watch/index.ts";
import type { Logger } from "#base/telemetry/index.ts";
import type { ChainView } from "../storage/chain/chain-view.ts";
import type { NodeCompiler } from "../compiler/start-class-compiler.ts";
import { type L1Connection, type L1RolePorts } from "../l1/l1-connection.ts";
import { type FollowedL1, L1_NOT_FOLLOWED } from "../threads/roles/followed-l1.ts";
import { l1ProductionPorts } from "../production/production-ports.ts";
import type { RemoteThreads } from "../production/remote-threads.ts";
import type { WorkerQueryPool } from "../query/query-pool.ts";
import { FreeTransactionsReport } from "../production/reports/free-transactions-report.ts";
import type { NodeReports } from "./node-reports.ts";
import { SyncLog } from "../sync/reports/sync-log.ts";
import { type Terminal, TerminalLine } from "../sync/reports/terminal-line.ts";
import type { ChainRevert } from "../storage/revert/chain-revert.ts";
import { type FollowOptions, sourceNameOf } from "../setup/follow.ts";
import { freeRulesOf, type NodeSetup } from "../setup/setup.ts";
import { atTurnEnd } from "../threads/batched-port.ts";
import type { NodeThreads } from "../threads/node-threads.ts";
import { Follower } from "../sync/follower.ts";
import { forwardTo, type ForwardToDeps, forwardToLeader } from "../sync/forwarding/forward-to.ts";
import type { LeaderAddress } from "../sync/forwarding/leader-gateway.ts";
import { Production } from "../production/production.ts";
import { Reorg } from "../sync/reorg.ts";

/** A chain that several sequencers share, as the main thread's part of a role sees it. */
export interface SharedRole {
  /** Where submissions go while this node does not make the blocks. */
  readonly leader: LeaderAddress;
  /** A block that was made here is published. */
  readonly onPublished: () => void;
  /** A block that was made here waits to be published, for this reason; `undefined`: it no longer does. */
  readonly onWaiting: (reason: string | undefined) => void;
  /** Another sequencer's block stands in the place of one that was made here. */
  readonly onRefused: () => void;
}

/** What the main thread's part of a role is made of. */
export interface ServicesDeps {
  readonly setup: NodeSetup;
  readonly threads: Pick<NodeThreads, "end" | "validators">;
  readonly queryPool: WorkerQueryPool;
  readonly view: ChainView;
  readonly compiler: NodeCompiler;
  readonly reports: NodeReports;
  readonly revert: Pick<ChainRevert, "to">;
  /** Starts the threads again in the same role. */
  readonly restart: () => Promise<void>;
  /** The gateway's chain is another one than that of the folder: the node ends. */
  readonly onOtherChain: (message: string) => void;
  /** `null`: the chain is not shared with other sequencers. */
  readonly shared: SharedRole | null;
  /** As `NodeOptions.sourceGraceMs`. */
  readonly sourceGraceMs: number;
  /** Shows how far catching up is. */
  readonly terminal: Terminal;
  /** `null`: L1 is not followed. */
  readonly l1: L1Connection | null;
  /** What those who follow L1 look at. */
  readonly l1Chain: L1ChainPort;
  readonly log: Logger;
  readonly timer: Timer;
}

/** Makes what the main thread has of the node's role; from now on it sees what is told of the chain. */
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
  tellOfFree(made, deps);
  made.remote.onGate((message) => {
    if (message.state === "refused") deps.shared?.onRefused();
    else deps.shared?.onWaiting(message.state === "waiting" ? message.reason : undefined);
  });
  return made;
}

/** A block that is accepted on L1 is shown as such to everybody who is told of it. */
function settleAndTell(
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
    settle: settleAndTell((...block) => remote.settleOnL1(...block), deps),
    production: l1ProductionPorts(remote.control, log),
  });
}

function followAsFollower(follower: Pick<Follower, "settleOnL1">, deps: ServicesDeps): FollowedL1 {
  const { l1, l1Chain } = deps;
  if (l1 === null) return L1_NOT_FOLLOWED;
  return l1.follow(l1Chain, {
    settle: settleAndTell((...block) => follower.settleOnL1(...block), deps),
    production: null,
  });
}

/** While transactions are free it is looked after each delta whether that is over. */
function tellOfFree(
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
