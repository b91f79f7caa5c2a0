import { decodeTransaction } from "#protocol/chain/index.ts";
import type { Outlet } from "#base/primitives/index.ts";
import { MessageSuspects } from "./message-suspects.ts";
import type { WaitingMessages } from "./executor-state.ts";
import type { ControlReply, MessageFromL1, MessageOutcome } from "./control-messages.ts";

/**
 * Maximum number of queued messages. The L1 follower sends the next batch when the one before is consumed.
 */
export const MAX_WAITING_MESSAGES = 65_536;

interface Waiting {
  readonly id: number;
  readonly messages: readonly MessageFromL1[];
  /** Outcomes of the first messages. */
  readonly outcomes: MessageOutcome[];
}

/**
 * Queue of messages from L1 in their order. Each request is answered when all of its messages are consumed.
 */
export class MessageQueue {
  /** Messages that may be blamed for a crash. */
  readonly suspects = new MessageSuspects();
  readonly #main: Outlet<ControlReply>;
  readonly #requests: Waiting[] = [];
  #size = 0;

  constructor(main: Outlet<ControlReply>) {
    this.#main = main;
  }

  /** Returns the queue's state for the executor's timing; `null` if the queue is empty. */
  next(): WaitingMessages | null {
    if (this.#size === 0) return null;
    const [message] = this.suspects.isEmpty ? [] : this.#waiting(1);
    return { attempt: message === undefined ? 1 : this.#attemptOf(message) };
  }

  /** Enqueues the messages of a request, or refuses the request. */
  add(id: number, messages: readonly MessageFromL1[]): void {
    if (this.#size + messages.length > MAX_WAITING_MESSAGES) {
      return this.#refuse(id, "too many messages from L1 are waiting");
    }
    this.#size += messages.length;
    this.#requests.push({ id, messages, outcomes: [] });
    this.#answer();
  }

  /** Returns the first `count` queued messages, or all; a message in an attempt above 1 is returned alone. */
  first(count: number): MessageFromL1[] {
    const waiting = this.#waiting(count);
    if (this.suspects.isEmpty) return waiting;
    const suspect = waiting.findIndex((message) => this.#attemptOf(message) > 1);
    return suspect < 0 ? waiting : waiting.slice(0, Math.max(1, suspect));
  }

  #attemptOf({ bytes }: MessageFromL1): number {
    return this.suspects.attemptOf(decodeTransaction(bytes).hash);
  }

  #waiting(count: number): MessageFromL1[] {
    const first: MessageFromL1[] = [];
    for (const { messages, outcomes } of this.#requests) {
      const left = count - first.length;
      if (left <= 0) break;
      first.push(...messages.slice(outcomes.length, outcomes.length + left));
    }
    return first;
  }

  /** Records the outcomes of the first queued messages, in their order. */
  consumed(outcomes: readonly MessageOutcome[]): void {
    for (const outcome of outcomes) {
      this.#requests[0]?.outcomes.push(outcome);
      this.#size--;
      this.#answer();
    }
  }

  refuse(reason: string): void {
    this.#size = 0;
    for (const { id } of this.#requests.splice(0)) this.#refuse(id, reason);
  }

  #refuse(id: number, reason: string): void {
    this.#main.send({ kind: "controlled", id, outcome: { kind: "refused", reason } });
  }

  #answer(): void {
    for (;;) {
      const [first] = this.#requests;
      if (first === undefined || first.outcomes.length < first.messages.length) return;
      this.#requests.shift();
      const { id, outcomes } = first;
      this.#main.send({ kind: "controlled", id, outcome: { kind: "consumed", outcomes } });
    }
  }
}
