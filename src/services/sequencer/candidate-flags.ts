import type { ExecutionFlags } from "#engine/execution/index.ts";
import { type Receipt, senderAddressOf } from "#protocol/chain/index.ts";
import {
  areFree,
  type Candidate,
  type FreeRules,
  isFree,
  NOT_FREE,
} from "#services/admission/index.ts";
import type { Rejection } from "#engine/execution/index.ts";
import type { StateReader } from "#engine/state/index.ts";

/** Settings that decide how candidates are executed. */
export interface CandidateSettings {
  /** `false` executes everything without charging fees (`--no-charge-fee`). */
  readonly chargeFees: boolean;
  /** Rules for free candidates and when they end; `null` if fees are off. */
  readonly free: FreeRules | null;
  /** Development chains only: skips validation for accounts that admission marked as impersonated. */
  readonly takesImpersonated: boolean;
}

const WITH_FEES: ExecutionFlags = {};
const WITHOUT_FEES: ExecutionFlags = { chargeFee: false, freeGas: true };

/** Returns the execution flags of a candidate. */
export function flagsOf(
  { chargeFees, takesImpersonated }: Omit<CandidateSettings, "free">,
  { isImpersonated = false }: Pick<Candidate, "isImpersonated">,
): ExecutionFlags {
  const flags = chargeFees ? WITH_FEES : WITHOUT_FEES;
  return takesImpersonated && isImpersonated ? { ...flags, validate: false } : flags;
}

/**
 * Returns the rejection of a candidate that was free at admission but no longer is: an earlier transaction
 * has deployed the native fee token's contract.
 *
 * @param state - state before the candidate
 */
export function unpaidRejection(
  { free }: Pick<CandidateSettings, "free">,
  { transaction: { transaction } }: Pick<Candidate, "transaction">,
  state: Pick<StateReader, "classHashAt">,
): Rejection | undefined {
  if (free === null || !isFree(transaction) || areFree(free, state)) return undefined;
  return { code: "INSUFFICIENT_BOUNDS", kind: "NotFree", message: NOT_FREE };
}

/** Returns the receipt of a candidate, marked if it was executed without validation. */
export function markedReceipt(receipt: Receipt, { validate }: ExecutionFlags): Receipt {
  return validate === false ? { ...receipt, isImpersonated: true } : receipt;
}

/** Whether a candidate's nonce is above its sender's. */
export function isAhead(
  { transaction }: Candidate["transaction"],
  state: Pick<StateReader, "nonceAt">,
): boolean {
  if (transaction.version === 0) return false;
  return transaction.nonce > state.nonceAt(senderAddressOf(transaction));
}
