import { describeError, type Logger } from "#telemetry/index.ts";

/** A part that hangs must not keep a node alive that has to stop. */
const LAST_RESORT_MS = 15_000;

/**
 * The end of a node: stops its parts once, in reverse order of their start, whoever asks first.
 *
 * A node that lost a part never goes on half alive: {@link fail} stops the rest and the exit code
 * tells.
 */
export class Lifecycle {
  readonly #parts: AsyncDisposableStack;
  readonly #log: Logger;
  readonly #closed = Promise.withResolvers<number>();
  #stopping = false;

  /** @param parts - everything that has to be stopped, in the order of its start */
  constructor(parts: AsyncDisposableStack, log: Logger) {
    this.#parts = parts;
    this.#log = log;
  }

  /** Settles with the exit code when everything has stopped. */
  get closed(): Promise<number> {
    return this.#closed.promise;
  }

  /** Whether the end has begun. */
  get isStopping(): boolean {
    return this.#stopping;
  }

  /** Stops in order, with exit code 0. */
  stop(): void {
    if (this.#stopping) return;
    this.#log.info("stopping");
    this.#end(0).then(
      () => this.#log.info("stopped"),
      (error: unknown) => this.#log.error("stopping failed", { reason: describeError(error) }),
    );
  }

  /** Stops because a part failed, with exit code 1. */
  fail(error: unknown): void {
    if (this.#stopping) return;
    this.#log.error("the node stops because a part of it failed", {
      reason: typeof error === "string" ? error : describeError(error),
    });
    setTimeout(() => process.exit(1), LAST_RESORT_MS).unref();
    this.#end(1).catch(() => process.exit(1));
  }

  async #end(code: number): Promise<void> {
    this.#stopping = true;
    try {
      await this.#parts.disposeAsync();
      this.#closed.resolve(code);
    } catch (error) {
      this.#closed.resolve(1);
      throw error;
    }
  }
}
