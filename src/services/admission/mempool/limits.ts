import type { AccountQueue } from "./account-queue.ts";
import type { HeldEntry } from "./held-entry.ts";
import { outbids, requiredOffer } from "./order.ts";
import { type AddRefusal, type MempoolEntry, type MempoolLimits, sizeBytesOf } from "./types.ts";

/** A transaction to be added. */
export interface IncomingEntry {
  readonly entry: MempoolEntry;
  /** Queue of the sender's account; `undefined` when it has no entries. */
  readonly queue: AccountQueue | undefined;
  /** The nonce that the account executes next. */
  readonly next: bigint;
  /** Waiting entry of the same nonce, which would be replaced. */
  readonly old: HeldEntry | undefined;
}

/** Current usage of the mempool. */
export interface Usage {
  readonly size: number;
  readonly bytes: number;
  readonly declares: number;
  leastDesirable(): AccountQueue | undefined;
}

/**
 * Checks the limits that apply to the newcomer's account and transaction type.
 *
 * @returns the refusal; `undefined` if none
 */
export function accountRefusal(
  { entry, queue, next, old }: IncomingEntry,
  limits: MempoolLimits,
  usage: Usage,
): AddRefusal | undefined {
  const { maxTransactionsPerAccount, maxBytesPerAccount, maxDeclareTransactions } = limits;
  if (old !== undefined) {
    if (!outbids(entry, old.entry, limits.minTipBump)) {
      return { kind: "underpriced", required: requiredOffer(old.entry, limits.minTipBump) };
    }
  } else if ((queue?.size ?? 0) >= maxTransactionsPerAccount) {
    return { kind: "account_full", limit: maxTransactionsPerAccount };
  }
  const growth = growthOf(entry, old);
  if (growth > 0 && (queue?.bytes ?? 0) + growth > maxBytesPerAccount) {
    return { kind: "account_bytes_full", limit: maxBytesPerAccount };
  }
  // Once all missing nonces before it arrive, the account would exceed its limit.
  const highest = next + BigInt(maxTransactionsPerAccount) - 1n;
  if (old === undefined && entry.nonce > highest) return { kind: "nonce_too_high", highest };
  const isMoreDeclares = entry.kind === "DECLARE" && old?.entry.kind !== "DECLARE";
  return isMoreDeclares && usage.declares >= maxDeclareTransactions
    ? { kind: "declares_full", limit: maxDeclareTransactions }
    : undefined;
}

/**
 * Checks whether the mempool is too full for the newcomer; considers only the first eviction.
 * @returns the refusal; `undefined` if none
 */
export function fullRefusal(
  newcomer: IncomingEntry,
  { maxTransactions, maxBytes, fullPolicy }: MempoolLimits,
  usage: Usage,
): AddRefusal | undefined {
  const { entry, old } = newcomer;
  const growth = growthOf(entry, old);
  const tooMany = old === undefined && usage.size >= maxTransactions;
  if (!tooMany && (growth <= 0 || usage.bytes + growth <= maxBytes)) return undefined;
  const refusal: AddRefusal = tooMany
    ? { kind: "full", limit: maxTransactions }
    : { kind: "bytes_full", limit: maxBytes };
  // A replacement evicts only the entry that it replaces.
  if (old !== undefined || fullPolicy === "reject_new" || sizeBytesOf(entry) > maxBytes) {
    return refusal;
  }
  const victim = usage.leastDesirable();
  return victim !== undefined && isBetter(newcomer, victim) ? undefined : refusal;
}

/** Whether the newcomer is more desirable than the last entry of `queue`. */
export function isBetter({ entry, next }: IncomingEntry, queue: AccountQueue): boolean {
  const victim = queue.last()?.entry;
  if (victim === undefined) return false;
  const gap = entry.nonce - next;
  const gapOfVictim = queue.gapOf(victim.nonce);
  return gap < gapOfVictim || (gap === gapOfVictim && entry.tip > victim.tip);
}

function growthOf(entry: MempoolEntry, old: HeldEntry | undefined): number {
  return sizeBytesOf(entry) - (old === undefined ? 0 : sizeBytesOf(old.entry));
}
