import type { Following, MempoolLookup, SyncStatus, TransactionSubmitter } from "#api/rpc/index.ts";
import type { MempoolListing } from "#services/admission/index.ts";
import type { AcceptedMessage } from "#services/sequencer/index.ts";
import type { FollowedL1 } from "./followed-l1.ts";
import type { Growth } from "../growth.ts";

/** Lists the transactions that wait on this node. */
export interface MempoolLister {
  /** Returns waiting transactions in order of arrival, without the first `offset`. */
  list(offset: number, limit: number): Promise<MempoolListing>;
}

/** Main thread's part of the node's current role. */
export interface RoleServices {
  /** Connection to L1; reports nothing if L1 is not followed. */
  readonly l1: FollowedL1;
  /** Messages about the chain's growth. */
  readonly growth: Growth;
  /** Called when a block is accepted and visible. */
  accepted(block: AcceptedMessage): void;
  /** Accepts submissions, or forwards them to the leader. */
  readonly submit: TransactionSubmitter;
  readonly mempool: MempoolLookup & Partial<MempoolLister>;
  /** Progress of syncing; `false` if the node is caught up or follows no gateway. */
  syncStatus(): SyncStatus | false;
  /** State of following, for `/ready`; `null` if the node follows no gateway. */
  following(): Following | null;
  /** Reason for not being ready besides {@link l1} and {@link following}; `undefined` if none. */
  alarm(): string | undefined;
  /** Holds back requests, because the threads are about to stop. */
  hold(): void;
  /** Settles or repeats open requests, because the threads have stopped without answering them. */
  interrupt(): void;
  /** Sends the requests held back: the threads run again. */
  release(): void;
  /** Answers open requests as if nothing had been received, because the node changes its role. */
  close(): void;
  /** Answers open requests, now and from now on, because the node is stopping. */
  stop(): void;
}
