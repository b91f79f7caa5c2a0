import { decodeTransaction } from "#protocol/chain/index.ts";
import type { Outlet } from "#base/primitives/index.ts";
import { MessageSuspects } from "./message-suspects.ts";
import type { WaitingMessages } from "./executor-state.ts";
import type { ControlReply, MessageFromL1, MessageOutcome } from "./control-messages.ts";

/** Most messages that wait: whoever follows L1 hands over a batch when the one before it is consumed. */
export const MAX_WAITING_MESSAGES = 65_536;

interface Waiting {
  readonly id: number;
  readonly messages: readonly MessageFromL1[];
  /** Of the first ones. */
  readonly outcomes: MessageOutcome[];
}

/** Messages from L1 that wait for a block, in their order. Each request is answered when all of its messages are consumed. */
export class MessageQueue {
  /** Those that a crash may be blamed on. */
  readonly suspects = new MessageSuspects();
  readonly #main: Outlet<ControlReply>;
  readonly #requests: Waiting[] = [];
  #size = 0;

  constructor(main: Outlet<ControlReply>) {
    this.#main = main;
  }

  /** What the executor's timing knows of those that wait; `null`: none does. */
  next(): WaitingMessages | null {
    if (this.#size === 0) return null;
    const [message] = this.suspects.isEmpty ? [] : this.#waiting(1);
    return { attempt: message === undefined ? 1 : this.#attemptOf(message) };
  }

  /** Takes the messages of a request, or refuses it. */
  add(id: number, messages: readonly MessageFromL1[]): void {
    if (this.#size + messages.length > MAX_WAITING_MESSAGES) {
      return this.#refuse(id, "too many messages from L1 are waiting");
    }
    this.#size += messages.length;
    this.#requests.push({ id, messages, outcomes: [] });
    this.#answer();
  }

  /** The first `count` messages that wait, or all; one in an attempt above 1 alone. */
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

  /** What became of the first messages that wait, in their order. */
  consumed(outcomes: readonly MessageOutcome[]): void {
    for (const outcome of outcomes) {
      this.#requests[0]?.outcomes.push(outcome);
      this.#size--;
      this.#answer();
    }
  }

  /** Refuses all requests that wait. */
  refuse(reason: string): void {
    this.#size = 0;
    for (const { id } of this.#requests.splice(0)) this.#refuse(id, reason);
  }

  #refuse(id: number, reason: string): void {
    this.#main.send({ kind: "controlled", id, outcome: { kind: "refused", reason } });
  }

  /** Answers requests whose messages are all consumed. */
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
