import type { Felt } from "#primitives/index.ts";
import { AccountQueue } from "./account-queue.ts";
import { arrivalOrder, ReadyHeap, tipOrder } from "./ready-heap.ts";
import type { AddOutcome, MempoolEntry, MempoolLimits } from "./types.ts";

/**
 * Transactions waiting for execution, ordered by nonce within an account and by tip between
 * accounts. Keeps everything in memory; durability is the owner's.
 *
 * An entry is *waiting*, or *in flight* (handed out by {@link take}) until the executor settles it.
 * The caller validates transactions and knows account nonces; this class only orders and limits.
 */
export class Mempool {
  readonly #limits: MempoolLimits;
  readonly #accounts = new Map<Felt, AccountQueue>();
  readonly #waiting = new Map<Felt, MempoolEntry>();
  readonly #inFlight = new Map<Felt, MempoolEntry>();
  /** Addresses whose deploy-account transaction is waiting or in flight. */
  readonly #deploys = new Set<Felt>();
  readonly #heap: ReadyHeap;
  #declares = 0;

  constructor(limits: MempoolLimits) {
    this.#limits = limits;
    this.#heap = new ReadyHeap(limits.order === "tip" ? tipOrder : arrivalOrder);
  }

  /** Number of waiting transactions, those with future nonces included. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Number of transactions handed out and not settled. */
  get inFlightSize(): number {
    return this.#inFlight.size;
  }

  /** The entry with this hash, waiting or in flight. */
  find(hash: Felt): MempoolEntry | undefined {
    return this.#waiting.get(hash) ?? this.#inFlight.get(hash);
  }

  /** Nonce that a new transaction of the account should carry to follow those that are here. */
  nextNonce(sender: Felt, accountNonce: bigint): bigint {
    const queue = this.#accounts.get(sender);
    let nonce = queue === undefined || queue.next < accountNonce ? accountNonce : queue.next;
    while (queue?.entries.has(nonce) === true) nonce++;
    return nonce;
  }

  /** Whether a deploy-account transaction of this address is here. */
  hasDeployOf(address: Felt): boolean {
    return this.#deploys.has(address);
  }

  /**
   * Adds a validated transaction.
   *
   * @param accountNonce - the sender's nonce on the pending state
   */
  add(entry: MempoolEntry, accountNonce: bigint): AddOutcome {
    if (this.find(entry.hash) !== undefined) return { kind: "duplicate" };
    if (entry.nonce < accountNonce) return { kind: "nonce_too_low", expected: accountNonce };
    const queue = this.#queueOf(entry.sender, accountNonce);
    const expected = this.nextNonce(entry.sender, accountNonce);
    if (entry.kind === "DECLARE" && entry.nonce > expected) {
      return { kind: "future_declare", expected };
    }
    if (entry.nonce < queue.next) return { kind: "in_flight" };
    const old = queue.entries.get(entry.nonce);
    if (old !== undefined) return this.#replace(queue, old, entry);
    const refused = this.#limitReached(queue, entry);
    if (refused !== undefined) {
      this.#forgetIfEmpty(entry.sender, queue);
      return refused;
    }
    const dropped = this.#makeRoom(entry);
    if (dropped === undefined) {
      this.#forgetIfEmpty(entry.sender, queue);
      return { kind: "full", limit: this.#limits.maxTransactions };
    }
    this.#insert(queue, entry);
    return { kind: "added", dropped };
  }

  /** Hands out up to `max` executable transactions in order; they are in flight from now on. */
  take(max: number): MempoolEntry[] {
    const taken: MempoolEntry[] = [];
    while (taken.length < max) {
      const entry = this.#heap.pop();
      if (entry === undefined) break;
      const queue = this.#accounts.get(entry.sender);
      // Entries that were replaced, dropped or handed out already are left over in the heap.
      if (queue?.ready() !== entry) continue;
      this.#removeWaiting(queue, entry);
      this.#inFlight.set(entry.hash, entry);
      queue.inFlight++;
      if (entry.kind === "DEPLOY_ACCOUNT") this.#deploys.add(entry.sender);
      queue.next = entry.nonce + 1n;
      this.#offer(queue);
      taken.push(entry);
    }
    return taken;
  }

  /** The executor included this transaction in a block. */
  settleIncluded(hash: Felt): MempoolEntry | undefined {
    const entry = this.#land(hash);
    if (entry === undefined) return undefined;
    const queue = this.#accounts.get(entry.sender);
    if (queue !== undefined) this.#forgetIfEmpty(entry.sender, queue);
    return entry;
  }

  /**
   * The executor rejected this transaction: its nonce is open again and what the account has
   * waiting behind it waits for a transaction that fills the gap.
   */
  settleRejected(hash: Felt): MempoolEntry | undefined {
    const entry = this.#land(hash);
    if (entry === undefined) return undefined;
    const queue = this.#accounts.get(entry.sender);
    if (queue !== undefined) {
      if (entry.nonce < queue.next) queue.next = entry.nonce;
      this.#offer(queue);
      this.#forgetIfEmpty(entry.sender, queue);
    }
    return entry;
  }

  /** Puts transactions back that were handed out but not executed, for example a full block's rest. */
  giveBack(hashes: readonly Felt[]): void {
    for (const hash of hashes) {
      const entry = this.#land(hash);
      if (entry === undefined) continue;
      let queue = this.#accounts.get(entry.sender);
      if (queue === undefined) {
        queue = new AccountQueue(entry.nonce);
        this.#accounts.set(entry.sender, queue);
      }
      if (entry.nonce < queue.next) queue.next = entry.nonce;
      this.#insert(queue, entry);
    }
  }

  /**
   * Drops entries older than the time to live and tells which; those in flight stay.
   *
   * @param nowMs - Unix milliseconds
   */
  expire(nowMs: number): MempoolEntry[] {
    const { ttlMs } = this.#limits;
    if (ttlMs === null) return [];
    const expired = [...this.#waiting.values()].filter((e) => nowMs - e.receivedAtMs > ttlMs);
    for (const entry of expired) this.#drop(entry);
    return expired;
  }

  /** Ends the flight of a transaction. */
  #land(hash: Felt): MempoolEntry | undefined {
    const entry = this.#inFlight.get(hash);
    if (entry === undefined) return undefined;
    this.#inFlight.delete(hash);
    if (entry.kind === "DEPLOY_ACCOUNT") this.#deploys.delete(entry.sender);
    const queue = this.#accounts.get(entry.sender);
    if (queue !== undefined) queue.inFlight--;
    return entry;
  }

  #queueOf(sender: Felt, accountNonce: bigint): AccountQueue {
    let queue = this.#accounts.get(sender);
    if (queue === undefined) {
      queue = new AccountQueue(accountNonce);
      this.#accounts.set(sender, queue);
    } else if (queue.next < accountNonce) {
      queue.next = accountNonce;
      this.#offer(queue);
    }
    return queue;
  }

