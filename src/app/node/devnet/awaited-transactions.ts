import { senderAddressOf } from "#protocol/chain/index.ts";
import type { ChainReader, PendingOverlay } from "#engine/state/index.ts";
import type { Felt, Timer } from "#base/primitives/index.ts";
import type { TransactionSubmitter } from "#api/rpc/index.ts";
import type { ReportedRejection } from "#services/admission/index.ts";
import type { AdmissionClient } from "../admission/admission-client.ts";

/** Most requests whose answers wait for an execution; one more is answered at once. */
export const MAX_AWAITED = 10_000;

/** What is known of transactions on their way. */
export interface AwaitedDeps {
  readonly chain: Pick<ChainReader, "latestNumber" | "locate" | "transactionHashes">;
  readonly overlay: () => Pick<PendingOverlay, "blocks">;
  readonly admission: Pick<AdmissionClient, "standingOf">;
  /** Whether a block follows at once what is put into it. */
  readonly sealsAtOnce: () => boolean;
  readonly timer: Timer;
  /** Longest wait. */
  readonly timeoutMs: number;
}

interface Awaited {
  readonly sender: Felt;
  readonly promise: Promise<void>;
  readonly end: () => void;
}

/**
 * Keeps answers to submissions back until clients can see what became of the transactions: where
 * blocks follow transactions, until the block is accepted; elsewhere until the transaction is in the
 * block that is being built. An answer does not wait for what may never come: a transaction that is
 * rejected or dropped, or that waits for one with an earlier nonce.
 */
export class AwaitedTransactions {
  readonly #deps: AwaitedDeps;
  readonly #open = new Map<Felt, Awaited>();
  /** Newest accepted block that was looked at; kept while something is waited for. */
  #seen = -1;

  constructor(deps: AwaitedDeps) {
    this.#deps = deps;
  }

  /** Transactions that are waited for. */
  get size(): number {
    return this.#open.size;
  }

  /** A way into the mempool that answers when clients can see what became of the transaction. */
  answering(submitter: TransactionSubmitter): TransactionSubmitter {
    const answered = async (
      sender: Felt,
      submitted: ReturnType<TransactionSubmitter["submit"]>,
    ): ReturnType<TransactionSubmitter["submit"]> => {
      const outcome = await submitted;
      if (outcome.kind === "accepted") await this.executed(outcome.transactionHash, sender);
      return outcome;
    };
    return {
      submit: (transaction, client) =>
        answered(senderAddressOf(transaction), submitter.submit(transaction, client)),
      declare: (declaration, client) =>
        answered(declaration.transaction.senderAddress, submitter.declare(declaration, client)),
    };
  }

  /** Settles when clients can see what became of a received transaction, or the time is over. */
  executed(hash: Felt, sender: Felt): Promise<void> {
    const known = this.#open.get(hash);
    if (known !== undefined) return known.promise;
    if (this.#open.size >= MAX_AWAITED || this.#isVisible(hash)) return Promise.resolve();
    if (this.#open.size === 0) this.#seen = this.#latest();
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#deps.timer.after(this.#deps.timeoutMs, () => this.#end(hash));
    const end = (): void => {
      cancel();
      resolve();
    };
    this.#open.set(hash, { sender, promise, end });
    void this.#ask(hash);
    return promise;
  }

  /** Something was executed or accepted. */
  changed(): void {
    if (this.#open.size === 0) return;
    const latest = this.#latest();
    // Once for all that is waited for: there may be many.
    for (let number = this.#seen + 1; number <= latest; number++) {
      for (const hash of this.#deps.chain.transactionHashes(number)) this.#end(hash);
    }
    const isReverted = latest < this.#seen;
    this.#seen = latest;
    if (!isReverted && this.#deps.sealsAtOnce()) return;
    for (const hash of [...this.#open.keys()]) if (this.#isVisible(hash)) this.#end(hash);
  }

  /** Transactions are not going to be included; what their senders have behind them may wait for good. */
  rejected(rejections: readonly ReportedRejection[]): void {
    if (this.#open.size === 0) return;
    for (const { hash } of rejections) this.#end(hash);
    const senders = new Set(rejections.map(({ sender }) => sender));
    for (const [hash, { sender }] of this.#open) if (senders.has(sender)) void this.#ask(hash);
  }

  /** The chain is reverted, or the node stops: nothing is waited for any more. */
  interrupt(): void {
    for (const hash of [...this.#open.keys()]) this.#end(hash);
  }

  #latest(): number {
    return this.#deps.chain.latestNumber() ?? -1;
  }

  #end(hash: Felt): void {
    const awaited = this.#open.get(hash);
    this.#open.delete(hash);
    awaited?.end();
  }

  #isVisible(hash: Felt): boolean {
    if (!this.#deps.sealsAtOnce() && this.#isBeingBuilt(hash)) return true;
    return this.#deps.chain.locate(hash) !== undefined;
  }

  #isBeingBuilt(hash: Felt): boolean {
    return this.#deps
      .overlay()
      .blocks()
      .some((block) => block.find(hash) !== undefined);
  }

  /** Asks whether the transaction is going to be executed at all. */
  async #ask(hash: Felt): Promise<void> {
    const standing = await this.#deps.admission.standingOf(hash);
    const isOnItsWay = standing === "executable" || (standing === "gone" && this.#isInBlock(hash));
    if (!isOnItsWay) this.#end(hash);
  }

  /** In a block that is not accepted: whoever waits hears of that. */
  #isInBlock(hash: Felt): boolean {
    return this.#isBeingBuilt(hash) && !this.#isVisible(hash);
  }
}
