/** Computes the `casm_digest` column: SHA-256 of the bytes in the `casm` column. */
export function casmDigest(casm: Uint8Array): Uint8Array {
  return new Uint8Array(new Bun.CryptoHasher("sha256").update(casm).digest());
}
