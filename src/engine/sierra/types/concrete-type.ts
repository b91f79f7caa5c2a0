import type { GenericArgument, TypeInfo } from "../program/program.ts";

/** Integers from `lower` up to, not including, `upper`. */
export interface IntegerRange {
  readonly lower: bigint;
  readonly upper: bigint;
}

/** What there is to know of a type beyond its name and arguments. */
export type TypeData =
  | { readonly kind: "plain" }
  /** `Struct`: its members, types. */
  | { readonly kind: "struct"; readonly members: readonly number[] }
  /** `Enum`: its variants, types. */
  | { readonly kind: "enum"; readonly variants: readonly number[] }
  /** `Array`, `Box`, `NonZero`, `Nullable`, `Snapshot`, `Span`, ...: the type that it is made of. */
  | { readonly kind: "wrapper"; readonly inner: number }
  /** Integers: `u8` to `u128`, `i8` to `i128`, `BoundedInt`. */
  | { readonly kind: "integer"; readonly range: IntegerRange }
  /** `Const`: the type of the value, and the arguments that say which value. */
  | { readonly kind: "const"; readonly inner: number; readonly args: readonly GenericArgument[] }
  /** `Coupon`: the function that it pays for. */
  | { readonly kind: "coupon"; readonly function: number };

/** A type of a program. */
export interface ConcreteType {
  /** Its position in the program. */
  readonly id: number;
  readonly genericId: string;
  readonly args: readonly GenericArgument[];
  readonly info: TypeInfo;
  readonly data: TypeData;
}
