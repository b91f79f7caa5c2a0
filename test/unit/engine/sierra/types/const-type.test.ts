import { describe, expect, test } from "bun:test";
import { concreteTypes } from "#engine/sierra/types/concrete-types.ts";
import { type Declared, declarations } from "../../../../helpers/sierra/declarations.ts";

const P = (1n << 251n) + 17n * (1n << 192n) + 1n;
/** Generator of the Stark curve. */
const X = 0x1ef15c18599971b7beced415a40f0c7deacfd9b0d1819e03d723d8bc943cfcan;
const Y = 0x5668060aa49730b7be4801df46ec62de53ecd11abe43a32873000c36e8dc1fn;

const PARTS: Readonly<Record<string, Declared>> = {
  felt: ["felt252"],
  u8: ["u8"],
  i8: ["i8"],
  u128: ["u128"],
  bytes31: ["bytes31"],
  address: ["ContractAddress"],
  classHash: ["ClassHash"],
  bounded: ["BoundedInt", 3n, 5n],
  point: ["EcPoint"],
  box: ["Box", "felt"],
  pair: ["Struct", "ut@Tuple", "felt", "u8"],
  choice: ["Enum", "ut@Choice", "felt", "u8"],
  u256: ["Struct", "ut@core::integer::u256", "u128", "u128"],
  like256: ["Struct", "ut@Like256", "u128", "u128"],
  five: ["Const", "felt", 5n],
  none: ["Const", "felt", 0n],
  small: ["Const", "u8", 7n],
  low: ["Const", "u128", 1n],
  zero: ["Const", "u128", 0n],
  wide: ["Const", "u256", "zero", "low"],
  wideZero: ["Const", "u256", "zero", "zero"],
  likeWide: ["Const", "like256", "zero", "low"],
  generator: ["Const", "point", X, Y],
  infinity: ["Const", "point", 0n, 0n],
  address1: ["Const", "address", 1n],
  nonZeroFelt: ["NonZero", "felt"],
  nonZero8: ["NonZero", "u8"],
  nonZero256: ["NonZero", "u256"],
  nonZeroLike: ["NonZero", "like256"],
  nonZeroPoint: ["NonZero", "point"],
  nonZeroAddress: ["NonZero", "address"],
};

function make(declared: Declared) {
  return concreteTypes(declarations({ ...PARTS, made: declared })).at(-1);
}

describe("Const types", () => {
  test.each<[Declared]>([
    [["Const", "felt", P - 1n]],
    [["Const", "felt", 1n - P]],
    [["Const", "u8", 255n]],
    [["Const", "i8", -128n]],
    [["Const", "bytes31", (1n << 248n) - 1n]],
    [["Const", "address", (1n << 251n) - 1n]],
    [["Const", "classHash", 0n]],
    [["Const", "bounded", 5n]],
    [["Const", "point", X, Y]],
    [["Const", "point", 0n, 0n]],
    [["Const", "pair", "five", "small"]],
    [["Const", "choice", 1n, "small"]],
    [["Const", "nonZeroFelt", "five"]],
    [["Const", "nonZero8", "small"]],
    [["Const", "nonZero256", "wide"]],
    [["Const", "nonZeroPoint", "generator"]],
  ])("accept %p", (declared) => {
    expect(make(declared)?.data.kind).toBe("const");
  });

  test.each<[string, Declared]>([
    ["a missing type", ["Const"]],
    ["a number instead of a type", ["Const", 1n]],
    ["a missing value", ["Const", "felt"]],
    ["two numbers", ["Const", "felt", 1n, 2n]],
    ["P", ["Const", "felt", P]],
    ["-P", ["Const", "felt", -P]],
    ["a value that is too large", ["Const", "u8", 256n]],
    ["a value that is too small", ["Const", "i8", -129n]],
    ["a value of 32 bytes", ["Const", "bytes31", 1n << 248n]],
    ["an address beyond its bound", ["Const", "address", 1n << 251n]],
    ["a negative class hash", ["Const", "classHash", -1n]],
    ["a value outside the bounds", ["Const", "bounded", 2n]],
    ["a type without constants", ["Const", "box", 1n]],
    ["a point that is not on the curve", ["Const", "point", X, Y + 1n]],
    ["a point with unreduced coordinates", ["Const", "point", X, Y - P]],
    ["a point without y", ["Const", "point", X]],
    ["a missing member", ["Const", "pair", "five"]],
    ["members in the wrong order", ["Const", "pair", "small", "five"]],
    ["a number instead of a member", ["Const", "pair", 5n, 7n]],
    ["a type instead of a member", ["Const", "pair", "felt", "u8"]],
    ["a variant of another type", ["Const", "choice", 0n, "small"]],
    ["a variant beyond the last", ["Const", "choice", 2n, "small"]],
    ["a variant before the first", ["Const", "choice", -1n, "small"]],
    ["a variant without its value", ["Const", "choice", 1n]],
    ["zero for a non-zero felt", ["Const", "nonZeroFelt", "none"]],
    ["a constant of another type", ["Const", "nonZero8", "five"]],
    ["a number instead of a constant", ["Const", "nonZero8", 7n]],
    ["zero in two limbs", ["Const", "nonZero256", "wideZero"]],
    ["a non-zero struct that is not an integer", ["Const", "nonZeroLike", "likeWide"]],
    ["the neutral element", ["Const", "nonZeroPoint", "infinity"]],
    ["a non-zero address", ["Const", "nonZeroAddress", "address1"]],
  ])("reject %s", (_, declared) => {
    expect(() => make(declared)).toThrow(
      expect.objectContaining({ code: "SIERRA_SPECIALIZATION" }),
    );
  });
});
