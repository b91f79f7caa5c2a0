import type { Felt, Timer } from "#base/primitives/index.ts";
import type { Pause, Pauses } from "../pause.ts";
import type { BlockSource } from "../ports.ts";
import { refusalOf } from "../refusal.ts";
import type { Refusals } from "../refusals.ts";
import type { SyncSettings } from "../settings.ts";
import { ExpectedTransactions, MIN_POLL_MS } from "./expected.ts";
import { PreConfirmedFollower, type PreConfirmedDeps } from "./follower.ts";
import { Layers, type LayersDeps } from "./layers.ts";

/** Dependencies of {@link FollowedPending}. */
export interface FollowedPendingDeps extends LayersDeps, Pick<PreConfirmedDeps, "classes"> {
  readonly source: Pick<BlockSource, "preConfirmed" | "distrust">;
  readonly pauses: Pauses;
  readonly refusals: Refusals;
  /** Whether all accepted blocks of the gateway are stored; pre-confirmed blocks are polled only then. */
  readonly isAtTip: () => boolean;
  readonly isAccepted: (hash: Felt) => boolean;
  /** Called when a polled block may have been accepted meanwhile. */
  readonly onPerhapsAccepted: () => void;
  readonly timer: Pick<Timer, "nowMs">;
  readonly settings: Pick<SyncSettings, "chainId" | "newestVersion" | "preConfirmedPollMs">;
}

/** Polls for pre-confirmed blocks, independently of the sync of accepted ones. */
export class FollowedPending {
  readonly #deps: FollowedPendingDeps;
  readonly #layers: Layers;
  readonly #follower: PreConfirmedFollower;
  readonly #expected: ExpectedTransactions;
  #pause: Pause | undefined;
  #isStopped = false;

  constructor(deps: FollowedPendingDeps) {
    const { source, classes, settings, isAccepted, timer } = deps;
    this.#deps = deps;
    this.#layers = new Layers(deps);
    this.#follower = new PreConfirmedFollower({
      source,
      classes,
      layers: this.#layers,
      chainId: settings.chainId,
      newestVersion: settings.newestVersion,
    });
    this.#expected = new ExpectedTransactions({
      isSeen: (hash) => this.#layers.has(hash) || isAccepted(hash),
      pollMs: settings.preConfirmedPollMs,
      nowMs: () => timer.nowMs(),
    });
  }

  /** Polls soon, because a transaction was forwarded. */
  expect(hash: Felt): void {
    this.#expected.add(hash);
    this.#pause?.end();
  }

  /** Records an accepted block; must be called once every reader has been notified of it. */
  accepted(blockNumber: number): void {
    this.#layers.accepted(blockNumber);
  }

  async run(): Promise<void> {
    const { pauses, isAtTip, settings } = this.#deps;
    while (!this.#isStopped) {
      const retryMs = isAtTip() ? await this.#poll() : 0;
      // Caps the poll rate, regardless of how many transactions are forwarded.
      const leastMs = Math.max(retryMs, MIN_POLL_MS);
      await pauses.for(leastMs);
      const delayMs = this.#expected.delayMs() ?? settings.preConfirmedPollMs;
      if (delayMs <= leastMs) continue;
      this.#pause = pauses.begin(delayMs - leastMs);
      await this.#pause.ended;
    }
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** @returns milliseconds to wait before the next poll */
  async #poll(): Promise<number> {
    const { refusals, source, onPerhapsAccepted } = this.#deps;
    try {
      const isThere = await this.#follower.poll();
      refusals.clear("preConfirmed");
      if (!isThere && (this.#layers.top !== undefined || this.#expected.delayMs() !== undefined)) {
        onPerhapsAccepted();
      }
      return 0;
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined || this.#isStopped) throw error;
      source.distrust(error);
      return refusals.add("preConfirmed", refusal);
    }
  }
}
