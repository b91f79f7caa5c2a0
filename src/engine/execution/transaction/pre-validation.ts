import type { GasVector } from "#protocol/versions/index.ts";
import { paddedHexFromFelt } from "#base/primitives/index.ts";
import type { CachedState } from "#engine/state/index.ts";
import { checkBalance, checkBounds } from "../fee/bounds-check.ts";
import type { TransactionContext } from "./context.ts";
import type { Rejection } from "./rejection.ts";

/**
 * Checks nonce, bounds and balance before any code runs, and increments the nonce.
 *
 * @param minimal - minimum gas that the bounds must allow
 * @returns why the transaction can't be executed, or `null`
 */
export function preValidate(
  state: CachedState,
  context: TransactionContext,
  minimal: GasVector,
  options: { readonly strictNonce: boolean; readonly chargeFee: boolean },
): Rejection | null {
  const badNonce = takeNonce(state, context, options.strictNonce);
  if (badNonce !== null) return badNonce;
  if (options.chargeFee) {
    const shortage = checkBounds(context, minimal) ?? checkBalance(state, context);
    if (shortage !== null) return shortage;
  }
  if (context.v3 !== null && context.v3.proofFacts.length > 0) {
    // An unverified proof must not be accepted.
    return {
      code: "UNSUPPORTED",
      kind: "TransactionPreValidationError.InvalidProofFacts",
      message: "Invalid proof facts: proofs are not supported yet.",
    };
  }
  return null;
}

/** Checks and increments the nonce; version 0 has none. */
function takeNonce(
  state: CachedState,
  { version, senderAddress, nonce }: TransactionContext,
  strict: boolean,
): Rejection | null {
  if (version === 0) return null;
  const expected = state.nonceAt(senderAddress);
  if (strict ? nonce === expected : nonce >= expected) {
    state.setNonce(senderAddress, expected + 1n);
    return null;
  }
  const message =
    `Invalid transaction nonce of contract at address ${paddedHexFromFelt(senderAddress)}. ` +
    `Account nonce: ${paddedHexFromFelt(expected)}; got: ${paddedHexFromFelt(nonce)}.`;
  return { code: "INVALID_NONCE", kind: "TransactionPreValidationError.InvalidNonce", message };
}
