import type { Timer } from "#base/primitives/index.ts";

/** Lets a loop wait until there is something to do, or for a while. */
export class WakeUp {
  readonly #timer: Pick<Timer, "after">;
  #isCalled = false;
  #end: (() => void) | undefined;

  constructor(timer: Pick<Timer, "after">) {
    this.#timer = timer;
  }

  /** There is something to do: ends {@link sleep}, also one that has not begun. */
  call(): void {
    this.#isCalled = true;
    this.#end?.();
  }

  /** Waits for {@link call}. */
  async sleep(): Promise<void> {
    if (!this.#isCalled) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#end = resolve;
      await promise;
    }
    this.#end = undefined;
    this.#isCalled = false;
  }

  /** Waits so long, whoever calls. */
  pause(delayMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#timer.after(delayMs, resolve);
    return promise;
  }
}
