import { CompileError } from "../../compile-error.ts";
import { typeArg } from "../../libfunc/arguments.ts";
import type { SpecializationContext } from "../../libfunc/specialization.ts";
import type { GenericArgument } from "../../program/program.ts";
import { userTypeId } from "../../program/user-type.ts";
import type { ConcreteType } from "../../types/concrete-type.ts";

/** Argument that names a user type. */
export function userTypeArg(name: string): GenericArgument {
  return { kind: "user_type", id: userTypeId(name) };
}

/** `genericId<type>`. @throws {CompileError} when the program does not declare it */
export function wrapped(context: SpecializationContext, genericId: string, type: number): number {
  return context.find(genericId, [typeArg(type)]);
}

/** `NonZero<type>`. @throws {CompileError} when the program does not declare it */
export function nonZeroOf(context: SpecializationContext, type: number): number {
  return wrapped(context, "NonZero", type);
}

/** `Box<type>`. @throws {CompileError} when the program does not declare it */
export function boxOf(context: SpecializationContext, type: number): number {
  return wrapped(context, "Box", type);
}

/**
 * `Snapshot<type>`; a duplicatable type is its own snapshot.
 *
 * @throws {CompileError} when the program does not declare it
 */
export function snapshotOf(context: SpecializationContext, type: number): number {
  return context.typeOf(type).info.duplicatable ? type : wrapped(context, "Snapshot", type);
}

/** Empty struct. @throws {CompileError} when the program does not declare it */
export function unitType(context: SpecializationContext): number {
  return context.find("Struct", [userTypeArg("Tuple")]);
}

/**
 * Returns the type `core::bool`.
 *
 * @throws {CompileError} when the program does not declare it
 */
export function boolType(context: SpecializationContext): number {
  const unit = typeArg(unitType(context));
  return context.find("Enum", [userTypeArg("core::bool"), unit, unit]);
}

/**
 * Returns the type `core::integer::u256`.
 *
 * @throws {CompileError} when the program does not declare it
 */
export function u256Type(context: SpecializationContext): number {
  const limb = typeArg(context.find("u128"));
  return context.find("Struct", [userTypeArg("core::integer::u256"), limb, limb]);
}

/**
 * Returns the type of a tuple of `count` values of one type.
 *
 * @throws {CompileError} when the program does not declare it
 */
export function fixedSizeArrayOf(
  context: SpecializationContext,
  type: number,
  count: number,
): number {
  const members = Array.from({ length: count }, () => typeArg(type));
  return context.find("Struct", [userTypeArg("Tuple"), ...members]);
}

/** Returns the type inside a snapshot, or the type itself if it is not a snapshot. */
export function withoutSnapshot(
  context: SpecializationContext,
  type: number,
): { readonly type: number; readonly isSnapshot: boolean } {
  const { genericId, data } = context.typeOf(type);
  return genericId === "Snapshot" && data.kind === "wrapper"
    ? { type: data.inner, isSnapshot: true }
    : { type, isSnapshot: false };
}

/** Members of a struct. @throws {CompileError} when the type is not a struct */
export function membersOf(type: ConcreteType): readonly number[] {
  const { data } = type;
  return data.kind === "struct" ? data.members : unsupported("a struct");
}

/** Variants of an enum. @throws {CompileError} when the type is not an enum */
export function variantsOf(type: ConcreteType): readonly number[] {
  const { data } = type;
  return data.kind === "enum" ? data.variants : unsupported("an enum");
}

/** Rejects the arguments of a specialization. @throws {CompileError} always */
export function unsupported(expected: string): never {
  throw new CompileError(
    "SIERRA_SPECIALIZATION",
    `unsupported generic argument: expected ${expected}`,
  );
}
