import { readSecretFile } from "#io/folders/index.ts";
import { wrongCommandLine } from "../option-errors.ts";

/** Order of secp256k1. Source: SEC 2. */
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/**
 * Reads an L1 private key from a file, without surrounding whitespace. Messages never show the path, since
 * the key itself may have been given in its place.
 *
 * @param name - the option, as it was written
 * @throws {ConfigError} when the file cannot be read, is readable by others, or does not contain a key
 */
export function readL1KeyFile(path: string, name: string): `0x${string}` {
  const read = readSecretFile(path);
  if (read.kind === "refused") throw wrongCommandLine(name, read.reason);
  const { text } = read;
  const value = /^0x[0-9a-fA-F]{64}$/.test(text) ? BigInt(text) : 0n;
  if (value > 0n && value < CURVE_ORDER) return text.toLowerCase() as `0x${string}`;
  throw wrongCommandLine(
    name,
    "the file does not contain a private key: 0x and 64 hexadecimal digits",
  );
}
