import { DecodeError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import {
  type CasmHashFunction,
  casmClassCodec,
  casmJsonFromClass,
  classHashMismatch,
  compiledClassHashMismatch,
  type ContractClass,
  encodeContractClass,
} from "#protocol/chain/index.ts";
import { readGatewayClass } from "#io/feeder/index.ts";
import type {
  ClassCheckOutcome,
  ClassCheckRequest,
  DeclaredClassHash,
  SyncRefusal,
} from "../ports.ts";
import { jsonOf } from "./read-block.ts";
import { formRefusal, refusalOf, refusalOfMismatch } from "./refusal.ts";

/** JSON limits: Cairo 0 debug information has the most parts; compiled code nests hints and segments. */
const LIMITS = { maxDepth: 128, maxElements: 8_000_000, maxParts: 4_000_000 };

/**
 * Decodes a class and checks its hash. A class that the block declares with compiled code is a Sierra class;
 * any other is a Cairo 0 class. Compiled code is checked elsewhere, where a compiler is available.
 */
export function checkClassText({
  blockNumber,
  declared,
  text,
}: Pick<ClassCheckRequest, "blockNumber" | "declared" | "text">): ClassCheckOutcome {
  const { classHash } = declared;
  const name = `class ${hexFromFelt(classHash)}`;
  try {
    const contractClass = readGatewayClass(jsonOf(text, LIMITS).value);
    const refusal = classRefusal(blockNumber, declared, contractClass);
    if (refusal !== undefined) return { kind: "refused", refusal };
    const bytes = encodeContractClass(contractClass);
    return { kind: "checked", encoded: { classHash, contractClass: bytes, casmJson: null } };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const refusal = formRefusal(blockNumber, error);
    return { kind: "refused", refusal: { ...refusal, message: `${name}: ${refusal.message}` } };
  }
}

/**
 * Checks kind and hash of a class.
 *
 * @param declared - declaration in the block
 * @throws {DecodeError} when it is a Cairo 0 class that cannot be read
 */
export function classRefusal(
  blockNumber: number,
  { classHash, compiledClassHash }: DeclaredClassHash,
  contractClass: ContractClass,
): SyncRefusal | undefined {
  const expected = compiledClassHash === null ? "legacy" : "sierra";
  if (contractClass.kind === expected) {
    return refusalOfMismatch(blockNumber, classHashMismatch(contractClass, classHash));
  }
  return refusalOf(blockNumber, {
    check: "class_hash",
    field: `class ${hexFromFelt(classHash)}`,
    expected: KINDS[expected],
    found: KINDS[contractClass.kind],
  });
}

const KINDS = { legacy: "one of Cairo 0", sierra: "one of Sierra" } as const;

/** Result of checking compiled code. */
export type CodeCheckOutcome =
  /** The code has the declared hash. `casmJson` is re-encoded without unknown members of the text. */
  | { readonly kind: "checked"; readonly casmJson: string }
  /** The code has another hash. */
  | { readonly kind: "other"; readonly found: Felt }
  /** The text is not compiled code. */
  | { readonly kind: "unreadable"; readonly reason: string };

/**
 * Decodes compiled code and checks its hash. The hash does not cover hints: with malicious hints, untrusted
 * code can be made to fail, but not to prove false statements.
 *
 * @param text - JSON in the format of the Sierra compiler, as UTF-8
 * @param declared - compiled class hash named in the block
 * @param hashFunction - of the block's protocol version; Blake2s for a migration
 */
export function checkCompiledText(
  text: Uint8Array,
  declared: Felt,
  hashFunction: CasmHashFunction,
): CodeCheckOutcome {
  try {
    const casm = casmClassCodec.decode(jsonOf(text, LIMITS).value, "");
    const mismatch = compiledClassHashMismatch(casm, declared, hashFunction);
    if (mismatch === undefined) return { kind: "checked", casmJson: casmJsonFromClass(casm) };
    return { kind: "other", found: BigInt(mismatch.found ?? 0) };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return { kind: "unreadable", reason: formRefusal(0, error).message };
  }
}
