import { describe, expect, test } from "bun:test";
import {
  felt,
  JsonReader,
  type JsonReaderLimits,
  readJsonStream,
  streamArray,
  streamObject,
  streamScalar,
} from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { anyJson, readInChunks, ROOMY_LIMITS } from "#test/helpers/json-stream.ts";

/** Repeats a text forever; `sent` counts its bytes. */
function endless(head: string, text: string) {
  const sent = { bytes: 0 };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode(head);
    const chunk = new TextEncoder().encode(text.repeat(Math.ceil(10_000 / text.length)));
    for (;;) {
      sent.bytes += chunk.byteLength;
      yield chunk;
    }
  }
  return { chunks: chunks(), sent };
}

const skipped = streamObject({}, { known: streamScalar(felt) });
const felts = streamArray(streamScalar(felt), 64);

describe("JsonReader rejects an endless stream near its limit", () => {
  const cases: readonly (readonly [
    string,
    Partial<JsonReaderLimits>,
    string,
    string,
    { readonly limit: string; readonly path: string },
  ])[] = [
    ["texts", { maxTextBytes: 50_000 }, '{"a":["', "x", { limit: "text", path: "a[0]" }],
    ["escapes", { maxTextBytes: 50_000 }, '{"a":"', "\\n", { limit: "text", path: "a" }],
    ["names", { maxTextBytes: 50_000 }, '{"', "x", { limit: "text", path: "" }],
    ["digits", { maxNumberLength: 100 }, '{"a":', "1", { limit: "number", path: "a" }],
    [
      "white space",
      { maxBlankBytes: 50_000 },
      '{"a":[0',
      " \n\t\r",
      { limit: "blanks", path: "a[0]" },
    ],
    ["nesting", { maxDepth: 100 }, "", "[", { limit: "depth", path: "[0]" }],
    ["values", { maxKeptBytes: 100_000 }, "[", "1,", { limit: "memory", path: "[" }],
    ["objects", { maxKeptBytes: 100_000 }, "[", "{},", { limit: "memory", path: "[" }],
  ];
  test.each(cases)("%s", async (_, limits, head, text, { limit, path }) => {
    const { chunks, sent } = endless(head, text);
    const reader = new JsonReader({ ...ROOMY_LIMITS, ...limits });
    const error = await readJsonStream(chunks, reader, anyJson).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DecodeError);
    expect((error as DecodeError).meta["limit"]).toBe(limit);
    expect((error as DecodeError).path).toStartWith(path);
    expect(sent.bytes).toBeLessThan(1_000_000);
  });

  test("of unknown members", async () => {
    for (const [head, text] of [
      ['{"a":[', "[],"],
      ['{"a":1,"a":[', '{"b":1},'],
      ["{", '"a":"x","b":1,'],
      ["{", `"${"n".repeat(1_000)}":1,`],
    ] as const) {
      const { chunks, sent } = endless(head, text);
      const reader = new JsonReader({ ...ROOMY_LIMITS, maxSkippedBytes: 50_000 });
      const error = await readJsonStream(chunks, reader, skipped).catch(
        (thrown: unknown) => thrown,
      );
      expect((error as DecodeError).meta["limit"]).toBe("skipped");
      expect(sent.bytes).toBeLessThan(1_000_000);
    }
  });

  test("of elements that are decoded one by one", async () => {
    const { chunks } = endless("[", '"0x1",');
    const reader = new JsonReader({ ...ROOMY_LIMITS, maxKeptBytes: 64 * 1_000 });
    const read = readJsonStream(chunks, reader, felts);
    expect(read).rejects.toThrow("[1000]: expected values that take at most");
  });
});

describe("JsonReader limits", () => {
  test("are inclusive, for any chunk size", async () => {
    for (const chunkBytes of [1, 3, 1_000]) {
      const exact: readonly (readonly [string, Partial<JsonReaderLimits>])[] = [
        ['["abcd"]', { maxTextBytes: 4 }],
        ["[12345]", { maxNumberLength: 5 }],
        ["[[[0]]]", { maxDepth: 3 }],
        ["[0    ,    0]", { maxBlankBytes: 4 }],
      ];
      for (const [text, limits] of exact) {
        expect(await readInChunks(text, chunkBytes, anyJson, limits)).toEqual(JSON.parse(text));
        const [name = "", most = 0] = Object.entries(limits)[0] ?? [];
        const tighter = { [name]: most - 1 };
        expect(readInChunks(text, chunkBytes, anyJson, tighter)).rejects.toThrow(DecodeError);
      }
    }
  });
});

test("JsonReader escapes and truncates the path in its errors", async () => {
  const name = `\\u001b[2J${"x".repeat(1_000)}`;
  const deep = `${`{"${name}":[`.repeat(50)}nonsense`;
  const error = await readInChunks(deep, 100, anyJson).catch((thrown: unknown) => thrown);
  const { path } = error as DecodeError;
  expect(path).toStartWith("??2Jxxx");
  expect(path.length).toBeLessThan(400);
});
