import { shortStringFromFelt } from "#base/primitives/index.ts";
import type { SierraClass, SierraExecutable } from "./class.ts";

/** Numbers from here on are no version: the oldest compilers wrote a short string. */
const TEXT_BOUND = 2n ** 20n;

/**
 * Version of a Sierra program: its first three felts, or for the oldest compilers the short string
 * `0.1.0` in the first. 0.0.0 when neither is there.
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

/** Foreign numbers must fit where versions are stored: 13 bits of each. */
function part(value: number): number {
  return Number.isInteger(value) && value >= 0 && value < 2 ** 13 ? value : 0;
}
