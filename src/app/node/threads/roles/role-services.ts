import type { Following, MempoolLookup, SyncStatus, TransactionSubmitter } from "#api/rpc/index.ts";
import type { MempoolListing } from "#services/admission/index.ts";
import type { AcceptedMessage } from "#services/sequencer/index.ts";
import type { FollowedL1 } from "./followed-l1.ts";
import type { Growth } from "../growth.ts";

/** Access to the transactions that wait on this node. */
export interface MempoolLister {
  /** Returns waiting transactions in order of arrival, without the first `offset`. */
  list(offset: number, limit: number): Promise<MempoolListing>;
}

/** What the main thread has of a role, as long as the node has that role. */
export interface RoleServices {
  /** L1, where it is followed. */
  readonly l1: FollowedL1;
  /** What is told of the chain's growth. */
  readonly growth: Growth;
  /** A block was accepted, and can be seen. */
  accepted(block: AcceptedMessage): void;
  /** Takes submissions, or hands them on. */
  readonly submit: TransactionSubmitter;
  readonly mempool: MempoolLookup & Partial<MempoolLister>;
  /** How far the node is behind what it follows; `false`: it is not, or follows nobody. */
  syncStatus(): SyncStatus | false;
  /** How the node stands to what it follows; `null`: it follows nobody. */
  following(): Following | null;
  /** Why nobody should ask the node; `undefined`: there is no reason beside those of {@link l1} and {@link following}. */
  alarm(): string | undefined;
  /** Keeps back what is asked from now on: the threads are about to stop. */
  hold(): void;
  /** The threads are gone with what they were told and have not answered. */
  interrupt(): void;
  /** The threads are there again: what was kept back goes on. */
  release(): void;
  /** The node has another role: answers whoever waits, as if nothing had been received. */
  close(): void;
  /** The node is stopping: answers whoever waits, now and from now on. */
  stop(): void;
}
