import type { Following, MempoolLookup, SyncStatus, TransactionSubmitter } from "#api/rpc/index.ts";
import type { Felt, Timer } from "#base/primitives/index.ts";
import type { NodeMetrics } from "#base/metrics/index.ts";
import type { ClassCompiler } from "#services/admission/index.ts";
import type { AcceptedMessage } from "#services/sequencer/index.ts";
import type {
  FromSync,
  ForwardedSubmission,
  SyncRefusal,
  SyncRevert,
  SyncToQuery,
} from "#services/sync/index.ts";
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
import { SyncState } from "./sync-state.ts";

/**
 * Service of a node that follows others: it passes submissions on to the sequencer, and remembers them until
 * a block has them.
 */
export interface Forwarded {
  readonly submit: TransactionSubmitter;
  readonly mempool: MempoolLookup;
  /** Forwarded transactions that are in no accepted block. */
  forwardedSubmissions(): readonly ForwardedSubmission[];
  /**
   * Answers waiting submissions, now and from now on.
   *
   * @param isChange - whether the node continues in another role
   */
  stop(isChange: boolean): void;
}

/** Dependencies of {@link Follower}. */
export interface FollowerDeps {
  /** Main thread's end of the sync thread. */
  readonly sync: { readonly port: PortBetween<"main", "sync"> };
  readonly compiler: { readonly service: ClassCompiler };
  readonly forwarded: Forwarded;
  /** Reverts blocks that are not on the gateway's chain. */
  readonly reorg: { to(order: SyncRevert): Promise<void> };
  readonly log: SyncLog;
  readonly metrics: NodeMetrics;
  /** Last block to sync; `null` for no limit. */
  readonly stopAt: number | null;
  readonly sourceName: SourceName;
  /** As `NodeOptions.sourceGraceMs`. */
  readonly graceMs: number;
  /** Follows L1 for the chain that the sync thread writes. */
  readonly followL1: (ports: Pick<Follower, "settleOnL1">) => FollowedL1;
  /** Counts a visible block. */
  readonly accepted: (block: AcceptedMessage) => void;
  /** Notes what blocks are refused for; `null` once one is accepted. */
  readonly refused: (refusal: SyncRefusal | null) => void;
  /** Stops the node, because the gateway serves another chain. */
  readonly onOtherChain: (message: string) => void;
  readonly timer: Timer;
}

/** Main thread's part of a role that follows a gateway: handles sync messages and forwards submissions. */
export class Follower implements RoleServices {
  readonly growth: Growth;
  readonly l1: FollowedL1;
  readonly submit: TransactionSubmitter;
  readonly mempool: MempoolLookup;
  readonly #deps: FollowerDeps;
  readonly #classes: ClassRequests;
  readonly #state: SyncState;
  readonly #settling: Settling;

  constructor(deps: FollowerDeps) {
    const { sync, compiler, forwarded, stopAt, sourceName, graceMs, timer } = deps;
    this.#deps = deps;
    this.submit = forwarded.submit;
    this.mempool = forwarded.mempool;
    const nowMs = (): number => timer.nowMs();
    this.#state = new SyncState({ stopAt, sourceName, graceMs, nowMs });
    this.#classes = new ClassRequests({
      compiler: compiler.service,
      timer,
      answer: (message) => sync.port.send(message),
    });
    this.#settling = new Settling(sync.port);
    this.l1 = deps.followL1(this);
    const grown = createMailbox<SyncToQuery>();
    this.growth = growthOfOne(grown);
    sync.port.listen((message) => this.#handle(message, (growth) => grown.deliver(growth)));
  }

  /** Reports a visible block. */
  accepted(block: AcceptedMessage): void {
    this.#deps.accepted(block);
    this.#deps.log.imported(block, this.#state.highest);
  }

  syncStatus(): SyncStatus | false {
    return this.#state.status();
  }

  following(): Following {
    return this.#state.following();
  }

  alarm(): undefined {
    return undefined;
  }

  /** As {@link Settling.settle}. */
  settleOnL1(blockNumber: number, blockHash: Felt): Promise<boolean> {
    return this.#settling.settle(blockNumber, blockHash);
  }

  /** Does nothing: submissions need no thread. */
  hold(): void {
    // Submissions are forwarded without a thread.
  }

  interrupt(): void {
    this.#classes.interrupt();
    this.#settling.interrupt();
  }

  release(): void {
    // See {@link hold}.
  }

  /** Forwarded transactions that are in no accepted block. */
  forwardedSubmissions(): readonly ForwardedSubmission[] {
    return this.#deps.forwarded.forwardedSubmissions();
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

  #handle(message: FromSync, grow: (message: SyncToQuery) => void): void {
    recordSync(message, this.#deps.metrics.sync);
    switch (message.kind) {
      case "delta":
      case "accepted":
      case "pendingDropped":
        grow(message);
        return;
      case "progress": {
        this.#state.progress(message.progress);
        const { isCaughtUp } = this.#state;
        this.#deps.log.caughtUp(isCaughtUp, message.progress.current?.number ?? -1);
        return;
      }
      case "refused":
        this.#state.refused(message.refusal);
        this.#deps.log.refused(message.refusal);
        this.#deps.refused(message.refusal);
        return;
      case "preConfirmedDropped":
        this.#deps.log.preConfirmedDropped(message.refusal);
        return;
      case "sourceHead":
        this.#state.sourceHead(message.blockNumber);
        this.#deps.log.sourceHead(message.blockNumber, this.#state.hasBlocks);
        return;
      case "gatewayRequestEnded":
        this.#deps.log.requested(message);
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
