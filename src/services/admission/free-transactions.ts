import { enforcesFee, isBootstrapDeclare } from "#engine/execution/index.ts";
import type { AccountTransaction, HashedTransaction } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { StateReader } from "#engine/state/index.ts";

/** Most declarations by nobody that a chain gets before its native fee token has a contract. */
export const MAX_BOOTSTRAP_DECLARES = 64;

/**
 * Whether a chain that takes fees takes transactions that pay none: `untilToken` while its native fee token
 * has no contract, for until then nobody can pay.
 */
export type FreePolicy = "never" | "untilToken";

/** What is decided by on free transactions. */
export interface FreeRules {
  readonly policy: FreePolicy;
  /** Where the native fee token's contract is going to stand. */
  readonly nativeFeeToken: Felt;
}

/** Why a free transaction is not taken, or not included. */
export const NOT_FREE =
  "no resource bound allows a fee: transactions are free only until the native fee token has a contract, on a public address with --allow-bootstrap alone";

/** Whether a declaration starts a new chain: nobody signs it, and nothing is looked at in its bounds. */
export function isFreeBootstrapDeclare(transaction: AccountTransaction): boolean {
  return isBootstrapDeclare(transaction, enforcesFee(transaction));
}

/**
 * Whether a transaction is one of those that are free while nobody can pay: version 3, all prices 0, and
 * gas to be executed with. The protocol charges nothing for them, whoever executes them.
 */
export function isFree(transaction: AccountTransaction): boolean {
  if (transaction.version !== 3 || enforcesFee(transaction)) return false;
  const { l1Gas, l2Gas, l1DataGas } = transaction.resourceBounds;
  const bounds = l1DataGas === null ? [l1Gas, l2Gas] : [l1Gas, l2Gas, l1DataGas];
  if (bounds.some(({ maxPricePerUnit }) => maxPricePerUnit > 0n)) return false;
  const limiting = l1DataGas === null ? l1Gas : l2Gas;
  return limiting.maxAmount > 0n || isFreeBootstrapDeclare(transaction);
}

/** Whether free transactions are taken on a state. */
export function areFree(
  { policy, nativeFeeToken }: FreeRules,
  state: Pick<StateReader, "classHashAt">,
): boolean {
  return policy === "untilToken" && state.classHashAt(nativeFeeToken) === 0n;
}

/** What declarations by nobody are counted in. */
export interface DeclaringChain {
  /** Numbers of the blocks that declare classes, ascending. */
  declaringBlocks(): Iterable<number>;
  transactions(blockNumber: number): readonly HashedTransaction[];
}

/** How many declarations by nobody a chain has, as far as {@link MAX_BOOTSTRAP_DECLARES} depends on it. */
export function countBootstrapDeclares(chain: DeclaringChain): number {
  let count = 0;
  for (const number of chain.declaringBlocks()) {
    for (const { transaction } of chain.transactions(number)) {
      if (transaction.type === "DECLARE" && isFreeBootstrapDeclare(transaction)) count++;
    }
    if (count >= MAX_BOOTSTRAP_DECLARES) break;
  }
  return count;
}
