import type { Timer } from "#base/primitives/index.ts";

/** Running pause. */
export interface Pause {
  readonly ended: Promise<void>;
  /** Ends the pause early. */
  end(): void;
}

/** Cancellable pauses, which all end when their owner stops. */
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
    return this.begin(delayMs).ended;
  }

  /** Like {@link for}, but returns a handle that can end the pause early. */
  begin(delayMs: number): Pause {
    if (this.#isStopped) return { ended: Promise.resolve(), end: () => undefined };
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const end = (): void => {
      cancel();
      this.#open.delete(end);
      resolve();
    };
    const cancel = this.#timer.after(delayMs, end);
    this.#open.add(end);
    return { ended, end };
  }

  /** Ends all current and future pauses. */
  stop(): void {
    this.#isStopped = true;
    this.#stopped.resolve();
    for (const end of this.#open) end();
  }
}
