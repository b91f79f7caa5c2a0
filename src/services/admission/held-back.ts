import type { AccountTransaction } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** L2 gas in one L1 gas: what pays for execution where only L1 gas is bounded. */
const L2_GAS_PER_L1_GAS = 40_000n;

/** Transactions that name no gas: those before version 3. */
const ANY_GAS = 2n ** 128n;

/** With at most this much L2 gas a transaction cannot take long: a quarter of a second at the worst. */
export const MAX_SMALL_GAS = 25_000_000n;

/** Transactions of more gas than {@link MAX_SMALL_GAS} that the executor does not want now. */
export interface HeldBack {
  /** Of these senders; `null`: of all. */
  readonly senders: readonly Felt[] | null;
}

/** The most L2 gas that a transaction's execution may take. */
export function gasLimitOf(transaction: AccountTransaction): bigint {
  if (transaction.version !== 3) return ANY_GAS;
  const { l1Gas, l2Gas } = transaction.resourceBounds;
  return l2Gas.maxAmount > 0n ? l2Gas.maxAmount : l1Gas.maxAmount * L2_GAS_PER_L1_GAS;
}

/** Tells which entries stay where they are. */
export function heldBackMatcher(
  heldBack: HeldBack | undefined,
): (entry: { readonly sender: Felt; readonly gasLimit: bigint }) => boolean {
  if (heldBack === undefined) return () => false;
  const senders = heldBack.senders === null ? null : new Set(heldBack.senders);
  return ({ sender, gasLimit }) =>
    gasLimit > MAX_SMALL_GAS && (senders === null || senders.has(sender));
}
