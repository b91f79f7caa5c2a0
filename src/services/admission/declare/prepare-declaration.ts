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
import { refusingLostOrigin } from "../origin-refusal.ts";
import { slowValidationOf } from "../slow-validation.ts";
import type { SlowValidatorDeps } from "../slow-validator.ts";
import { decodeDeclaration, type SentClass, type SentDeclare } from "./declaration.ts";
import { encodePrepared, type PreparedDeclaration } from "./prepared-declaration.ts";
import { readLegacyClass } from "./read-legacy-class.ts";
import { readPackedSierra } from "./read-packed-sierra.ts";

/** Dependencies of {@link prepareDeclaration}. */
export interface PreparationDeps extends SlowValidatorDeps {
  readonly limits: StatelessLimits;
  /** Whether to stop the work; polled about every ten milliseconds. */
  readonly isStopped: () => boolean;
}

/** Thrown to stop hashing. */
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
 * Does the work on a declaration that needs its class and takes time: sizes, both hashes, and the account's
 * validation on the pending state.
 *
 * @param bytes - output of `encodeDeclaration`
 * @param namesOnly - compute only the hashes, without checks or validation
 * @returns output of `encodePrepared`
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
    const prepare = (): PreparedDeclaration =>
      refusalBefore(deps, transaction, contractClass) ?? validated(deps, named());
    return encodePrepared(refusingLostOrigin(prepare, (refusal) => refusal));
  } catch (error) {
    if (!(error instanceof PreparationStopped)) throw error;
    return encodePrepared(TOO_LONG);
  }
}

/** Checks that need no hash: hashing a large class takes long. */
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

/** A declaration with its hashes, and the code bytes that its fee is based on. */
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
  { vm, chargeFees, pending, contextOf, isImpersonatedAccount, noted }: PreparationDeps,
  named: Named | Refusal,
): PreparedDeclaration {
  if (named.kind === "rejected") return named;
  const { codeSize, hashed } = named;
  const { transaction } = hashed;
  const { info, state } = pending();
  const outcome = validateTransaction(vm, state, contextOf(info), hashed, {
    codeSize,
    isImpersonated: isImpersonatedAccount(transaction.senderAddress),
    ...feeOption(chargeFees),
  });
  const validation = slowValidationOf(noted(outcome));
  if (validation.kind === "refused") return { ...validation, kind: "rejected" };
  return withoutCodeSize(named);
}

/** Properties of a class that its declaration depends on. */
interface Measured {
  readonly kind: "measured";
  readonly classHash: Felt;
  readonly sierraProgramLength: number;
  readonly abiLength: number;
  /** Bytes that the fee is based on; for a Sierra class, those known before compilation. */
  readonly codeSize: number;
  /** A class that was sent packed, in stored form; `null` for other classes. */
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
