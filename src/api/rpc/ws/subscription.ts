import { invariant } from "#base/errors/index.ts";
import type { Form, NotificationForms, Reorg, SubscriptionSpec } from "../spec/subscriptions.ts";
import type { Notice } from "./notice.ts";
import type { SubscriptionCounts } from "./observer.ts";
import type { OrderOf, SubscriptionOrder } from "./order.ts";

/** Client side of a subscription. */
export interface NotificationOutlet {
  readonly isOpen: boolean;
  /** Whether the client has read enough to get more at its own pace. */
  readonly isWritable: boolean;
  /** Sends a notification; it is buffered until the client has had time to learn the subscription's id. */
  notify(...parts: readonly Uint8Array[]): void;
  /** Flushes buffered notifications and stops buffering: the client knows its subscription. */
  release(): void;
  /** Ends the connection because of an internal error. */
  fail(): void;
}

/** Subscription of any kind. */
export type AnySubscription = {
  [K in SubscriptionOrder["kind"]]: Subscription<K>;
}[SubscriptionOrder["kind"]];

/** Notice type of each kind of subscription. */
type NoticeOf<K extends SubscriptionOrder["kind"]> =
  {
    readonly newHeads: NotificationForms["newHeads"];
    readonly events: NotificationForms["events"];
    readonly transactionStatus: NotificationForms["transactionStatus"];
    readonly transactions: NonNullable<NotificationForms["transactions"]>;
    readonly receipts: NonNullable<NotificationForms["receipts"]>;
  }[K] extends Form<infer T>
    ? T
    : never;

const utf8 = new TextEncoder();
const TAIL = utf8.encode("}}");

/** Dependencies of a subscription. */
export interface SubscriptionDeps<K extends SubscriptionOrder["kind"]> {
  readonly id: string;
  /** Method prefix that the client used when it subscribed. */
  readonly prefix: string;
  readonly order: OrderOf<K>;
  readonly form: Form<NoticeOf<K>>;
  /** Form of reorg notifications; `undefined` if none are sent. */
  readonly reorgForm: Form<Reorg> | undefined;
  readonly outlet: NotificationOutlet;
  readonly counts: SubscriptionCounts;
}

/** A subscription of one client. */
export class Subscription<K extends SubscriptionOrder["kind"]> {
  readonly order: OrderOf<K>;
  readonly outlet: NotificationOutlet;
  readonly #form: Form<NoticeOf<K>>;
  readonly #reorgForm: Form<Reorg> | undefined;
  readonly #headFor: (notification: string) => Uint8Array;
  readonly #counts: SubscriptionCounts;
  /** Everything of a notification before its result. */
  readonly #head: Uint8Array;
  #isClosed = false;

  constructor({ id, prefix, order, form, reorgForm, outlet, counts }: SubscriptionDeps<K>) {
    this.order = order;
    this.outlet = outlet;
    this.#form = form;
    this.#counts = counts;
    counts.opened();
    this.#reorgForm = reorgForm;
    this.#headFor = (notification) =>
      utf8.encode(
        `{"jsonrpc":"2.0","method":"${prefix}${notification}","params":{"subscription_id":"${id}","result":`,
      );
    this.#head = this.#headFor(form.notification);
  }

  /** Whether notifications have no receiver. */
  get isClosed(): boolean {
    return this.#isClosed || !this.outlet.isOpen;
  }

  notify(notice: Notice<NoticeOf<K>>): void {
    if (!this.isClosed) this.send(this.written(notice));
  }

  /** Sends a reorg notification, if the version specifies it. */
  notifyReorg(notice: Notice<Reorg>): void {
    const form = this.#reorgForm;
    if (form === undefined || this.isClosed) return;
    const result = notice.bytes(form.encode, this.#counts.written);
    this.outlet.notify(this.#headFor(form.notification), result, TAIL);
    this.#counts.sent();
  }

  /** Returns the encoded notice: shared by all clients with the same form. */
  written(notice: Notice<NoticeOf<K>>): Uint8Array {
    return notice.bytes(this.#form.encode, this.#counts.written);
  }

  send(result: Uint8Array): void {
    if (this.isClosed) return;
    this.outlet.notify(this.#head, result, TAIL);
    this.#counts.sent();
  }

  close(): void {
    if (!this.#isClosed) this.#counts.closed();
    this.#isClosed = true;
  }
}

/** Creates a subscription with the forms of a version. */
export function createSubscription(
  { order, ...deps }: Omit<SubscriptionDeps<SubscriptionOrder["kind"]>, "form" | "reorgForm">,
  { forms, notifiedOfReorgs }: Pick<SubscriptionSpec, "forms" | "notifiedOfReorgs">,
): AnySubscription {
  const form = forms[order.kind === "transactions" ? order.form : order.kind];
  invariant(form !== undefined, "a version has a form for each of its subscriptions");
  const reorgForm = notifiedOfReorgs.has(order.kind) ? forms.reorg : undefined;
  return new Subscription({ ...deps, order, form, reorgForm } as never) as AnySubscription;
}
