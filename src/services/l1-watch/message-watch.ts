import { L1Error } from "#base/errors/index.ts";
import type { L1BlockId, L1View, MessageLog } from "#io/l1/index.ts";
import { HeldBackMessages } from "./held-back-messages.ts";
import { messageChanged, messageVanished } from "./message-alarms.ts";
import { MessageExecutor } from "./message-executor.ts";
import type { HeldBackReason, MessageWatchDeps } from "./message-ports.ts";
import { MessageQueue } from "./message-queue.ts";
import { MissingMessages } from "./missing-messages.ts";
import type { L1Alarm } from "./ports.ts";
import {
  NON_PAYLOAD_FELTS,
  SLICE_FELTS,
  transactionOf,
  waitingMessage,
} from "./waiting-message.ts";

/**
 * Receives L1 messages in nonce order, which the core contract increments by one, and has each executed once.
 *
 * Messages consumed by a block are known by nonce. All others are reported again after a start, a revert of
 * the chain, and an L1 reorg. Nonces have no gaps: a missing log is detected by the next one, or by the core
 * contract's counter at the end of a step.
 */
export class MessageWatch {
  readonly #deps: MessageWatchDeps;
  readonly #queue: MessageQueue;
  readonly #heldBack: HeldBackMessages;
  readonly #executor: MessageExecutor;
  /** Incremented whenever all messages are reported again; earlier work is then stale. */
  #epoch = 0;
  /** Nonce of the next log; `undefined` before the first one. */
  #next: bigint | undefined;
  /** All messages up to this L1 block are known to have been reported. */
  #completeTo = 0;
  #fromBlock = 0;
  /** Messages before the first log that are in no block: too old, or missing from the logs. */
  #missing: MissingMessages | undefined;
  /** Whether the last step found an executed message missing from L1. */
  #isSuspicious = false;
  #isAlarmed = false;
  /** Unusable messages below this nonce have been reported. */
  #reportedBelow = 0n;

