import { invariant } from "#base/errors/index.ts";
import { bytesFromFelt, type Felt } from "#base/primitives/index.ts";
import { fieldKernel } from "./kernel.ts";

/** Order of the Stark curve; private keys are in `[1, CURVE_ORDER)`. */
export const CURVE_ORDER = 0x800000000000010ffffffffffffffffb781126dcae7b2321e66a241adc64d2fn;

/** Bound of hashes, `r` and `1 / s`: 2^251 (StarkEx, `ECDSA_UPPER_BOUND`). */
const SIGNATURE_BOUND = 1n << 251n;

/** ECDSA signature on the Stark curve. */
export interface Signature {
  readonly r: Felt;
  readonly s: Felt;
}

/** Public key of a private key: x of its multiple of the generator. */
export function publicKey(privateKey: Felt): Felt {
  requirePrivateKey(privateKey);
  return fieldKernel().mulGenerator(privateKey).x;
}

/**
 * Signs a message hash with the deterministic nonce of RFC 6979 over SHA-256, like Starknet's wallets: the
 * same key and hash always give the same signature.
 *
 * @param privateKey - in `[1, CURVE_ORDER)`
 * @param messageHash - below 2^251
 * @throws {InvariantError} when an argument is out of range
 */
export function sign(privateKey: Felt, messageHash: Felt): Signature {
  requirePrivateKey(privateKey);
  invariant(messageHash >= 0n && messageHash < SIGNATURE_BOUND, "message hash not below 2^251");
  const kernel = fieldKernel();
  const source = nonces(privateKey, messageHash);
  for (;;) {
    const nonce = source.next().value;
    const r = kernel.mulGenerator(nonce).x;
    if (r === 0n || r >= SIGNATURE_BOUND) continue;
    const sum = (messageHash + r * privateKey) % CURVE_ORDER;
    if (sum === 0n) continue;
    const inverseOfS = (nonce * kernel.inverseScalar(sum)) % CURVE_ORDER;
    if (inverseOfS >= SIGNATURE_BOUND) continue;
    return { r, s: kernel.inverseScalar(inverseOfS) };
  }
}

/**
 * Whether `(r, s)` signs `messageHash` under the public key `key`. Returns `false` for any value out of range
 * and for a key that is not an x coordinate of the curve.
 */
export function verify(key: Felt, messageHash: Felt, r: Felt, s: Felt): boolean {
  return fieldKernel().verify(key, messageHash, r, s);
}

function requirePrivateKey(privateKey: Felt): void {
  // The message must not contain the key.
  invariant(privateKey > 0n && privateKey < CURVE_ORDER, "private key out of range");
}

/** Generates the nonces of RFC 6979 section 3.2 for a curve order of 252 bits. */
function* nonces(privateKey: Felt, messageHash: Felt): Generator<bigint, never> {
  const seed = Buffer.concat([bytesFromFelt(privateKey), bytesFromFelt(messageHash % CURVE_ORDER)]);
  let value: Uint8Array = new Uint8Array(32).fill(1);
  let key: Uint8Array = new Uint8Array(32);
  key = hmac(key, value, new Uint8Array([0]), seed);
  value = hmac(key, value);
  key = hmac(key, value, new Uint8Array([1]), seed);
  value = hmac(key, value);
  for (;;) {
    value = hmac(key, value);
    const nonce = BigInt(`0x${value.toHex()}`) >> 4n;
    if (nonce > 0n && nonce < CURVE_ORDER) yield nonce;
    key = hmac(key, value, new Uint8Array([0]));
    value = hmac(key, value);
  }
}

function hmac(key: Uint8Array, ...parts: readonly Uint8Array[]): Uint8Array {
  const mac = new Bun.CryptoHasher("sha256", key);
  for (const part of parts) mac.update(part);
  return new Uint8Array(mac.digest());
}
