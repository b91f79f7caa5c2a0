import {
  type DeclareV3,
  encodeContractClass,
  encodedTransaction,
  type SierraClass,
  sierraClassHash,
  transactionHash,
} from "#protocol/chain/index.ts";
import type { Declaration } from "#services/admission/declare/declaration.ts";
import type { PreparedDeclaration } from "#services/admission/declare/prepared-declaration.ts";
import { CHAIN_ID } from "./admission-world.ts";
import { classOf } from "./fake-compiler.ts";
import { emptyDeclare } from "./mempool-world.ts";

/** A declaration of a Sierra class, as sent by clients. */
export interface SierraDeclaration extends Declaration {
  readonly transaction: Omit<DeclareV3, "classHash">;
  readonly contractClass: SierraClass;
}

/** A successfully prepared declaration. */
export type Prepared = Extract<PreparedDeclaration, { readonly kind: "prepared" }>;

/**
 * A declaration of the class of `number`, as sent by clients.
 *
 * @param fields - members of the transaction, which has version 3
 */
export function sentDeclaration(
  number: bigint,
  fields: Partial<DeclareV3> = {},
): SierraDeclaration {
  const { classHash: _unknown, ...transaction } = { ...emptyDeclare(1n, 0n), ...fields };
  return { transaction, contractClass: classOf(number) };
}

/** Result of preparing a valid declaration. */
export function preparedOf({ transaction, contractClass }: SierraDeclaration): Prepared {
  const named = { ...transaction, classHash: sierraClassHash(contractClass) };
  return {
    kind: "prepared",
    hashed: encodedTransaction({ hash: transactionHash(named, CHAIN_ID), transaction: named }),
    sierraProgramLength: contractClass.sierraProgram.length,
    abiLength: contractClass.abi.length,
    unpacked: null,
  };
}

/** Size of a declaration's class, as counted by the mempool. */
export function classSizeOf({ contractClass }: SierraDeclaration): number {
  return encodeContractClass(contractClass).byteLength;
}
