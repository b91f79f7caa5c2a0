import { describeError, type Logger } from "#base/telemetry/index.ts";
import type { Timer } from "#base/primitives/index.ts";

/** Timeout of an orderly stop, in milliseconds: a part that hangs must not keep the process alive. */
export const LAST_RESORT_MS = 4_500;

type Fields = Parameters<Logger["info"]>[1];

/** Dependencies of {@link Lifecycle}. */
export interface LifecyclePorts {
  /** All parts to stop, in order of their start. */
  readonly disposables: AsyncDisposableStack;
  readonly log: Logger;
  readonly timer: Timer;
  /** Ends the process. */
  readonly exit: (code: number) => void;
}

/**
 * Shutdown of a node: stops its parts once, in reverse order of their start.
 *
 * A node that lost a part never continues without it: {@link fail} stops the rest, and the exit code shows
 * the failure. All acknowledged data is on disk by then, so the process exits after {@link LAST_RESORT_MS}
 * even if a part hangs.
 */
export class Lifecycle {
  readonly #disposables: AsyncDisposableStack;
  readonly #log: Logger;
  readonly #timer: Timer;
  readonly #exit: (code: number) => void;
  readonly #closed = Promise.withResolvers<number>();
  #stopping = false;

  constructor({ disposables, log, timer, exit }: LifecyclePorts) {
    this.#disposables = disposables;
    this.#log = log;
    this.#timer = timer;
    this.#exit = exit;
  }

  /** Resolves with the exit code when everything has stopped. */
  get closed(): Promise<number> {
    return this.#closed.promise;
  }

  /** Whether the shutdown has started. */
  get isStopping(): boolean {
    return this.#stopping;
  }

  /**
   * Runs the node's start. A shutdown may begin meanwhile, for example because another sequencer leads. The
   * start's error is then a consequence of it, and the exit code is that of the shutdown.
   *
   * @throws errors of `work`, unless the shutdown has started
   */
  async start(work: () => Promise<void>): Promise<void> {
    try {
      await Promise.race([work(), this.#closed.promise]);
    } catch (error) {
      if (!this.#stopping) throw error;
    }
  }

  /** Stops in order, with exit code 0. */
  stop(): void {
    if (this.#stopping) return;
    this.#log.info("stopping");
    void this.#end(0);
  }

  /** Stops in order once the signal is aborted, also when it is already. */
  stopOn(signal: AbortSignal): void {
    if (signal.aborted) this.stop();
    signal.addEventListener("abort", () => this.stop());
  }

  /** Stops because a part failed, with exit code 1. */
  fail(error: unknown): void {
    if (this.#stopping) return;
    this.#log.error("the node stops because a part of it failed", {
      reason: typeof error === "string" ? error : describeError(error),
    });
    void this.#end(1);
  }

  /** Stops because of unusable input, with exit code 2. */
  refuse(message: string): void {
    if (this.#stopping) return;
    this.#log.error(message);
    void this.#end(2);
  }

  /** Stops because another sequencer leads the chain, with exit code 4. */
  depose(message: string, fields: Fields): void {
    if (this.#stopping) return;
    this.#log.error(message, fields);
    void this.#end(4);
  }

  async #end(wanted: number): Promise<void> {
    this.#stopping = true;
    let code: number | undefined;
    this.#timer.after(LAST_RESORT_MS, () => {
      if (code === undefined) this.#log.error("a part did not stop in time");
      this.#exit(code ?? 1);
    });
    try {
      await this.#disposables.disposeAsync();
      code = wanted;
      this.#log.info("stopped");
    } catch (error) {
      this.#log.error("stopping failed", { reason: describeError(error) });
      code = 1;
    }
    this.#closed.resolve(code);
  }
}
