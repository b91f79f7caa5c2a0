import { blobFromUint } from "../blob.ts";
import type { StoredCompiledClass } from "./types.ts";

/** What is known of a compiled class besides its code. */
type Metadata = Omit<StoredCompiledClass, "casmJson">;

/**
 * SHA-256 over everything that is given out of a row: class hash, compiler, hashes and length as text in
 * JSON, then the code as it is stored. A row of which any of them has changed has another one.
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
