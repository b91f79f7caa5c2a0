import type { ObjectStoreError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { ObjectStore } from "#io/objects/index.ts";
import type { CandidacyObstacle } from "./candidacy.ts";
import type { LeaderRecord } from "./leader-record.ts";

/** What becomes of a sequencer among others of its chain. */
export type LeadershipEvent =
  /** It follows whoever leads, and may take over. */
  | { readonly kind: "follows" }
  /** The record of whoever leads is another one's, or of another epoch, than before. */
  | { readonly kind: "leader"; readonly leader: LeaderRecord }
  /** As {@link CandidacyObstacle}; `null`: nothing is in the way any more. */
  | { readonly kind: "obstacle"; readonly obstacle: CandidacyObstacle | null }
  /** Nobody leads: it begins to. */
  | {
      readonly kind: "takesOver";
      readonly epoch: number;
      readonly from: LeaderRecord | undefined;
    }
  /** It leads: others know it by a block, or as the one that led before. */
  | { readonly kind: "leads"; readonly epoch: number; readonly newestBlock: number }
  /** Another one was faster: it follows on. */
  | { readonly kind: "outrun"; readonly epoch: number }
  /** A sign of life could not be given; `null`: they are given again. */
  | { readonly kind: "heartbeat"; readonly failure: ObjectStoreError | null }
  /** It can no longer make blocks, for this reason: another one shall lead. */
  | { readonly kind: "givesUp"; readonly epoch: number; readonly reason: string }
  /** Somebody else leads now; it makes no more blocks. */
  | { readonly kind: "deposed"; readonly epoch: number };

/** What a sequencer does when it begins or ceases to lead. */
export interface LeadershipPorts {
  /** Newest block of the own chain that others have, too; -1: there is none. */
  readonly newestBlock: () => number;
  /** Its epoch; 0 where there is none. */
  readonly newestEpoch: () => number;
  /** As {@link CandidacyDeps.newestPublished}. */
  readonly newestPublished: (from: number) => Promise<number>;
  /** As {@link CandidacyDeps.secondsBehind}. */
  readonly secondsBehind: () => number | undefined;
  /**
   * Makes the node one that makes blocks of an epoch.
   *
   * @throws {NodeError} when it cannot; NODE_STOPPING: it is stopping
   */
  readonly lead: (epoch: number) => Promise<void>;
  /** Has a block made at once, an empty one too. */
  readonly makeBlock: () => void;
  /**
   * Makes the node one that follows. A block of its own that is not published is unwound, and the
   * transactions of that block wait again.
   *
   * @throws {NodeError} as {@link lead}
   */
  readonly follow: () => Promise<void>;
  /**
   * Hands transactions that wait here to whoever leads.
   *
   * @param deadlineMs - `null`: until none is left
   * @param signal - ends it; what waits is not touched from then on
   */
  readonly handOver: (deadlineMs: number | null, signal: AbortSignal) => Promise<void>;
  readonly onEvent: (event: LeadershipEvent) => void;
  /** Somebody else leads for good: the node has to end. `undefined`: it is not known who. */
  readonly onEnd: (by: LeaderRecord | undefined) => void;
  /** The node cannot go on. */
  readonly onFailure: (error: unknown) => void;
}

/** What leadership works with. */
export interface LeadershipDeps {
  readonly store: Pick<ObjectStore, "get" | "put" | "putIfAbsent" | "putIfMatch">;
  readonly ports: LeadershipPorts;
  /** As {@link LeaderRecord.instance}. */
  readonly instance: string;
  /** As {@link LeaderRecord.run}. */
  readonly run: string;
  /** As {@link LeaderRecord.gatewayUrl}. */
  readonly gatewayUrl: string | null;
  /** Silence of the leader after which it takes over. */
  readonly takeoverAfterMs: number;
  /** As {@link PublicationWatchDeps.publishTimeoutMs}; it gives up leadership then. */
  readonly publishTimeoutMs: number;
  /** It follows on when another one leads; else it ends. */
  readonly isStandby: boolean;
  readonly timer: Timer;
}
