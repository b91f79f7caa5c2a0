import type { ExecutionFlags } from "#engine/execution/index.ts";
import type { Receipt } from "#protocol/chain/index.ts";
import type { Candidate } from "#services/admission/index.ts";

/** What of the settings decides how candidates are executed. */
export interface CandidateSettings {
  /** `false` executes everything without charging (`--no-charge-fee`). */
  readonly chargeFees: boolean;
  /** A development chain: what admission took for an impersonated account is not validated. */
  readonly takesImpersonated: boolean;
}

const WITH_FEES: ExecutionFlags = {};
const WITHOUT_FEES: ExecutionFlags = { chargeFee: false, freeGas: true };

/** How a candidate is executed in a block. */
export function flagsOf(
  { chargeFees, takesImpersonated }: CandidateSettings,
  { isImpersonated = false }: Pick<Candidate, "isImpersonated">,
): ExecutionFlags {
  const flags = chargeFees ? WITH_FEES : WITHOUT_FEES;
  return takesImpersonated && isImpersonated ? { ...flags, validate: false } : flags;
}

/** The receipt of a candidate, which says whether it was executed without its validation. */
export function markedReceipt(receipt: Receipt, { validate }: ExecutionFlags): Receipt {
  return validate === false ? { ...receipt, isImpersonated: true } : receipt;
}
