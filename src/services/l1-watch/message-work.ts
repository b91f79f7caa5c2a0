import { L1Error } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { L1View, MessageLog } from "#io/l1/index.ts";
import { GuardedStep } from "./guarded-step.ts";
import type { L1MessageTaker } from "./watcher-ports.ts";

/** A call to {@link L1MessageTaker}. */
export type MessageCall =
  | { readonly kind: "begins"; readonly fromBlock: number }
  | { readonly kind: "logs"; readonly messages: readonly MessageLog[]; readonly view: L1View }
  | { readonly kind: "step"; readonly view: L1View };

/** A call, or a request to start over. */
type Work = MessageCall | { readonly kind: "reset" };

/** Maximum queued 32-byte words before reading pauses; each message adds {@link MESSAGE_WORDS}. */
const MAX_WAITING_WORDS = 1 << 20;
const MESSAGE_WORDS = 16;

/** Dependencies of {@link MessageWork}. */
export interface MessageWorkDeps {
  readonly messages: L1MessageTaker;
  readonly timer: Timer;
  /** Called after a successful step. */
  onStepped(): void;
  /**
   * Called after a failed call. After a failure of `logs` the taker is reset, and everything must be reported
   * again.
   */
  onFailed(work: "logs" | "step", error: unknown): void;
}

/**
 * Delivers messages one call after the other, in parallel with reading: a long message backlog does not delay
 * other reads of L1.
 */
export class MessageWork {
  readonly #deps: MessageWorkDeps;
  #waiting: Work[] = [];
  #guard: GuardedStep | undefined;
  #running: Promise<void> | undefined;

  constructor(deps: MessageWorkDeps) {
    this.#deps = deps;
  }

  /** Whether the queue is so long that reading should pause. */
  get isFull(): boolean {
    return this.#waiting.reduce((sum, work) => sum + wordsOf(work), 0) > MAX_WAITING_WORDS;
  }

  /** Enqueues a call. A step replaces a queued one, because its view is newer. */
  add(work: MessageCall): void {
    this.#add(work);
  }

  /** Abandons current and queued calls, and resets the taker. */
  reset(): void {
    this.#giveUp();
    this.#add({ kind: "reset" });
  }

  /** Abandons everything. Settles when no call is in progress. */
  async stop(): Promise<void> {
    this.#giveUp();
    await this.#running;
  }

  #add(work: Work): void {
    if (work.kind === "step") this.#waiting = this.#waiting.filter(({ kind }) => kind !== "step");
    this.#waiting.push(work);
    this.#running ??= this.#run();
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    for (let work = this.#waiting.shift(); work !== undefined; work = this.#waiting.shift()) {
      const guard = new GuardedStep(this.#deps.timer);
      this.#guard = guard;
      try {
        await this.#do(work, guard);
      } catch (error) {
        if (this.#guard === guard) this.#failed(work, error);
      }
    }
    this.#guard = undefined;
    this.#running = undefined;
  }

  async #do(work: Work, guard: GuardedStep): Promise<void> {
    const { messages } = this.#deps;
    switch (work.kind) {
      case "begins":
        messages.begins(work.fromBlock);
        return;
      case "logs":
        await messages.logs(work.messages, guard.view(work.view));
        return;
      case "step":
        await messages.step(guard.view(work.view));
        if (this.#guard === guard) this.#deps.onStepped();
        return;
      case "reset":
        messages.reset();
    }
  }

  #failed(work: Work, error: unknown): void {
    if (work.kind !== "step") this.reset();
    this.#deps.onFailed(work.kind === "step" ? "step" : "logs", error);
  }

  #giveUp(): void {
    this.#waiting = [];
    this.#guard?.end(new L1Error("L1_GIVEN_UP", "the L1 data read so far is stale", true));
    this.#guard = undefined;
  }
}

function wordsOf(work: Work): number {
  if (work.kind !== "logs") return 0;
  return work.messages.reduce((sum, { payload }) => sum + payload.length + MESSAGE_WORDS, 0);
}
