import { RecentMap } from "#base/primitives/index.ts";
import { accountOf, beginTurn, type Turn } from "./fair-account.ts";
import { type Entry, FairChoice } from "./fair-choice.ts";

/** Maximum number of absent clients that are remembered; the one that left first is evicted. */
const MAX_ABSENT = 256;

/** Client whose turn is next. */
export interface Next<K, V> {
  readonly key: K;
  readonly value: V;
  /** Expected cost of the turn, in milliseconds. */
  readonly costMs: number;
  readonly turn: Turn;
}

/**
 * Clients that wait for the same resource, scheduled by the time spent on each.
 *
 * The turn is due to the client with the earliest end tag: time spent plus the expected cost of its next
 * turn. So clients that wait all the time get equal time, and cheap turns come before expensive ones. A
 * client that was idle starts at virtual time, the least time spent on a waiting client (after start-time
 * fair queueing, Goyal, Vin and Cheng 1996): it has no claim to the time in which it did not wait.
 *
 * By end tags alone, a client that begins to wait would stay behind a round of all others. Three kinds of
 * clients go ahead of the one whose turn is due (after new and sparse flows of FQ-CoDel, RFC 8290, section
 * 4.2):
 *
 * - a newcomer, which was idle, as soon as its own end tag is the earliest
 * - a newcomer or a returning client whose turn costs very little
 * - a newcomer that has waited for long, because its turn is expensive or others are always cheaper
 *
 * Once a client has gone first, due turns take as much time before the next one does. So even a stream of
 * newcomers, such as fresh connections, leaves each client that waits all the time at least half its equal
 * share.
 *
 * Selecting the next client takes time linear in the number of waiting clients.
 */
export class FairLevel<K, V> {
  readonly #present = new Map<K, Entry<V>>();
  readonly #absent = new RecentMap<K, Entry<V>>(MAX_ABSENT);
  /** Number of clients that have entered plus turns, so far. */
  #events = 0;
  #turns = 0;
  /** Virtual time. */
  #nowMs = 0;
  /** Total time spent on all clients. */
  #servedMs = 0;
  /** Time that due turns must take before a client may go first again. */
  #owedMs = 0;
  /** Whether the next early turn should be a light one: light and overdue turns alternate. */
  #prefersLight = true;

  get isEmpty(): boolean {
    return this.#present.size === 0;
  }

  /** Value of a waiting client; `undefined` for any other. */
  get(key: K): V | undefined {
    return this.#present.get(key)?.value;
  }

  /** Value of a client that waits or is remembered; `undefined` for any other. */
  find(key: K): V | undefined {
    return this.#find(key)?.value;
  }

  /**
   * Adds a client unless it already waits. @returns its value, created by `make` if the client is not
   * remembered
   */
  enter(key: K, make: () => V): V {
    const present = this.#present.get(key);
    if (present !== undefined) return present.value;
    const known = this.#absent.delete(key);
    const value = known === undefined ? make() : known.value;
    const at = {
      nowMs: this.#nowMs,
      servedMs: this.#servedMs,
      turns: this.#turns,
      order: this.#events++,
    };
    this.#present.set(key, { value, account: accountOf(known?.account, at) });
    return value;
  }

  /**
   * Finds the client whose turn is next; on a tie the one that has waited longest.
   *
   * @param costMs - expected cost of a client's next turn in milliseconds; `undefined` skips the client
   */
  peek(costMs: (value: V, key: K) => number | undefined): Next<K, V> | undefined {
    const choice = new FairChoice<K, V>(this.#servedMs, this.#present.size);
    for (const [key, entry] of this.#present) {
      const cost = costMs(entry.value, key);
      if (cost !== undefined) choice.offer(key, entry, cost);
    }
    return choice.next(this.#owedMs <= 0, this.#prefersLight);
  }

  /** Gives the turn to the client that {@link peek} found. Its cost must be charged separately. */
  serve({ key, turn }: Next<K, V>): void {
    this.#turns++;
    if (turn.kind === "only") this.#owedMs = 0;
    else this.#nowMs = Math.max(this.#nowMs, turn.leastMs);
    if (turn.kind !== "due") this.#prefersLight = !turn.isLight;
    const account = this.#present.get(key)?.account;
    if (account !== undefined) beginTurn(account, turn, this.#events++);
  }

  /**
   * Adds time that was spent on a client.
   *
   * @param ms - negative if less was spent than previously charged
   */
  charge(key: K, ms: number): void {
    const account = this.#find(key)?.account;
    if (account === undefined) return;
    account.spentMs += ms;
    this.#servedMs += ms;
    // Corrections do not change the debt: it may have been paid off long ago.
    if (ms <= 0) return;
    const isOwed = account.lastTurn?.kind === "first";
    this.#owedMs = Math.max(0, this.#owedMs + (isOwed ? ms : -ms));
  }

  /** Removes a client that no longer waits; its account is remembered for some time. */
  leave(key: K): void {
    const entry = this.#present.get(key);
    if (entry === undefined) return;
    this.#present.delete(key);
    entry.account.leftAtTurn = this.#turns;
    this.#absent.set(key, entry);
  }

  #find(key: K): Entry<V> | undefined {
    return this.#present.get(key) ?? this.#absent.get(key);
  }
}
