import { VALUE_CELLS } from "../../libfunc/circuit-info.ts";
import { typeArg } from "../../libfunc/arguments.ts";
import type { SpecializationContext } from "../../libfunc/specialization.ts";
import { boundArgs } from "../shared/integer-ranges.ts";
import { userTypeArg } from "../shared/types.ts";

/** Exclusive upper bound of the limbs of a circuit value: 2^96. */
export const U96_BOUND = 1n << 96n;

/** Integer type whose only value is `value`. @throws {CompileError} when it is not declared */
export function unitInteger(context: SpecializationContext, value: bigint): number {
  return context.find("BoundedInt", boundArgs(value, value));
}

/** Tuple of four limbs. @throws {CompileError} when the program does not declare it */
export function limbTuple(context: SpecializationContext): number {
  return limbStruct(context, "Tuple", u96(context));
}

/**
 * Returns the type `core::circuit::u384`.
 *
 * @throws {CompileError} when the program does not declare it
 */
export function u384(context: SpecializationContext): number {
  return limbStruct(context, "core::circuit::u384", u96(context));
}

/** Tuple of four limb guarantees. @throws {CompileError} when the program does not declare it */
export function guaranteeTuple(context: SpecializationContext): number {
  return limbStruct(context, "Tuple", context.find("U96Guarantee"));
}

/**
 * Guarantee that a number of `limbCount` limbs is less than another.
 *
 * @throws {CompileError} when the program does not declare it
 */
export function lessThanGuarantee(context: SpecializationContext, limbCount: number): number {
  return context.find("U96LimbsLtGuarantee", [{ kind: "value", value: BigInt(limbCount) }]);
}

function u96(context: SpecializationContext): number {
  return context.find("BoundedInt", boundArgs(0n, U96_BOUND - 1n));
}

function limbStruct(context: SpecializationContext, name: string, limb: number): number {
  const limbs = Array.from({ length: VALUE_CELLS }, () => typeArg(limb));
  return context.find("Struct", [userTypeArg(name), ...limbs]);
}
