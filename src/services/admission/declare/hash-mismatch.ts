import type { CasmHashFunction } from "#protocol/chain/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { Refusal } from "../admission-rules.ts";

const NAMES: Readonly<Record<CasmHashFunction, string>> = { poseidon: "Poseidon", blake: "Blake" };

/**
 * Refuses a declaration whose `compiled_class_hash` differs from that of its compiled class.
 *
 * @param hashes - hashes of the compiled class
 * @param expected - the hash function of the chain's protocol version
 */
export function hashMismatch(
  named: Felt,
  hashes: Readonly<Record<CasmHashFunction, Felt>>,
  expected: CasmHashFunction,
): Refusal | undefined {
  if (named === hashes[expected]) return undefined;
  const other = expected === "blake" ? "poseidon" : "blake";
  const hint =
    named === hashes[other]
      ? `: that is the ${NAMES[other]} hash of the class, this chain requires the ${NAMES[expected]} hash`
      : "";
  return {
    kind: "rejected",
    code: "COMPILED_CLASS_HASH_MISMATCH",
    reason: `the class compiles to ${hexFromFelt(hashes[expected])}, the transaction names ${hexFromFelt(named)}${hint}`,
  };
}
