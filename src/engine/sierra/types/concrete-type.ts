import type { GenericArgument, TypeInfo } from "../program/program.ts";

/** Integers from `lower` (inclusive) to `upper` (exclusive). */
export interface IntegerRange {
  readonly lower: bigint;
  readonly upper: bigint;
}

/** Properties of a type beyond its name and arguments. */
export type TypeData =
  | { readonly kind: "plain" }
  /** `Struct`: types of its members. */
  | { readonly kind: "struct"; readonly members: readonly number[] }
  /** `Enum`: types of its variants. */
  | { readonly kind: "enum"; readonly variants: readonly number[] }
  /** `Array`, `Box`, `NonZero`, `Nullable`, `Snapshot`, `Span`, ...: the wrapped type. */
  | { readonly kind: "wrapper"; readonly inner: number }
  /** Integers: `u8` to `u128`, `i8` to `i128`, `BoundedInt`. */
  | { readonly kind: "integer"; readonly range: IntegerRange }
  /** `Const`: type of the value, and the arguments that define the value. */
  | { readonly kind: "const"; readonly inner: number; readonly args: readonly GenericArgument[] }
  /** `Coupon`: the function that it pays for. */
  | { readonly kind: "coupon"; readonly function: number };

/** Type of a program. */
export interface ConcreteType {
  /** Index in the program. */
  readonly id: number;
  readonly genericId: string;
  readonly args: readonly GenericArgument[];
  readonly info: TypeInfo;
  readonly data: TypeData;
}
