import { L1Error } from "#base/errors/index.ts";
import type { Timer } from "#base/primitives/index.ts";
import type { L1View, MessageLog } from "#io/l1/index.ts";
import { GuardedStep } from "./guarded-step.ts";
import type { L1MessageTaker } from "./watcher-ports.ts";

/** What is handed on. */
export type MessageTelling =
  | { readonly kind: "begins"; readonly fromBlock: number }
  | { readonly kind: "logs"; readonly messages: readonly MessageLog[]; readonly view: L1View }
  | { readonly kind: "step"; readonly view: L1View };

/** The same, or the word that all begins anew. */
type Work = MessageTelling | { readonly kind: "reset" };

/** Most words of 32 bytes that wait in messages before no more are read; each message has some of its own. */
const MAX_WAITING_WORDS = 1 << 20;
const MESSAGE_WORDS = 16;

/** What messages are handed on with. */
export interface MessageWorkDeps {
  readonly messages: L1MessageTaker;
  readonly timer: Timer;
  /** A step has ended well. */
  onStepped(): void;
  /** A call ended with an error; after `logs` they are told to begin anew, and all is to be told again. */
  onFailed(work: "logs" | "step", error: unknown): void;
}

/**
 * Hands on what was read of messages, one call after the other, beside the reading: a long backlog does
 * not hold up what else is read of L1.
 */
export class MessageWork {
  readonly #deps: MessageWorkDeps;
  #waiting: Work[] = [];
  #guard: GuardedStep | undefined;
  #running: Promise<void> | undefined;

  constructor(deps: MessageWorkDeps) {
    this.#deps = deps;
  }

  /** Whether so much waits that no more should be read. */
  get isFull(): boolean {
    return this.#waiting.reduce((sum, work) => sum + wordsOf(work), 0) > MAX_WAITING_WORDS;
  }

  /** Adds work. A step takes the place of one that still waits: its view is the newer one. */
  add(work: MessageTelling): void {
    this.#add(work);
  }

  /** Gives up what is under way and what waits, and tells to begin anew. */
  reset(): void {
    this.#giveUp();
    this.#add({ kind: "reset" });
  }

  /** Gives up everything. Settles when nothing is under way any more. */
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
    this.#guard?.end(
      new L1Error("L1_GIVEN_UP", "what was read of L1 does not count any more", true),
    );
    this.#guard = undefined;
  }
}

function wordsOf(work: Work): number {
  if (work.kind !== "logs") return 0;
  return work.messages.reduce((sum, { payload }) => sum + payload.length + MESSAGE_WORDS, 0);
}
