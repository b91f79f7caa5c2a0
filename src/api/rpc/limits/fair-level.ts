import { RecentMap } from "#base/primitives/index.ts";
import { accountOf, beginTurn, type Turn } from "./fair-account.ts";
import { type Entry, FairChoice } from "./fair-choice.ts";

/** Most that are remembered while they have nothing waiting; the one that left first is forgotten. */
const MAX_ABSENT = 256;

/** The client that is next. */
export interface Next<K, V> {
  readonly key: K;
  readonly value: V;
  /** Expected cost of the turn, in milliseconds. */
  readonly costMs: number;
  readonly turn: Turn;
}

/**
 * Clients that wait for the same resource, by the time that was spent on each.
 *
 * The turn is due to the client with the earliest end tag: time spent plus the expected cost of its next turn. So
 * clients that wait all the time get equal time, and cheap turns come before expensive ones. A client that was idle
 * starts at virtual time, the least time spent on a client that waits (after start-time fair queueing, Goyal, Vin
 * and Cheng 1996): it has no claim to the time in which it did not wait.
 *
 * By end tags alone, a client that begins to wait would stay behind a round of all others. Three go first, before
 * the client whose turn is due (after new and sparse flows of FQ-CoDel, RFC 8290, section 4.2):
 * - a newcomer, which was idle, as soon as its own end tag is the earliest
 * - a newcomer or a client that was away for others' turns, with a turn that costs hardly anything
 * - a newcomer that has waited for long: its turn costs much, or others always ask for less
 *
 * Once a client has gone first, due turns take as much time before the next one does. So a stream of newcomers, as
 * of fresh connections, leaves each client that waits all the time half its equal share at least.
 *
 * Taking the next client looks at all that wait.
 */
export class FairLevel<K, V> {
  readonly #present = new Map<K, Entry<V>>();
  readonly #absent = new RecentMap<K, Entry<V>>(MAX_ABSENT);
  /** Number of clients that have entered, and of turns, so far. */
  #events = 0;
  /** Number of turns so far. */
  #turns = 0;
  /** Virtual time. */
  #nowMs = 0;
  /** Time that was spent on all clients. */
  #servedMs = 0;
  /** Time that due turns take before a client goes first again. */
  #owedMs = 0;
  /** Whether the last turn that came before a due one was not light: light and overdue ones take turns. */
  #prefersLight = true;

  /** Whether no client waits. */
  get isEmpty(): boolean {
    return this.#present.size === 0;
  }

  /** Value of a client that waits; `undefined` for any other. */
  get(key: K): V | undefined {
    return this.#present.get(key)?.value;
  }

  /** Value of a client that waits or is remembered; `undefined` for any other. */
  find(key: K): V | undefined {
    return this.#find(key)?.value;
  }

  /** Adds a client unless it waits already. @returns its value, made for a client that is not remembered */
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
   * Finds the client whose turn is next; of equals the one that has waited longest.
   *
   * @param costMs - expected cost of a client's next turn in milliseconds; `undefined` passes the client over
   */
  peek(costMs: (value: V, key: K) => number | undefined): Next<K, V> | undefined {
    const choice = new FairChoice<K, V>(this.#servedMs, this.#present.size);
    for (const [key, entry] of this.#present) {
      const cost = costMs(entry.value, key);
      if (cost !== undefined) choice.offer(key, entry, cost);
    }
    return choice.next(this.#owedMs <= 0, this.#prefersLight);
  }

  /** Gives the turn to the client that {@link peek} has found. What it takes is to be charged. */
  serve({ key, turn }: Next<K, V>): void {
    this.#turns++;
    if (turn.kind === "only") this.#owedMs = 0;
    else this.#nowMs = Math.max(this.#nowMs, turn.leastMs);
    if (turn.kind !== "due") this.#prefersLight = !turn.isLight;
    const account = this.#present.get(key)?.account;
    if (account !== undefined) beginTurn(account, turn, this.#events++);
  }

  /**
   * Counts time that was spent on a client.
   *
   * @param ms - negative when less was spent than counted before
   */
  charge(key: K, ms: number): void {
    const account = this.#find(key)?.account;
    if (account === undefined) return;
    account.spentMs += ms;
    this.#servedMs += ms;
    // A correction is left out: it may come when what it corrects has been paid long ago.
    if (ms <= 0) return;
    const isOwed = account.lastTurn?.kind === "first";
    this.#owedMs = Math.max(0, this.#owedMs + (isOwed ? ms : -ms));
  }

  /** Removes a client that has nothing waiting; what was spent on it is remembered for some time. */
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
