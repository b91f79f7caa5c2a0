import { type CasmClass, compiledClassHash } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";

const hashes = new WeakMap<CasmClass, Felt>();

/** Compiled class hash in its newest form; hashing a class takes milliseconds, so it is kept. */
export function blakeHashOf(casm: CasmClass): Felt {
  let hash = hashes.get(casm);
  if (hash === undefined) {
    hash = compiledClassHash(casm, "blake");
    hashes.set(casm, hash);
  }
  return hash;
}
