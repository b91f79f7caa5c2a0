import { readFileSync } from "node:fs";
import { ConfigError } from "#base/errors/index.ts";

/** Allowed characters of a header value, with the maximum key length. */
const KEY = /^[\x21-\x7e]{1,1024}$/;

/**
 * Reads the API key for the price oracle, without surrounding whitespace.
 *
 * @throws {ConfigError} when the file cannot be read, or holds no such key; its content is not shown
 */
export function readOracleKey(file: string): string {
  let key: string;
  try {
    key = readFileSync(file, "utf8").trim();
  } catch (cause) {
    throw new ConfigError(`--oracle-api-key-file ${file}: the file cannot be read`, [], { cause });
  }
  if (KEY.test(key)) return key;
  throw new ConfigError(
    `--oracle-api-key-file ${file}: expected 1 to 1024 visible ASCII characters without spaces`,
  );
}
