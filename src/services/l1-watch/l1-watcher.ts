import { L1Error } from "#base/errors/index.ts";
import { pause } from "#io/http/index.ts";
import { GuardedStep } from "./guarded-step.ts";
import { type MessageCall, MessageWork } from "./message-work.ts";
import { type L1Position, type RangeRead, readRange } from "./read-range.ts";
import type { L1WatcherDeps } from "./watcher-ports.ts";

const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 15_000;

/**
 * Follows L1: reads the core contract's logs range by range up to the newest block at the configured
 * finality, and forwards them. Each range is read at a view whose chain contains the last block read. A step
 * without a response from L1 is abandoned and restarted. After a reorg of blocks that were read, the whole
 * replay window is read again.
 */
export class L1Watcher {
  readonly #deps: L1WatcherDeps;
  readonly #messages: MessageWork | null;
  #position: L1Position | undefined;
  /** Incremented whenever work in progress becomes stale. */
  #era = 0;
  #failures = 0;
  /** When to report all messages again after some were not accepted; `undefined` when all were. */
  #redeliverAtMs: number | undefined;
  /** Consecutive failures to deliver messages. */
  #refusals = 0;
  #step: GuardedStep | undefined;
  #pause = new AbortController();
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(deps: L1WatcherDeps) {
    this.#deps = deps;
    const { messages, timer } = deps;
    this.#messages =
      messages === null
        ? null
        : new MessageWork({
            messages,
            timer,
            onStepped: () => (this.#refusals = 0),
            onFailed: (work, error) => this.#messagesFailed(work, error),
          });
  }

  /** Starts to follow L1, until {@link stop}. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Settles when no work is in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#forget();
    this.#pause.abort();
    await Promise.all([this.#running, this.#messages?.stop()]);
  }

  /**
   * Restarts reading and comparing from the beginning, because the chain has changed, for example by a
   * revert.
   */
  reset(): void {
    this.#deps.state.reset();
    this.#messages?.reset();
    this.#forget();
    this.#pause.abort();
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const delayMs = await this.#read();
      if (!this.#isStopped) await this.#advance();
      if (this.#isStopped) return;
      this.#pause = new AbortController();
      await pause(this.#deps.timer, this.#pause.signal, delayMs);
    }
  }

  /** @returns the delay until the next step */
  async #read(): Promise<number> {
    const { timer, pollMs, onEvent } = this.#deps;
    if (this.#messages?.isFull === true) return pollMs;
    const era = this.#era;
    const step = new GuardedStep(timer);
    this.#step = step;
    try {
      const read = await this.#readAt(step);
      if (era !== this.#era) return FIRST_RETRY_MS;
      const failures = this.#failures;
      this.#failures = 0;
      if (failures > 0) onEvent({ kind: "recovered", failures });
      return this.#take(read);
    } catch (error) {
      if (era !== this.#era) return FIRST_RETRY_MS;
      onEvent({ kind: "failed", part: "logs", error });
      return retryMs(this.#failures++);
    }
  }

  async #readAt(step: GuardedStep): Promise<RangeRead> {
    const { source, finality, rangeBlocks, replayMs, nowUnixMs } = this.#deps;
    const fromUnixSeconds = Math.floor((nowUnixMs() - replayMs) / 1000);
    const position = this.#position ?? {
      next: (await step.ask(() => source.blockBefore(fromUnixSeconds))) ?? 0,
      last: undefined,
    };
    return step.ask(() =>
      source.view(finality, (view) => readRange(step.view(view), position, rangeBlocks)),
    );
  }

  #take(read: RangeRead): number {
    const { state, pollMs, timer, onEvent } = this.#deps;
    if (read.kind === "reorganized") {
      onEvent({ kind: "reorganized", gone: read.gone });
      state.rewind();
      this.#messages?.reset();
      this.#restart();
      return FIRST_RETRY_MS;
    }
    const { view } = read;
    const { head, block } = view;
    if (read.kind === "read") this.#takeRange(read);
    const position = this.#position?.last?.number ?? -1;
    onEvent({ kind: "stepped", head, block, read: position });
    if (position < block.number) return 0;
    state.counted({ block, head });
    if (read.kind === "read") this.#deliver({ kind: "step", view });
    // State comparison does not wait for messages: only now everything is read again for them.
    if (this.#redeliverAtMs === undefined || timer.nowMs() < this.#redeliverAtMs) return pollMs;
    this.#restart();
    return 0;
  }

  #takeRange(read: Extract<RangeRead, { kind: "read" }>): void {
    const { state, onEvent } = this.#deps;
    const { view, from, position, updates, messages, core } = read;
    if (this.#position === undefined) {
      this.#deliver({ kind: "begins", fromBlock: from });
      onEvent({ kind: "begun", fromBlock: from });
    }
    this.#position = position;
    if (from > view.block.number) return;
    state.logs(updates);
    this.#deliver({ kind: "logs", messages, view });
    if (core !== undefined) state.coreState(core, view.block);
  }

  /** After undelivered logs nothing is sent until all messages are reported again. */
  #deliver(work: MessageCall): void {
    if (this.#redeliverAtMs === undefined) this.#messages?.add(work);
  }

  #messagesFailed(work: "logs" | "step", error: unknown): void {
    const { timer, onEvent } = this.#deps;
    onEvent({ kind: "failed", part: "messages", error });
    if (work === "logs") this.#redeliverAtMs = timer.nowMs() + retryMs(this.#refusals++);
  }

  async #advance(): Promise<void> {
    const { source, state, timer, onEvent } = this.#deps;
    const era = this.#era;
    const step = new GuardedStep(timer);
    this.#step = step;
    try {
      await state.advance((block, transactions) =>
        step.ask(() => source.stateReports(block, transactions)),
      );
    } catch (error) {
      if (era === this.#era) onEvent({ kind: "failed", part: "state", error });
    }
  }

  /** Invalidates work in progress; the next step reads from the beginning. */
  #forget(): void {
    this.#era++;
    this.#restart();
    this.#step?.end(new L1Error("L1_GIVEN_UP", "reading L1 starts over", true));
  }

  #restart(): void {
    this.#position = undefined;
    this.#redeliverAtMs = undefined;
  }
}

/** Delay before the next attempt, by the number of consecutive failures before it. */
function retryMs(failuresBefore: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** failuresBefore, LONGEST_RETRY_MS);
}
