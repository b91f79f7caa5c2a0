import { readSecretFile } from "#io/folders/index.ts";
import { wrongCommandLine } from "../given.ts";

/** Order of secp256k1. Source: SEC 2. */
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/**
 * The private key of L1 that a file holds, without blanks around it. No message shows the path: the key
 * itself may have been given in its place.
 *
 * @param name - the option's, as it was given
 * @throws {ConfigError} when the file cannot be read, others can read it, or it does not hold a key
 */
export function readL1KeyFile(path: string, name: string): `0x${string}` {
  const read = readSecretFile(path);
  if (read.kind === "refused") throw wrongCommandLine(name, read.reason);
  const { text } = read;
  const value = /^0x[0-9a-fA-F]{64}$/.test(text) ? BigInt(text) : 0n;
  if (value > 0n && value < CURVE_ORDER) return text.toLowerCase() as `0x${string}`;
  throw wrongCommandLine(
    name,
    "the file does not hold a private key: 0x and 64 hexadecimal digits",
  );
}
