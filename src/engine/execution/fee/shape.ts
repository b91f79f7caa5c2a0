import type { OsTransactionKind } from "#protocol/versions/index.ts";
import type { AccountTransaction, ExecutableClass, L1Handler } from "#protocol/chain/index.ts";

/** What of a transaction its cost depends on beside of what it did. */
export interface TransactionShape {
  readonly kind: OsTransactionKind;
  /** With the length of proof facts. */
  readonly calldataLength: number;
  readonly signatureLength: number;
  readonly codeSize: number;
  readonly hasProof: boolean;
  readonly l1HandlerPayloadSize: number | null;
  /** Declare 0 is free. */
  readonly isFree: boolean;
}

/**
 * What of a transaction its cost depends on.
 *
 * @param declared - the class that a declare transaction brings
 */
export function accountShape(
  transaction: AccountTransaction,
  declared?: ExecutableClass,
): TransactionShape {
  const base = {
    signatureLength: transaction.signature.length,
    codeSize: 0,
    hasProof: false,
    l1HandlerPayloadSize: null,
    isFree: false,
  };
  switch (transaction.type) {
    case "INVOKE": {
      const facts = transaction.version === 3 ? transaction.proofFacts.length : 0;
      return {
        ...base,
        kind: "invoke",
        calldataLength: transaction.calldata.length + facts,
        hasProof: facts > 0,
      };
    }
    case "DEPLOY_ACCOUNT":
      return {
        ...base,
        kind: "deployAccount",
        calldataLength: transaction.constructorCalldata.length,
      };
    case "DECLARE":
      return {
        ...base,
        kind: "declare",
        calldataLength: 0,
        codeSize: declared === undefined ? 0 : codeSize(declared),
        isFree: transaction.version === 0,
      };
  }
}

/** The shape of a message from L1; its payload is the calldata without the sender. */
export function l1HandlerShape(transaction: L1Handler): TransactionShape {
  const payloadSize = transaction.calldata.length - 1;
  return {
    kind: "l1Handler",
    calldataLength: payloadSize,
    signatureLength: 0,
    codeSize: 0,
    hasProof: false,
    l1HandlerPayloadSize: payloadSize,
    isFree: false,
  };
}

/** Bytes of a class that a declaration pays for. */
function codeSize(declared: ExecutableClass): number {
  if (declared.casm === null) return declared.program.bytecode.length * 32 + declared.abiLength;
  return (declared.casm.bytecode.length + declared.sierraProgramLength) * 32 + declared.abiLength;
}
