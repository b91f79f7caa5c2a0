import type { AccountTransaction } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** L2 gas in one L1 gas: what pays for execution where only L1 gas is bounded. */
const L2_GAS_PER_L1_GAS = 40_000n;

/** Transactions that name no gas: those before version 3. */
const ANY_GAS = 2n ** 128n;

/** With at most this much L2 gas a transaction cannot take long: a quarter of a second at the worst. */
export const MAX_SMALL_GAS = 25_000_000n;

/** Which waiting transactions the executor wants first. */
export interface Precedence {
  /**
   * Levels of senders whose transactions took much processor time lately, from 1; all other senders have
   * level 0. Lower levels go first.
   */
  readonly levels: ReadonlyMap<Felt, number>;
  /** Small transactions of senders with level 0 go last this time: others have their turn. */
  readonly isTurnOfOthers: boolean;
  /** Transactions with more gas than {@link MAX_SMALL_GAS} stay where they are, save those of level 0. */
  readonly holdsLarge: boolean;
}

/** The most L2 gas that a transaction's execution may take. */
export function gasLimitOf(transaction: AccountTransaction): bigint {
  if (transaction.version !== 3) return ANY_GAS;
  const { l1Gas, l2Gas } = transaction.resourceBounds;
  return l2Gas.maxAmount > 0n ? l2Gas.maxAmount : l1Gas.maxAmount * L2_GAS_PER_L1_GAS;
}

/** What decides about the precedence of a transaction. */
export interface RankedTransaction {
  readonly sender: Felt;
  /** As {@link gasLimitOf}. */
  readonly gasLimit: bigint;
}

/**
 * Rank of a transaction; lower ranks go first. The sender's level decides, then the gas: small before large.
 *
 * @returns from 0 on
 */
export function rankAt(
  levels: Precedence["levels"],
  { sender, gasLimit }: RankedTransaction,
): number {
  return 2 * (levels.get(sender) ?? 0) + (gasLimit > MAX_SMALL_GAS ? 1 : 0);
}

/** Ranks transactions as the executor asked; `null` for those that stay where they are. */
export function ranking(
  precedence: Precedence | undefined,
): (transaction: RankedTransaction) => number | null {
  if (precedence === undefined) return () => 0;
  const { levels, isTurnOfOthers, holdsLarge } = precedence;
  return (transaction) => {
    const isLarge = transaction.gasLimit > MAX_SMALL_GAS;
    if (holdsLarge && isLarge && levels.has(transaction.sender)) return null;
    const rank = rankAt(levels, transaction);
    return rank === 0 && isTurnOfOthers ? Number.POSITIVE_INFINITY : rank;
  };
}
