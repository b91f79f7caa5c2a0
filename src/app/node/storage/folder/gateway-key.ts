import { readFileSync } from "node:fs";
import { ConfigError } from "#base/errors/index.ts";

const MAX_KEY_LENGTH = 1_024;

/** Visible ASCII, because the key is sent in a header. */
const KEY = /^[\x21-\x7e]+$/;

/**
 * Reads the key to send to gateways as `X-Throttling-Bypass`: the file's text without surrounding whitespace.
 *
 * @throws {ConfigError} when the file cannot be read, or does not hold a key
 */
export function readGatewayKey(path: string): string {
  const key = textOf(path).trim();
  if (key.length <= MAX_KEY_LENGTH && KEY.test(key)) return key;
  throw new ConfigError(
    `${path}: expected the key to send to gateways: 1 to ${MAX_KEY_LENGTH} visible ASCII characters`,
  );
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new ConfigError(`${path}: the file with the gateway key cannot be read`, [], { cause });
  }
}
