import type { SpecializationContext } from "../../libfunc/specialization.ts";
import { boundArgs } from "../shared/integer-ranges.ts";

/** The greatest integer modulo 2^31 - 1. */
export const M31_MAX = 2n ** 31n - 2n;

/** Parts are this far apart in the felt that holds four of them. */
export const PART_BOUND = 2n ** 36n;

/** The integers modulo 2^31 - 1. @throws {CompileError} when the program does not declare them */
export function m31Type(context: SpecializationContext): number {
  return context.find("BoundedInt", boundArgs(0n, M31_MAX));
}

/** Four of them in one felt. @throws {CompileError} when the program does not declare it */
export function qm31Type(context: SpecializationContext): number {
  return context.find("qm31");
}
