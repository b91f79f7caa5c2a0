import type {
  AccountTransaction,
  DeclareTransaction,
  DeclareV3,
  ExecutableClass,
} from "#protocol/chain/index.ts";
import { type Felt, feltFromShortString, paddedHexFromFelt } from "#base/primitives/index.ts";
import { blakeHashOf } from "../blake-hash.ts";
import type { ProtocolFlags } from "#protocol/versions/index.ts";
import type { CachedState } from "#engine/state/index.ts";
import type { TransactionContext } from "./context.ts";
import type { Phases } from "./phases.ts";
import type { Rejection } from "./rejection.ts";

/** Sender of declarations on a chain that has no account yet. */
export const BOOTSTRAP_ADDRESS: Felt = feltFromShortString("BOOTSTRAP");

/**
 * Whether a declaration bootstraps a new chain: it has no signature, fee or nonce. Possible only when no fee
 * is charged; on a chain with fees, admission decides which of them are allowed.
 */
export function isBootstrapDeclare(
  transaction: AccountTransaction,
  chargeFee: boolean,
): transaction is DeclareV3 {
  return (
    !chargeFee &&
    transaction.type === "DECLARE" &&
    transaction.version === 3 &&
    transaction.senderAddress === BOOTSTRAP_ADDRESS &&
    transaction.nonce === 0n
  );
}

/** Adds the class of a declare transaction to the state. */
export function declareClass(
  { state, context }: Pick<Phases, "state" | "context">,
  transaction: DeclareTransaction,
  declared: ExecutableClass | undefined,
): Rejection | null {
  const { classHash } = transaction;
  const isLegacy = transaction.version < 2;
  if (declared === undefined || (declared.casm === null) !== isLegacy) {
    return {
      code: "UNSUPPORTED",
      kind: "ContractClassVersionMismatch",
      message: `A declaration of version ${transaction.version} cannot bring this kind of class.`,
    };
  }
  const mismatch = checkBlakeHash(context, transaction, declared);
  if (mismatch !== null) return mismatch;
  const { flags } = context.block.constants;
  // Cairo 0 classes once had no commitment, so declaring one again was harmless.
  const canRepeat = isLegacy && !flags.disableCairo0Redeclaration;
  if (!canRepeat && state.executableClass(classHash) !== undefined) return isDeclared(classHash);
  state.declareClass(declared);
  if (transaction.version === 2 || transaction.version === 3) {
    state.setCompiledClassHash(classHash, transaction.compiledClassHash);
  }
  return null;
}

/**
 * Records the declaration of a class without examining the class, for the changes that its fee depends on.
 *
 * @returns why it cannot be declared, or `null`
 */
export function recordDeclaration(
  state: Pick<CachedState, "compiledClassHashOf" | "setCompiledClassHash" | "executableClass">,
  { disableCairo0Redeclaration }: Pick<ProtocolFlags, "disableCairo0Redeclaration">,
  transaction: DeclareTransaction,
): Rejection | null {
  if (transaction.version !== 2 && transaction.version !== 3) {
    const isKnown = (): boolean => state.executableClass(transaction.classHash) !== undefined;
    return disableCairo0Redeclaration && isKnown() ? isDeclared(transaction.classHash) : null;
  }
  const { classHash, compiledClassHash } = transaction;
  if (state.compiledClassHashOf(classHash) !== 0n) return isDeclared(classHash);
  state.setCompiledClassHash(classHash, compiledClassHash);
  return null;
}

function isDeclared(classHash: Felt): Rejection {
  return {
    code: "CLASS_ALREADY_DECLARED",
    kind: "DeclareTransactionError",
    message: `Class with hash ${paddedHexFromFelt(classHash)} is already declared.`,
  };
}

/** Formats a hash with at least 62 digits, as the reference engine does in this error. */
function hashText(hash: Felt): string {
  return `0x${hash.toString(16).padStart(62, "0")}`;
}

/** Checks the rule that from 0.14.1 on, version 3 must name the Blake form of the compiled class hash. */
function checkBlakeHash(
  context: TransactionContext,
  transaction: DeclareTransaction,
  declared: ExecutableClass,
): Rejection | null {
  const { blockCasmHashV1Declares } = context.block.constants.flags;
  if (!blockCasmHashV1Declares || transaction.version !== 3 || declared.casm === null) return null;
  const expected = blakeHashOf(declared.casm);
  const actual = transaction.compiledClassHash;
  if (actual === expected) return null;
  const message =
    `Mismatch compiled class hash for class with hash ${hashText(transaction.classHash)}. ` +
    `Actual: ${hashText(actual)}, Expected: ${hashText(expected)}`;
  return {
    code: "COMPILED_CLASS_HASH_MISMATCH",
    kind: "StarknetApiError.DeclareTransactionCasmHashMissMatch.CasmHashMismatch",
    message,
  };
}
