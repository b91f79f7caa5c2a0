import type { EventQuery } from "#engine/state/index.ts";
import type { Event } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { eventMatcher } from "../events/match.ts";
import type { LiveStatus } from "./order.ts";
import type { Subscription } from "./subscription.ts";

/** Subscriptions by felt; one may be indexed under several. */
class FeltIndex<S> {
  readonly #sets = new Map<Felt, Set<S>>();

  add(felts: Iterable<Felt>, subscription: S): void {
    for (const felt of felts) {
      const set = this.#sets.get(felt);
      if (set === undefined) this.#sets.set(felt, new Set([subscription]));
      else set.add(subscription);
    }
  }

  delete(felts: Iterable<Felt>, subscription: S): void {
    for (const felt of felts) {
      const set = this.#sets.get(felt);
      if (set?.delete(subscription) === true && set.size === 0) this.#sets.delete(felt);
    }
  }

  get(felt: Felt | undefined): Iterable<S> {
    return (felt === undefined ? undefined : this.#sets.get(felt)) ?? [];
  }
}

type EventSubscription = Subscription<"events">;

/** Event subscriptions: indexed by emitter, else by first key, else in the set of all others. */
export class EventIndex {
  readonly #byAddress = new FeltIndex<EventSubscription>();
  readonly #byFirstKey = new FeltIndex<EventSubscription>();
  readonly #any = new Set<EventSubscription>();
  readonly #matchers = new Map<EventSubscription, (event: Event) => boolean>();
  #preConfirmed = 0;

  get size(): number {
    return this.#matchers.size;
  }

  /** Whether any subscription wants events before their block is accepted. */
  get wantsPreConfirmed(): boolean {
    return this.#preConfirmed > 0;
  }

  add(subscription: EventSubscription): void {
    const { query, preConfirmed } = subscription.order;
    this.#matchers.set(subscription, eventMatcher(query));
    this.#place(
      query,
      (index, felts) => index.add(felts, subscription),
      () => this.#any.add(subscription),
    );
    if (preConfirmed) this.#preConfirmed++;
  }

  delete(subscription: EventSubscription): void {
    if (!this.#matchers.delete(subscription)) return;
    const { query, preConfirmed } = subscription.order;
    this.#place(
      query,
      (index, felts) => index.delete(felts, subscription),
      () => this.#any.delete(subscription),
    );
    if (preConfirmed) this.#preConfirmed--;
  }

  /** Returns the subscriptions that match an event. @param isAccepted - whether its block is accepted */
  *matching(event: Event, isAccepted: boolean): Generator<EventSubscription> {
    const places = [
      this.#byAddress.get(event.fromAddress),
      this.#byFirstKey.get(event.keys[0]),
      this.#any,
    ];
    for (const place of places) {
      for (const subscription of place) {
        if (!isAccepted && !subscription.order.preConfirmed) continue;
        if (this.#matchers.get(subscription)?.(event) === true) yield subscription;
      }
    }
  }

  /** Selects one of the three indexes, so that a subscription is found only once. */
  #place(
    { addresses, keys: [firstKeys = []] }: EventQuery,
    byFelts: (index: FeltIndex<EventSubscription>, felts: Iterable<Felt>) => void,
    any: () => void,
  ): void {
    if (addresses.length > 0) byFelts(this.#byAddress, addresses);
    else if (firstKeys.length > 0) byFelts(this.#byFirstKey, firstKeys);
    else any();
  }
}

type SenderSubscription = Subscription<"transactions"> | Subscription<"receipts">;

/** Transaction and receipt subscriptions: indexed by status, then by sender or in the set of all others. */
export class SenderIndex<S extends SenderSubscription> {
  readonly #bySender = new Map<LiveStatus, FeltIndex<S>>();
  readonly #any = new Map<LiveStatus, Set<S>>();
  readonly #counts = new Map<LiveStatus, number>();

  wants(status: LiveStatus): boolean {
    return (this.#counts.get(status) ?? 0) > 0;
  }

  add(subscription: S): void {
    const { statuses, senders } = subscription.order;
    for (const status of statuses) {
      if (senders.length > 0) this.#sendersOf(status).add(senders, subscription);
      else this.#anyOf(status).add(subscription);
      this.#counts.set(status, (this.#counts.get(status) ?? 0) + 1);
    }
  }

  /** Must be called only for subscriptions that were added, and once. */
  delete(subscription: S): void {
    const { statuses, senders } = subscription.order;
    for (const status of statuses) {
      if (senders.length > 0) this.#sendersOf(status).delete(senders, subscription);
      else this.#anyOf(status).delete(subscription);
      this.#counts.set(status, (this.#counts.get(status) ?? 0) - 1);
    }
  }

  /** Returns the subscriptions that match a transaction of `sender`. */
  *matching(status: LiveStatus, sender: () => Felt | undefined): Generator<S> {
    if (!this.wants(status)) return;
    yield* this.#anyOf(status);
    yield* this.#sendersOf(status).get(sender());
  }

  #sendersOf(status: LiveStatus): FeltIndex<S> {
    const known = this.#bySender.get(status);
    if (known !== undefined) return known;
    const index = new FeltIndex<S>();
    this.#bySender.set(status, index);
    return index;
  }

  #anyOf(status: LiveStatus): Set<S> {
    const known = this.#any.get(status);
    if (known !== undefined) return known;
    const set = new Set<S>();
    this.#any.set(status, set);
    return set;
  }
}
