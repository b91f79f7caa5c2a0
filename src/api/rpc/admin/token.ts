import { createHash, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { ConfigError } from "#base/errors/index.ts";

/** Minimum length of a token. */
export const MIN_TOKEN_LENGTH = 16;

const TOKEN = /^[\x21-\x7e]+$/;
const MAX_TOKEN_LENGTH = 1_024;

/** Checks tokens; stores only a digest of the valid one. */
export interface AdminToken {
  /** Whether the header `Authorization: Bearer TOKEN` contains the valid token; takes constant time. */
  isIn(authorization: string | null): boolean;
}

/**
 * Reads the token of the admin methods: the file's text without surrounding whitespace.
 *
 * @throws {ConfigError} when the file cannot be read, or does not contain a token
 */
export function readAdminToken(path: string): AdminToken {
  return adminToken(textOf(path).trim(), path);
}

/**
 * Creates the check of a token for the admin methods.
 *
 * @param source - origin of the token, for messages
 * @throws {ConfigError} when it is not a valid token
 */
export function adminToken(token: string, source: string): AdminToken {
  const { length } = token;
  if (length < MIN_TOKEN_LENGTH || length > MAX_TOKEN_LENGTH || !TOKEN.test(token)) {
    throw new ConfigError(
      `${source}: expected the token of the admin methods: ${MIN_TOKEN_LENGTH} to ${MAX_TOKEN_LENGTH} visible ASCII characters`,
    );
  }
  const expected = digestOf(token);
  return {
    isIn(authorization) {
      const [, candidate = ""] = /^bearer +(\S+) *$/i.exec(authorization ?? "") ?? [];
      return timingSafeEqual(digestOf(candidate), expected);
    },
  };
}

function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new ConfigError(`${path}: the file with the admin token cannot be read`, [], { cause });
  }
}
