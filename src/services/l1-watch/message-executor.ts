import { L1Error } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { L1BlockId } from "#io/l1/index.ts";
import type { HeldBackMessages } from "./held-back-messages.ts";
import { messageChanged } from "./message-alarms.ts";
import { type MessageBatchOutcome, handOver } from "./message-hand-over.ts";
import type { HeldBackReason, MessageWatchDeps } from "./message-ports.ts";
import type { MessageQueue, UnheldMessages } from "./message-queue.ts";
import { transactionOf, type WaitingMessage, waitingMessage } from "./waiting-message.ts";
import { WakeUp } from "./wake-up.ts";

/** Dependencies of {@link MessageExecutor}. */
export interface MessageExecutorDeps extends MessageWatchDeps {
  readonly queue: MessageQueue;
  readonly heldBack: HeldBackMessages;
}

/**
 * Sends waiting messages to the executor, one batch at a time. The next batch starts once the outcome of the
 * last is known, so that the mempool gets its turns in between. Re-reads the logs of messages that are not
 * held in memory.
 */
export class MessageExecutor {
  readonly #deps: MessageExecutorDeps;
  readonly #wakeUp: WakeUp;
  /** Incremented whenever all messages are reported again. */
  #epoch = 0;
  /** Executed messages that are not known to be in an accepted block yet, by nonce. */
  #handed = new Map<bigint, Felt>();
  #inFlight = 0;
  #isRunning = false;
  #isHalted = false;
  #isStopped = false;

  constructor(deps: MessageExecutorDeps) {
    this.#deps = deps;
    this.#wakeUp = new WakeUp(deps.timer);
  }

  /** Messages of the batch in progress. */
  get inFlight(): number {
    return this.#inFlight;
  }

