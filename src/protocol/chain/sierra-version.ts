import { shortStringFromFelt } from "#base/primitives/index.ts";
import type { SierraClass, SierraExecutable } from "./class.ts";

/** Exclusive bound of version numbers; larger felts are the short string of the oldest compilers. */
const TEXT_BOUND = 2n ** 20n;

/**
 * Compiler version of a Sierra program: its first three felts, or the short string `0.1.0` in the first one
 * for the oldest compilers. 0.0.0 if neither is present.
 */
export function sierraVersionOf({
  sierraProgram,
}: Pick<SierraClass, "sierraProgram">): SierraExecutable["sierraVersion"] {
  const [first = 0n, second = 0n, third = 0n] = sierraProgram;
  if (first >= TEXT_BOUND) {
    const [major = 0, minor = 0, patch = 0] = shortStringFromFelt(first).split(".").map(Number);
    return [part(major), part(minor), part(patch)];
  }
  return [part(Number(first)), part(Number(second)), part(Number(third))];
}

/** Returns 0 for untrusted numbers that do not fit the 13 bits of a stored version part. */
function part(value: number): number {
  return Number.isInteger(value) && value >= 0 && value < 2 ** 13 ? value : 0;
}
