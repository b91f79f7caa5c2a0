import { describe, expect, test } from "bun:test";
import { EMPTY_ABI, readAbi } from "#api/explorer/page/abi/abi.ts";
import { encodeValue, encodeValues } from "#api/explorer/page/abi/encode.ts";

const field = (type: string, name = "value") => ({ name, type, kind: "" });

describe("encodeValue", () => {
  test.each<[string, string, string[]]>([
    ["felt", "255", ["0xff"]],
    ["felt", "0xFF", ["0xff"]],
    ["felt", "1_000", ["0x3e8"]],
    ["felt", "'ab'", ["0x6162"]],
    [
      "core::integer::i8",
      "-1",
      ["0x800000000000011000000000000000000000000000000000000000000000000"],
    ],
    ["core::integer::u256", "340282366920938463463374607431768211457", ["0x1", "0x1"]],
    ["core::integer::u256", '{"low": 1, "high": 2}', ["0x1", "0x2"]],
    ["core::byte_array::ByteArray", "[hi]", ["0x0", "0x5b68695d", "0x4"]],
    [
      "core::array::Array::<felt>",
      "[0x1, 340282366920938463463374607431768211457, 'a']",
      ["0x3", "0x1", "0x100000000000000000000000000000001", "0x61"],
    ],
    ["(felt, core::bool)", "[1, true]", ["0x1", "0x1"]],
    ["(x: felt, y: felt)", '{"y": 2, "x": 1}', ["0x1", "0x2"]],
    ["core::option::Option::<felt>", '{"Some": 7}', ["0x0", "0x7"]],
    ["core::option::Option::<felt>", "None", ["0x1"]],
    ["core::result::Result::<(), felt>", "Ok", ["0x0"]],
    ["@core::array::Span::<felt>", "[]", ["0x0"]],
  ])("encodes %s from %s", (type, text, felts) => {
    expect(encodeValue(EMPTY_ABI, field(type), text)).toEqual(felts);
  });
});

describe("encodeValues", () => {
  const fields = [field("felt", "a_len"), field("felt*", "a"), field("felt", "b")];

  test("adds the length of a Cairo 0 array", () => {
    expect(encodeValues(EMPTY_ABI, fields, { a: "[5, 6]", b: 7 })).toEqual([
      "0x2",
      "0x5",
      "0x6",
      "0x7",
    ]);
  });

  test("rejects another length than that of the Cairo 0 array", () => {
    expect(() => encodeValues(EMPTY_ABI, fields, { a_len: "3", a: "[5, 6]", b: 7 })).toThrow(
      "a_len: expected 2, the length of a",
    );
  });

  test("names a parameter without value", () => {
    expect(() => encodeValues(readAbi([]), [field("felt", "to")], {})).toThrow(
      "to: a value of type felt is missing",
    );
  });
});
