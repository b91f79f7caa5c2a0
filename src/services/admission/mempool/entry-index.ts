import type { Felt } from "#base/primitives/index.ts";
import { AccountQueue } from "./account-queue.ts";
import type { HeldEntry } from "./held-entry.ts";
import { type Before, lessDesirable } from "./order.ts";
import { PriorityQueue } from "./priority-queue.ts";
import { sizeBytesOf } from "./types.ts";

/**
 * Indexes the entries of a mempool by hash, account, execution order and eviction order. Each change keeps
 * all indexes consistent and takes O(log n).
 */
export class EntryIndex {
  readonly #accounts = new Map<Felt, AccountQueue>();
  readonly #waiting = new Map<Felt, HeldEntry>();
  readonly #inFlight = new Map<Felt, HeldEntry>();
  /** Addresses whose deploy-account transaction is waiting or in flight. */
  readonly #deploys = new Set<Felt>();
  /** The executable entry of each account that has one. */
  readonly #ready: PriorityQueue<HeldEntry>;
  /** Accounts with waiting entries, the one with the least desirable entry first. */
  readonly #leastDesirable = new PriorityQueue<AccountQueue>(lessDesirable);
  #declares = 0;
  #bytes = 0;

  /** @param before - execution order between accounts */
  constructor(before: Before) {
    this.#ready = new PriorityQueue(before);
  }

  get size(): number {
    return this.#waiting.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Number of waiting declare transactions. */
  get declares(): number {
    return this.#declares;
  }

  get inFlightSize(): number {
    return this.#inFlight.size;
  }

  /** The entry with this hash, waiting or in flight. */
  find(hash: Felt): HeldEntry | undefined {
    return this.#waiting.get(hash) ?? this.#inFlight.get(hash);
  }

  isInFlight(hash: Felt): boolean {
    return this.#inFlight.has(hash);
  }

  /** Whether a deploy-account transaction of this address is waiting or in flight. */
  hasDeployOf(address: Felt): boolean {
    return this.#deploys.has(address);
  }

  /** The waiting entries; may be changed during iteration. */
  waiting(): Iterable<HeldEntry> {
    return this.#waiting.values();
  }

  inFlight(): Iterable<HeldEntry> {
    return this.#inFlight.values();
  }

  /** The account's queue; `undefined` when it has no entries. */
  account(sender: Felt): AccountQueue | undefined {
    return this.#accounts.get(sender);
  }

  /** The account's queue, created with `next` when it has no entries. */
  accountOrNew(sender: Felt, next: bigint): AccountQueue {
    let queue = this.#accounts.get(sender);
    if (queue === undefined) {
      queue = new AccountQueue(sender, next);
      this.#accounts.set(sender, queue);
    }
    return queue;
  }

  firstReady(): HeldEntry | undefined {
    return this.#ready.peek();
  }

  /** The account whose last entry is the least desirable. */
  leastDesirable(): AccountQueue | undefined {
    return this.#leastDesirable.peek();
  }

  /** Adds a waiting entry; its nonce must be unused in the account. */
  insert(queue: AccountQueue, held: HeldEntry): void {
    const { entry } = held;
    queue.insert(held);
    this.#waiting.set(entry.hash, held);
    this.#bytes += sizeBytesOf(entry);
    if (entry.kind === "DECLARE") this.#declares++;
    if (entry.kind === "DEPLOY_ACCOUNT") this.#deploys.add(entry.sender);
    this.#reorder(queue);
  }

  remove(queue: AccountQueue, held: HeldEntry): void {
    const { entry } = held;
    queue.remove(held);
    this.#waiting.delete(entry.hash);
    this.#bytes -= sizeBytesOf(entry);
    if (entry.kind === "DECLARE") this.#declares--;
    if (entry.kind === "DEPLOY_ACCOUNT") this.#deploys.delete(entry.sender);
    this.#reorder(queue);
  }

  /** Hides an executable entry from {@link firstReady} until it is offered again. */
  withdraw(held: HeldEntry): void {
    this.#ready.remove(held);
  }

  /** Shows a withdrawn entry in {@link firstReady} again. */
  offer(held: HeldEntry): void {
    this.#ready.update(held);
  }

  /** Hands out the executable waiting entry: it is in flight from now on. */
  launch(queue: AccountQueue, held: HeldEntry): void {
    const { entry } = held;
    this.remove(queue, held);
    this.#inFlight.set(entry.hash, held);
    queue.inFlight.add(entry.nonce);
    if (entry.kind === "DEPLOY_ACCOUNT") this.#deploys.add(entry.sender);
    this.moveTo(queue, entry.nonce + 1n);
  }

  /** Removes a transaction from flight. @returns `undefined` when it is not in flight */
  land(hash: Felt): { readonly held: HeldEntry; readonly queue: AccountQueue } | undefined {
    const held = this.#inFlight.get(hash);
    const queue = held === undefined ? undefined : this.#accounts.get(held.entry.sender);
    if (held === undefined || queue === undefined) return undefined;
    this.#inFlight.delete(hash);
    queue.inFlight.delete(held.entry.nonce);
    if (held.entry.kind === "DEPLOY_ACCOUNT") this.#deploys.delete(held.entry.sender);
    return { held, queue };
  }

  /** Sets the nonce that the account executes next. */
  moveTo(queue: AccountQueue, next: bigint): void {
    if (queue.next === next) return;
    queue.next = next;
    this.#reorder(queue);
  }

  /** Deletes an empty account. One with entries in flight stays: its `next` is still needed. */
  forgetIfEmpty(queue: AccountQueue): void {
    if (queue.isEmpty) this.#accounts.delete(queue.sender);
  }

  #reorder(queue: AccountQueue): void {
    const ready = queue.ready();
    if (queue.offered !== ready) {
      if (queue.offered !== undefined) this.#ready.remove(queue.offered);
      if (ready !== undefined) this.#ready.update(ready);
      queue.offered = ready;
    }
    if (queue.size > 0) this.#leastDesirable.update(queue);
    else this.#leastDesirable.remove(queue);
  }
}
