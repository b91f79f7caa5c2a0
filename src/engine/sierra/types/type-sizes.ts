import { CompileError } from "../compile-error.ts";
import { valueArgument } from "../libfunc/arguments.ts";
import type { ConcreteType } from "./concrete-type.ts";

/** Size of a type whose values cannot be moved, such as a constant or a circuit. */
export const UNSIZED = -1;

const SIZE_LIMIT = 2 ** 15;

const SIZES: ReadonlyMap<string, number> = new Map([
  ["Coupon", 0],
  ["Array", 2],
  ["Span", 2],
  ["EcPoint", 2],
  ["SquashedFelt252Dict", 2],
  ["IntRange", 2],
  ["EcState", 3],
  ["U128MulGuarantee", 4],
  ["CircuitInputAccumulator", 2],
  ["CircuitDescriptor", 4],
  ["CircuitModulus", 4],
  ["CircuitOutputs", 5],
  ["CircuitPartialOutputs", 6],
  ["CircuitFailureGuarantee", 8],
  ["Const", UNSIZED],
  ["Circuit", UNSIZED],
  ["CircuitInput", UNSIZED],
  ["AddModGate", UNSIZED],
  ["SubModGate", UNSIZED],
  ["MulModGate", UNSIZED],
  ["InverseGate", UNSIZED],
]);

const INNER_SIZED = new Set(["NonZero", "Snapshot", "Uninitialized"]);

/**
 * Number of cells of each type's values, an i16; {@link UNSIZED} for types whose values cannot be moved.
 *
 * @throws {CompileError} SIERRA_INVALID when a value is too large, or contains one of a later type
 */
export function typeSizes(types: readonly ConcreteType[]): number[] {
  const sizes: number[] = [];
  for (const type of types) sizes.push(sizeOf(type, sizes));
  return sizes;
}

function sizeOf(type: ConcreteType, sizes: readonly number[]): number {
  const { data, genericId } = type;
  // Parts are storable, and every storable type has a size.
  const sizeOfPart = (part: number): number =>
    sizes[part] ?? refuse(type, `the size of type #${part} is not known`);
  if (data.kind === "struct") {
    if (!type.info.storable) return UNSIZED;
    return data.members.reduce((sum, part) => checked(type, sum + sizeOfPart(part)), 0);
  }
  if (data.kind === "enum") {
    return checked(
      type,
      1 + data.variants.reduce((max, each) => Math.max(max, sizeOfPart(each)), 0),
    );
  }
  if (data.kind === "wrapper" && INNER_SIZED.has(genericId)) return sizeOfPart(data.inner);
  if (genericId === "U96LimbsLtGuarantee") {
    return checked(type, 2 * Number(valueArgument(type.args)));
  }
  return SIZES.get(genericId) ?? 1;
}

function checked(type: ConcreteType, size: number): number {
  return size < SIZE_LIMIT ? size : refuse(type, "its values are too large");
}

function refuse({ id, genericId }: ConcreteType, reason: string): never {
  throw new CompileError("SIERRA_INVALID", `type #${id} (${genericId}): ${reason}`);
}
