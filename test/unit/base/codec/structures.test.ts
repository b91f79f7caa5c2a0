import { describe, expect, test } from "bun:test";
import {
  array,
  type Codec,
  convert,
  type Decoder,
  felt,
  integer,
  isCodec,
  literal,
  mapOf,
  nullable,
  object,
  strictObject,
  text,
  tuple,
  union,
} from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";

function failureOf(run: () => unknown): DecodeError {
  try {
    run();
  } catch (error) {
    if (error instanceof DecodeError) return error;
    throw error;
  }
  throw new TypeError("decoded");
}

describe("object", () => {
  const codec = object({ a: felt, list: array(integer()) }, { note: nullable(text) });

  test("reads required and optional members", () => {
    expect(codec.decode({ a: "0x1", list: [1], note: null }, "")).toEqual({
      a: 1n,
      list: [1],
      note: null,
    });
  });

  test("omits absent optional members", () => {
    expect(Object.keys(codec.decode({ a: "0x1", list: [] }, ""))).toEqual(["a", "list"]);
  });

  test("names the path of a wrong inner value", () => {
    expect(failureOf(() => codec.decode({ a: "0x1", list: [1, "x"] }, "params")).path).toBe(
      "params.list[1]",
    );
  });

  test("names a missing member and its expected type", () => {
    const error = failureOf(() => codec.decode({ list: [] }, "p"));
    expect([error.path, error.expected]).toEqual(["p.a", `${felt.describe} (it is missing)`]);
  });

  test("ignores inherited members", () => {
    const inherits = object({ toString: felt });
    expect(failureOf(() => inherits.decode({}, "")).path).toBe("toString");
  });

  test("ignores unknown members", () => {
    expect(codec.decode({ a: "0x1", list: [], extra: 1 }, "")).toEqual({ a: 1n, list: [] });
  });

  test("rejects arrays and null", () => {
    for (const value of [[], null, "x", undefined]) {
      expect(() => codec.decode(value, "")).toThrow(DecodeError);
    }
  });

  test("encodes what it decodes", () => {
    expect(codec.encode({ a: 1n, list: [2] })).toEqual({ a: "0x1", list: [2] });
  });
});

describe("strictObject", () => {
  const codec = strictObject({ a: felt }, { b: felt });

  test("decodes and encodes the declared members", () => {
    expect(codec.decode({ a: "0x1" }, "")).toEqual({ a: 1n });
    expect(codec.encode(codec.decode({ a: "0x1", b: "0x2" }, ""))).toEqual({ a: "0x1", b: "0x2" });
  });

  test("rejects an unknown member and names the known ones", () => {
    const error = failureOf(() => codec.decode({ a: "0x1", extra: 1 }, "p"));
    expect([error.path, error.expected]).toEqual(["p.extra", "no such member (known: a, b)"]);
    expect(failureOf(() => codec.decode({ a: "0x1", toString: 1 }, "")).path).toBe("toString");
  });

  test("names a missing member before an unknown one", () => {
    expect(failureOf(() => codec.decode({ extra: 1 }, "")).path).toBe("a");
  });

  test("rejects arrays and null", () => {
    for (const value of [[], null, "x", undefined]) {
      expect(() => codec.decode(value, "")).toThrow(DecodeError);
    }
  });
});

describe("array", () => {
  test("checks its length limits", () => {
    const codec = array(integer(), { minLength: 1, maxLength: 2 });
    expect(codec.decode([1, 2], "")).toEqual([1, 2]);
    expect(() => codec.decode([], "")).toThrow(DecodeError);
    expect(() => codec.decode([1, 2, 3], "")).toThrow(DecodeError);
  });

  test("names the path in nested arrays of objects", () => {
    const codec = array(object({ keys: array(array(felt)) }));
    const value = [{ keys: [] }, { keys: [["0x1"], ["0x1", 5]] }];
    expect(failureOf(() => codec.decode(value, "filter")).path).toBe("filter[1].keys[1][1]");
  });

  test("finds an error in deep recursion in linear time", () => {
    type Tree = readonly Tree[] | bigint;
    const tree: Decoder<Tree> = {
      describe: "tree",
      decode: (value, path) => union<Tree>("tree", [array(tree), felt]).decode(value, path),
    };
    let value: unknown = "wrong";
    for (let i = 0; i < 60; i++) value = [value];
    expect(failureOf(() => tree.decode(value, "")).path).toBe("[0]".repeat(60));
  });
});

describe("tuple, mapOf and union", () => {
  test("a tuple has a codec per position", () => {
    const codec = tuple(felt, integer());
    expect(codec.decode(["0x1", 2], "")).toEqual([1n, 2]);
    expect(() => codec.decode(["0x1"], "")).toThrow(DecodeError);
    expect(codec.encode([1n, 2])).toEqual(["0x1", 2]);
  });

  test("a map keeps any member name", () => {
    const codec = mapOf(felt);
    const map = codec.decode(JSON.parse('{"__proto__":"0x1","b":"0x2"}'), "");
    expect([...map]).toEqual([
      ["__proto__", 1n],
      ["b", 2n],
    ]);
    expect(JSON.stringify(codec.encode(map))).toBe('{"__proto__":"0x1","b":"0x2"}');
  });

  test("a union reports the alternative that decoded furthest", () => {
    const block = object({ block_number: integer() });
    const codec = union<unknown>("block id", [literal("latest"), block]);
    expect(codec.decode("latest", "")).toBe("latest");
    expect(failureOf(() => codec.decode({ block_number: "x" }, "block_id")).path).toBe(
      "block_id.block_number",
    );
    expect(failureOf(() => codec.decode(5, "block_id")).expected).toBe("block id");
  });
});

describe("structures of decoders", () => {
  const size = convert(text, "text", (value) => value.length);

  test("decode values", () => {
    const decoder = strictObject(
      { sizes: array(size), map: mapOf(size) },
      { note: object({ one: size }, { other: nullable(size) }) },
    );
    const value = { sizes: ["a", "bc"], map: { k: "abc" }, note: { one: "", other: null } };
    expect(decoder.decode(value, "")).toEqual({
      sizes: [1, 2],
      map: new Map([["k", 3]]),
      note: { one: 0, other: null },
    });
  });

  test.each([
    ["convert", size],
    ["array", array(size)],
    ["mapOf", mapOf(size)],
    ["nullable", nullable(size)],
    ["object", object({ a: felt, size })],
    ["object, optional", object({ a: felt }, { size })],
    ["strictObject", strictObject({ a: felt }, { size })],
    [
      "convert with a writer",
      convert(
        size as Codec<number>,
        "",
        (n) => n,
        (n) => n,
      ),
    ],
  ])("%s of a decoder is not a codec", (_, decoder: Decoder<unknown>) => {
    expect(isCodec(decoder)).toBe(false);
  });

  test.each([
    [
      "convert",
      convert(
        text,
        "",
        (value) => value,
        (value) => value,
      ),
    ],
    ["array", array(text)],
    ["mapOf", mapOf(text)],
    ["nullable", nullable(text)],
    ["object", object({ a: text }, { b: text })],
    ["strictObject", strictObject({ a: text }, { b: text })],
  ])("%s of codecs is a codec", (_, decoder: Decoder<unknown>) => {
    expect(isCodec(decoder)).toBe(true);
  });
});