  constructor(deps: MessageWatchDeps) {
    this.#deps = deps;
    this.#queue = new MessageQueue(deps.limits);
    this.#heldBack = new HeldBackMessages(deps.limits.heldBackMessages);
    this.#executor = new MessageExecutor({
      ...deps,
      queue: this.#queue,
      heldBack: this.#heldBack,
      onAlarm: (alarm) => this.#alarm(alarm),
    });
  }

  /** Number of L1 messages that wait for a block. */
  get backlog(): number {
    return this.#queue.size + this.#executor.inFlight;
  }

  /** Starts over: logs from this block on follow. */
  begins(fromBlock: number): void {
    this.reset();
    this.#completeTo = fromBlock;
    this.#fromBlock = fromBlock;
    this.#executor.begin();
  }

  /**
   * Receives the messages of the next block range, in order; skips known ones.
   *
   * @throws {L1Error} L1_LOGS_LEFT_OUT when one is missing; they must be reported again
   */
  async logs(messages: readonly MessageLog[], _view: L1View): Promise<void> {
    const epoch = this.#epoch;
    let work = 0;
    for (const message of messages) {
      if (this.#next !== undefined && message.nonce < this.#next) continue;
      this.#expect(message);
      this.#take(message, "next");
      work += message.payload.length + NON_PAYLOAD_FELTS;
      if (work < SLICE_FELTS) continue;
      work = 0;
      await this.#deps.yieldToOthers();
      if (epoch !== this.#epoch) return;
    }
  }

  /**
   * Ends a step, in which all logs up to the view's block were reported. Compares them with the core
   * contract's state, and rechecks messages that were held back.
   *
   * @throws {L1Error} when L1 does not answer, or contradicts itself
   */
  async step(view: L1View): Promise<void> {
    // A view older than the last one is silent about later messages.
    if (view.block.number < this.#completeTo) return;
    const epoch = this.#epoch;
    const l1Next = await view.nextMessageNonce();
    const hash = await view.hashOf(view.block.number);
    if (epoch !== this.#epoch) return;
    if (hash !== view.block.hash) {
      const { number } = view.block;
      throw new L1Error(
        "L1_REPLACED",
        `block ${number} of L1 was replaced while it was read`,
        true,
      );
    }
    this.#audit(view.block, l1Next);
    await this.#complete(view, l1Next);
    if (epoch !== this.#epoch) return;
    await this.#lookForMissing(view);
    if (epoch !== this.#epoch) return;
    await this.#takeBack(view);
  }

  /** Discards all messages, because they are stale; all will be reported again. */
  reset(): void {
    this.#epoch++;
    this.#next = undefined;
    this.#missing = undefined;
    this.#isSuspicious = false;
    this.#isAlarmed = false;
    this.#queue.clear();
    this.#heldBack.clear();
    this.#deps.index.clear();
    this.#executor.reset();
  }

  /** Stops sending messages to the executor. */
  stop(): void {
    this.reset();
    this.#executor.stop();
  }

  /** Detects a gap before this log. */
  #expect({ nonce, l1Block }: MessageLog): void {
    if (this.#next === undefined) {
      this.#next = nonce;
      this.#begin(nonce);
    } else if (nonce > this.#next) {
      throw leftOut(this.#next, `block ${l1Block.number} has nonce ${nonce}`);
    }
  }

  #take(message: MessageLog, place: "next" | "earlier"): void {
    const { chain, chainId, index } = this.#deps;
    const { nonce, l1Block, transactionHash: l1TransactionHash } = message;
    if (place === "next") this.#next = nonce + 1n;
    const transaction = transactionOf(message, chainId);
    if (transaction.kind === "unusable") {
      this.#reportUnusable(message, transaction);
      return;
    }
    const { hash } = transaction;
    const consumed = chain.consumedMessage(nonce);
    index.add({
      nonce,
      transactionHash: hash,
      l1TransactionHash,
      isWaiting: consumed === undefined,
    });
    if (consumed === undefined) {
      if (place === "earlier") {
        this.#queue.putBack([waitingMessage(message, transaction)]);
      } else if (this.#queue.takesNext) {
        this.#queue.push(waitingMessage(message, transaction));
      } else {
        this.#queue.pushUnheld(nonce, l1Block.number);
      }
      this.#executor.wake();
    } else if (consumed.transactionHash !== hash) {
      this.#alarm(messageChanged(nonce, consumed, l1Block));
    }
  }

  /** Executed messages stay on L1; a missing one reveals a deep L1 reorg. */
  #audit(l1Block: L1BlockId, l1Next: bigint): void {
    const { chain } = this.#deps;
    const newest = chain.newestConsumedNonce();
    const missing = newest !== undefined && newest >= l1Next;
    const first = missing ? chain.firstConsumedFrom(l1Next) : undefined;
    const sentIn = first === undefined ? undefined : chain.l1BlockOf(first);
    // An endpoint that lags may not have it yet.
    const hasVanished = missing && (sentIn === undefined || sentIn <= l1Block.number);
    // A single response of one endpoint must not halt the chain.
    if (hasVanished && this.#isSuspicious) {
      this.#alarm(messageVanished(l1Next, newest, first, l1Block));
    }
    this.#isSuspicious = hasVanished;
    this.#executor.audit(l1Block);
  }

  /** Reads the logs again if the contract's counter shows that some are missing. */
  async #complete(view: L1View, l1Next: bigint): Promise<void> {
    const epoch = this.#epoch;
    if (this.#next === undefined) {
      this.#next = l1Next;
      this.#begin(l1Next);
    }
    if (this.#next > l1Next) {
      throw new L1Error(
        "L1_CONTRADICTORY",
        `the core contract's next message nonce is ${l1Next}, and its logs have ${this.#next - 1n}`,
        true,
      );
    }
    if (this.#next < l1Next) {
      const logs = await view.logs(this.#completeTo, view.block.number);
      if (epoch !== this.#epoch) return;
      await this.logs(
        logs.filter((log) => log.kind === "message_to_l2"),
        view,
      );
      if (epoch !== this.#epoch) return;
      if (this.#next < l1Next) throw leftOut(this.#next, `the core contract counts to ${l1Next}`);
    }
    this.#completeTo = view.block.number;
  }

  async #takeBack(view: L1View): Promise<void> {
    const epoch = this.#epoch;
    const { index, onEvent } = this.#deps;
    for (let size = Infinity; this.#heldBack.size > 0 && this.#heldBack.size < size;) {
      size = this.#heldBack.size;
      const returned = await this.#heldBack.recheck(view);
      if (epoch !== this.#epoch) return;
      for (const { nonce, transactionHash } of returned) {
        index.setWaiting(transactionHash, true);
        onEvent({ kind: "returned", nonce });
      }
      this.#queue.putBack(returned);
    }
    this.#executor.wake();
  }

  /**
   * Records messages missing before the first log: sent before the replay window, or omitted by an endpoint.
   */
  #begin(first: bigint): void {
    const newest = this.#deps.chain.newestConsumedNonce();
    const expected = newest === undefined ? 0n : newest + 1n;
    if (expected < first) this.#missing = new MissingMessages(expected, first);
  }

  /** Searches for messages missing before the first log, at growing intervals. */
  async #lookForMissing(view: L1View): Promise<void> {
    const epoch = this.#epoch;
    const missing = this.#missing;
    if (missing === undefined || !missing.isDue()) return;
    const logs = await view.logs(this.#fromBlock, view.block.number);
    if (epoch !== this.#epoch) return;
    const found = missing.find(logs);
    const [first] = found;
    const last = found.at(-1);
    if (first !== undefined && last !== undefined) {
      const [firstNonce, lastNonce] = [first.nonce, last.nonce];
      this.#deps.onEvent({ kind: "found", firstNonce, lastNonce });
    }
    for (const log of found) this.#take(log, "earlier");
    if (missing.isEmpty) this.#missing = undefined;
    else if (missing.isNews) this.#deps.onEvent({ kind: "too_old", ...missing.nonces });
  }

  #reportUnusable(
    { nonce, l1Block, transactionHash: l1TransactionHash }: MessageLog,
    reason: HeldBackReason,
  ): void {
    if (nonce < this.#reportedBelow) return;
    this.#reportedBelow = nonce + 1n;
    const message = { nonce, l1TransactionHash, l1BlockNumber: l1Block.number, reason };
    this.#deps.onEvent({ kind: "held_back", message });
  }

  #alarm(alarm: L1Alarm): void {
    if (this.#isAlarmed) return;
    this.#isAlarmed = true;
    this.#executor.halt();
    this.#deps.onAlarm(alarm);
  }
}

function leftOut(nonce: bigint, evidence: string): L1Error {
  return new L1Error(
    "L1_LOGS_LEFT_OUT",
    `the log of the message with nonce ${nonce} is missing: ${evidence}`,
    true,
  );
}