  begin(): void {
    if (this.#isRunning || this.#isStopped) return;
    this.#isRunning = true;
    void this.#run();
  }

  wake(): void {
    this.#wakeUp.call();
  }

  /** Stops sending messages until {@link reset}. */
  halt(): void {
    this.#isHalted = true;
  }

  reset(): void {
    this.#epoch++;
    this.#handed.clear();
    this.#isHalted = false;
    this.wake();
  }

  stop(): void {
    this.#isStopped = true;
    this.wake();
  }

  /** Compares messages of newly accepted blocks with the ones sent to the executor. */
  audit(l1Block: L1BlockId): void {
    for (const [nonce, hash] of this.#handed) {
      const consumed = this.#deps.chain.consumedMessage(nonce);
      if (consumed === undefined) continue;
      this.#handed.delete(nonce);
      if (consumed.transactionHash === hash) continue;
      this.#deps.onAlarm(messageChanged(nonce, consumed, l1Block));
    }
  }

  async #run(): Promise<void> {
    const { limits, onEvent } = this.#deps;
    let retryMs = limits.retryMs.first;
    while (!this.#isStopped) {
      try {
        const isIdle = !(await this.#turn());
        retryMs = limits.retryMs.first;
        if (isIdle) await this.#wakeUp.sleep();
      } catch (error) {
        onEvent({ kind: "delayed", error, retryMs });
        await this.#wakeUp.pause(retryMs);
        retryMs = Math.min(2 * retryMs, limits.retryMs.most);
      }
    }
  }

  /** @returns whether there was anything to do */
  async #turn(): Promise<boolean> {
    if (this.#isHalted) return false;
    const { queue, limits } = this.#deps;
    const taken = queue.take(limits.batchMessages, limits.batchBytes);
    const batch = taken.filter((message) => !this.#isConsumed(message));
    if (batch.length > 0) await this.#execute(batch);
    const { wanted } = queue;
    if (wanted !== undefined) await this.#readAgain(wanted);
    return taken.length > 0 || wanted !== undefined;
  }

  async #execute(batch: readonly WaitingMessage[]): Promise<void> {
    const epoch = this.#epoch;
    const isWanted = (): boolean => epoch === this.#epoch && !this.#isHalted && !this.#isStopped;
    if (!isWanted()) return;
    let isInterrupted = false;
    this.#inFlight = batch.length;
    try {
      const handed = await handOver(this.#deps, batch, isWanted);
      if (epoch === this.#epoch && handed !== undefined) isInterrupted = this.#conclude(handed);
    } catch (error) {
      if (epoch === this.#epoch) this.#deps.queue.putBack(batch);
      throw error;
    } finally {
      this.#inFlight = 0;
    }
    if (isInterrupted) await this.#wakeUp.pause(this.#deps.limits.retryMs.first);
  }

  #isConsumed({ nonce, transactionHash, l1Block }: WaitingMessage): boolean {
    const consumed = this.#deps.chain.consumedMessage(nonce);
    if (consumed === undefined) return false;
    if (consumed.transactionHash !== transactionHash) {
      this.#deps.onAlarm(messageChanged(nonce, consumed, l1Block));
    }
    return true;
  }

  /** Applies a batch's outcomes. @returns whether any message must be sent again */
  #conclude({ stopped, executed }: MessageBatchOutcome): boolean {
    const { heldBack, queue, onEvent } = this.#deps;
    heldBack.add(stopped);
    for (const { message, reason } of stopped) this.#leaveOut(message, reason);
    const interrupted: WaitingMessage[] = [];
    const counts = { included: 0, known: 0, refused: 0 };
    for (const { message, outcome } of executed) {
      if (outcome.kind === "interrupted") {
        interrupted.push(message);
        continue;
      }
      counts[outcome.kind]++;
      if (outcome.kind === "refused") this.#leaveOut(message, outcome);
      else this.#handed.set(message.nonce, message.transactionHash);
    }
    const [first] = executed;
    const last = executed.at(-1);
    if (first !== undefined && last !== undefined && interrupted.length < executed.length) {
      const [firstNonce, lastNonce] = [first.message.nonce, last.message.nonce];
      onEvent({ kind: "batch", messages: { firstNonce, lastNonce, ...counts } });
    }
    queue.putBack(interrupted);
    return interrupted.length > 0;
  }

  #leaveOut(
    { nonce, l1TransactionHash, l1BlockNumber, transactionHash }: WaitingMessage,
    reason: HeldBackReason,
  ): void {
    this.#deps.index.setWaiting(transactionHash, false);
    const message = { nonce, l1TransactionHash, l1BlockNumber, reason };
    this.#deps.onEvent({ kind: "held_back", message });
  }

  /** Re-reads logs of messages that are not held; those without room keep waiting. */
  async #readAgain({ from, to, firstBlock, lastBlock }: UnheldMessages): Promise<void> {
    const { source, finality, queue, chain, chainId, yieldToOthers } = this.#deps;
    const epoch = this.#epoch;
    const logs = await source.view(finality, (view) => {
      if (view.block.number < lastBlock) throw behind(view.block.number, lastBlock);
      return view.logs(firstBlock, lastBlock);
    });
    if (epoch !== this.#epoch) return;
    let next = from;
    for (const log of logs) {
      if (log.kind !== "message_to_l2" || log.nonce < next || log.nonce >= to) continue;
      if (log.nonce > next || queue.isFull) break;
      next++;
      const transaction = transactionOf(log, chainId);
      const consumed = chain.consumedMessage(log.nonce);
      if (transaction.kind === "usable" && consumed === undefined) {
        queue.push(waitingMessage(log, transaction));
      }
      queue.nowHeldBelow(next, log.l1Block.number);
      if (queue.heldMessages % 64 !== 0) continue;
      await yieldToOthers();
      if (epoch !== this.#epoch) return;
    }
    if (next < to && !queue.isFull) {
      throw new L1Error(
        "L1_LOGS_LEFT_OUT",
        `the log of nonce ${next} is missing when read again`,
        true,
      );
    }
  }
}

function behind(newest: number, wanted: number): L1Error {
  const message = `L1's newest final block is ${newest}, it was ${wanted} before`;
  return new L1Error("L1_BEHIND", message, true);
}
