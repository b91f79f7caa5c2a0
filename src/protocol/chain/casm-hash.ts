import { protocolRules, type ProtocolRules } from "#protocol/versions/index.ts";
import { blake2sFelts, poseidonMany } from "#protocol/crypto/index.ts";
import { type Felt, feltFromShortString } from "#base/primitives/index.ts";
import type { BytecodeSegmentLengths, CasmClass, CasmEntryPoint } from "./class.ts";

/** Hash function of compiled class hashes: Blake2s for declarations since protocol 0.14.1. */
export type CasmHashFunction = ProtocolRules["compiledClassHash"];

/** Hash function that a declaration must use under this protocol version. */
export function casmHashFunctionOf(protocolVersion: string): CasmHashFunction {
  return protocolRules(protocolVersion).compiledClassHash;
}

type ListHash = (values: readonly Felt[]) => Felt;

const VERSION = feltFromShortString("COMPILED_CLASS_V1");

/**
 * Hash of compiled code ("compiled class hash"). Segmented bytecode is hashed as a tree, so that a proof
 * needs only the executed segments.
 *
 * Source: cairo-lang, `starknet/core/os/contract_class/compiled_class.cairo`.
 */
export function compiledClassHash(casm: CasmClass, hashFunction: CasmHashFunction): Felt {
  const hash = hashFunction === "blake" ? blake2sFelts : poseidonMany;
  const { entryPoints } = casm;
  return hash([
    VERSION,
    entryPointsHash(entryPoints.EXTERNAL, hash),
    entryPointsHash(entryPoints.L1_HANDLER, hash),
    entryPointsHash(entryPoints.CONSTRUCTOR, hash),
    bytecodeHash(casm, hash),
  ]);
}

function entryPointsHash(entryPoints: readonly CasmEntryPoint[], hash: ListHash): Felt {
  return hash(
    entryPoints.flatMap((entryPoint) => [
      entryPoint.selector,
      BigInt(entryPoint.offset),
      hash(entryPoint.builtins.map(feltFromShortString)),
    ]),
  );
}

function bytecodeHash(casm: CasmClass, hash: ListHash): Felt {
  let offset = 0;
  /** Returns length and hash of a segment; segments are consecutive in the bytecode. */
  const segment = (lengths: BytecodeSegmentLengths): readonly [bigint, Felt] => {
    if (typeof lengths === "number") {
      const data = casm.bytecode.slice(offset, offset + lengths);
      offset += lengths;
      return [BigInt(lengths), hash(data)];
    }
    const children = lengths.map(segment);
    const total = children.reduce((sum, [length]) => sum + length, 0n);
    return [total, hash(children.flat()) + 1n];
  };
  return segment(casm.bytecodeSegmentLengths ?? casm.bytecode.length)[1];
}
