import { DecodeError, NodeError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import {
  casmClassFromJson,
  casmJsonFromClass,
  classHashMismatch,
  compiledClassHash,
  type CasmClass,
  type ContractClass,
  decodeContractClass,
} from "#protocol/chain/index.ts";
import type { SnapshotClass } from "#io/storage/index.ts";
import type { ReplayCompiler } from "#services/replay/index.ts";
import { decoded, wrongSnapshot } from "./wrong.ts";

/** Options for checking classes. */
export interface ClassChecks {
  readonly compiler: ReplayCompiler;
  /**
   * Whether to accept the snapshot's code when ours has another hash. That hash then verifies the bytecode;
   * nothing verifies the hints.
   */
  readonly trustsCasm: boolean;
}

/**
 * Verifies a class hash, and returns the class with code of our own compiler that has the compiled class hash
 * of the state.
 *
 * @param file - snapshot file that contains the class
 * @throws {StorageError} STORAGE_SNAPSHOT_WRONG when the class has another hash, or no such code exists
 * @throws {NodeError} when no compiler is available, or compilation exceeds its time or memory limit
 */
export async function checkClass(
  file: string,
  declared: SnapshotClass,
  checks: ClassChecks,
): Promise<SnapshotClass> {
  const { classHash, compiledClassHash: expected } = declared;
  const name = `class ${hexFromFelt(classHash)}`;
  const { mismatch, contractClass } = decoded(file, () => hashed(declared));
  if (mismatch !== undefined) {
    const found = hexFromFelt(BigInt(mismatch.found ?? 0));
    throw wrongSnapshot(file, `${name}: expected a class of that hash, found one of ${found}`);
  }
  if (contractClass.kind === "legacy") {
    if (expected === null && declared.casmJson === null) return declared;
    throw wrongSnapshot(file, `${name}: expected no compiled code of a Cairo 0 class, found some`);
  }
  if (expected === null) {
    throw wrongSnapshot(file, `${name}: expected a compiled class hash, found none`);
  }
  const compilation = await checks.compiler.compile(classHash, contractClass);
  if (compilation.kind === "compiled" && hasHash(compilation.casm, expected)) {
    return { ...declared, casmJson: casmJsonFromClass(compilation.casm) };
  }
  if (compilation.kind === "unfinished" && !checks.trustsCasm) {
    const hint =
      "run the command again with more --compiler-memory or --compiler-timeout, or with --trust-casm";
    const message = `${file}: ${name}: ${compilation.reason}: ${hint}`;
    throw new NodeError("NODE_COMPILER_FAILED", message);
  }
  const ours =
    compilation.kind === "compiled"
      ? "this program's compiler gives other code"
      : `this program's compiler refuses it: ${compilation.reason}`;
  const expectation = `${name}: expected code of compiled class hash ${hexFromFelt(expected)}`;
  if (!checks.trustsCasm) {
    const hint = "older compilers gave other code: --trust-casm accepts the snapshot's code";
    throw wrongSnapshot(file, `${expectation}, and ${ours}; ${hint} if it has that hash`);
  }
  const theirs = decoded(file, () => suppliedCode(declared));
  if (theirs !== undefined && hasHash(theirs, expected)) {
    return { ...declared, casmJson: casmJsonFromClass(theirs) };
  }
  throw wrongSnapshot(file, `${expectation}, found other code; ${ours}`);
}

function hashed({ classHash, contractClass: bytes }: SnapshotClass): {
  readonly contractClass: ContractClass;
  readonly mismatch: ReturnType<typeof classHashMismatch>;
} {
  const contractClass = decodeContractClass(bytes);
  return { contractClass, mismatch: classHashMismatch(contractClass, classHash) };
}

/**
 * Whether the code has the expected hash by either function: migrated classes have the newer hash, and the
 * state does not distinguish the two.
 */
function hasHash(casm: CasmClass, expected: Felt): boolean {
  return (["poseidon", "blake"] as const).some(
    (hashFunction) => compiledClassHash(casm, hashFunction) === expected,
  );
}

function suppliedCode({ casmJson }: SnapshotClass): CasmClass | undefined {
  if (casmJson === null) return undefined;
  try {
    return casmClassFromJson(casmJson);
  } catch (error) {
    // Text that is not code counts as missing.
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}
