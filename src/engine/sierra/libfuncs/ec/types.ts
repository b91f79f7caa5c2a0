import type { SpecializationContext } from "../../libfunc/specialization.ts";
import { nonZeroOf } from "../shared/types.ts";

/** A point, or the point at infinity. @throws {CompileError} when the program does not declare it */
export function pointType(context: SpecializationContext): number {
  return context.find("EcPoint");
}

/** A point on the curve. @throws {CompileError} when the program does not declare it */
export function nonZeroPointType(context: SpecializationContext): number {
  return nonZeroOf(context, pointType(context));
}

/**
 * A sum of points to which a random point was added, and a pointer to that one: additions of points
 * that are known need not care for special cases.
 *
 * @throws {CompileError} when the program does not declare it
 */
export function stateType(context: SpecializationContext): number {
  return context.find("EcState");
}
