import type { LocalMethod } from "../bound-method.ts";
import type { MainContext } from "../context.ts";
import { NotServedError } from "../errors.ts";
import { METHOD_PREFIXES, type MethodTable } from "../table.ts";
import type { SubscriptionHub } from "./hub.ts";
import type { WsLimits } from "./limits.ts";
import type { WsObserver } from "./observer.ts";
import type { SubscriptionOrder } from "./order.ts";
import {
  type AnySubscription,
  createSubscription,
  type NotificationOutlet,
} from "./subscription.ts";

/** Dependencies of a connection's subscriptions. */
export interface SessionDeps<C> {
  readonly table: MethodTable<C>;
  readonly hub: SubscriptionHub;
  readonly limits: SessionLimits;
  /** Felts in the filters of all connections. */
  readonly filters: FilterTotal;
  /** Issues unique ids. */
  readonly nextId: () => string;
  readonly observer: WsObserver;
}

/** Limits of a connection's subscriptions. */
export type SessionLimits = Pick<
  WsLimits,
  "maxSubscriptions" | "maxFilterFelts" | "maxAllFilterFelts"
>;

/** Number of felts in the filters of all subscriptions of a server. */
export interface FilterTotal {
  felts: number;
}

/** Felts that a subscription counts as in addition to its filter. */
const SUBSCRIPTION_FELTS = 16;

/** One message of the client. */
export interface SessionRequest<C> {
  /** Methods of the version, plus subscription methods bound to this connection. */
  readonly table: MethodTable<C>;
  readonly hasSubscribed: boolean;
  /** The client has the ids of all subscriptions that the message has created: they start. */
  answered(): void;
}

interface Message {
  readonly outlet: NotificationOutlet;
  readonly created: AnySubscription[];
}

/** Subscriptions of one connection. */
export class Session<C extends MainContext> {
  readonly #deps: SessionDeps<C>;
  readonly #subscriptions = new Map<string, AnySubscription>();
  #filterFelts = 0;

  constructor(deps: SessionDeps<C>) {
    this.#deps = deps;
  }

  /**
   * Returns the methods for one message.
   *
   * @param outlet - receives the notifications of the subscriptions that the message creates
   */
  request(outlet: NotificationOutlet): SessionRequest<C> {
    const { table, hub } = this.#deps;
    const created: AnySubscription[] = [];
    const find = (wireName: string) => this.#find(wireName, { outlet, created });
    return {
      table: { ...table, find: (wireName) => find(wireName) ?? table.find(wireName) },
      get hasSubscribed() {
        return created.length > 0;
      },
      answered() {
        for (const subscription of created) if (!subscription.isClosed) hub.open(subscription);
      },
    };
  }

  /**
   * Ends subscriptions until the time is over: the connection is closed.
   *
   * @param endMs - on the clock of `performance.now`
   * @returns whether none is left
   */
  end(endMs: number): boolean {
    for (const id of this.#subscriptions.keys()) {
      if (performance.now() >= endMs) return false;
      this.#close(id);
    }
    return true;
  }

  /** Finds a subscription method, bound to this connection. */
  #find(wireName: string, message: Message): LocalMethod<C> | undefined {
    const prefix = METHOD_PREFIXES.find((known) => wireName.startsWith(known));
    if (prefix === undefined) return undefined;
    const bound = this.#deps.table.subscriptions.get(wireName.slice(prefix.length));
    if (bound === undefined) return undefined;
    const subscriber = {
      open: (order: SubscriptionOrder) =>
        this.#open(order, { prefix, method: bound.name }, message),
      close: (id: string) => this.#close(id),
    };
    return {
      ...bound,
      cacheKey: null,
      invoke: (context, params, client) => bound.invoke({ ...context, subscriber }, params, client),
    };
  }

  #open(
    order: SubscriptionOrder,
    { prefix, method }: { readonly prefix: string; readonly method: string },
    { outlet, created }: Message,
  ): string {
    const { nextId, table, observer } = this.#deps;
    const felts = filterFeltsOf(order);
    this.#checkRoom(felts);
    const spec = table.spec.subscriptions;
    if (!outlet.isOpen || spec === undefined) throw new NotServedError("the connection has ended");
    const id = nextId();
    const counts = observer.subscriptions(method);
    const subscription = createSubscription({ id, prefix, order, outlet, counts }, spec);
    this.#subscriptions.set(id, subscription);
    this.#count(felts, 1);
    created.push(subscription);
    return id;
  }

  #close(id: string): boolean {
    const subscription = this.#subscriptions.get(id);
    if (subscription === undefined) return false;
    this.#subscriptions.delete(id);
    this.#count(filterFeltsOf(subscription.order), -1);
    // Buffered notifications go out before the response that ends the subscription.
    subscription.outlet.release();
    this.#deps.hub.close(subscription);
    return true;
  }

  #checkRoom(felts: number): void {
    const { limits, filters } = this.#deps;
    const { maxSubscriptions, maxFilterFelts, maxAllFilterFelts } = limits;
    if (this.#subscriptions.size >= maxSubscriptions) {
      throw new NotServedError(`a connection has at most ${maxSubscriptions} subscriptions`);
    }
    if (this.#filterFelts + felts > maxFilterFelts) {
      throw new NotServedError(
        `the filters of a connection have at most ${maxFilterFelts} addresses and keys together`,
      );
    }
    if (filters.felts + felts + SUBSCRIPTION_FELTS > maxAllFilterFelts) {
      throw new NotServedError("the node has reached its subscription limit");
    }
  }

  /** @param sign - 1 for a subscription that starts, -1 for one that ends */
  #count(felts: number, sign: 1 | -1): void {
    this.#filterFelts += sign * felts;
    this.#deps.filters.felts += sign * (felts + SUBSCRIPTION_FELTS);
  }
}

/** Number of addresses and keys that a subscription adds to indexes or compares. */
function filterFeltsOf(order: SubscriptionOrder): number {
  switch (order.kind) {
    case "events": {
      const { addresses, keys } = order.query;
      return keys.reduce((sum, alternatives) => sum + alternatives.length + 1, addresses.length);
    }
    case "transactions":
    case "receipts":
      return order.senders.length * order.statuses.size;
    default:
      return 0;
  }
}
