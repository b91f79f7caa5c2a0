import type { Pauses } from "../pause.ts";
import type { BlockSource } from "../ports.ts";
import { refusalOf } from "../refusal.ts";
import type { Refusals } from "../refusals.ts";
import type { SyncSettings } from "../settings.ts";
import { PreConfirmedFollower, type PreConfirmedDeps } from "./follower.ts";
import { Layers, type LayersDeps } from "./layers.ts";

/** What the blocks above the accepted ones are followed with. */
export interface FollowedPendingDeps extends LayersDeps, Pick<PreConfirmedDeps, "classes"> {
  readonly source: Pick<BlockSource, "preConfirmed" | "distrust">;
  readonly pauses: Pauses;
  readonly refusals: Refusals;
  /** Whether all accepted blocks of the gateway are stored: nothing else is looked at before. */
  readonly isAtTip: () => boolean;
  readonly settings: Pick<SyncSettings, "chainId" | "newestVersion" | "preConfirmedPollMs">;
}

/** Looks for blocks that are not accepted, beside those that are: none of them waits for the others. */
export class FollowedPending {
  readonly #deps: FollowedPendingDeps;
  readonly #layers: Layers;
  readonly #follower: PreConfirmedFollower;
  #isStopped = false;

  constructor(deps: FollowedPendingDeps) {
    const { source, classes, settings } = deps;
    this.#deps = deps;
    this.#layers = new Layers(deps);
    this.#follower = new PreConfirmedFollower({
      source,
      classes,
      layers: this.#layers,
      chainId: settings.chainId,
      newestVersion: settings.newestVersion,
    });
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
      await pauses.for(Math.max(retryMs, settings.preConfirmedPollMs));
    }
  }

  /** Looks no more. */
  stop(): void {
    this.#isStopped = true;
  }

  /** @returns milliseconds that the next look is to wait */
  async #look(): Promise<number> {
    const { refusals, source } = this.#deps;
    try {
      await this.#follower.poll();
      refusals.clear("preConfirmed");
      return 0;
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined || this.#isStopped) throw error;
      source.distrust();
      return refusals.add("preConfirmed", refusal);
    }
  }
}
