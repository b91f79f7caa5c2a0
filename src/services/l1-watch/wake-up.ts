import type { Timer } from "#base/primitives/index.ts";

/** Lets a loop sleep until it has work, or pause for a fixed time. */
export class WakeUp {
  readonly #timer: Pick<Timer, "after">;
  #isCalled = false;
  #end: (() => void) | undefined;

  constructor(timer: Pick<Timer, "after">) {
    this.#timer = timer;
  }

  /** Signals work: ends the current {@link sleep}, or else the next one. */
  call(): void {
    this.#isCalled = true;
    this.#end?.();
  }

  /** Sleeps until {@link call}. */
  async sleep(): Promise<void> {
    if (!this.#isCalled) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#end = resolve;
      await promise;
    }
    this.#end = undefined;
    this.#isCalled = false;
  }

  /** Waits for the full delay, regardless of {@link call}. */
  pause(delayMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#timer.after(delayMs, resolve);
    return promise;
  }
}
