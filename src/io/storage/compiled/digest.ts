import { blobFromUint } from "../blob.ts";
import type { StoredCompiledClass } from "./types.ts";

type Metadata = Omit<StoredCompiledClass, "casmJson">;

/**
 * Returns SHA-256 over all values of a row that are used: class hash, compiler, hashes and length as JSON
 * text, then the code as stored. It detects a change to any of them.
 */
export function digestOf(
  classHash: bigint,
  compiler: string,
  { hashes, bytecodeLength }: Metadata,
  casm: Uint8Array,
): Uint8Array {
  const uints = [classHash, hashes.poseidon, hashes.blake].map((uint) =>
    blobFromUint(uint).toHex(),
  );
  const hasher = new Bun.CryptoHasher("sha256");
  hasher.update(JSON.stringify([...uints, compiler, bytecodeLength]));
  hasher.update(casm);
  return new Uint8Array(hasher.digest());
}
