import type { AccountQueue } from "./account-queue.ts";
import type { HeldEntry } from "./held-entry.ts";

/** Whether `a` is to be executed before `b`. */
export type Before = (a: HeldEntry, b: HeldEntry) => boolean;

/** What was restored first; then the higher tip, then earlier arrival. */
export function tipOrder(a: HeldEntry, b: HeldEntry): boolean {
  if (a.restored || b.restored || a.entry.tip === b.entry.tip) return arrivalOrder(a, b);
  return a.entry.tip > b.entry.tip;
}

/** What was restored first; then earlier arrival. */
export function arrivalOrder(a: HeldEntry, b: HeldEntry): boolean {
  if (a.restored || b.restored || a.entry.receivedAtMs === b.entry.receivedAtMs) {
    return a.sequence < b.sequence;
  }
  return a.entry.receivedAtMs < b.entry.receivedAtMs;
}

/**
 * Whether the last entry of `a` is to leave a full mempool before that of `b`: furthest from
 * execution first, then the lowest tip, then the latest arrival. Both accounts have entries.
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

/** The lowest tip that replaces `tip`: raised by the fraction, rounded up, and by at least 1. */
export function bumpedTip(tip: bigint, fraction: number): bigint {
  const parts = BigInt(Math.round(fraction * 1e6));
  const raised = tip + (tip * parts + 999_999n) / 1_000_000n;
  return raised > tip ? raised : tip + 1n;
}
