import { L1Error } from "#base/errors/index.ts";
import type { L1BlockId, L1View, MessageLog } from "#io/l1/index.ts";
import { LeftOutMessages } from "./left-out-messages.ts";
import { messageChanged, messageVanished } from "./message-alarms.ts";
import { MessageExecutor } from "./message-executor.ts";
import type { LeftOutReason, MessageWatchDeps } from "./message-ports.ts";
import { MessageQueue } from "./message-queue.ts";
import { MissingMessages } from "./missing-messages.ts";
import type { L1Alarm } from "./ports.ts";
import {
  FELTS_BESIDE_PAYLOAD,
  SLICE_FELTS,
  transactionOf,
  waitingMessage,
} from "./waiting-message.ts";

/**
 * Takes messages from L1 in the order of their nonces, which the core contract counts up one by one, and
 * has each executed once.
 *
 * What a block has consumed is known by nonce; everything else is told anew after a start, a revert of
 * the chain, and a reorganisation of L1. The numbers leave no gap: a log that was left out is noticed by
 * the next one, or by the core contract's counter at the end of a step.
 */
export class MessageWatch {
  readonly #deps: MessageWatchDeps;
  readonly #queue: MessageQueue;
  readonly #leftOut: LeftOutMessages;
  readonly #executor: MessageExecutor;
  /** Another one each time that all is told anew: what was begun before counts no more. */
  #epoch = 0;
  /** The nonce of the next log; `undefined` before the first one. */
  #next: bigint | undefined;
  /** All messages up to this block are known to have been told. */
  #completeTo = 0;
  #fromBlock = 0;
  /** Messages before the first log that no block has: too old, or left out. */
  #missing: MissingMessages | undefined;
  /** It was seen that L1 has not got a message that was executed. */
  #isSuspicious = false;
  #isAlarmed = false;
  /** Messages that can never be executed were told of up to this nonce. */
  #toldBelow = 0n;

  constructor(deps: MessageWatchDeps) {
    this.#deps = deps;
    this.#queue = new MessageQueue(deps.limits);
    this.#leftOut = new LeftOutMessages(deps.limits.leftOutMessages);
    this.#executor = new MessageExecutor({
      ...deps,
      queue: this.#queue,
      leftOut: this.#leftOut,
      onAlarm: (alarm) => this.#alarm(alarm),
    });
  }

  /** Messages that count on L1 and wait for a block. */
  get backlog(): number {
    return this.#queue.size + this.#executor.inFlight;
  }

  /** Logs from this block on follow. */
  begins(fromBlock: number): void {
    this.reset();
    this.#completeTo = fromBlock;
    this.#fromBlock = fromBlock;
    this.#executor.begin();
  }

  /**
   * Takes the messages of the next range of blocks, in their order; those that it has are left alone.
   *
   * @throws {L1Error} L1_LOGS_LEFT_OUT when one is missing among them: they are to be told again
   */
  async logs(messages: readonly MessageLog[], _view: L1View): Promise<void> {
    const epoch = this.#epoch;
    let work = 0;
    for (const message of messages) {
      if (this.#next !== undefined && message.nonce < this.#next) continue;
      this.#expect(message);
      this.#take(message, "next");
      work += message.payload.length + FELTS_BESIDE_PAYLOAD;
      if (work < SLICE_FELTS) continue;
      work = 0;
      await this.#deps.yieldToOthers();
      if (epoch !== this.#epoch) return;
    }
  }

  /**
   * All logs up to the view's block were told: compares them with the core contract's state, and looks
   * again at what was left out.
   *
   * @throws {L1Error} when L1 does not tell, or contradicts itself
   */
  async step(view: L1View): Promise<void> {
    // A view that is older than the last one says nothing of what came since.
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

  /** What was told is not so any more: nothing of it is handed over, and all is told anew. */
  reset(): void {
    this.#epoch++;
    this.#next = undefined;
    this.#missing = undefined;
    this.#isSuspicious = false;
    this.#isAlarmed = false;
    this.#queue.clear();
    this.#leftOut.clear();
    this.#deps.index.clear();
    this.#executor.reset();
  }

  /** Nothing is handed over any more. */
  stop(): void {
    this.reset();
    this.#executor.stop();
  }

  /** A log that is not the next one shows that others were left out. */
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
      this.#tellUnusable(message, transaction);
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

  /** Executed messages are on L1 for good: one that is not shows that L1 was reorganised far back. */
  #audit(l1Block: L1BlockId, l1Next: bigint): void {
    const { chain } = this.#deps;
    const newest = chain.newestConsumedNonce();
    const missing = newest !== undefined && newest >= l1Next;
    const first = missing ? chain.firstConsumedFrom(l1Next) : undefined;
    const sentIn = first === undefined ? undefined : chain.l1BlockOf(first);
    // An endpoint that is behind does not have it yet.
    const hasVanished = missing && (sentIn === undefined || sentIn <= l1Block.number);
    // One answer of one endpoint does not stop the chain.
    if (hasVanished && this.#isSuspicious) {
      this.#alarm(messageVanished(l1Next, newest, first, l1Block));
    }
    this.#isSuspicious = hasVanished;
    this.#executor.audit(l1Block);
  }

  /** Reads again where the counter shows that logs were left out. */
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
    for (let size = Infinity; this.#leftOut.size > 0 && this.#leftOut.size < size;) {
      size = this.#leftOut.size;
      const returned = await this.#leftOut.recheck(view);
      if (epoch !== this.#epoch) return;
      for (const { nonce, transactionHash } of returned) {
        index.setWaiting(transactionHash, true);
        onEvent({ kind: "returned", nonce });
      }
      this.#queue.putBack(returned);
    }
    this.#executor.wake();
  }

  /** Nothing tells whether messages before the first log were sent before those that are read. */
  #begin(first: bigint): void {
    const newest = this.#deps.chain.newestConsumedNonce();
    const expected = newest === undefined ? 0n : newest + 1n;
    if (expected < first) this.#missing = new MissingMessages(expected, first);
  }

  /** Looks for messages that may have been left out at the beginning, less and less often. */
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

  #tellUnusable(
    { nonce, l1Block, transactionHash: l1TransactionHash }: MessageLog,
    reason: LeftOutReason,
  ): void {
    if (nonce < this.#toldBelow) return;
    this.#toldBelow = nonce + 1n;
    const message = { nonce, l1TransactionHash, l1BlockNumber: l1Block.number, reason };
    this.#deps.onEvent({ kind: "left_out", message });
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
    `the log of the message with nonce ${nonce} was not told: ${evidence}`,
    true,
  );
}
