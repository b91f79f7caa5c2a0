import Ajv from "ajv";
import { expect, test } from "bun:test";
import {
  address,
  array,
  bigInteger,
  bool,
  convert,
  type Decoder,
  ethAddress,
  felt,
  integer,
  isNamed,
  keywordsOf,
  literal,
  lookupNumber,
  mapOf,
  nullable,
  object,
  type Schema,
  storageKey,
  strictObject,
  text,
  textOf,
  tuple,
  u128Hex,
  u64Hex,
  union,
} from "#base/codec/index.ts";
import { FIELD_PRIME, hexFromFelt } from "#base/primitives/index.ts";

/** A schema with its named references inlined. */
function plain(schema: Schema | undefined): object {
  const text = JSON.stringify(schema, (_, value: unknown) => {
    if (typeof value === "bigint") return Number(value);
    const isSchema = typeof value === "object" && value !== null && !Array.isArray(value);
    return isSchema && isNamed(value as Schema) ? keywordsOf(value as Schema) : value;
  });
  return JSON.parse(text) as object;
}

const zeros = (count: number): string => "0".repeat(count);

/** JSON values at the boundaries of the decoders. */
const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  1,
  -1,
  1.5,
  100,
  101,
  "",
  "a",
  "abcd",
  "0x",
  "0x0",
  "0x1",
  "0xG",
  "0x00Ff",
  "1",
  `0x${"f".repeat(15)}`,
  `0x${"f".repeat(16)}`,
  `0x1${zeros(16)}`,
  `0x${zeros(48)}${"f".repeat(16)}`,
  `0x${"f".repeat(32)}`,
  `0x1${zeros(32)}`,
  `0x${"f".repeat(40)}`,
  `0x1${zeros(40)}`,
  `0x7${"f".repeat(62)}`,
  `0x07${"f".repeat(62)}`,
  `0x8${zeros(62)}`,
  `0x${"f".repeat(64)}`,
  hexFromFelt(FIELD_PRIME - 1n),
  hexFromFelt(FIELD_PRIME - 2n),
  hexFromFelt(FIELD_PRIME),
  hexFromFelt(FIELD_PRIME + 1n),
  hexFromFelt((1n << 251n) + (16n << 192n) + 5n),
  hexFromFelt((1n << 251n) + (17n << 192n)),
  hexFromFelt((1n << 251n) + (18n << 192n)),
  hexFromFelt(9n << 248n),
  `0x${zeros(64)}1`,
  [],
  [1],
  ["0x1"],
  [1, "0x1"],
  [1, "0x1", 2],
  {},
  { a: 1 },
  { a: 1, b: "0x1" },
  { a: "0x1" },
  { a: 1, c: 1 },
];

const DECODERS: Readonly<Record<string, Decoder<unknown>>> = {
  address,
  bool,
  ethAddress,
  felt,
  lookupNumber,
  storageKey,
  text,
  u128Hex,
  u64Hex,
  integer: integer(1, 100),
  bigInteger: bigInteger(0n, 100n),
  limited: textOf({ maxLength: 3 }),
  pattern: textOf({ pattern: /^a+$/ }),
  literal: literal("a", 1, true, null),
  nullable: nullable(integer()),
  array: array(felt, { minLength: 1, maxLength: 1 }),
  anyArray: array(integer()),
  tuple: tuple(integer(), felt),
  map: mapOf(integer()),
  object: object({ a: integer() }, { b: felt }),
  strict: strictObject({ a: integer() }, { b: felt }),
  union: union<unknown>("one of two", [integer(), object({ a: felt })]),
  converted: convert(array(felt), "list of felts", (felts) => felts),
};

test.each(Object.entries(DECODERS))(
  "%s has a schema that accepts exactly what it decodes",
  (_, decoder) => {
    const check = new Ajv({ strict: false }).compile(plain(decoder.schema));
    for (const value of VALUES) {
      let isRead = true;
      try {
        decoder.decode(value, "");
      } catch {
        isRead = false;
      }
      expect({ value, isRead: check(value) }).toEqual({ value, isRead });
    }
  },
);

test("convert describes additional requirements in words", () => {
  const few = convert(array(felt), "at most three felts", (felts) =>
    felts.length > 3 ? undefined : felts,
  );
  expect(few.schema).toMatchObject({ type: "array", description: "at most three felts" });
  expect(convert(felt, "even", (value) => value).schema).toBe(felt.schema as Schema);
});
