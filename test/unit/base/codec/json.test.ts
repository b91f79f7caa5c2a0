import { describe, expect, spyOn, test } from "bun:test";
import fc from "fast-check";
import { type JsonValue, parseJson, stringifyJson } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { assertProperty } from "#test/helpers/property.ts";

const scalar = fc.oneof(
  fc.string(),
  fc.boolean(),
  fc.constant(null),
  fc.integer(),
  // Outside the safe range: inside it an integer is read as a number.
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
    assertProperty(
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

  test("keeps fractions and exponents as numbers", () => {
    expect(parseJson("[12345678901234567.5,1e21,12345678901234567890e1]")).toEqual([
      Number("12345678901234567.5"),
      1e21,
      Number("12345678901234567890e1"),
    ]);
  });

  test("ignores digits inside texts", () => {
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

  test("treats a member called __proto__ as an ordinary member", () => {
    const value = parseJson('{"__proto__":{"x":18446744073709551615}}') as object;
    expect(Object.hasOwn(value, "__proto__")).toBe(true);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});

/** Numbers in foreign notations. */
const written = fc.oneof(
  fc.bigInt({ min: -(1n << 320n), max: 1n << 320n }).map(String),
  fc.bigInt({ min: -(1n << 54n), max: 1n << 54n }).map(String),
  fc.constantFrom(
    ...["-0", "0", "9007199254740991", "9007199254740992", "-9007199254740991"],
    ...["-9007199254740993", "0.5", "1e21", "1E-7", "-2.5e+10", "1234567890123456789.0"],
  ),
);
const blank = fc.constantFrom("", "", " ", "\n\t", "\r ");
const quoted = fc.oneof(
  fc.string().map((value) => JSON.stringify(value)),
  // Texts that resemble the reader's own markers, escapes, and a special name.
  fc.constantFrom(
    '"9007199254740993"',
    '"\\u0039\\""',
    '"\\\\"',
    '"__proto__"',
    '":[{"',
    '"\\ud800"',
  ),
);

const foreign = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(written, written, quoted, fc.constantFrom("true", "false", "null")),
    fc
      .tuple(blank, fc.array(fc.tuple(blank, tie("value"), blank), { maxLength: 5 }))
      .map(([inner, all]) => `[${inner}${all.map((parts) => parts.join("")).join(",")}]`),
    fc
      .array(fc.tuple(blank, quoted, blank, tie("value"), blank), { maxLength: 5 })
      .map(
        (all) => `{${all.map(([a, key, b, value, c]) => a + key + b + ":" + value + c).join(",")}}`,
      ),
  ),
})).value;

/** `JSON.parse` with the source of each number: slow and simple. */
function naive(text: string): unknown {
  const revive = (_: string, value: unknown, { source = "" }: { source?: string } = {}): unknown =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
      ? BigInt(source)
      : value;
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown);
}

describe("parseJson and a naive reader", () => {
  test("agree on every text, also with blanks, repeated members and escapes", () => {
    assertProperty(
      fc.property(foreign, (text) => {
        expect(parseJson(text)).toEqual(naive(text) as JsonValue);
      }),
      { numRuns: 3_000 },
    );
  });

  test("agree on invalid JSON", () => {
    const broken = fc
      .tuple(
        foreign,
        fc.nat(),
        fc.constantFrom("", "9", "-", '"', ":", "]", "e", "{", "00", "\u0000"),
      )
      .map(([text, at, insert]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + insert + text.slice(place + (insert === "" ? 1 : 0));
      });
    assertProperty(
      fc.property(broken, (text) => {
        let expected: unknown;
        try {
          expected = naive(text);
        } catch {
          expect(() => parseJson(text)).toThrow(DecodeError);
          return;
        }
        // Overflow to infinity or zero has separate tests.
        fc.pre(!/e[+-]?\d{3}/i.test(text));
        expect(parseJson(text, { maxNumberLength: 10_000 })).toEqual(expected as JsonValue);
      }),
      { numRuns: 3_000 },
    );
  });

  test("agree on a long number in place of a name", () => {
    expect(() => parseJson("{12345678901234567890:1}")).toThrow(DecodeError);
  });
});

