import type { Account, Turn } from "./fair-account.ts";

/** A newcomer or returning client goes first if its turn costs at most this fraction of the due one. */
const LIGHT_PART = 1 / 8;

/** A newcomer is overdue once every waiting client could have had this many times its cost. */
const PATIENCE = 2;

/** A waiting client and its account. */
export interface Entry<V> {
  readonly value: V;
  readonly account: Account;
}

/** Client that competes for a turn. */
export interface Candidate<K, V> extends Entry<V> {
  readonly key: K;
  /** Expected cost of its next turn, in milliseconds. */
  readonly costMs: number;
}

/** Chooses the client that gets a turn from those offered; `FairLevel` documents the rules. */
export class FairChoice<K, V> {
  readonly #servedMs: number;
  readonly #patience: number;
  readonly #due = new Earliest<K, V>();
  /** Newcomer with the earliest end tag. */
  readonly #newcomer = new Earliest<K, V>();
  /** Overdue newcomer that has waited longest. */
  readonly #overdue = new Earliest<K, V>();
  /** Newcomer or returning client with the lowest cost. */
  readonly #cheapest = new Earliest<K, V>();
  #leastMs = Infinity;

  /**
   * @param servedMs - total time spent on all clients so far
   * @param waiting - number of waiting clients, including those that do not compete
   */
  constructor(servedMs: number, waiting: number) {
    this.#servedMs = servedMs;
    this.#patience = PATIENCE * waiting;
  }

  /** Adds a client to the competition, with the expected cost of its turn. */
  offer(key: K, entry: Entry<V>, costMs: number): void {
    const { sort, spentMs, enteredAtMs, order } = entry.account;
    if (sort === "newcomer") {
      this.#newcomer.offer(spentMs + costMs, key, entry, costMs);
      const isOverdue = this.#servedMs - enteredAtMs > costMs * this.#patience;
      if (isOverdue) this.#overdue.offer(order, key, entry, costMs);
    } else {
      this.#leastMs = Math.min(this.#leastMs, spentMs);
      this.#due.offer(spentMs + costMs, key, entry, costMs);
    }
    if (sort !== "steady") this.#cheapest.offer(costMs, key, entry, costMs);
  }

  /**
   * Returns the client that gets the turn; `undefined` if none competes.
   *
   * @param mayGoFirst - whether a client may go ahead of the one whose turn is due
   * @param prefersLight - whether a light turn comes before an overdue one
   */
  next(
    mayGoFirst: boolean,
    prefersLight: boolean,
  ): (Candidate<K, V> & { readonly turn: Turn }) | undefined {
    const due = this.#due.found;
    if (due !== undefined && !mayGoFirst) return this.#as("due", due);
    const kind = due === undefined ? "only" : "first";
    const overdue = this.#as(kind, this.#overdue.found);
    const light = this.#as(kind, this.#light(due), true);
    const early = prefersLight ? (light ?? overdue) : (overdue ?? light);
    return early ?? this.#as(kind, this.#modest(due)) ?? this.#as("due", due);
  }

  /** Returns the cheapest client if its cost is negligible compared to its rival's. */
  #light(due: Candidate<K, V> | undefined): Candidate<K, V> | undefined {
    const cheapest = this.#cheapest.found;
    const rivals = [due, this.#overdue.found, this.#newcomer.found];
    const rival = rivals.find((one) => one !== undefined && one.key !== cheapest?.key);
    if (cheapest === undefined || rival === undefined) return undefined;
    return cheapest.costMs <= LIGHT_PART * rival.costMs ? cheapest : undefined;
  }

  #modest(due: Candidate<K, V> | undefined): Candidate<K, V> | undefined {
    const newcomer = this.#newcomer.found;
    if (newcomer === undefined || due === undefined) return newcomer;
    return endMs(newcomer) <= endMs(due) ? newcomer : undefined;
  }

  #as(kind: Turn["kind"], candidate: Candidate<K, V> | undefined, isLight = false) {
    const turn: Turn = { kind, isLight, leastMs: this.#leastMs };
    return candidate && { ...candidate, turn };
  }
}

/** End tag: total time spent on a client after its next turn. */
function endMs({ account, costMs }: Candidate<unknown, unknown>): number {
  return account.spentMs + costMs;
}

/** Finds the candidate with the lowest tag; on a tie the one that has waited longest. */
class Earliest<K, V> {
  found: Candidate<K, V> | undefined;
  #tag = Infinity;
  #order = Infinity;

  offer(tag: number, key: K, { value, account }: Entry<V>, costMs: number): void {
    const { order } = account;
    if (tag > this.#tag || (tag === this.#tag && order > this.#order)) return;
    this.#tag = tag;
    this.#order = order;
    this.found = { key, value, account, costMs };
  }
}
