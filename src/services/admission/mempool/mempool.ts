import type { Felt } from "#base/primitives/index.ts";
import type { AccountQueue } from "./account-queue.ts";
import { EntryIndex } from "./entry-index.ts";
import type { HeldEntry } from "./held-entry.ts";
import { accountRefusal, fullRefusal, isBetter, type IncomingEntry } from "./limits.ts";
import { arrivalOrder, tipOrder } from "./order.ts";
import {
  type AddOutcome,
  type AddRefusal,
  type DroppedEntry,
  type MempoolEntry,
  type MempoolLimits,
  type Ranking,
  type RestoreOutcome,
  sizeBytesOf,
} from "./types.ts";

/**
 * Transactions waiting for execution, ordered by nonce within an account and by tip or arrival between
 * accounts. Keeps everything in memory; durability is up to the owner.
 *
 * An entry is *waiting*, or *in flight* (handed out by {@link take}) until the executor settles it; an
 * account has at most one per nonce, waiting and in flight together. The caller validates transactions and
 * supplies account nonces; this class only orders and limits. Every operation on one entry takes O(log n).
 */
export class Mempool {
  readonly #limits: MempoolLimits;
  readonly #entries: EntryIndex;
  #sequence = 0;

  constructor(limits: MempoolLimits) {
    this.#limits = limits;
    this.#entries = new EntryIndex(limits.order === "tip" ? tipOrder : arrivalOrder);
  }

  /** Number of waiting transactions, those with future nonces included. */
  get size(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#entries.bytes;
  }

  /** Number of transactions handed out and not settled. */
  get inFlightSize(): number {
    return this.#entries.inFlightSize;
  }

  /** The entry with this hash, waiting or in flight. */
  find(hash: Felt): MempoolEntry | undefined {
    return this.#entries.find(hash)?.entry;
  }

  /** Whether the entry with this hash was handed out and is not settled. */
  isInFlight(hash: Felt): boolean {
    return this.#entries.isInFlight(hash);
  }