  #limitReached(queue: AccountQueue, entry: MempoolEntry): AddOutcome | undefined {
    const { maxTransactionsPerAccount, maxDeclareTransactions } = this.#limits;
    if (queue.entries.size >= maxTransactionsPerAccount) {
      return { kind: "account_full", limit: maxTransactionsPerAccount };
    }
    if (entry.kind === "DECLARE" && this.#declares >= maxDeclareTransactions) {
      return { kind: "declares_full", limit: maxDeclareTransactions };
    }
    return undefined;
  }

  #replace(queue: AccountQueue, old: MempoolEntry, entry: MempoolEntry): AddOutcome {
    const requiredTip = bumpedTip(old.tip, this.#limits.minTipBump);
    if (entry.tip < requiredTip) return { kind: "underpriced", requiredTip };
    this.#removeWaiting(queue, old);
    this.#insert(queue, entry);
    return { kind: "added", dropped: [old] };
  }

  /** Room for `entry`, or `undefined` when the policy keeps what is there. */
  #makeRoom(entry: MempoolEntry): MempoolEntry[] | undefined {
    if (this.#waiting.size < this.#limits.maxTransactions) return [];
    if (this.#limits.fullPolicy === "reject_new") return undefined;
    const victim = this.#leastDesirable();
    if (victim === undefined || victim.sender === entry.sender) return undefined;
    const victimGap = this.#gapOf(victim);
    const entryGap = entry.nonce - (this.#accounts.get(entry.sender)?.next ?? entry.nonce);
    const better = entryGap < victimGap || (entryGap === victimGap && entry.tip > victim.tip);
    if (!better) return undefined;
    this.#drop(victim);
    return [victim];
  }

  #gapOf(entry: MempoolEntry): bigint {
    return entry.nonce - (this.#accounts.get(entry.sender)?.next ?? entry.nonce);
  }

  /** Furthest from execution first, then lowest tip, then latest arrival. */
  #leastDesirable(): MempoolEntry | undefined {
    let worst: MempoolEntry | undefined;
    let worstGap = -1n;
    for (const queue of this.#accounts.values()) {
      const entry = queue.last();
      if (entry === undefined) continue;
      const gap = entry.nonce - queue.next;
      if (worst === undefined || gap > worstGap || (gap === worstGap && tipOrder(worst, entry))) {
        worst = entry;
        worstGap = gap;
      }
    }
    return worst;
  }

  #insert(queue: AccountQueue, entry: MempoolEntry): void {
    queue.entries.set(entry.nonce, entry);
    this.#waiting.set(entry.hash, entry);
    if (entry.kind === "DECLARE") this.#declares++;
    if (entry.kind === "DEPLOY_ACCOUNT") this.#deploys.add(entry.sender);
    if (entry.nonce === queue.next) this.#heap.push(entry);
  }

  #removeWaiting(queue: AccountQueue, entry: MempoolEntry): void {
    queue.entries.delete(entry.nonce);
    this.#waiting.delete(entry.hash);
    if (entry.kind === "DECLARE") this.#declares--;
    if (entry.kind === "DEPLOY_ACCOUNT") this.#deploys.delete(entry.sender);
  }

  #drop(entry: MempoolEntry): void {
    const queue = this.#accounts.get(entry.sender);
    if (queue === undefined) return;
    this.#removeWaiting(queue, entry);
    this.#forgetIfEmpty(entry.sender, queue);
  }

  #offer(queue: AccountQueue): void {
    const ready = queue.ready();
    if (ready !== undefined) this.#heap.push(ready);
  }

  /** Keeps the queue while something of the account is in flight: its `next` is needed then. */
  #forgetIfEmpty(sender: Felt, queue: AccountQueue): void {
    if (queue.entries.size > 0 || queue.inFlight > 0) return;
    this.#accounts.delete(sender);
  }
}

/** The lowest tip that replaces `tip`: raised by the fraction, rounded up, and by at least 1. */
export function bumpedTip(tip: bigint, fraction: number): bigint {
  const parts = BigInt(Math.round(fraction * 1e6));
  const raised = tip + (tip * parts + 999_999n) / 1_000_000n;
  return raised > tip ? raised : tip + 1n;
}
