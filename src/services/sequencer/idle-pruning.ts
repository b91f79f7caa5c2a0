import type { Timer } from "#base/primitives/index.ts";

/** Time without a commit after which a chain counts as idle. */
export const IDLE_MS = 250;

/** Pause between two portions. Each takes some milliseconds, during which a block would have to wait. */
export const PORTION_PAUSE_MS = 50;

/** Dependencies of {@link IdlePruning}. */
export interface IdlePruningDeps {
  /** Deletes a small portion of expired data. Returns whether any is left. */
  readonly prune: () => boolean;
  readonly timer: Pick<Timer, "after">;
  /** Called with the reason when a portion could not be deleted; pruning stops then. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Deletes expired data while no blocks are committed. Each commit deletes a portion; without this, an idle
 * chain would keep expired data forever.
 */
export class IdlePruning {
  readonly #deps: IdlePruningDeps;
  #cancel: () => void = () => undefined;
  #isStopped = false;

  constructor(deps: IdlePruningDeps) {
    this.#deps = deps;
  }

  /** Restarts the idle timer after a change: pruning starts once nothing has happened for {@link IDLE_MS}. */
  touch(): void {
    this.#schedule(IDLE_MS);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  #schedule(delayMs: number): void {
    this.#cancel();
    if (this.#isStopped) return;
    this.#cancel = this.#deps.timer.after(delayMs, () => this.#portion());
  }

  #portion(): void {
    const { prune, onFailure } = this.#deps;
    try {
      if (prune()) this.#schedule(PORTION_PAUSE_MS);
    } catch (error) {
      this.stop();
      onFailure(error);
    }
  }
}
