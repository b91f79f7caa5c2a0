import type { AccountQueue } from "./account-queue.ts";
import type { Offer } from "./types.ts";
import type { HeldEntry } from "./held-entry.ts";

/** Whether `a` is executed before `b`. */
export type Before = (a: HeldEntry, b: HeldEntry) => boolean;

/** Order: restored entries first, then the higher tip, then earlier arrival. */
export function tipOrder(a: HeldEntry, b: HeldEntry): boolean {
  if (a.restored || b.restored || a.entry.tip === b.entry.tip) return arrivalOrder(a, b);
  return a.entry.tip > b.entry.tip;
}

/** Order: restored entries first, then earlier arrival. */
export function arrivalOrder(a: HeldEntry, b: HeldEntry): boolean {
  if (a.restored || b.restored || a.entry.receivedAtMs === b.entry.receivedAtMs) {
    return a.sequence < b.sequence;
  }
  return a.entry.receivedAtMs < b.entry.receivedAtMs;
}

/**
 * Whether the last entry of `a` leaves a full mempool before that of `b`: furthest from execution first, then
 * the lowest tip, then the latest arrival. Both accounts must have entries.
 */
export function lessDesirable(a: AccountQueue, b: AccountQueue): boolean {
  const lastOfA = a.last();
  const lastOfB = b.last();
  if (lastOfA === undefined || lastOfB === undefined) return lastOfB === undefined;
  const gapOfA = a.gapOf(lastOfA.entry.nonce);
  const gapOfB = b.gapOf(lastOfB.entry.nonce);
  if (gapOfA !== gapOfB) return gapOfA > gapOfB;
  if (lastOfA.entry.tip !== lastOfB.entry.tip) return lastOfA.entry.tip < lastOfB.entry.tip;
  return lastOfA.sequence > lastOfB.sequence;
}

const MILLION = 1_000_000n;

/**
 * Minimum offer of a replacement: tip and L2 gas price, both raised by the fraction and rounded down.
 *
 * Source: the public networks' mempool (`apollo_mempool`, `handle_fee_escalation`).
 */
export function requiredOffer({ tip, maxL2GasPrice }: Offer, fraction: number): Offer {
  const millionths = BigInt(Math.round(fraction * 1e6));
  const raised = (value: bigint): bigint => value + (value * millionths) / MILLION;
  return { tip: raised(tip), maxL2GasPrice: raised(maxL2GasPrice) };
}

/**
 * Whether an offer replaces another one: its tip and its price must both reach {@link requiredOffer}, and at
 * least one of them must be strictly higher.
 *
 * The public networks lack the second condition. Without it, an offer too small to be raised by the fraction
 * could be replaced endlessly.
 */
export function outbids(offer: Offer, old: Offer, fraction: number): boolean {
  const required = requiredOffer(old, fraction);
  const isEnough = offer.tip >= required.tip && offer.maxL2GasPrice >= required.maxL2GasPrice;
  return isEnough && (offer.tip > old.tip || offer.maxL2GasPrice > old.maxL2GasPrice);
}
