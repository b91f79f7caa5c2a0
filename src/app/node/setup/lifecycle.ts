import { describeError, type Logger } from "#base/telemetry/index.ts";
import type { Timer } from "#base/primitives/index.ts";

/** A part that hangs must not keep a node alive that has to stop. */
export const LAST_RESORT_MS = 4_500;

/** What the log says of an end. */
type Fields = Parameters<Logger["info"]>[1];

/** What a lifecycle works with. */
export interface LifecyclePorts {
  /** Everything that has to be stopped, in the order of its start. */
  readonly disposables: AsyncDisposableStack;
  readonly log: Logger;
  readonly timer: Timer;
  /** Ends the process. */
  readonly exit: (code: number) => void;
}

/**
 * The end of a node: stops its parts once, in reverse order of their start, whoever asks first.
 *
 * A node that lost a part never goes on half alive: {@link fail} stops the rest and the exit code
 * tells. Whatever was answered is on disk by then, so a process that is still there after
 * {@link LAST_RESORT_MS} ends without waiting any longer.
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

  /** Settles with the exit code when everything has stopped. */
  get closed(): Promise<number> {
    return this.#closed.promise;
  }

  /** Whether the end has begun. */
  get isStopping(): boolean {
    return this.#stopping;
  }

  /**
   * Does the work of the node's start. The end may begin meanwhile, as when another sequencer is seen to lead:
   * what the start throws then follows from that, and the exit code is that of the end.
   *
   * @throws what `work` throws, unless the end has begun
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

  /** Stops because what it was given is of no use, with exit code 2. */
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
