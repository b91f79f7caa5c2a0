import type { ObjectStoreError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { ObjectStore } from "#io/objects/index.ts";
import type { CandidacyObstacle } from "./candidacy.ts";
import type { LeaderRecord } from "./leader-record.ts";

/** Event in the life of a sequencer that shares its chain with others. */
export type LeadershipEvent =
  /** This sequencer follows the leader, and may take over. */
  | { readonly kind: "follows" }
  /** The leader record names another sequencer or epoch than before. */
  | { readonly kind: "leader"; readonly leader: LeaderRecord }
  /** Same as {@link CandidacyObstacle}; `null` when the obstacle is gone. */
  | { readonly kind: "obstacle"; readonly obstacle: CandidacyObstacle | null }
  /** No leader is alive, and this sequencer starts to take over. */
  | {
      readonly kind: "takesOver";
      readonly epoch: number;
      readonly from: LeaderRecord | undefined;
    }
  /** This sequencer leads: it has published a block of the epoch, or led in it before. */
  | { readonly kind: "leads"; readonly epoch: number; readonly newestBlock: number }
  /** Another sequencer took over first; this one keeps following. */
  | { readonly kind: "outrun"; readonly epoch: number }
  /** A heartbeat failed; `failure` is `null` when heartbeats succeed again. */
  | { readonly kind: "heartbeat"; readonly failure: ObjectStoreError | null }
  /** This sequencer can no longer make blocks, for this reason, and lets another one lead. */
  | { readonly kind: "givesUp"; readonly epoch: number; readonly reason: string }
  /** Another sequencer leads; this one makes no more blocks. */
  | { readonly kind: "deposed"; readonly epoch: number };

/** Actions of a sequencer that starts or stops leading. */
export interface LeadershipPorts {
  /** Newest local block that other nodes may have, too; -1 if none. */
  readonly newestBlock: () => number;
  /** Epoch of that block; 0 if none. */
  readonly newestEpoch: () => number;
  /** Same as {@link CandidacyDeps.newestPublished}. */
  readonly newestPublished: (from: number) => Promise<number>;
  /** Same as {@link CandidacyDeps.secondsBehind}. */
  readonly secondsBehind: () => number | undefined;
  /**
   * Switches the node to producing blocks of an epoch.
   *
   * @throws {NodeError} when it cannot; NODE_STOPPING if the node is stopping
   */
  readonly lead: (epoch: number) => Promise<void>;
  /** Produces a block immediately, even if it is empty. */
  readonly makeBlock: () => void;
  /**
   * Switches the node to following. Reverts a local block that is not published, and enqueues its
   * transactions again.
   *
   * @throws {NodeError} as {@link lead}
   */
  readonly follow: () => Promise<void>;
  /**
   * Forwards queued local transactions to the leader.
   *
   * @param deadlineMs - `null` to continue until the queue is empty
   * @param signal - cancels it; queued transactions are not touched afterwards
   */
  readonly handOver: (deadlineMs: number | null, signal: AbortSignal) => Promise<void>;
  readonly onEvent: (event: LeadershipEvent) => void;
  /** Called when another sequencer leads permanently: the node must stop. `undefined` if it is unknown. */
  readonly onEnd: (by: LeaderRecord | undefined) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Dependencies of {@link Leadership}. */
export interface LeadershipDeps {
  readonly store: Pick<ObjectStore, "get" | "put" | "putIfAbsent" | "putIfMatch">;
  readonly ports: LeadershipPorts;
  /** Same as {@link LeaderRecord.instance}. */
  readonly instance: string;
  /** Same as {@link LeaderRecord.run}. */
  readonly run: string;
  /** Same as {@link LeaderRecord.gatewayUrl}. */
  readonly gatewayUrl: string | null;
  /** Silence of the leader after which this sequencer takes over. */
  readonly takeoverAfterMs: number;
  /** Same as {@link PublicationWatchDeps.publishTimeoutMs}; afterwards this sequencer gives up leadership. */
  readonly publishTimeoutMs: number;
  /** Whether this sequencer keeps following when another one leads; otherwise it stops. */
  readonly isStandby: boolean;
  readonly timer: Timer;
}
