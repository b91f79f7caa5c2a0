import { enforcesFee, isBootstrapDeclare } from "#engine/execution/index.ts";
import type { AccountTransaction, HashedTransaction } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { StateReader } from "#engine/state/index.ts";

/**
 * Maximum number of free bootstrap declarations (unsigned declarations that nobody pays for) in the blocks of
 * a chain.
 */
export const MAX_BOOTSTRAP_DECLARES = 64;

/**
 * Whether a chain that charges fees accepts transactions that pay none: `untilToken` while its native fee
 * token has no contract, since until then nobody can pay.
 */
export type FreePolicy = "never" | "untilToken";

/** Rules that decide about free transactions. */
export interface FreeRules {
  readonly policy: FreePolicy;
  /** Address at which the native fee token's contract is going to be deployed. */
  readonly nativeFeeToken: Felt;
}

/**
 * Text of the refusal of a free transaction that the chain does not accept, or no longer accepts.
 */
export const NOT_FREE =
  "no resource bound allows a fee: transactions are free only until the native fee token has a contract, and on a public address only with --allow-bootstrap";

/** Whether this is a free bootstrap declaration on a new chain: unsigned, with any resource bounds. */
export function isFreeBootstrapDeclare(transaction: AccountTransaction): boolean {
  return isBootstrapDeclare(transaction, enforcesFee(transaction));
}

/**
 * Whether a transaction qualifies as free while nobody can pay: version 3, all prices 0, and a gas limit for
 * its execution. The protocol charges nothing for it, regardless of the sequencer.
 */
export function isFree(transaction: AccountTransaction): boolean {
  if (transaction.version !== 3 || enforcesFee(transaction)) return false;
  const { l1Gas, l2Gas, l1DataGas } = transaction.resourceBounds;
  const bounds = l1DataGas === null ? [l1Gas, l2Gas] : [l1Gas, l2Gas, l1DataGas];
  if (bounds.some(({ maxPricePerUnit }) => maxPricePerUnit > 0n)) return false;
  const limiting = l1DataGas === null ? l1Gas : l2Gas;
  return limiting.maxAmount > 0n || isFreeBootstrapDeclare(transaction);
}

/** Whether a chain with these rules accepts transactions that pay no fee on top of a state. */
export function areFree(
  { policy, nativeFeeToken }: FreeRules,
  state: Pick<StateReader, "classHashAt">,
): boolean {
  return policy === "untilToken" && state.classHashAt(nativeFeeToken) === 0n;
}

/** Chain in which bootstrap declarations are counted. */
export interface DeclaringChain {
  /** Numbers of the blocks that declare classes, ascending. */
  declaringBlocks(): Iterable<number>;
  transactions(blockNumber: number): readonly HashedTransaction[];
}

/** Counts a chain's bootstrap declarations; stops once {@link MAX_BOOTSTRAP_DECLARES} is reached. */
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
