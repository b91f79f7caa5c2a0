import {
  codeSizeOf,
  preCheckTransaction,
  sierraCodeSize,
  validateTransaction,
} from "#engine/execution/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import {
  type ContractClass,
  encodedTransaction,
  type LegacyClass,
  sierraClassHash,
  transactionHash,
} from "#protocol/chain/index.ts";
import {
  type Refusal,
  refusalOf,
  type StatelessLimits,
  statelessRefusal,
} from "../admission-rules.ts";
import { classUnfit } from "../compile/class-size.ts";
import { feeOption } from "../fee-option.ts";
import { slowValidationOf } from "../slow-validation.ts";
import type { SlowValidatorParts } from "../slow-validator.ts";
import { decodeDeclaration, type SentDeclare } from "./declaration.ts";
import { readLegacyClass } from "./read-legacy-class.ts";
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
  transaction: SentDeclare,
  contractClass: ContractClass,
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
  unnamed: SentDeclare,
  contractClass: ContractClass,
): PreparedDeclaration {
  const { vm, chainId, chargeFees, pending, contextOf, impersonates, noted } = parts;
  const measured = measure(contractClass);
  if (measured.kind === "rejected") return measured;
  const { codeSize, ...lengths } = measured;
  const transaction = { ...unnamed, classHash: measured.classHash };
  const hash = transactionHash(transaction, chainId);
  const hashed = encodedTransaction({ hash, transaction });
  const { info, state } = pending();
  const outcome = validateTransaction(vm, state, contextOf(info), hashed, {
    codeSize,
    isImpersonated: impersonates(transaction.senderAddress),
    ...feeOption(chargeFees),
  });
  const validation = slowValidationOf(noted(outcome));
  if (validation.kind === "refused") return { ...validation, kind: "rejected" };
  const { sierraProgramLength, abiLength } = lengths;
  return { kind: "prepared", hashed, sierraProgramLength, abiLength };
}

/** What of a class its declaration depends on. */
interface Measured {
  readonly kind: "measured";
  readonly classHash: Felt;
  readonly sierraProgramLength: number;
  readonly abiLength: number;
  /** Bytes that the fee counts; of a Sierra class those that are known before it is compiled. */
  readonly codeSize: number;
}

function measure(contractClass: ContractClass): Measured | Refusal {
  if (contractClass.kind === "legacy") return measureLegacy(contractClass);
  const sierraProgramLength = contractClass.sierraProgram.length;
  const abiLength = Buffer.byteLength(contractClass.abi);
  return {
    kind: "measured",
    classHash: sierraClassHash(contractClass),
    sierraProgramLength,
    abiLength,
    codeSize: sierraCodeSize({ bytecodeLength: 0, sierraProgramLength, abiLength }),
  };
}

function measureLegacy(contractClass: LegacyClass): Measured | Refusal {
  const executable = readLegacyClass(contractClass);
  if (typeof executable === "string") {
    return { kind: "rejected", code: "COMPILATION_FAILED", reason: executable };
  }
  const { classHash, abiLength } = executable;
  const codeSize = codeSizeOf(executable);
  return { kind: "measured", classHash, sierraProgramLength: 0, abiLength, codeSize };
}
