import { readFileSync } from "node:fs";
import { ConfigError } from "#base/errors/index.ts";

/** What a header may hold, and no key is longer. */
const KEY = /^[\x21-\x7e]{1,1024}$/;

/**
 * The key that an oracle knows its user by, without white space around it.
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
