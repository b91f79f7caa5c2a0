import type { Felt } from "#base/primitives/index.ts";
import { RpcFault } from "../errors.ts";
import type { StatusNotice } from "../spec/subscriptions.ts";
import type { LiveStatus } from "./order.ts";
import type { Notice } from "./notice.ts";
import type { Subscription } from "./subscription.ts";

type StatusSubscription = Subscription<"transactionStatus">;

/** Stages of a transaction, in order; the last two are final. */
const RANKS = {
  RECEIVED: 0,
  CANDIDATE: 1,
  PRE_CONFIRMED: 2,
  ACCEPTED_ON_L2: 3,
  ACCEPTED_ON_L1: 4,
  REJECTED: 5,
} as const satisfies Record<LiveStatus | "ACCEPTED_ON_L1" | "REJECTED", number>;

/** New status of a transaction, and its block. */
export interface StatusChange {
  readonly rank: keyof typeof RANKS;
  readonly blockNumber?: number;
}

/** Last status sent to a client. */
interface SentStatus {
  readonly rank: number;
  readonly blockNumber: number | undefined;
  readonly bytes: Uint8Array;
}

/**
 * Status subscriptions by transaction. Events arrive on several paths, so an older one may follow a newer
 * one. A client is notified only of stages later than the last one it knows, and not twice if its version has
 * the same name for two stages.
 */
export class StatusIndex {
  readonly #byHash = new Map<Felt, Map<StatusSubscription, SentStatus | undefined>>();

  /** Number of transactions with subscriptions. */
  get size(): number {
    return this.#byHash.size;
  }

  add(subscription: StatusSubscription): void {
    const { hash } = subscription.order;
    const known = this.#byHash.get(hash);
    if (known === undefined) this.#byHash.set(hash, new Map([[subscription, undefined]]));
    else known.set(subscription, undefined);
  }

  delete(subscription: StatusSubscription): void {
    const { hash } = subscription.order;
    const known = this.#byHash.get(hash);
    if (known?.delete(subscription) === true && known.size === 0) this.#byHash.delete(hash);
  }

  has(hash: Felt): boolean {
    return this.#byHash.has(hash);
  }

  /** Returns transactions of blocks up to `blockNumber` whose last reported status is L2 acceptance. */
  *acceptedUpTo(blockNumber: number): Generator<Felt> {
    for (const [hash, listeners] of this.#byHash) {
      for (const last of listeners.values()) {
        if (last?.rank !== RANKS.ACCEPTED_ON_L2) continue;
        if ((last.blockNumber ?? Infinity) <= blockNumber) yield hash;
        break;
      }
    }
  }

  /**
   * Handles a reverted chain: transactions of blocks above `latest` may reach the same stages again.
   *
   * @param isNotified - whether subscribers were notified of the reorg: then the next status is sent even if its
   *   encoding is unchanged
   */
  reverted(latest: number, isNotified: boolean): void {
    for (const listeners of this.#byHash.values()) {
      for (const [subscription, last] of listeners) {
        if (last === undefined || (last.blockNumber ?? -1) <= latest) continue;
        const left = isNotified ? undefined : { ...last, rank: -1, blockNumber: undefined };
        listeners.set(subscription, left);
      }
    }
  }

  /**
   * Reports a new status of a transaction.
   *
   * @param notice - called only if there are subscriptions
   */
  notify(hash: Felt, change: StatusChange, notice: () => Notice<StatusNotice>): void {
    const listeners = this.#byHash.get(hash);
    if (listeners === undefined) return;
    const content = notice();
    for (const subscription of listeners.keys()) this.notifyOne(subscription, change, content);
  }

  /** Notifies one client, unless it already knows this stage or a later one. */
  notifyOne(
    subscription: StatusSubscription,
    { rank: name, blockNumber }: StatusChange,
    notice: Notice<StatusNotice>,
  ): void {
    const listeners = this.#byHash.get(subscription.order.hash);
    if (listeners?.has(subscription) !== true) return;
    const last = listeners.get(subscription);
    const rank = RANKS[name];
    if (last !== undefined && last.rank >= rank) return;
    const bytes = writtenOf(subscription, notice);
    if (bytes === undefined) return;
    listeners.set(subscription, { rank, blockNumber, bytes });
    if (last === undefined || Buffer.compare(last.bytes, bytes) !== 0) subscription.send(bytes);
  }
}

/** @returns `undefined` if the version cannot express the status */
function writtenOf(
  subscription: StatusSubscription,
  notice: Notice<StatusNotice>,
): Uint8Array | undefined {
  try {
    return subscription.written(notice);
  } catch (error) {
    if (error instanceof RpcFault) return undefined;
    throw error;
  }
}
