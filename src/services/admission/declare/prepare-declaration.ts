import {
  codeSizeOf,
  preCheckTransaction,
  sierraCodeSize,
  validateTransaction,
} from "#engine/execution/index.ts";
import { AppError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import {
  encodeContractClass,
  encodedTransaction,
  type PackedLegacyClass,
  type PackedSierraClass,
  type SierraClass,
  sierraClassHash,
  transactionHash,
} from "#protocol/chain/index.ts";
import {
  type Refusal,
  refusalOf,
  type StatelessLimits,
  statelessRefusal,
} from "../admission-rules.ts";
import { classUnfit } from "../compile/index.ts";
import { feeOption } from "../fee-option.ts";
import { slowValidationOf } from "../slow-validation.ts";
import type { SlowValidatorDeps } from "../slow-validator.ts";
import { decodeDeclaration, type SentClass, type SentDeclare } from "./declaration.ts";
import { encodePrepared, type PreparedDeclaration } from "./prepared-declaration.ts";
import { readLegacyClass } from "./read-legacy-class.ts";
import { readPackedSierra } from "./read-packed-sierra.ts";

/** What preparing works with. */
export interface PreparationDeps extends SlowValidatorDeps {
  readonly limits: StatelessLimits;
  /** Whether the work is to end; asked every ten milliseconds or so. */
  readonly isStopped: () => boolean;
}

/** Ends hashing that is to stop. */
class PreparationStopped extends AppError {
  constructor() {
    super("DECLARATION_STOPPED", "The declaration is prepared no further.");
  }
}

const TOO_LONG: PreparedDeclaration = {
  kind: "rejected",
  code: "UNEXPECTED_ERROR",
  reason: "hashing the class takes too long for this node",
};

/**
 * Does for a declaration what needs its class and time: sizes, both hashes, and the account's
 * validation on the pending state.
 *
 * @param bytes - of `encodeDeclaration`
 * @param namesOnly - only the hashes are wanted: nothing is checked or validated
 * @returns what `encodePrepared` writes
 * @throws {DecodeError} when the bytes are not a declaration
 */
export function prepareDeclaration(
  deps: PreparationDeps,
  bytes: Uint8Array,
  namesOnly: boolean,
): Uint8Array<ArrayBuffer> {
  const { transaction, contractClass } = decodeDeclaration(bytes);
  try {
    const named = (): Named | Refusal => nameDeclaration(deps, transaction, contractClass);
    if (namesOnly) return encodePrepared(withoutCodeSize(named()));
    const refusal = refusalBefore(deps, transaction, contractClass);
    return encodePrepared(refusal ?? validated(deps, named()));
  } catch (error) {
    if (!(error instanceof PreparationStopped)) throw error;
    return encodePrepared(TOO_LONG);
  }
}

/** What is against it as far as no hash is needed: hashing a large class takes long. */
function refusalBefore(
  { limits, chargeFees, pending, contextOf }: PreparationDeps,
  transaction: SentDeclare,
  contractClass: SentClass,
): PreparedDeclaration | undefined {
  const stateless = statelessRefusal(transaction, limits);
  if (stateless !== undefined) return stateless;
  const unfit = contractClass.kind === "sierra" ? classUnfit(contractClass) : undefined;
  if (unfit !== undefined) return { ...unfit, kind: "rejected" };
  const { info, state } = pending();
  const unhashed = { hash: 0n, transaction };
  const rejection = preCheckTransaction(state, contextOf(info), unhashed, feeOption(chargeFees));
  return rejection === null ? undefined : refusalOf(rejection);
}

/** A declaration with its hashes, and the bytes that its fee counts. */
type Named = Extract<PreparedDeclaration, { readonly kind: "prepared" }> & {
  readonly codeSize: number;
};

function nameDeclaration(
  { chainId, isStopped }: Pick<PreparationDeps, "chainId" | "isStopped">,
  unnamed: SentDeclare,
  contractClass: SentClass,
): Named | Refusal {
  const measured = measure(contractClass, () => {
    if (isStopped()) throw new PreparationStopped();
  });
  if (measured.kind === "rejected") return measured;
  const { classHash, ...rest } = measured;
  const transaction = { ...unnamed, classHash };
  const hash = transactionHash(transaction, chainId);
  return { ...rest, kind: "prepared", hashed: encodedTransaction({ hash, transaction }) };
}

function withoutCodeSize(named: Named | Refusal): PreparedDeclaration {
  if (named.kind === "rejected") return named;
  const { codeSize: _codeSize, ...prepared } = named;
  return prepared;
}

function validated(
  { vm, chargeFees, pending, contextOf, impersonates, noted }: PreparationDeps,
  named: Named | Refusal,
): PreparedDeclaration {
  if (named.kind === "rejected") return named;
  const { codeSize, hashed } = named;
  const { transaction } = hashed;
  const { info, state } = pending();
  const outcome = validateTransaction(vm, state, contextOf(info), hashed, {
    codeSize,
    isImpersonated: impersonates(transaction.senderAddress),
    ...feeOption(chargeFees),
  });
  const validation = slowValidationOf(noted(outcome));
  if (validation.kind === "refused") return { ...validation, kind: "rejected" };
  return withoutCodeSize(named);
}

/** What of a class its declaration depends on. */
interface Measured {
  readonly kind: "measured";
  readonly classHash: Felt;
  readonly sierraProgramLength: number;
  readonly abiLength: number;
  /** Bytes that the fee counts; of a Sierra class those that are known before it is compiled. */
  readonly codeSize: number;
  /** A class that came packed, as it is stored. */
  readonly unpacked: Uint8Array | null;
}

function measure(contractClass: SentClass, pause: () => void): Measured | Refusal {
  switch (contractClass.kind) {
    case "packed":
      return measureLegacy(contractClass, pause);
    case "packed-sierra":
      return measurePackedSierra(contractClass, pause);
    case "sierra":
      return measureSierra(contractClass, pause);
  }
}

function measurePackedSierra(packed: PackedSierraClass, pause: () => void): Measured | Refusal {
  const read = readPackedSierra(packed);
  if (read.kind === "rejected") return read;
  pause();
  return { ...measureSierra(read, pause), unpacked: encodeContractClass(read) };
}

function measureSierra(contractClass: SierraClass, pause: () => void): Measured {
  const sierraProgramLength = contractClass.sierraProgram.length;
  const abiLength = Buffer.byteLength(contractClass.abi);
  return {
    kind: "measured",
    classHash: sierraClassHash(contractClass, pause),
    sierraProgramLength,
    abiLength,
    codeSize: sierraCodeSize({ bytecodeLength: 0, sierraProgramLength, abiLength }),
    unpacked: null,
  };
}

function measureLegacy(packed: PackedLegacyClass, pause: () => void): Measured | Refusal {
  const read = readLegacyClass(packed, pause);
  if (read.kind === "rejected") return read;
  const { classHash, abiLength } = read.executable;
  return {
    kind: "measured",
    classHash,
    sierraProgramLength: 0,
    abiLength,
    codeSize: codeSizeOf(read.executable),
    unpacked: encodeContractClass(read.contractClass),
  };
}
