import type { CairoVm } from "#engine/cairo/index.ts";
import { type BlockInfo, senderAddressOf } from "#protocol/chain/index.ts";
import {
  type BlockContext,
  validateTransaction,
  type ValidationOutcome,
} from "#engine/execution/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import { feeOption } from "./fee-option.ts";
import { decodeReceived, hashReceived } from "./submission/received.ts";
import type { Refusal } from "./admission-rules.ts";
import { refusingLostOrigin } from "./origin-refusal.ts";
import { encodeSlowValidation, type SlowValidation, slowValidationOf } from "./slow-validation.ts";

/** Dependencies of {@link validateSlowly}. */
export interface SlowValidatorDeps {
  readonly vm: CairoVm;
  readonly chainId: Felt;
  readonly chargeFees: boolean;
  /** The block being built, and the state after it. */
  readonly pending: () => { readonly info: BlockInfo; readonly state: StateReader };
  readonly contextOf: (info: BlockInfo) => BlockContext;
  /** Whether an account's transactions are accepted with any signature. */
  readonly isImpersonatedAccount: (address: Felt) => boolean;
  /** Records a cancelled validation, which may be restarted; returns the outcome unchanged. */
  readonly noted: (outcome: ValidationOutcome) => ValidationOutcome;
}

/** Facts about a transaction beyond its fields. */
export interface SlowValidationMetadata {
  readonly isSenderUndeployed: boolean;
  /** Bytes of a declaration's class that its fee is based on; otherwise 0. */
  readonly codeSize: number;
}

/**
 * Validates a transaction whose validation exceeded admission's time limit, on another thread.
 *
 * @param bytes - the encoded transaction, with the hash computed by admission
 * @returns an encoded slow validation
 */
export function validateSlowly(
  { vm, chainId, chargeFees, pending, contextOf, isImpersonatedAccount, noted }: SlowValidatorDeps,
  bytes: Uint8Array,
  metadata: SlowValidationMetadata,
): Uint8Array<ArrayBuffer> {
  const received = hashReceived(decodeReceived(bytes), chainId);
  const { info, state } = pending();
  const validate = (): SlowValidation => {
    const outcome = validateTransaction(vm, state, contextOf(info), received, {
      ...metadata,
      isImpersonated: isImpersonatedAccount(senderAddressOf(received.transaction)),
      ...feeOption(chargeFees),
    });
    return slowValidationOf(noted(outcome));
  };
  const refuse = ({ code, reason }: Refusal): SlowValidation => ({ kind: "refused", code, reason });
  return encodeSlowValidation(refusingLostOrigin(validate, refuse));
}
