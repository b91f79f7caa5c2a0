import { CompileError } from "../compile-error.ts";

/**
 * Checks that a result of gas arithmetic fits in 32 bits.
 *
 * @throws {CompileError} SIERRA_INVALID when it does not
 */
export function gasNumber(value: number): number {
  if (value < -MAXIMUM - 1 || value > MAXIMUM) {
    throw new CompileError("SIERRA_INVALID", `gas of ${value} does not fit in 32 bits`);
  }
  return value;
}

const MAXIMUM = 2 ** 31 - 1;
