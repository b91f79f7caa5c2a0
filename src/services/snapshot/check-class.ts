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

/** What classes are checked with. */
export interface ClassChecks {
  readonly compiler: ReplayCompiler;
  /**
   * Whether a class has the snapshot's code where ours has another hash: its bytecode is verified by that
   * hash then, its hints by nothing.
   */
  readonly trustsCasm: boolean;
}

/**
 * A class with its hash verified, and with code of our own compiler that has the hash that the state has.
 *
 * @param file - where it stands
 * @throws {StorageError} STORAGE_SNAPSHOT_WRONG when it is another class, or has no such code
 * @throws {NodeError} when there is no compiler to be had, or it takes more time or memory than it may
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
      "give the command again, with more --compiler-memory or --compiler-timeout, or with --trust-casm";
    const message = `${file}: ${name}: ${compilation.reason}: ${hint}`;
    throw new NodeError("NODE_COMPILER_FAILED", message);
  }
  const ours =
    compilation.kind === "compiled"
      ? "this program's compiler gives other code"
      : `this program's compiler refuses it: ${compilation.reason}`;
  const said = `${name}: expected code of compiled class hash ${hexFromFelt(expected)}`;
  if (!checks.trustsCasm) {
    const hint = "older compilers gave other code: with --trust-casm the snapshot's is taken";
    throw wrongSnapshot(file, `${said}, and ${ours}; ${hint} if it has that hash`);
  }
  const theirs = decoded(file, () => told(declared));
  if (theirs !== undefined && hasHash(theirs, expected)) {
    return { ...declared, casmJson: casmJsonFromClass(theirs) };
  }
  throw wrongSnapshot(file, `${said}, found other code; ${ours}`);
}

function hashed({ classHash, contractClass: bytes }: SnapshotClass): {
  readonly contractClass: ContractClass;
  readonly mismatch: ReturnType<typeof classHashMismatch>;
} {
  const contractClass = decodeContractClass(bytes);
  return { contractClass, mismatch: classHashMismatch(contractClass, classHash) };
}

/** Migrated classes have the newer hash, which the state does not tell from the older one. */
function hasHash(casm: CasmClass, expected: Felt): boolean {
  return (["poseidon", "blake"] as const).some(
    (hashFunction) => compiledClassHash(casm, hashFunction) === expected,
  );
}

function told({ casmJson }: SnapshotClass): CasmClass | undefined {
  if (casmJson === null) return undefined;
  try {
    return casmClassFromJson(casmJson);
  } catch (error) {
    // What stands there is of no interest: it is no code.
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}
