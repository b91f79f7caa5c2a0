import {
  preCheckTransaction,
  sierraCodeSize,
  validateTransaction,
} from "#engine/execution/index.ts";
import {
  encodedTransaction,
  type EncodedTransaction,
  type SierraClass,
  sierraClassHash,
  transactionHash,
} from "#protocol/chain/index.ts";
import { refusalOf, type StatelessLimits, statelessRefusal } from "../admission-rules.ts";
import { classUnfit } from "../compile/class-size.ts";
import { slowValidationOf } from "../slow-validation.ts";
import type { SlowValidatorParts } from "../slow-validator.ts";
import { decodeDeclaration, type SierraDeclare } from "./declaration.ts";
import { encodePrepared, type PreparedDeclaration } from "./prepared-declaration.ts";

/** What preparing works with. */
export interface PreparationParts extends SlowValidatorParts {
  readonly limits: StatelessLimits;
}

/**
 * Does for a declaration what needs its class and time: sizes, both hashes, and the account's
 * validation on the pending state.
 *
 * @param bytes - of `encodeDeclaration`
 * @returns what `encodePrepared` writes
 * @throws {DecodeError} when the bytes are not a declaration
 */
export function prepareDeclaration(
  parts: PreparationParts,
  bytes: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const { transaction, contractClass } = decodeDeclaration(bytes);
  return encodePrepared(
    refusalBefore(parts, transaction, contractClass) ?? prepare(parts, transaction, contractClass),
  );
}

/** What is against it as far as no hash is needed: hashing a large class takes long. */
function refusalBefore(
  { limits, chargeFees, pending, contextOf }: PreparationParts,
  transaction: SierraDeclare,
  contractClass: SierraClass,
): PreparedDeclaration | undefined {
  const stateless = statelessRefusal(transaction, limits);
  if (stateless !== undefined) return stateless;
  const unfit = classUnfit(contractClass);
  if (unfit !== undefined) return { ...unfit, kind: "rejected" };
  const { info, state } = pending();
  const unhashed = { hash: 0n, transaction };
  const rejection = preCheckTransaction(state, contextOf(info), unhashed, feeOption(chargeFees));
  return rejection === null ? undefined : refusalOf(rejection);
}

function prepare(
  parts: PreparationParts,
  unnamed: SierraDeclare,
  contractClass: SierraClass,
): PreparedDeclaration {
  const { vm, chainId, chargeFees, pending, contextOf, noted } = parts;
  const hashed = named(unnamed, contractClass, chainId);
  const lengths = {
    bytecodeLength: 0,
    sierraProgramLength: contractClass.sierraProgram.length,
    abiLength: Buffer.byteLength(contractClass.abi),
  };
  const { info, state } = pending();
  const outcome = validateTransaction(vm, state, contextOf(info), hashed, {
    codeSize: sierraCodeSize(lengths),
    ...feeOption(chargeFees),
  });
  const validation = slowValidationOf(noted(outcome));
  if (validation.kind === "refused") return { ...validation, kind: "rejected" };
  return { kind: "prepared", hashed, ...lengths };
}

function feeOption(chargeFees: boolean): { readonly chargeFee?: false } {
  return chargeFees ? {} : { chargeFee: false };
}

function named(
  unnamed: SierraDeclare,
  contractClass: SierraClass,
  chainId: bigint,
): EncodedTransaction<SierraDeclare> {
  const transaction = { ...unnamed, classHash: sierraClassHash(contractClass) };
  return encodedTransaction({ hash: transactionHash(transaction, chainId), transaction });
}
