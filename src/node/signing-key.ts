import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { publicKey } from "#crypto/index.ts";
import { ConfigError } from "#errors/index.ts";
import { type Felt, feltFromHex, hexFromFelt } from "#primitives/index.ts";

/** Order of the Stark curve's group; private keys are below it. Source: Starknet docs, "STARK curve". */
const CURVE_ORDER = 0x800000000000010ffffffffffffffffb781126dcae7b2321e66a241adc64d2fn;

/** The key that signs blocks. */
export interface SigningKey {
  readonly privateKey: Felt;
  readonly publicKey: Felt;
}

/**
 * Reads the block-signing key of a data directory, or makes one: the same key from block 0 on, in a
 * file that only its owner can read.
 *
 * @throws {ConfigError} when the file does not hold a key
 */
export function loadSigningKey(path: string): SigningKey {
  if (!existsSync(path)) {
    const candidate = BigInt(`0x${randomBytes(40).toString("hex")}`);
    const made = (candidate % (CURVE_ORDER - 1n)) + 1n;
    writeFileSync(path, `${hexFromFelt(made)}\n`, { mode: 0o600, flag: "wx", flush: true });
  }
  chmodSync(path, 0o600);
  const privateKey = feltFromHex(readFileSync(path, "utf8").trim());
  if (privateKey === undefined || privateKey === 0n || privateKey >= CURVE_ORDER) {
    throw new ConfigError(
      `${path}: expected the block-signing key as 0x hex text, between 1 and the curve's order`,
    );
  }
  return { privateKey, publicKey: publicKey(privateKey) };
}
