import { ConfigError } from "#base/errors/index.ts";
import { compareNumbers } from "#base/primitives/index.ts";

const VERSION = /^\d{1,4}(\.\d{1,4}){1,3}$/;

/** Whether `text` has the form of a protocol version: two to four numbers joined by dots. */
export function isProtocolVersion(text: string): boolean {
  return VERSION.test(text);
}

/**
 * Compares protocol versions number by number. Missing numbers count as 0, so `0.13.1 < 0.13.1.1`; the empty
 * version of blocks before 0.9.1 precedes all others.
 *
 * @returns below 0, 0 or above 0, as for `Array.prototype.sort`
 * @throws {ConfigError} when one of them is not a version
 */
export function compareProtocolVersions(left: string, right: string): number {
  return compareNumbers(parts(left), parts(right));
}

function parts(version: string): readonly number[] {
  if (version === "") return [];
  if (!isProtocolVersion(version)) {
    throw new ConfigError(`"${version}" is not a protocol version such as 0.13.2`);
  }
  return version.split(".").map(Number);
}
