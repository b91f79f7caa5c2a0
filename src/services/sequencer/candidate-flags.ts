import type { ExecutionFlags } from "#engine/execution/index.ts";
import type { Receipt } from "#protocol/chain/index.ts";
import {
  areFree,
  type Candidate,
  type FreeRules,
  isFree,
  NOT_FREE,
} from "#services/admission/index.ts";
import type { Rejection } from "#engine/execution/index.ts";
import type { StateReader } from "#engine/state/index.ts";

/** What of the settings decides how candidates are executed. */
export interface CandidateSettings {
  /** `false` executes everything without charging (`--no-charge-fee`). */
  readonly chargeFees: boolean;
  /** Which candidates are free, until when; `null` where fees are off. */
  readonly free: FreeRules | null;
  /** A development chain: what admission took for an impersonated account is not validated. */
  readonly takesImpersonated: boolean;
}

const WITH_FEES: ExecutionFlags = {};
const WITHOUT_FEES: ExecutionFlags = { chargeFee: false, freeGas: true };

/** How a candidate is executed in a block. */
export function flagsOf(
  { chargeFees, takesImpersonated }: Omit<CandidateSettings, "free">,
  { isImpersonated = false }: Pick<Candidate, "isImpersonated">,
): ExecutionFlags {
  const flags = chargeFees ? WITH_FEES : WITHOUT_FEES;
  return takesImpersonated && isImpersonated ? { ...flags, validate: false } : flags;
}

/**
 * Why a candidate is left out that was free when it was taken: it comes after what has given the native fee
 * token a contract.
 *
 * @param state - before the candidate
 */
export function unpaidRejection(
  { free }: Pick<CandidateSettings, "free">,
  { transaction: { transaction } }: Pick<Candidate, "transaction">,
  state: Pick<StateReader, "classHashAt">,
): Rejection | undefined {
  if (free === null || !isFree(transaction) || areFree(free, state)) return undefined;
  return { code: "INSUFFICIENT_BOUNDS", kind: "NotFree", message: NOT_FREE };
}

/** The receipt of a candidate, which says whether it was executed without its validation. */
export function markedReceipt(receipt: Receipt, { validate }: ExecutionFlags): Receipt {
  return validate === false ? { ...receipt, isImpersonated: true } : receipt;
}
