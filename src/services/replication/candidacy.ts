import { ObjectStoreError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { ObjectStore } from "#io/objects/index.ts";
import type { LeaderRecord } from "./leader-record.ts";
import { type LeaderSeen, LeaderWatch } from "./leader-watch.ts";

/** Reason that keeps a sequencer from taking over although no leader is alive. */
export type CandidacyObstacle =
  /** The store does not answer. */
  | { readonly kind: "unseen"; readonly failure: ObjectStoreError }
  /** The store has blocks that this sequencer has not applied yet. */
  | { readonly kind: "behind"; readonly newestBlock: number; readonly publishedBlock: number }
  /** The former leader published blocks that the store no longer has. */
  | { readonly kind: "lost"; readonly newestBlock: number; readonly publishedBlock: number }
  /** The local clock is behind the newest block, so blocks cannot be produced with it. */
  | { readonly kind: "clock"; readonly newestBlock: number; readonly seconds: number };

/** Dependencies of a {@link Candidacy}. */
export interface CandidacyDeps {
  readonly store: Pick<ObjectStore, "get">;
  /** Silence after which the leader counts as gone. */
  readonly takeoverAfterMs: number;
  /**
   * Whether this sequencer takes over only after somebody has led. A sequencer that publishes its chain for
   * the first time does not lead yet; taking its place would put another chain's block where its own belongs.
   */
  readonly isStandby: boolean;
  /** Newest block of the local chain; `undefined` if it is empty. */
  readonly newestBlock: () => number | undefined;
  /** Epoch of the newest local block; 0 if the chain is empty. */
  readonly newestEpoch: () => number;
  /**
   * Returns the highest block in the store.
   *
   * @param from - block known to be in the store
   * @throws {ObjectStoreError} when the store does not answer
   */
  readonly newestPublished: (from: number) => Promise<number>;
  /** Lag of the local clock behind the newest block, in seconds; `undefined` if it is tolerable. */
  readonly secondsBehind: () => number | undefined;
  readonly onSeen: (seen: LeaderSeen) => void;
  /**
   * Called once, after polling has stopped: no leader is alive, and every published block has been applied.
   */
  readonly onTurn: (leader: LeaderRecord | undefined) => void;
  /** Called after each check with the current obstacle; `undefined` if none. */
  readonly onObstacle: (obstacle: CandidacyObstacle | undefined) => void;
  readonly timer: Timer;
}

/** Watches the leader until it is gone and the local chain has every published block. */
export class Candidacy {
  readonly #deps: CandidacyDeps;
  readonly #watch: LeaderWatch;
  #isChecking = false;
  /** Result of the latest poll; `undefined` if it failed. */
  #seen: LeaderSeen | undefined;
  #isOver = false;

  constructor(deps: CandidacyDeps) {
    this.#deps = deps;
    this.#watch = new LeaderWatch({
      store: deps.store,
      silenceMs: deps.takeoverAfterMs,
      timer: deps.timer,
      onSeen: (seen) => this.#onSeen(seen),
      onUnseen: (failure) => {
        this.#seen = undefined;
        deps.onObstacle({ kind: "unseen", failure });
      },
    });
  }

  start(): void {
    this.#watch.start();
  }

  stop(): void {
    this.#isOver = true;
    this.#watch.stop();
  }

  #onSeen(seen: LeaderSeen): void {
    this.#seen = seen;
    this.#deps.onSeen(seen);
    if (!this.#isSilent(seen)) this.#deps.onObstacle(undefined);
    else if (!this.#isChecking) void this.#check();
  }

  #isSilent({ leader, silentMs }: LeaderSeen): boolean {
    if (leader === undefined && this.#deps.isStandby) return false;
    const { newestEpoch, takeoverAfterMs } = this.#deps;
    // A stop record of an earlier epoch is stale: a later leader exists and is about to write its record.
    const hasStopped = leader?.hasStopped === true && leader.epoch >= newestEpoch();
    return hasStopped || silentMs >= takeoverAfterMs;
  }

  async #check(): Promise<void> {
    this.#isChecking = true;
    try {
      const obstacle = await this.#obstacle();
      const seen = this.#seen;
      // The leader may have come back during the check, or the store may have stopped answering.
      if (this.#isOver || seen === undefined || !this.#isSilent(seen)) return;
      this.#deps.onObstacle(obstacle);
      if (obstacle !== undefined) return;
      this.stop();
      this.#deps.onTurn(seen.leader);
    } finally {
      this.#isChecking = false;
    }
  }

  async #obstacle(): Promise<CandidacyObstacle | undefined> {
    const { newestBlock, newestPublished, secondsBehind } = this.#deps;
    try {
      const publishedBlock = await newestPublished(newestBlock() ?? -1);
      // Blocks keep arriving while the store is queried, so read the newest one again.
      const newest = newestBlock();
      const behind = { newestBlock: newest ?? -1, publishedBlock };
      if (newest === undefined || newest < publishedBlock) return { kind: "behind", ...behind };
      const led = this.#seen?.leader?.newestBlock ?? -1;
      if (led > newest) return { kind: "lost", newestBlock: newest, publishedBlock: led };
      const seconds = secondsBehind();
      return seconds === undefined ? undefined : { kind: "clock", newestBlock: newest, seconds };
    } catch (error) {
      if (!(error instanceof ObjectStoreError)) throw error;
      return { kind: "unseen", failure: error };
    }
  }
}
