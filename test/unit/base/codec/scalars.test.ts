import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  address,
  bigInteger,
  bool,
  type Codec,
  felt,
  integer,
  literal,
  storageKey,
  textOf,
  u128Hex,
  u64Hex,
} from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { FIELD_PRIME } from "#base/primitives/index.ts";
import { assertProperty } from "#test/helpers/property.ts";

function refuses(codec: Codec<unknown>, ...values: readonly unknown[]): void {
  for (const value of values) {
    expect(() => codec.decode(value, "a.b")).toThrow(
      expect.objectContaining({ path: "a.b", expected: codec.describe }),
    );
  }
}

describe("hex codecs", () => {
  const below = [
    [felt, FIELD_PRIME],
    [address, 1n << 251n],
    [storageKey, 1n << 251n],
    [u64Hex, 1n << 64n],
    [u128Hex, 1n << 128n],
  ] as const;

  test("read back every value they write", () => {
    for (const [codec, bound] of below) {
      assertProperty(
        fc.property(fc.bigInt({ min: 0n, max: bound - 1n }), (value) => {
          expect(codec.decode(codec.encode(value), "")).toBe(value);
        }),
      );
    }
  });

  test("reject the first value out of range", () => {
    for (const [codec, bound] of below) refuses(codec, `0x${bound.toString(16)}`);
  });

  test("write no leading zeros", () => {
    expect(felt.encode(0x0fn)).toBe("0xf");
    expect(felt.encode(0n)).toBe("0x0");
  });

  test("read padded hex, as wallets send it", () => {
    expect(u64Hex.decode(`0x${"0".repeat(62)}1f`, "")).toBe(0x1fn);
  });

  test("reject anything but 0x hex", () => {
    refuses(felt, "", "0x", "12", "0xg", "0X1", " 0x1", `0x${"0".repeat(65)}`, 1, 1n, null, [], {});
    refuses(felt, undefined);
  });
});

describe("scalar codecs", () => {
  test("integer checks its range", () => {
    expect(integer(1, 5).decode(5, "")).toBe(5);
    refuses(integer(1, 5), 0, 6, 1.5, "3", 3n, NaN, null);
  });

  test("bigInteger accepts both kinds of JSON integers", () => {
    const codec = bigInteger(0n, (1n << 64n) - 1n);
    expect(codec.decode(7, "")).toBe(7n);
    expect(codec.decode(18446744073709551615n, "")).toBe(18446744073709551615n);
    refuses(codec, 18446744073709551616n, -1, 1.5, "7");
  });

  test("bool does not convert other values", () => {
    refuses(bool, 0, "true", null);
  });

  test("textOf checks its limits", () => {
    expect(textOf({ maxLength: 3 }).decode("abc", "")).toBe("abc");
    refuses(textOf({ maxLength: 3 }), "abcd", 1);
    refuses(textOf({ pattern: /^a+$/ }), "ab");
  });

  test("literal accepts exactly the listed values", () => {
    const codec = literal("latest", 3, null);
    expect(codec.decode(null, "")).toBeNull();
    refuses(codec, "Latest", "3", undefined);
  });

  test("error messages do not show the rejected content", () => {
    const error = (() => {
      try {
        return felt.decode("secret", "x");
      } catch (caught) {
        return caught as DecodeError;
      }
    })();
    expect(
      JSON.stringify([(error as DecodeError).message, (error as DecodeError).meta]),
    ).not.toContain("secret");
  });
});
