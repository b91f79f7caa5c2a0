import { typeArg } from "../../libfunc/arguments.ts";
import type { SpecializationContext } from "../../libfunc/specialization.ts";
import { userTypeArg, wrapped } from "../shared/types.ts";

/** `Felt252Dict<type>`. @throws {CompileError} when the program does not declare it */
export function dictOf(context: SpecializationContext, type: number): number {
  return wrapped(context, "Felt252Dict", type);
}

/** `Felt252DictEntry<type>`. @throws {CompileError} when the program does not declare it */
export function entryOf(context: SpecializationContext, type: number): number {
  return wrapped(context, "Felt252DictEntry", type);
}

/** `SquashedFelt252Dict<type>`. @throws {CompileError} when the program does not declare it */
export function squashedDictOf(context: SpecializationContext, type: number): number {
  return wrapped(context, "SquashedFelt252Dict", type);
}

/**
 * Returns the type of an array of `(key, previous value, new value)`.
 *
 * @throws {CompileError} when it is not declared
 */
export function entriesOf(context: SpecializationContext, type: number): number {
  const value = typeArg(type);
  const key = typeArg(context.find("felt252"));
  const tuple = context.find("Struct", [userTypeArg("Tuple"), key, value, value]);
  return wrapped(context, "Array", tuple);
}
