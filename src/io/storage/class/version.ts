import type { SierraClass } from "#protocol/chain/index.ts";
import { shortStringFromFelt } from "#base/primitives/index.ts";

type SierraVersion = readonly [number, number, number];

const STEP = 2 ** 20;

/**
 * Version of a Sierra program: its first three felts, or for the oldest compilers the short string
 * `0.1.0` in the first. 0.0.0 when neither is there.
 */
export function sierraVersionOf(contractClass: SierraClass): SierraVersion {
  const [first = 0n, second = 0n, third = 0n] = contractClass.sierraProgram;
  if (first >= BigInt(STEP)) {
    const [major = 0, minor = 0, patch = 0] = shortStringFromFelt(first).split(".").map(Number);
    return [part(major), part(minor), part(patch)];
  }
  return [part(Number(first)), part(Number(second)), part(Number(third))];
}

/** The `sierra_version` column. */
export function packVersion([major, minor, patch]: SierraVersion): number {
  return (major * STEP + minor) * STEP + patch;
}

/** Undoes {@link packVersion}. */
export function unpackVersion(packed: bigint): SierraVersion {
  const value = Number(packed);
  return [Math.floor(value / STEP / STEP), Math.floor(value / STEP) % STEP, value % STEP];
}

/** Foreign numbers must fit the column: 13 bits of major, 20 of the others. */
function part(value: number): number {
  return Number.isInteger(value) && value >= 0 && value < 2 ** 13 ? value : 0;
}
