import { ownLocation } from "../storage/chain/own-location.ts";
import { senderAddressOf } from "#protocol/chain/index.ts";
import type { ChainReader, PendingOverlay } from "#engine/state/index.ts";
import type { Felt, Timer } from "#base/primitives/index.ts";
import type { TransactionSubmitter } from "#api/rpc/index.ts";
import type { ReportedRejection } from "#services/admission/index.ts";
import type { AdmissionClient } from "../admission/admission-client.ts";

/** Maximum responses that wait for an execution; more are sent immediately. */
export const MAX_AWAITED = 10_000;

/** Dependencies of {@link AwaitedTransactions}. */
export interface AwaitedDeps {
  readonly chain: Pick<ChainReader, "latestNumber" | "locate" | "transactionHashes">;
  readonly overlay: () => Pick<PendingOverlay, "blocks">;
  readonly admission: Pick<AdmissionClient, "statusOf">;
  /** Whether each change is sealed into a block immediately. */
  readonly sealsImmediately: () => boolean;
  readonly timer: Timer;
  /** Maximum wait. */
  readonly timeoutMs: number;
}

interface Awaited {
  readonly sender: Felt;
  readonly promise: Promise<void>;
  readonly end: () => void;
}

/**
 * Delays responses to submissions until clients can see the result. If each transaction gets its own block,
 * this is when the block is accepted; otherwise when the transaction is in the pending block. A response does
 * not wait for a transaction that may never be included: one that is rejected, dropped, or behind a missing
 * nonce.
 */
export class AwaitedTransactions {
  readonly #deps: AwaitedDeps;
  readonly #open = new Map<Felt, Awaited>();
  /** Newest accepted block that was checked; current while transactions are awaited. */
  #seen = -1;

  constructor(deps: AwaitedDeps) {
    this.#deps = deps;
  }

  /** Number of awaited transactions. */
  get size(): number {
    return this.#open.size;
  }

  /** Wraps a submitter so that its responses wait until clients can see the result. */
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

  /** Resolves when clients can see the result of a received transaction, or after the timeout. */
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

  /** Settles awaited transactions after an execution or a new block. */
  changed(): void {
    if (this.#open.size === 0) return;
    const latest = this.#latest();
    // One pass for all awaited transactions: there may be many.
    for (let number = this.#seen + 1; number <= latest; number++) {
      for (const hash of this.#deps.chain.transactionHashes(number)) this.#end(hash);
    }
    const isReverted = latest < this.#seen;
    this.#seen = latest;
    if (!isReverted && this.#deps.sealsImmediately()) return;
    for (const hash of [...this.#open.keys()]) if (this.#isVisible(hash)) this.#end(hash);
  }

  /** Settles rejected transactions, and re-checks the others of their senders, which may wait forever. */
  rejected(rejections: readonly ReportedRejection[]): void {
    if (this.#open.size === 0) return;
    for (const { hash } of rejections) this.#end(hash);
    const senders = new Set(rejections.map(({ sender }) => sender));
    for (const [hash, { sender }] of this.#open) if (senders.has(sender)) void this.#ask(hash);
  }

  /** Settles everything, because the chain is reverted or the node stops. */
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
    if (!this.#deps.sealsImmediately() && this.#isBeingBuilt(hash)) return true;
    return ownLocation(this.#deps.chain, hash) !== undefined;
  }

  #isBeingBuilt(hash: Felt): boolean {
    return this.#deps
      .overlay()
      .blocks()
      .some((block) => block.find(hash) !== undefined);
  }

  /** Settles the transaction if it will not be executed. */
  async #ask(hash: Felt): Promise<void> {
    const state = await this.#deps.admission.statusOf(hash);
    const isPending = state === "executable" || (state === "gone" && this.#isInBlock(hash));
    if (!isPending) this.#end(hash);
  }

  /** Whether the transaction is in a block that is not accepted yet: {@link changed} settles it later. */
  #isInBlock(hash: Felt): boolean {
    return this.#isBeingBuilt(hash) && !this.#isVisible(hash);
  }
}
