import type { SpecializationContext } from "../../libfunc/specialization.ts";
import { nonZeroOf } from "../shared/types.ts";

/** Point, or the point at infinity. @throws {CompileError} when the program does not declare it */
export function pointType(context: SpecializationContext): number {
  return context.find("EcPoint");
}

/** Point on the curve. @throws {CompileError} when the program does not declare it */
export function nonZeroPointType(context: SpecializationContext): number {
  return nonZeroOf(context, pointType(context));
}

/**
 * Sum of points including a random point, plus a pointer to the latter. Because of it, additions of known
 * points need no handling of special cases.
 *
 * @throws {CompileError} when the program does not declare it
 */
export function stateType(context: SpecializationContext): number {
  return context.find("EcState");
}
