import type { Timer } from "#base/primitives/index.ts";

/** Pauses that end at once when everything ends. */
export class Pauses {
  readonly #timer: Pick<Timer, "after">;
  readonly #open = new Set<() => void>();
  readonly #stopped = Promise.withResolvers<void>();
  #isStopped = false;

  constructor(timer: Pick<Timer, "after">) {
    this.#timer = timer;
  }

  /** Settles at {@link stop}. */
  get untilStop(): Promise<void> {
    return this.#stopped.promise;
  }

  /** Settles after `delayMs`, or at {@link stop}. */
  for(delayMs: number): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        this.#open.delete(end);
        resolve();
      };
      const cancel = this.#timer.after(delayMs, end);
      this.#open.add(end);
    });
  }

  /** Ends all pauses, and those to come. */
  stop(): void {
    this.#isStopped = true;
    this.#stopped.resolve();
    for (const end of this.#open) end();
  }
}
