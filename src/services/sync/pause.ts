import type { Timer } from "#base/primitives/index.ts";

/** A pause that is under way. */
export interface Pause {
  /** Settles when it is over. */
  readonly ended: Promise<void>;
  /** It is over. */
  end(): void;
}

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
    return this.begin(delayMs).ended;
  }

  /** As {@link for}, for whoever may end it before. */
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

  /** Ends all pauses, and those to come. */
  stop(): void {
    this.#isStopped = true;
    this.#stopped.resolve();
    for (const end of this.#open) end();
  }
}
