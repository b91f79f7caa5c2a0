import type { AccountTransaction } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** L2 gas per L1 gas, used where only L1 gas is bounded. */
const L2_GAS_PER_L1_GAS = 40_000n;

/** Gas limit of transactions without one: those before version 3. */
const ANY_GAS = 2n ** 128n;

/**
 * Maximum L2 gas of a small transaction, which may go before large ones: it runs for at most a
 * quarter of a second.
 */
export const MAX_SMALL_GAS = 25_000_000n;

/**
 * The executor's wish for the order of waiting transactions: which senders and sizes go first, sent
 * with each request for a batch.
 */
export interface Precedence {
  /**
   * Levels, from 1, of senders whose recent transactions took much processor time; all other senders have
   * level 0. Lower levels go first.
   */
  readonly levels: ReadonlyMap<Felt, number>;
  /** Whether small transactions of level-0 senders go last this time, to give the others a turn. */
  readonly isTurnOfOthers: boolean;
  /** Whether transactions above {@link MAX_SMALL_GAS} are held back, except those of level 0. */
  readonly holdsBackLarge: boolean;
}

/**
 * Returns the maximum L2 gas that a transaction's execution may use by its bounds; 2^128, above any real
 * limit, for versions without bounds.
 */
export function gasLimitOf(transaction: AccountTransaction): bigint {
  if (transaction.version !== 3) return ANY_GAS;
  const { l1Gas, l2Gas } = transaction.resourceBounds;
  return l2Gas.maxAmount > 0n ? l2Gas.maxAmount : l1Gas.maxAmount * L2_GAS_PER_L1_GAS;
}

/** Properties that decide a transaction's precedence. */
export interface RankedTransaction {
  readonly sender: Felt;
  /** Result of {@link gasLimitOf}. */
  readonly gasLimit: bigint;
}

/**
 * Rank of a transaction, from 0 on; lower ranks go first. The sender's level decides, then the gas: small
 * before large.
 */
export function rankAt(
  levels: Precedence["levels"],
  { sender, gasLimit }: RankedTransaction,
): number {
  return 2 * (levels.get(sender) ?? 0) + (gasLimit > MAX_SMALL_GAS ? 1 : 0);
}

/** Returns the executor's ranking; it yields `null` for transactions that are held back. */
export function ranking(
  precedence: Precedence | undefined,
): (transaction: RankedTransaction) => number | null {
  if (precedence === undefined) return () => 0;
  const { levels, isTurnOfOthers, holdsBackLarge } = precedence;
  return (transaction) => {
    const isLarge = transaction.gasLimit > MAX_SMALL_GAS;
    if (holdsBackLarge && isLarge && levels.has(transaction.sender)) return null;
    const rank = rankAt(levels, transaction);
    return rank === 0 && isTurnOfOthers ? Number.POSITIVE_INFINITY : rank;
  };
}
