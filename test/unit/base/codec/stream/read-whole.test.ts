import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  JsonReader,
  type JsonValue,
  parseJson,
  readJsonStream,
  stringifyJson,
} from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { anyJson, readInChunks, ROOMY_LIMITS } from "#test/helpers/json-stream.ts";
import { codePoints } from "#test/helpers/code-points.ts";
import { assertProperty } from "#test/helpers/property.ts";

const scalar = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: codePoints }),
  fc.boolean(),
  fc.constant(null),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.bigInt({ min: -(1n << 256n), max: (1n << 256n) - 1n }),
);

const document = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(fc.string({ unit: "grapheme" }), tie("value"), { maxKeys: 5 }),
  ),
})).value;

/** Result of `parseJson`, or "refused". */
function parsed(bytes: Uint8Array): unknown {
  try {
    return { value: parseJson(new TextDecoder().decode(bytes)) };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return "refused";
  }
}

async function streamed(bytes: Uint8Array, chunkBytes: number): Promise<unknown> {
  try {
    return { value: await readInChunks(bytes, chunkBytes, anyJson) };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    // Only the stream decoder rejects repeated members.
    return error.expected.endsWith("once, not twice") ? "twice" : "refused";
  }
}

describe("streamed JSON", () => {
  test("agrees with parseJson for any chunk size", async () => {
    await assertProperty(
      fc.asyncProperty(document, fc.integer({ min: 0, max: 2 }), async (value, indent) => {
        const bytes = new TextEncoder().encode(stringifyJson(value, indent));
        const whole = parsed(bytes);
        for (const chunkBytes of [1, 2, 3, 7, 1_000_000]) {
          expect(await streamed(bytes, chunkBytes)).toEqual(whole);
        }
      }),
    );
  });

  test("agrees with parseJson on corrupted bytes", async () => {
    const change = fc.tuple(
      fc.nat(),
      fc.oneof(
        fc.constantFrom(...new TextEncoder().encode('"\\,:[]{}0-+.eEtfn u')),
        fc.nat({ max: 255 }),
      ),
    );
    await assertProperty(
      fc.asyncProperty(document, fc.array(change, { maxLength: 3 }), async (value, changes) => {
        const bytes = new TextEncoder().encode(stringifyJson(value));
        for (const [at, byte] of changes) bytes[at % bytes.byteLength] = byte;
        const whole = parsed(bytes);
        for (const chunkBytes of [1, 5, 1_000_000]) {
          const found = await streamed(bytes, chunkBytes);
          if (found !== "twice") expect(found).toEqual(whole as object);
        }
      }),
      { numRuns: 1000, minRuns: 200 },
    );
  });

  test.each([
    "",
    " ",
    "[1,]",
    "[,1]",
    "[1 2]",
    "{,}",
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{"a" 1}',
    "{1:2}",
    "[1}",
    '{"a":1]',
    "1 2",
    "[]]",
    "01",
    "-",
    "1.",
    ".5",
    "+1",
    "1e",
    "--1",
    "1e999",
    "nul",
    "nulL",
    "truefalse",
    "NaN",
    '"\\x"',
    '"\\u12"',
    '"\u0001"',
    '"a',
    '"\\"',
    "'a'",
    "[1]//",
  ])("rejects %j, like parseJson", async (text) => {
    const bytes = new TextEncoder().encode(text);
    expect(parsed(bytes)).toBe("refused");
    expect(await streamed(bytes, 1)).toBe("refused");
    expect(await streamed(bytes, 1_000)).toBe("refused");
  });

  test.each([
    ["\ufeff[1]", [1]],
    [' \n\t\r{ "a" : [ ] , "" : { } } ', { a: [], "": {} }],
    ['"\\ud83d\\ude00\\u0000\\/\\ud800"', "\u{1f600}\u0000/\ud800"],
    ['"é\u{1f600}"', "é\u{1f600}"],
    ["9007199254740991", 9007199254740991],
    ["9007199254740993", 9007199254740993n],
    ["-18446744073709551615", -18446744073709551615n],
    ["-0", -0],
    ["1.5e3", 1500],
    ['{"__proto__":1}', JSON.parse('{"__proto__":1}')],
  ] as const)("reads %j", async (text, value) => {
    for (const chunkBytes of [1, 2, 1_000]) {
      expect(await readInChunks(text, chunkBytes, anyJson)).toEqual(value);
    }
  });

  test("ignores stale bytes in its buffer", async () => {
    const reader = new JsonReader(ROOMY_LIMITS);
    async function* chunks(): AsyncGenerator<Uint8Array> {
      // White space fills the buffer, so that stale bytes follow the next chunks.
      for (const text of [" ".repeat(1 << 16), "[ ", "1]"]) yield new TextEncoder().encode(text);
    }
    expect(await readJsonStream(chunks(), reader, anyJson)).toEqual([1]);
  });

  test("replaces invalid UTF-8 by U+FFFD, like TextDecoder", async () => {
    const bytes = Uint8Array.of(0x22, 0xf0, 0x9f, 0x22);
    expect(await readInChunks(bytes, 1, anyJson)).toBe("\ufffd");
  });
});