  /** The waiting entries, in arrival order. */
  *waiting(): Iterable<MempoolEntry> {
    for (const { entry } of this.#entries.waiting()) yield entry;
  }

  /** The entries that were handed out and are not settled. */
  *inFlight(): Iterable<MempoolEntry> {
    for (const { entry } of this.#entries.inFlight()) yield entry;
  }

  /** Nonce that a new transaction of the account should have to follow the present ones. */
  nextNonce(sender: Felt, accountNonce: bigint): bigint {
    const queue = this.#entries.account(sender);
    return queue?.firstFree(nextOf(queue, accountNonce)) ?? accountNonce;
  }

  /** Whether an earlier nonce of the account is missing, so that this nonce cannot be executed yet. */
  isAhead(
    { sender, nonce }: Pick<MempoolEntry, "sender" | "nonce">,
    accountNonce: bigint,
  ): boolean {
    return nonce > this.nextNonce(sender, accountNonce);
  }

  /** Whether a deploy-account transaction of this address is waiting or in flight. */
  hasDeployOf(address: Felt): boolean {
    return this.#entries.hasDeployOf(address);
  }

  /**
   * Returns why an entry would be refused. Changes nothing and is cheap, so that it can run before
   * validation.
   *
   * @param accountNonce - the sender's nonce on the pending state
   */
  check(entry: MempoolEntry, accountNonce: bigint): AddRefusal | undefined {
    if (this.find(entry.hash) !== undefined) return { kind: "duplicate" };
    const { nonce } = entry;
    if (nonce < accountNonce) return { kind: "nonce_too_low", expected: accountNonce };
    const newcomer = this.#newcomer(entry, accountNonce);
    const { queue, next } = newcomer;
    if (entry.kind === "DECLARE") {
      const expected = this.nextNonce(entry.sender, accountNonce);
      if (nonce > expected) return { kind: "future_declare", expected };
    }
    if (nonce < next || queue?.inFlight.has(nonce) === true) return { kind: "in_flight" };
    return (
      accountRefusal(newcomer, this.#limits, this.#entries) ??
      fullRefusal(newcomer, this.#limits, this.#entries)
    );
  }

  /**
   * Adds a validated transaction.
   *
   * @param accountNonce - the sender's nonce on the pending state
   */
  add(entry: MempoolEntry, accountNonce: bigint): AddOutcome {
    const refused = this.check(entry, accountNonce);
    if (refused !== undefined) return refused;
    const newcomer = this.#newcomer(entry, accountNonce);
    const evicted = this.#makeRoom(newcomer);
    if (evicted === undefined) return { kind: "bytes_full", limit: this.#limits.maxBytes };
    const queue = this.#entries.accountOrNew(entry.sender, accountNonce);
    const dropped = [...evicted, ...this.#advance(queue, newcomer.next)];
    const { old } = newcomer;
    if (old !== undefined) {
      this.#entries.remove(queue, old);
      dropped.push({ entry: old.entry, cause: "replaced" });
    }
    const sequence = this.#sequence++;
    this.#entries.insert(queue, { entry, sequence, restored: false, alone: false });
    return { kind: "added", dropped };
  }

  /**
   * Restores a transaction that was received before a restart. No limit applies, because it was answered.
   * Transactions must be restored in arrival order; they come out in that order, before all others.
   *
   * @param accountNonce - the sender's nonce on the state on which execution continues
   * @param alone - whether it must be the only entry of its batch
   */
  restore(entry: MempoolEntry, accountNonce: bigint, alone = false): RestoreOutcome {
    if (entry.nonce < accountNonce) return { kind: "nonce_used", accountNonce };
    const queue = this.#entries.accountOrNew(entry.sender, accountNonce);
    const old = queue.at(entry.nonce);
    // The later one was received after the earlier one had been replaced or rejected.
    if (old !== undefined) this.#entries.remove(queue, old);
    this.#entries.insert(queue, { entry, sequence: this.#sequence++, restored: true, alone });
    return { kind: "restored", replaced: old?.entry };
  }

  /**
   * Hands out up to `max` executable transactions in order; they are in flight from now on. If ranks differ,
   * only those of the lowest waiting rank.
   *
   * @param rankOf - rank from 0 on; `null` holds back an entry, and with it the account's later ones
   */
  take(max: number, rankOf: Ranking = () => 0): MempoolEntry[] {
    const first = this.#takeUpTo(0, max, rankOf);
    if (first.taken.length > 0 || first.nextRank === null) return first.taken;
    return this.#takeUpTo(first.nextRank, max, rankOf).taken;
  }

  /** Hands out entries up to a rank. @returns them, and the lowest rank among the skipped entries */
  #takeUpTo(
    most: number,
    max: number,
    rankOf: Ranking,
  ): { readonly taken: MempoolEntry[]; readonly nextRank: number | null } {
    const taken: MempoolEntry[] = [];
    const kept: HeldEntry[] = [];
    let nextRank: number | null = null;
    while (taken.length < max) {
      const held = this.#entries.firstReady();
      const queue = held && this.#entries.account(held.entry.sender);
      if (held === undefined || queue === undefined) break;
      const rank = rankOf(held.entry);
      if (rank === null || rank > most) {
        if (rank !== null) nextRank = Math.min(rank, nextRank ?? rank);
        this.#entries.withdraw(held);
        kept.push(held);
        continue;
      }
      if (held.alone && taken.length > 0) break;
      this.#entries.launch(queue, held);
      taken.push(held.entry);
      if (held.alone) break;
    }
    for (const held of kept) this.#entries.offer(held);
    return { taken, nextRank };
  }

  /** Removes a transaction that the executor included in a block. */
  settleIncluded(hash: Felt): MempoolEntry | undefined {
    const landed = this.#entries.land(hash);
    if (landed === undefined) return undefined;
    this.#entries.forgetIfEmpty(landed.queue);
    return landed.held.entry;
  }

  /**
   * Removes a transaction that the executor rejected. Its nonce is open again, and the account's later
   * transactions wait for one that fills the gap.
   */
  settleRejected(hash: Felt): MempoolEntry | undefined {
    const landed = this.#entries.land(hash);
    if (landed === undefined) return undefined;
    this.#reopen(landed.queue, landed.held);
    this.#entries.forgetIfEmpty(landed.queue);
    return landed.held.entry;
  }

  /** Returns transactions that were handed out but not executed, for example the rest of a full block. */
  requeue(hashes: readonly Felt[]): void {
    for (const hash of hashes) {
      const landed = this.#entries.land(hash);
      if (landed === undefined) continue;
      this.#reopen(landed.queue, landed.held);
      this.#entries.insert(landed.queue, landed.held);
    }
  }

  /**
   * Drops waiting entries older than the time to live and returns them; entries in flight stay.
   *
   * @param nowMs - Unix milliseconds
   */
  expire(nowMs: number): MempoolEntry[] {
    const { ttlMs } = this.#limits;
    if (ttlMs === null) return [];
    const expired: MempoolEntry[] = [];
    for (const held of this.#entries.waiting()) {
      if (nowMs - held.entry.receivedAtMs <= ttlMs) continue;
      const queue = this.#entries.account(held.entry.sender);
      if (queue === undefined) continue;
      this.#entries.remove(queue, held);
      this.#entries.forgetIfEmpty(queue);
      expired.push(held.entry);
    }
    return expired;
  }

  /** Drops a waiting entry; the account's later ones wait for another with its nonce. */
  drop(hash: Felt): MempoolEntry | undefined {
    const held = this.#entries.isInFlight(hash) ? undefined : this.#entries.find(hash);
    const queue = held && this.#entries.account(held.entry.sender);
    if (held === undefined || queue === undefined) return undefined;
    this.#entries.remove(queue, held);
    this.#entries.forgetIfEmpty(queue);
    return held.entry;
  }

  #newcomer(entry: MempoolEntry, accountNonce: bigint): IncomingEntry {
    const queue = this.#entries.account(entry.sender);
    return { entry, queue, next: nextOf(queue, accountNonce), old: queue?.at(entry.nonce) };
  }

  #reopen(queue: AccountQueue, { entry }: HeldEntry): void {
    if (entry.nonce < queue.next) this.#entries.moveTo(queue, entry.nonce);
  }

  /** Removes waiting transactions whose nonce the account has passed meanwhile. */
  #advance(queue: AccountQueue, next: bigint): DroppedEntry[] {
    const overtaken = queue.below(next);
    for (const held of overtaken) this.#entries.remove(queue, held);
    this.#entries.moveTo(queue, next);
    return overtaken.map(({ entry }) => ({ entry, cause: "nonce_used" }));
  }

  /**
   * Evicts until, with the newcomer, no limit is exceeded by more than before. Returns `undefined` without
   * evicting when that would require an entry that is not less desirable.
   */
  #makeRoom(newcomer: IncomingEntry): DroppedEntry[] | undefined {
    if (newcomer.old !== undefined) return [];
    const entries = this.#entries;
    const mostEntries = Math.max(this.#limits.maxTransactions, entries.size);
    const mostBytes = Math.max(this.#limits.maxBytes, entries.bytes);
    const bytes = sizeBytesOf(newcomer.entry);
    const evicted: { readonly queue: AccountQueue; readonly held: HeldEntry }[] = [];
    while (entries.size + 1 > mostEntries || entries.bytes + bytes > mostBytes) {
      const queue = entries.leastDesirable();
      const held = queue?.last();
      if (queue === undefined || held === undefined || !isBetter(newcomer, queue)) {
        for (const { queue: from, held: victim } of evicted) entries.insert(from, victim);
        return undefined;
      }
      entries.remove(queue, held);
      evicted.push({ queue, held });
    }
    for (const { queue } of evicted) entries.forgetIfEmpty(queue);
    return evicted.map(({ held }) => ({ entry: held.entry, cause: "evicted" }));
  }
}

function nextOf(queue: AccountQueue | undefined, accountNonce: bigint): bigint {
  return queue === undefined || queue.next < accountNonce ? accountNonce : queue.next;
}
