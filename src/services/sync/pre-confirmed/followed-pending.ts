import type { Felt, Timer } from "#base/primitives/index.ts";
import type { Pause, Pauses } from "../pause.ts";
import type { BlockSource } from "../ports.ts";
import { refusalOf } from "../refusal.ts";
import type { Refusals } from "../refusals.ts";
import type { SyncSettings } from "../settings.ts";
import { ExpectedTransactions, MIN_POLL_MS } from "./expected.ts";
import { PreConfirmedFollower, type PreConfirmedDeps } from "./follower.ts";
import { Layers, type LayersDeps } from "./layers.ts";

/** What the blocks above the accepted ones are followed with. */
export interface FollowedPendingDeps extends LayersDeps, Pick<PreConfirmedDeps, "classes"> {
  readonly source: Pick<BlockSource, "preConfirmed" | "distrust">;
  readonly pauses: Pauses;
  readonly refusals: Refusals;
  /** Whether all accepted blocks of the gateway are stored: nothing else is looked at before. */
  readonly isAtTip: () => boolean;
  /** Whether a transaction is in an accepted block. */
  readonly isAccepted: (hash: Felt) => boolean;
  /** A block is looked for that may have been accepted meanwhile. */
  readonly onPerhapsAccepted: () => void;
  readonly timer: Pick<Timer, "nowMs">;
  readonly settings: Pick<SyncSettings, "chainId" | "newestVersion" | "preConfirmedPollMs">;
}

/** Looks for blocks that are not accepted, beside those that are: none of them waits for the others. */
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

  /** A transaction was handed on: it is looked for soon. */
  expect(hash: Felt): void {
    this.#expected.add(hash);
    this.#pause?.end();
  }

  /** A block is accepted; to be called when every reader is told of it. */
  accepted(blockNumber: number): void {
    this.#layers.accepted(blockNumber);
  }

  /** Looks until {@link stop}. */
  async run(): Promise<void> {
    const { pauses, isAtTip, settings } = this.#deps;
    while (!this.#isStopped) {
      const retryMs = isAtTip() ? await this.#look() : 0;
      // However much is handed on: no more looks than these.
      const leastMs = Math.max(retryMs, MIN_POLL_MS);
      await pauses.for(leastMs);
      const delayMs = this.#expected.delayMs() ?? settings.preConfirmedPollMs;
      if (delayMs <= leastMs) continue;
      this.#pause = pauses.begin(delayMs - leastMs);
      await this.#pause.ended;
    }
  }

  /** Looks no more. */
  stop(): void {
    this.#isStopped = true;
  }

  /** @returns milliseconds that the next look is to wait */
  async #look(): Promise<number> {
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