describe("numbers of foreign JSON", () => {
  test("are rejected with fifteen million digits before conversion", () => {
    using toBigint = spyOn(globalThis, "BigInt");
    using parse = spyOn(JSON, "parse");
    for (const text of [`{"id":${"9".repeat(15_000_000)}}`, `-${"1".repeat(4_000_000)}`]) {
      expect(() => parseJson(text)).toThrow(
        /expected numbers of at most 1024 digits, got -?\d{23,24}…/,
      );
    }
    expect([toBigint, parse].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
    // Proves that the spies observe conversions.
    parseJson("12345678901234567890");
    expect([toBigint, parse].map(({ mock }) => mock.calls.length)).toEqual([1, 2]);
  });

  test("are limited in length", () => {
    const limits = { maxNumberLength: 20 };
    expect(parseJson("12345678901234567890", limits)).toBe(12345678901234567890n);
    expect(() => parseJson("123456789012345678901", limits)).toThrow(DecodeError);
    expect(() => parseJson(`0.${"1".repeat(19)}`, limits)).toThrow(DecodeError);
  });

  for (const text of ["1e400", "-1e400", "1e-400", "[0.1e-9999999999]", "9".repeat(400) + ".0"]) {
    test(`like ${text.slice(0, 20)} are rejected instead of becoming infinite or zero`, () => {
      expect(() => parseJson(text)).toThrow("within the range of a 64-bit float");
    });
  }

  for (const text of ["0e400", "0.000", "-0", "1e308", "5e-324", "1e000001", "0e-999"]) {
    test(`like ${text} are read`, () => {
      expect(parseJson(text)).toBe(Number(text));
    });
  }

  test("are ignored inside texts", () => {
    const text = JSON.stringify({ a: "1e400", [`${"9".repeat(2_000)}`]: 1 });
    expect(parseJson(text, { exactNumbers: true })).toEqual(JSON.parse(text));
  });

  for (const [text, exact] of [
    ["0.1", true],
    ["1763766442.1234567", true],
    ["12.50", true],
    ["1e22", true],
    ["100000000000000000000e0", true],
    ["0.1234567890123456789", false],
    ["1.00000000000000000001", false],
    ["12345678901234567890e1", false],
    ["9007199254740993.0", false],
    ["1e-300", true],
  ] as const) {
    test(`like ${text} are ${exact ? "accepted" : "rejected"} where no digit may be lost`, () => {
      const read = (): unknown => parseJson(text, { exactNumbers: true });
      if (exact) expect(read()).toBe(Number(text));
      else expect(read).toThrow("that a 64-bit float holds exactly");
    });
  }
});

describe("limits of foreign JSON", () => {
  test("count arrays, objects and members together", () => {
    const text = '[{"a":[],"b":":[{"}]';
    expect(parseJson(text, { maxParts: 5 })).toEqual(JSON.parse(text));
    expect(() => parseJson(text, { maxParts: 4 })).toThrow("at most 4 arrays, objects, members");
  });

  test("count long and fractional numbers as parts", () => {
    expect(() => parseJson("[1.5,2]", { maxParts: 2 })).not.toThrow();
    expect(() => parseJson("[1.5,2,1e5]", { maxParts: 2 })).toThrow(DecodeError);
    expect(() => parseJson("[1,12345678901234567,2e0]", { maxParts: 2 })).toThrow(DecodeError);
  });

  test("count elements", () => {
    expect(parseJson('[1,"a,b",3]', { maxElements: 3 })).toEqual([1, "a,b", 3]);
    expect(() => parseJson("[1,2,3,4]", { maxElements: 3 })).toThrow("at most 3 elements");
  });

  // As long as a request body, from the costliest texts: each took seconds of the main thread.
  test("reject hostile text of fifteen million characters before parsing", () => {
    using parse = spyOn(JSON, "parse");
    const texts = ["1.5e300,", "[],", "1,", "123456789012345678,", '"":1,'].map((part) => {
      const inside = part.repeat(15_000_000 / part.length);
      return part.startsWith('"') ? `{${inside}"":1}` : `[${inside}1234567890123456789]`;
    });
    for (const text of texts) {
      expect(() =>
        parseJson(text, { maxElements: 1_000_000, maxParts: 250_000, exactNumbers: true }),
      ).toThrow(DecodeError);
    }
    expect(parse.mock.calls.length).toBe(0);
  });

  test("allow nesting up to the limit", () => {
    expect(() => parseJson(`${"[".repeat(8)}${"]".repeat(8)}`, { maxDepth: 8 })).not.toThrow();
  });

  test("reject nesting beyond the limit", () => {
    expect(() => parseJson(`${"[".repeat(9)}${"]".repeat(9)}`, { maxDepth: 8 })).toThrow(
      DecodeError,
    );
  });

  test("reject a million open brackets with a DecodeError", () => {
    expect(() => parseJson("[".repeat(1_000_000))).toThrow(DecodeError);
  });

  test("ignore brackets inside texts", () => {
    const text = JSON.stringify({ a: `\\"${"[{".repeat(500)}`, b: '\\\\"[' });
    expect(parseJson(text, { maxDepth: 1 })).toEqual(JSON.parse(text));
  });

  test("reject text that is too long", () => {
    expect(() => parseJson("[1,2,3]", { maxLength: 6 })).toThrow(DecodeError);
  });

  test("parseJson agrees with JSON.parse on arbitrary text or rejects it", () => {
    assertProperty(
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
