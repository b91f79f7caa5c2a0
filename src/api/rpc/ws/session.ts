import type { BoundMethod } from "../method.ts";
import { NotServedError } from "../errors.ts";
import { METHOD_PREFIXES, type MethodTable } from "../table.ts";
import type { SubscriptionHub } from "./hub.ts";
import type { SubscriptionOrder } from "./order.ts";
import {
  type AnySubscription,
  createSubscription,
  type NotificationOutlet,
} from "./subscription.ts";

/** What the subscriptions of a connection are made with. */
export interface SessionParts {
  readonly table: MethodTable;
  readonly hub: SubscriptionHub;
  readonly outlet: NotificationOutlet;
  readonly maxSubscriptions: number;
  /** Ids, each given out once. */
  readonly nextId: () => string;
}

/** One message of the client. */
export interface SessionRequest {
  /** The methods of the version with those for subscriptions, which are this connection's. */
  readonly table: MethodTable;
  /** The client has the ids of all subscriptions that the message has made: they begin. */
  answered(): void;
}

/** The subscriptions of one connection. */
export class Session {
  readonly #parts: SessionParts;
  readonly #subscriptions = new Map<string, AnySubscription>();

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /** Methods for one message. */
  request(): SessionRequest {
    const { table, hub } = this.#parts;
    const made: AnySubscription[] = [];
    return {
      table: { ...table, find: (wireName) => this.#find(wireName, made) ?? table.find(wireName) },
      answered() {
        for (const subscription of made) if (!subscription.isClosed) hub.open(subscription);
      },
    };
  }

  /** The connection is gone. */
  end(): void {
    for (const subscription of this.#subscriptions.values()) this.#parts.hub.close(subscription);
    this.#subscriptions.clear();
  }

  /** A method for subscriptions, with this connection in its context. */
  #find(wireName: string, made: AnySubscription[]): BoundMethod | undefined {
    const prefix = METHOD_PREFIXES.find((known) => wireName.startsWith(known));
    if (prefix === undefined) return undefined;
    const bound = this.#parts.table.subscriptions.get(wireName.slice(prefix.length));
    if (bound === undefined) return undefined;
    const subscriber = {
      open: (order: SubscriptionOrder) => this.#open(order, prefix, made),
      close: (id: string) => this.#close(id),
    };
    return {
      ...bound,
      invoke: (context, params) => bound.invoke({ ...context, subscriber }, params),
    };
  }

  #open(order: SubscriptionOrder, prefix: string, made: AnySubscription[]): string {
    const { maxSubscriptions, nextId, outlet, table } = this.#parts;
    if (this.#subscriptions.size >= maxSubscriptions) {
      throw new NotServedError(`a connection has at most ${maxSubscriptions} subscriptions`);
    }
    const forms = table.spec.subscriptions?.forms;
    if (!outlet.isOpen || forms === undefined) throw new NotServedError("the connection has ended");
    const id = nextId();
    const subscription = createSubscription({ id, prefix, order, outlet }, forms);
    this.#subscriptions.set(id, subscription);
    made.push(subscription);
    return id;
  }

  #close(id: string): boolean {
    const subscription = this.#subscriptions.get(id);
    if (subscription === undefined) return false;
    this.#subscriptions.delete(id);
    this.#parts.hub.close(subscription);
    return true;
  }
}
