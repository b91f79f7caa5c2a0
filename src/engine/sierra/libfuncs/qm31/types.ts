import type { SpecializationContext } from "../../libfunc/specialization.ts";
import { boundArgs } from "../shared/integer-ranges.ts";

/** Maximum integer modulo 2^31 - 1. */
export const M31_MAX = 2n ** 31n - 2n;

/** Factor between adjacent parts in the felt that holds four of them. */
export const PART_BOUND = 2n ** 36n;

/**
 * Returns the type of integers modulo 2^31 - 1.
 *
 * @throws {CompileError} when the program does not declare it
 */
export function m31Type(context: SpecializationContext): number {
  return context.find("BoundedInt", boundArgs(0n, M31_MAX));
}

/**
 * Returns the type of four integers modulo 2^31 - 1 in one felt.
 *
 * @throws {CompileError} when the program does not declare it
 */
export function qm31Type(context: SpecializationContext): number {
  return context.find("qm31");
}
