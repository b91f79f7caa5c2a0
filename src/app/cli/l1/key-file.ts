import { readFileSync, statSync } from "node:fs";
import { ConfigError } from "#base/errors/index.ts";
import { wrongCommandLine } from "../given.ts";

/** Longest file with a key, bytes. */
const MAX_FILE_BYTES = 4096;

/** Order of secp256k1. Source: SEC 2. */
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/**
 * The private key of L1 that a file holds, without blanks around it. No message shows the path: the key
 * itself may have been given in its place.
 *
 * @param name - the option's, as it was given
 * @throws {ConfigError} when the file cannot be read or does not hold a key
 */
export function readL1KeyFile(path: string, name: string): `0x${string}` {
  const text = textOf(path, name);
  const value = /^0x[0-9a-fA-F]{64}$/.test(text) ? BigInt(text) : 0n;
  if (value > 0n && value < CURVE_ORDER) return text.toLowerCase() as `0x${string}`;
  throw wrongCommandLine(
    name,
    "the file does not hold a private key: 0x and 64 hexadecimal digits",
  );
}

function textOf(path: string, name: string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) throw wrongCommandLine(name, "there is no such file");
    // A pipe would be waited for without end.
    if (!found.isFile()) throw wrongCommandLine(name, "it is no file");
    if (found.size > MAX_FILE_BYTES) {
      throw wrongCommandLine(name, `the file is longer than ${MAX_FILE_BYTES} bytes`);
    }
    return readFileSync(path, "utf8").trim();
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause;
    throw wrongCommandLine(name, "the file cannot be read");
  }
}
