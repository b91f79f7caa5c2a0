import type { OsTransactionKind } from "#protocol/versions/index.ts";
import type { AccountTransaction, ExecutableClass, L1Handler } from "#protocol/chain/index.ts";

/** Properties of a transaction that determine its cost, apart from its execution. */
export interface TransactionShape {
  readonly kind: OsTransactionKind;
  /** Includes the length of proof facts. */
  readonly calldataLength: number;
  readonly signatureLength: number;
  readonly codeSize: number;
  readonly hasProof: boolean;
  readonly l1HandlerPayloadSize: number | null;
  /** Set for version 0 declarations. */
  readonly isFree: boolean;
}

/**
 * Cost-relevant properties of an account transaction.
 *
 * @param codeSize - size of the class in a declare transaction, in bytes as counted by {@link codeSizeOf}
 */
export function accountShape(transaction: AccountTransaction, codeSize = 0): TransactionShape {
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
        codeSize,
        isFree: transaction.version === 0,
      };
  }
}

/** Cost-relevant properties of an L1 message; its payload is the calldata without the sender, if present. */
export function l1HandlerShape(transaction: L1Handler): TransactionShape {
  const payloadSize = Math.max(0, transaction.calldata.length - 1);
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

/** Bytes of a class that its declaration pays for; 0 for `undefined`. */
export function codeSizeOf(declared: ExecutableClass | undefined): number {
  if (declared === undefined) return 0;
  if (declared.casm === null) return declared.program.bytecode.length * 32 + declared.abiLength;
  const { casm, sierraProgramLength, abiLength } = declared;
  return sierraCodeSize({ bytecodeLength: casm.bytecode.length, sierraProgramLength, abiLength });
}

/** Lengths of a Sierra class: felts of its two programs, bytes of its ABI. */
export interface SierraCodeLengths {
  readonly bytecodeLength: number;
  readonly sierraProgramLength: number;
  readonly abiLength: number;
}

/** Bytes that the declaration of a Sierra class pays for. */
export function sierraCodeSize({
  bytecodeLength,
  sierraProgramLength,
  abiLength,
}: SierraCodeLengths): number {
  return (bytecodeLength + sierraProgramLength) * 32 + abiLength;
}
