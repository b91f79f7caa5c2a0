import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { FIELD_PRIME, feltFromHex } from "#base/primitives/index.ts";
import { writeHexFelt } from "#io/client/felts/hex-felt.ts";
import { assertProperty } from "#test/helpers/property.ts";

/** Felt that is written for a hex text inside a larger buffer; `undefined` if it is rejected. */
function written(text: string): bigint | undefined {
  const bytes = new TextEncoder().encode(`"${text}"`);
  const target = new Uint8Array(96);
  if (!writeHexFelt(target, 32, bytes, 1, bytes.byteLength - 1)) return undefined;
  expect(target.subarray(0, 32).some(Boolean) || target.subarray(64).some(Boolean)).toBe(false);
  const hex = target.subarray(32, 64).toReversed().toHex();
  return BigInt(`0x${hex}`);
}

describe("writeHexFelt", () => {
  test("agrees with feltFromHex for any number and format", () => {
    const number = fc.oneof(
      fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }),
      fc.bigInt({ min: FIELD_PRIME - 300n, max: FIELD_PRIME + 300n }),
      fc.nat().map(BigInt),
    );
    const form = fc.record({ number, width: fc.nat({ max: 66 }), isUpper: fc.boolean() });
    assertProperty(
      fc.property(form, ({ number: value, width, isUpper }) => {
        const digits = value.toString(16).padStart(width, "0");
        const text = `0x${isUpper ? digits.toUpperCase() : digits}`;
        expect(written(text)).toBe(feltFromHex(text));
      }),
      { numRuns: 1_000 },
    );
  });

  test("rejects what feltFromHex rejects", () => {
    const text = fc.oneof(
      fc.string({
        unit: fc.constantFrom("0", "x", "X", "f", "F", "g", " ", "-", "é"),
        maxLength: 70,
      }),
      fc.string().map((tail) => `0x${tail}`),
    );
    assertProperty(fc.property(text, (each) => expect(written(each)).toBe(feltFromHex(each))));
  });

  test.each(["", "0", "0x", "0X1", "1", "0x 1", "0xg", "0x1g", "0x1\u0000", `0x${"0".repeat(65)}`])(
    "rejects %j",
    (text) => expect(written(text)).toBeUndefined(),
  );

  test("rejects values from the prime upwards", () => {
    expect(written(`0x${(FIELD_PRIME - 1n).toString(16)}`)).toBe(FIELD_PRIME - 1n);
    expect(written(`0x${FIELD_PRIME.toString(16)}`)).toBeUndefined();
    expect(written(`0x${"f".repeat(64)}`)).toBeUndefined();
  });
});
