import type { Following, MempoolLookup, SyncStatus, TransactionSubmitter } from "#api/rpc/index.ts";
import type { Felt, Timer } from "#base/primitives/index.ts";
import type { NodeMetrics } from "#base/metrics/index.ts";
import type { AcceptedMessage } from "#services/sequencer/index.ts";
import type { FromSync, HandedOn, SyncRevert, SyncToQuery } from "#services/sync/index.ts";
import type { NodeCompiler } from "../compiler/start-class-compiler.ts";
import type { SyncLog } from "./reports/sync-log.ts";
import { recordSync } from "./reports/sync-metrics.ts";
import type { FollowedL1 } from "../threads/roles/followed-l1.ts";
import { Settling } from "../threads/settling.ts";
import { type Growth, growthOfOne } from "../threads/growth.ts";
import type { SourceName } from "../setup/follow.ts";
import { createMailbox } from "../threads/mailbox.ts";
import type { PortBetween } from "../threads/protocol.ts";
import { ClassRequests } from "./class-requests.ts";
import type { RoleServices } from "../threads/roles/role-services.ts";
import { SyncStanding } from "./sync-standing.ts";

/** To where submissions are handed on. */
export interface Forwarded {
  readonly submit: TransactionSubmitter;
  readonly mempool: MempoolLookup;
  /** What was handed on and no accepted block has. */
  handedOn(): readonly HandedOn[];
  /**
   * Answers whoever waits, now and from now on.
   *
   * @param isChange - the node goes on in another role
   */
  stop(isChange: boolean): void;
}

/** What following works with. */
export interface FollowerDeps {
  /** The main thread's end of the sync thread. */
  readonly sync: { readonly port: PortBetween<"main", "sync"> };
  readonly compiler: Pick<NodeCompiler, "service">;
  readonly forwarded: Forwarded;
  /** Takes blocks back that the gateway's chain does not have. */
  readonly reorg: { to(order: SyncRevert): Promise<void> };
  readonly log: SyncLog;
  readonly metrics: NodeMetrics;
  /** Last block that is taken; `null`: there is none. */
  readonly stopAt: number | null;
  readonly sourceName: SourceName;
  /** As `NodeOptions.sourceGraceMs`. */
  readonly graceMs: number;
  /** Follows L1 for the chain that the sync thread writes. */
  readonly followL1: (ports: Pick<Follower, "settleOnL1">) => FollowedL1;
  /** Counts a block that can be seen. */
  readonly accepted: (block: AcceptedMessage) => void;
  /** The gateway's chain is another one: the node ends. */
  readonly onOtherChain: (message: string) => void;
  readonly timer: Timer;
}

/** What the main thread has of a role that follows: what sync tells, and the way to the gateway. */
export class Follower implements RoleServices {
  readonly growth: Growth;
  readonly l1: FollowedL1;
  readonly submit: TransactionSubmitter;
  readonly mempool: MempoolLookup;
  readonly #deps: FollowerDeps;
  readonly #classes: ClassRequests;
  readonly #standing: SyncStanding;
  readonly #settling: Settling;

  constructor(deps: FollowerDeps) {
    const { sync, compiler, forwarded, stopAt, sourceName, graceMs, timer } = deps;
    this.#deps = deps;
    this.submit = forwarded.submit;
    this.mempool = forwarded.mempool;
    const nowMs = (): number => timer.nowMs();
    this.#standing = new SyncStanding({ stopAt, sourceName, graceMs, nowMs });
    this.#classes = new ClassRequests({
      compiler: compiler.service,
      timer,
      answer: (message) => sync.port.send(message),
    });
    this.#settling = new Settling(sync.port);
    this.l1 = deps.followL1(this);
    const grown = createMailbox<SyncToQuery>();
    this.growth = growthOfOne(grown);
    sync.port.listen((message) => this.#told(message, (growth) => grown.deliver(growth)));
  }

  /** A block can be seen. */
  accepted(block: AcceptedMessage): void {
    this.#deps.accepted(block);
    this.#deps.log.imported(block, this.#standing.highest);
  }

  syncStatus(): SyncStatus | false {
    return this.#standing.status();
  }

  following(): Following {
    return this.#standing.following();
  }

  alarm(): undefined {
    return undefined;
  }

  /** As {@link Settling.settle}. */
  settleOnL1(blockNumber: number, blockHash: Felt): Promise<boolean> {
    return this.#settling.settle(blockNumber, blockHash);
  }

  /** Submissions need no thread. */
  hold(): void {
    // Nothing waits.
  }

  interrupt(): void {
    this.#classes.interrupt();
    this.#settling.interrupt();
  }

  release(): void {
    // As with `hold`.
  }

  /** What was handed on and no accepted block has. */
  handedOn(): readonly HandedOn[] {
    return this.#deps.forwarded.handedOn();
  }

  close(): void {
    this.#end(true);
  }

  stop(): void {
    this.#end(false);
  }

  #end(isChange: boolean): void {
    this.l1.stop();
    this.interrupt();
    this.#deps.forwarded.stop(isChange);
  }

  #told(message: FromSync, grow: (message: SyncToQuery) => void): void {
    recordSync(message, this.#deps.metrics.sync);
    switch (message.kind) {
      case "delta":
      case "accepted":
      case "pendingGone":
        grow(message);
        return;
      case "progress": {
        this.#standing.progress(message.progress);
        const { isCaughtUp } = this.#standing;
        this.#deps.log.caughtUp(isCaughtUp, message.progress.current?.number ?? -1);
        return;
      }
      case "refused":
        this.#standing.refused(message.refusal);
        this.#deps.log.refused(message.refusal);
        return;
      case "preConfirmedDropped":
        this.#deps.log.preConfirmedDropped(message.refusal);
        return;
      case "sourceHead":
        this.#standing.sourceHead(message.blockNumber);
        this.#deps.log.sourceHead(message.blockNumber, this.#standing.hasBlocks);
        return;
      case "gatewayAsked":
        this.#deps.log.asked(message);
        return;
      case "compile":
        void this.#classes.compile(message);
        return;
      case "revert":
        void this.#deps.reorg.to(message);
        return;
      case "otherChain":
        this.#deps.onOtherChain(message.message);
        return;
      case "keyPinned":
        this.#deps.log.keyPinned(message.publicKey);
        return;
      case "settledOnL1":
        this.#settling.answered(message);
        return;
      case "stage":
        return;
    }
  }
}
