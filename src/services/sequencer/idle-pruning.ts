import type { Timer } from "#base/primitives/index.ts";

/** How long nothing is committed until a chain counts as idle. */
export const IDLE_MS = 250;

/** Between two portions: each takes some milliseconds, in which a block would wait. */
export const PORTION_PAUSE_MS = 50;

/** What the pruning of an idle chain works with. */
export interface IdlePruningDeps {
  /** Deletes a small portion of what is no longer kept. Returns whether anything is left. */
  readonly prune: () => boolean;
  readonly timer: Pick<Timer, "after">;
  /** Hears why a portion could not be deleted; none is tried after it. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Deletes what is no longer kept while no blocks come, which delete a portion each: else a chain that
 * stands still would keep for ever what it was told to forget.
 */
export class IdlePruning {
  readonly #deps: IdlePruningDeps;
  #cancel: () => void = () => undefined;
  #isStopped = false;

  constructor(deps: IdlePruningDeps) {
    this.#deps = deps;
  }

  /** What is kept may have changed: the chain is looked at once nothing happens for {@link IDLE_MS}. */
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
