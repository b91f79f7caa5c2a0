import type { BlockHeader, HashedTransaction } from "#protocol/chain/index.ts";
import type { EventQuery } from "#engine/state/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { StatusNotice, TransactionNotice } from "../spec/subscriptions.ts";
import type { CurrentStatus } from "./current-status.ts";
import type { LiveStatus } from "./order.ts";
import { type Executed, senderOf } from "./executed.ts";
import type { Candidate } from "./feed.ts";
import { EventIndex, SenderIndex } from "./indexes.ts";
import { Notice } from "./notice.ts";
import { StatusIndex } from "./status-index.ts";
import type { AnySubscription, Subscription } from "./subscription.ts";
import type { WalkSink } from "./walk.ts";

/** Live subscriptions, indexed by what they subscribe to. */
export class LiveSink implements WalkSink {
  /** Query of a lone event subscription: blocks without matching events are skipped. */
  readonly query: EventQuery | undefined;
  readonly statuses = new StatusIndex();
  readonly #heads = new Set<Subscription<"newHeads">>();
  readonly #events = new EventIndex();
  readonly #transactions = new SenderIndex<Subscription<"transactions">>();
  readonly #receipts = new SenderIndex<Subscription<"receipts">>();
  readonly #all = new Set<AnySubscription>();

  constructor(query: EventQuery | undefined) {
    this.query = query;
  }

  get isEmpty(): boolean {
    return this.#all.size === 0;
  }

  get all(): Iterable<AnySubscription> {
    return this.#all;
  }

  get wantsHeads(): boolean {
    return this.#heads.size > 0;
  }

  get wantsAccepted(): boolean {
    return this.#events.size > 0 || this.statuses.size > 0 || this.#wants("ACCEPTED_ON_L2");
  }

  get wantsPreConfirmed(): boolean {
    return this.#events.wantsPreConfirmed || this.statuses.size > 0 || this.#wants("PRE_CONFIRMED");
  }

  add(subscription: AnySubscription): void {
    if (this.#all.has(subscription)) return;
    this.#all.add(subscription);
    this.#change("add", subscription);
  }

  delete(subscription: AnySubscription): void {
    if (this.#all.delete(subscription)) this.#change("delete", subscription);
  }

  *head(header: BlockHeader): Generator<void> {
    const notice = new Notice(header);
    for (const subscription of this.#heads) {
      subscription.notify(notice);
      yield;
    }
  }

  *executed(transaction: Executed): Generator<void> {
    const { receipt, placement } = transaction;
    const isAccepted = placement.finality !== "PRE_CONFIRMED";
    const status: LiveStatus = isAccepted ? "ACCEPTED_ON_L2" : "PRE_CONFIRMED";
    const sender = (): Felt | undefined => transaction.sender;
    this.statuses.notify(
      receipt.transactionHash,
      { rank: placement.finality, blockNumber: placement.blockNumber },
      () => transaction.statusNotice,
    );
    for (const subscription of this.#transactions.matching(status, sender)) {
      subscription.notify(transaction.transactionNotice);
      yield;
    }
    for (const subscription of this.#receipts.matching(status, sender)) {
      subscription.notify(transaction.receiptNotice);
      yield;
    }
    for (const [eventIndex, event] of receipt.events.entries()) {
      let notice: ReturnType<Executed["eventNotice"]> | undefined;
      for (const subscription of this.#events.matching(event, isAccepted)) {
        notice ??= transaction.eventNotice(eventIndex);
        subscription.notify(notice);
        yield;
      }
    }
  }

  /** Whether any subscription wants to know that this transaction was received. */
  wantsReceived(hash: Felt): boolean {
    return this.#transactions.wants("RECEIVED") || this.statuses.has(hash);
  }

  /** Reports a transaction that entered the mempool. */
  received(transaction: HashedTransaction): void {
    const { hash: transactionHash } = transaction;
    const status = { kind: "received", isCandidate: false } as const;
    this.notifyStatus(transactionHash, { rank: "RECEIVED", status });
    const notice = new Notice<TransactionNotice>({ transaction, finality: "RECEIVED" });
    const sender = (): Felt | undefined => senderOf(transaction);
    for (const subscription of this.#transactions.matching("RECEIVED", sender)) {
      subscription.notify(notice);
    }
  }

  /** Whether any subscription wants to know that this transaction is a candidate. */
  wantsCandidate({ hash, isAgain }: Pick<Candidate, "hash" | "isAgain">): boolean {
    return this.statuses.has(hash) || (!isAgain && this.#transactions.wants("CANDIDATE"));
  }

  /** Whether any subscription wants transactions before they are executed. */
  get wantsUnexecuted(): boolean {
    const { statuses } = this;
    const transactions = this.#transactions;
    return statuses.size > 0 || transactions.wants("RECEIVED") || transactions.wants("CANDIDATE");
  }

  /**
   * Reports a transaction passed to the executor; for a repeated candidate, only to subscribers that missed
   * it.
   */
  *candidate(candidate: Candidate): Generator<void> {
    const { hash, isAgain } = candidate;
    this.notifyStatus(hash, {
      rank: "CANDIDATE",
      status: { kind: "received", isCandidate: true },
    });
    if (isAgain || !this.#transactions.wants("CANDIDATE")) return;
    const transaction = candidate.transaction();
    const notice = new Notice<TransactionNotice>({ transaction, finality: "CANDIDATE" });
    const sender = (): Felt | undefined => senderOf(transaction);
    for (const subscription of this.#transactions.matching("CANDIDATE", sender)) {
      subscription.notify(notice);
      yield;
    }
  }

  /** Reports the status of a transaction to its status subscriptions. */
  notifyStatus(transactionHash: Felt, current: CurrentStatus): void {
    const { status } = current;
    this.statuses.notify(
      transactionHash,
      current,
      () => new Notice<StatusNotice>({ transactionHash, status }),
    );
  }

  #wants(status: LiveStatus): boolean {
    return this.#transactions.wants(status) || this.#receipts.wants(status);
  }

  #change(how: "add" | "delete", subscription: AnySubscription): void {
    switch (subscription.order.kind) {
      case "newHeads":
        this.#heads[how](subscription as Subscription<"newHeads">);
        break;
      case "events":
        this.#events[how](subscription as Subscription<"events">);
        break;
      case "transactions":
        this.#transactions[how](subscription as Subscription<"transactions">);
        break;
      case "receipts":
        this.#receipts[how](subscription as Subscription<"receipts">);
        break;
      case "transactionStatus":
        this.statuses[how](subscription as Subscription<"transactionStatus">);
        break;
    }
  }
}
