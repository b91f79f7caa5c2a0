import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type JsonValue, parseJson, stringifyJson } from "#codec/index.ts";
import { DecodeError } from "#errors/index.ts";

const scalar = fc.oneof(
  fc.string(),
  fc.boolean(),
  fc.constant(null),
  fc.integer(),
  // Outside of the safe range: inside of it an integer is read as a number.
  fc.bigInt({ min: 1n << 53n, max: (1n << 256n) - 1n }),
  fc.bigInt({ min: -(1n << 256n), max: -(1n << 53n) }),
);

const document = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(fc.string(), tie("value"), { maxKeys: 5 }),
  ),
})).value;

describe("lossless JSON", () => {
  test("reads back every document it writes", () => {
    fc.assert(
      fc.property(document, (value) => {
        expect(parseJson(stringifyJson(value))).toEqual(value);
      }),
    );
  });

  test("keeps all digits of integers beyond 2^53", () => {
    expect(parseJson('{"a":[18446744073709551615,-9007199254740993]}')).toEqual({
      a: [18446744073709551615n, -9007199254740993n],
    });
  });

  test("reads safe integers as numbers", () => {
    expect(parseJson("[9007199254740991,-9007199254740991,0]")).toEqual([
      9007199254740991, -9007199254740991, 0,
    ]);
  });

  test("leaves fractions and exponents numbers", () => {
    expect(parseJson("[12345678901234567.5,1e21,12345678901234567890e1]")).toEqual([
      Number("12345678901234567.5"),
      1e21,
      Number("12345678901234567890e1"),
    ]);
  });

  test("does not touch digits inside of texts", () => {
    const text = '{"hint":"a, 18446744073709551615","n":18446744073709551615}';
    expect(parseJson(text)).toEqual({
      hint: "a, 18446744073709551615",
      n: 18446744073709551615n,
    });
  });

  test("writes bigint as plain digits", () => {
    expect(stringifyJson({ a: 18446744073709551615n, b: undefined })).toBe(
      '{"a":18446744073709551615}',
    );
  });

  test("keeps a member called __proto__ an ordinary member", () => {
    const value = parseJson('{"__proto__":{"x":18446744073709551615}}') as object;
    expect(Object.hasOwn(value, "__proto__")).toBe(true);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});

describe("limits of foreign JSON", () => {
  test("nesting at the limit is read", () => {
    expect(() => parseJson(`${"[".repeat(8)}${"]".repeat(8)}`, { maxDepth: 8 })).not.toThrow();
  });

  test("nesting beyond the limit is refused", () => {
    expect(() => parseJson(`${"[".repeat(9)}${"]".repeat(9)}`, { maxDepth: 8 })).toThrow(
      DecodeError,
    );
  });

  test("a million open brackets end in a decode error", () => {
    expect(() => parseJson("[".repeat(1_000_000))).toThrow(DecodeError);
  });

  test("brackets inside of texts do not count as nesting", () => {
    const text = JSON.stringify({ a: `\\"${"[{".repeat(500)}`, b: '\\\\"[' });
    expect(parseJson(text, { maxDepth: 1 })).toEqual(JSON.parse(text));
  });

  test("text that is too long is refused", () => {
    expect(() => parseJson("[1,2,3]", { maxLength: 6 })).toThrow(DecodeError);
  });

  test("arbitrary text is parsed as JSON.parse does, or refused", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        let plain: unknown;
        try {
          plain = JSON.parse(text);
        } catch {
          expect(() => parseJson(text)).toThrow(DecodeError);
          return;
        }
        expect(JSON.parse(stringifyJson(parseJson(text)))).toEqual(
          JSON.parse(JSON.stringify(plain)),
        );
      }),
    );
  });
});
