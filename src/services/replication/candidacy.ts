import { ObjectStoreError } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { ObjectStore } from "#io/objects/index.ts";
import type { LeaderRecord } from "./leader-record.ts";
import { type LeaderSeen, LeaderWatch } from "./leader-watch.ts";

/** What keeps a sequencer from taking over although nobody leads. */
export type CandidacyObstacle =
  /** The store does not answer. */
  | { readonly kind: "unseen"; readonly failure: ObjectStoreError }
  /** The store has blocks that have not been taken yet. */
  | { readonly kind: "behind"; readonly newestBlock: number; readonly publishedBlock: number }
  /** Whoever led has published blocks that the store has no more. */
  | { readonly kind: "lost"; readonly newestBlock: number; readonly publishedBlock: number }
  /** The own clock is behind the newest block: no blocks can be made by it. */
  | { readonly kind: "clock"; readonly newestBlock: number; readonly seconds: number };

/** What waiting for a turn works with. */
export interface CandidacyDeps {
  readonly store: Pick<ObjectStore, "get">;
  /** Silence after which the leader is taken for gone. */
  readonly takeoverAfterMs: number;
  /**
   * It takes nobody's place before somebody has led: a sequencer that publishes its chain for the first time
   * does not lead yet, and would find another chain's block in the place of one of its own.
   */
  readonly isStandby: boolean;
  /** Newest block of the own chain; `undefined`: there is none. */
  readonly newestBlock: () => number | undefined;
  /** Its epoch; 0 where there is none. */
  readonly newestEpoch: () => number;
  /**
   * The highest block that the store has.
   *
   * @param from - known to be there
   * @throws {ObjectStoreError} when the store does not answer
   */
  readonly newestPublished: (from: number) => Promise<number>;
  /** Seconds that the own clock is behind the newest block; `undefined`: few enough to make blocks by it. */
  readonly secondsBehind: () => number | undefined;
  /** What each look has shown. */
  readonly onSeen: (seen: LeaderSeen) => void;
  /** Nobody leads, and every block that there is has been taken. Called once; nothing is watched any more. */
  readonly onTurn: (leader: LeaderRecord | undefined) => void;
  /** Hears each time what is in the way; `undefined`: nothing is. */
  readonly onObstacle: (obstacle: CandidacyObstacle | undefined) => void;
  readonly timer: Timer;
}

/** Watches who leads, until nobody does and the own chain has everything that was published. */
export class Candidacy {
  readonly #deps: CandidacyDeps;
  readonly #watch: LeaderWatch;
  #isChecking = false;
  /** The newest look; `undefined`: it was not answered. */
  #seen: LeaderSeen | undefined;
  #isOver = false;

  constructor(deps: CandidacyDeps) {
    this.#deps = deps;
    this.#watch = new LeaderWatch({
      store: deps.store,
      silenceMs: deps.takeoverAfterMs,
      timer: deps.timer,
      onSeen: (seen) => this.#look(seen),
      onUnseen: (failure) => {
        this.#seen = undefined;
        deps.onObstacle({ kind: "unseen", failure });
      },
    });
  }

  /** Begins. Called once. */
  start(): void {
    this.#watch.start();
  }

  /** Watches no more. */
  stop(): void {
    this.#isOver = true;
    this.#watch.stop();
  }

  #look(seen: LeaderSeen): void {
    this.#seen = seen;
    this.#deps.onSeen(seen);
    if (!this.#isSilent(seen)) this.#deps.onObstacle(undefined);
    else if (!this.#isChecking) void this.#check();
  }

  #isSilent({ leader, silentMs }: LeaderSeen): boolean {
    if (leader === undefined && this.#deps.isStandby) return false;
    const { newestEpoch, takeoverAfterMs } = this.#deps;
    // Of an earlier epoch it is old news: somebody has begun a later one, and is about to say so.
    const hasStopped = leader?.hasStopped === true && leader.epoch >= newestEpoch();
    return hasStopped || silentMs >= takeoverAfterMs;
  }

  async #check(): Promise<void> {
    this.#isChecking = true;
    try {
      const obstacle = await this.#obstacle();
      const seen = this.#seen;
      // It may have come back meanwhile, or be out of sight.
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
      // Blocks are taken all the time.
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
