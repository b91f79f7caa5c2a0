import { describe, expect, test } from "bun:test";
import {
  address,
  arrived,
  bool,
  felt,
  integer,
  json,
  type StreamDecoder,
  streamArray,
  streamConvert,
  streamObject,
  streamScalar,
  streamWhole,
} from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { readInChunks } from "#test/helpers/json-stream.ts";

const row = streamObject({ a: streamScalar(felt) }, { b: streamArray(streamScalar(integer()), 8) });

const texts = (visit: (text: string) => boolean): StreamDecoder<void> => ({
  describe: "texts",
  *read(reader) {
    const decoder = new TextDecoder();
    yield* arrived(() => reader.open("array", "array of words"));
    yield* arrived(() =>
      reader.texts(
        (bytes, start, end) => visit(decoder.decode(bytes.subarray(start, end))),
        "a word",
      ),
    );
  },
});

/** Error of decoding, which must not depend on the chunk size. */
async function errorOf<T>(text: string, decoder: StreamDecoder<T>): Promise<DecodeError> {
  const errors = [];
  for (const chunkBytes of [1, 4, 1_000]) {
    const error = await readInChunks(text, chunkBytes, decoder).catch((thrown: unknown) => thrown);
    if (!(error instanceof DecodeError)) throw new TypeError(`no refusal: ${String(error)}`);
    errors.push(error);
  }
  const [first] = errors;
  if (first === undefined) throw new TypeError("nothing was read");
  for (const { message } of errors) expect(message).toBe(first.message);
  return first;
}

describe("streamObject", () => {
  test("reads members in any order and ignores unknown ones", async () => {
    const text = '{"x":{"a":[{"y":"\\n"}]},"b":[1,2],"a":"0x5","z":null}';
    for (const chunkBytes of [1, 7, 1_000]) {
      expect(await readInChunks(text, chunkBytes, row)).toEqual({ a: 5n, b: [1, 2] });
    }
    expect(await readInChunks('{"a":"0x5"}', 1, row)).toEqual({ a: 5n });
  });

  test.each([
    ['{"b":[]}', "a: expected felt (0x hex below the Stark prime) (it is missing)"],
    ['{"a":"0x5","a":"0x5"}', "a: expected this member once, not twice"],
    ['{"a":5}', "a: expected felt (0x hex below the Stark prime)"],
    ['{"a":["0x5"]}', "a: expected felt (0x hex below the Stark prime)"],
    ['{"a":"0x5","b":[1,"2"]}', "b[1]: expected integer >= 0"],
    ['{"a":"0x5","b":{}}', "b: expected array of integer >= 0"],
    ["[]", "value: expected object with a"],
    ["null", "value: expected object with a"],
  ])("rejects %s", async (text, message) => {
    expect((await errorOf(text, row)).message).toBe(message);
  });

  test("reports the type found instead", async () => {
    for (const [text, got] of [
      ["[]", "an array"],
      ['""', "text"],
      ["-1", "a number"],
      ["0", "a number"],
      ["true", "a boolean"],
      ["false", "a boolean"],
      ["null", "null"],
    ] as const) {
      expect((await errorOf(text, row)).meta).toEqual({ got });
    }
    expect((await errorOf("x", row)).meta).toEqual({ json: "malformed" });
  });

  test("names byte and path of invalid JSON", async () => {
    const error = await errorOf('{"a":"0x5","b":[1;2]}', row);
    expect(error.message).toBe("b[0]: expected a comma or the end of the array at byte 17");
    expect(error.meta).toEqual({ json: "malformed" });
  });

  test("names the path at which the stream ends too early", async () => {
    const error = await errorOf('{"a":"0x5","b":[1,2', row);
    expect(error.message).toBe("b[1]: expected more JSON than the 19 bytes that arrived");
    expect(error.meta).toEqual({ json: "cut" });
  });
});

describe("streamWhole", () => {
  const whole = streamObject({ x: streamWhole(json) }, {});
  test("rejects a repeated member", async () => {
    const { message } = await errorOf('{"x":[{"y":{"z":1,"z":1}}]}', whole);
    expect(message).toBe("x[0].y.z: expected this member once, not twice");
  });

  test("names the path that the inner decoder rejects", async () => {
    const deep = streamObject({ x: streamWhole({ ...json, decode: refuse }) }, {});
    const { message } = await errorOf('{"x":{}}', deep);
    expect(message).toBe("x.inner[3]: expected better");
  });
});

const refuse = (): never => {
  throw new DecodeError("inner[3]", "better");
};

test("streamConvert maps the decoded value", async () => {
  const mapped = streamConvert(streamScalar(address), "an address", (value) => value + 1n);
  expect(await readInChunks('"0x4"', 1, mapped)).toBe(5n);
});

test("streamScalar decodes scalars of each kind", async () => {
  expect(await readInChunks(" true ", 1, streamScalar(bool))).toBe(true);
  expect(await readInChunks("12", 1, streamScalar(integer()))).toBe(12);
});

describe("JsonReader.texts", () => {
  test("visits texts in order, with escapes resolved", async () => {
    for (const chunkBytes of [1, 5, 1_000]) {
      const seen: string[] = [];
      const visit = (text: string): boolean => seen.push(text) > 0;
      const text = '[ "0x1" ,"","\\u0030x2","é","\\ud83d\\ude00"]';
      await readInChunks(text, chunkBytes, texts(visit));
      expect(seen).toEqual(["0x1", "", "0x2", "é", "\u{1f600}"]);
    }
  });

  test.each([
    ['["a","bad"]', "[1]: expected a word"],
    ['["a",5]', "[1]: expected a word"],
    ['["a",["b"]]', "[1]: expected a word"],
    ['{"a":"b"}', "value: expected array of words"],
    ['["a"', "[0]: expected more JSON than the 4 bytes that arrived"],
    ['["a",', "[0]: expected more JSON than the 5 bytes that arrived"],
  ])("rejects %s", async (text, message) => {
    const { message: found } = await errorOf(
      text,
      texts((word) => word !== "bad"),
    );
    expect(found).toBe(message);
  });

  test("limits the number of texts", async () => {
    const read = (text: string): Promise<void> =>
      readInChunks(
        text,
        1,
        texts(() => true),
        { maxTexts: 3 },
      );
    expect(await read('["a","b","c"]')).toBeUndefined();
    const refused = read('["a","b","c","d"]');
    expect(refused).rejects.toThrow("[3]: expected an array of at most 3 values");
    expect(refused).rejects.toMatchObject({ meta: { limit: "elements" } });
  });
});
