import { type CasmClass, compiledClassHash } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";

const hashes = new WeakMap<CasmClass, Felt>();

/** Compiled class hash in its newest form; cached, because hashing a class takes milliseconds. */
export function blakeHashOf(casm: CasmClass): Felt {
  let hash = hashes.get(casm);
  if (hash === undefined) {
    hash = compiledClassHash(casm, "blake");
    hashes.set(casm, hash);
  }
  return hash;
}
