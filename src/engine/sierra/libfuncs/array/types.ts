import type { SpecializationContext } from "../../libfunc/specialization.ts";
import { membersOf, snapshotOf, unsupported, wrapped } from "../shared/types.ts";

/** `Array<element>`. @throws {CompileError} when the program does not declare it */
export function arrayOf(context: SpecializationContext, element: number): number {
  return wrapped(context, "Array", element);
}

/**
 * Returns the type of a snapshot of `Array<element>`.
 *
 * @throws {CompileError} when the program does not declare it
 */
export function arraySnapshotOf(context: SpecializationContext, element: number): number {
  return snapshotOf(context, arrayOf(context, element));
}

/**
 * Common type of all members of a struct: such a struct has the memory layout of an array.
 *
 * @throws {CompileError} when the type is not a struct, or its members differ or have no cells
 */
export function sharedMember(context: SpecializationContext, struct: number): number {
  const type = context.typeOf(struct);
  const [first, ...others] = membersOf(type);
  if (first === undefined || type.info.zeroSized || others.some((other) => other !== first)) {
    return unsupported("a struct with members of one type");
  }
  return first;
}
