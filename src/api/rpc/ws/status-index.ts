import type { Felt } from "#base/primitives/index.ts";
import { RpcFault } from "../errors.ts";
import type { StatusNotice } from "../spec/subscriptions.ts";
import type { LiveStatus } from "./order.ts";
import type { Notice } from "./notice.ts";
import type { Subscription } from "./subscription.ts";

type StatusSubscription = Subscription<"transactionStatus">;

/** What can become of a transaction, in this order; the last two are ends. */
const RANKS = {
  RECEIVED: 0,
  CANDIDATE: 1,
  PRE_CONFIRMED: 2,
  ACCEPTED_ON_L2: 3,
  ACCEPTED_ON_L1: 4,
  REJECTED: 5,
} as const satisfies Record<LiveStatus | "ACCEPTED_ON_L1" | "REJECTED", number>;

/** What a transaction has become, and the block that has it. */
export interface Became {
  readonly rank: keyof typeof RANKS;
  readonly blockNumber?: number;
}

/** What a client was sent last. */
interface SentStatus {
  readonly rank: number;
  readonly blockNumber: number | undefined;
  readonly bytes: Uint8Array;
}

/**
 * Who is told of single transactions. News come on several ways, so that an older one may come after a
 * newer one: a client is told only what comes later in the life of a transaction than what it knows, and
 * nothing twice, where a version has the same word for both.
 */
export class StatusIndex {
  readonly #byHash = new Map<Felt, Map<StatusSubscription, SentStatus | undefined>>();

  /** How many transactions somebody wants to hear of. */
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

  /** Whether anybody wants to hear of a transaction. */
  has(hash: Felt): boolean {
    return this.#byHash.has(hash);
  }

  /** Transactions of blocks up to one, of which somebody knows that they are accepted on L2 and no more. */
  *acceptedUpTo(blockNumber: number): Generator<Felt> {
    for (const [hash, listeners] of this.#byHash) {
      for (const told of listeners.values()) {
        if (told?.rank !== RANKS.ACCEPTED_ON_L2) continue;
        if ((told.blockNumber ?? Infinity) <= blockNumber) yield hash;
        break;
      }
    }
  }

  /**
   * Blocks above this one are gone: what becomes of their transactions now is told again.
   *
   * @param isTold - who listens knows that blocks are gone: what it hears next is news to it, though it
   *   be the same in words
   */
  reverted(latest: number, isTold: boolean): void {
    for (const listeners of this.#byHash.values()) {
      for (const [subscription, told] of listeners) {
        if (told === undefined || (told.blockNumber ?? -1) <= latest) continue;
        const left = isTold ? undefined : { ...told, rank: -1, blockNumber: undefined };
        listeners.set(subscription, left);
      }
    }
  }

  /**
   * A transaction has become something.
   *
   * @param notice - asked for when somebody is told
   */
  tell(hash: Felt, became: Became, notice: () => Notice<StatusNotice>): void {
    const listeners = this.#byHash.get(hash);
    if (listeners === undefined) return;
    const made = notice();
    for (const subscription of listeners.keys()) this.tellOne(subscription, became, made);
  }

  /** Tells one client, unless it knows as much. */
  tellOne(
    subscription: StatusSubscription,
    { rank: name, blockNumber }: Became,
    notice: Notice<StatusNotice>,
  ): void {
    const listeners = this.#byHash.get(subscription.order.hash);
    if (listeners?.has(subscription) !== true) return;
    const told = listeners.get(subscription);
    const rank = RANKS[name];
    if (told !== undefined && told.rank >= rank) return;
    const bytes = writtenOf(subscription, notice);
    if (bytes === undefined) return;
    listeners.set(subscription, { rank, blockNumber, bytes });
    if (told === undefined || Buffer.compare(told.bytes, bytes) !== 0) subscription.send(bytes);
  }
}

/** @returns `undefined` for what the version has no word for */
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
