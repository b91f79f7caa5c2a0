import { describe, expect, test } from "bun:test";
import { readAbi } from "#api/explorer/page/abi/abi.ts";
import { encodeValue } from "#api/explorer/page/abi/encode.ts";

const field = (type: string) => ({ name: "value", type, kind: "" });
const struct = (name: string, ...types: string[]) => ({
  type: "struct",
  name,
  members: types.map((type, i) => ({ name: `m${i}`, type })),
});

describe("encodeValue", () => {
  const abi = readAbi([struct("loop", "loop"), struct("point", "felt", "core::bool")]);

  test.each<[string, string, unknown, string]>([
    [
      "a number out of range",
      "core::integer::u8",
      "256",
      "value: expected core::integer::u8 from 0 to 255",
    ],
    [
      "a negative number",
      "core::integer::u8",
      "-1",
      "value: expected core::integer::u8 from 0 to 255",
    ],
    [
      "a fraction",
      "felt",
      "1.5",
      "value: expected felt: 12, 0x1f, or 'text' of at most 31 characters",
    ],
    [
      "a long text",
      "felt",
      `'${"a".repeat(32)}'`,
      "value: expected felt: 12, 0x1f, or 'text' of at most 31 characters",
    ],
    [
      "an address of 252 bits",
      "core::starknet::contract_address::ContractAddress",
      `0x8${"0".repeat(62)}`,
      "value: expected core::starknet::contract_address::ContractAddress from 0 to",
    ],
    ["another truth", "core::bool", "yes", "value: expected true or false"],
    [
      "a u256 of 257 bits",
      "core::integer::u256",
      `0x1${"0".repeat(64)}`,
      "value: expected core::integer::u256, from 0 to 2^256 - 1",
    ],
    [
      "no list",
      "core::array::Array::<point>",
      "5",
      'value: expected a list for core::array::Array::<point>, such as [{"m0": 1, "m1": true}]',
    ],
    ["cut JSON", "core::array::Array::<felt>", "[1, ", "value: expected JSON, such as [1]"],
    [
      "a wrong element",
      "core::array::Array::<point>",
      '[{"m0": 1, "m1": 7}]',
      "value[0].m1: expected true or false",
    ],
    ["a missing member", "point", '{"m0": 1}', "value.m1: a value of type core::bool is missing"],
    [
      "an unknown member",
      "point",
      '{"m0": 1, "m1": true, "m2": 1}',
      "value: point has no member m2",
    ],
    ["a wrong size", "[felt; 2]", "[1]", "value: expected 2 elements, not 1"],
    [
      "an unknown variant",
      "core::option::Option::<felt>",
      "Maybe",
      'value: expected one of Some, None, such as {"Some": 1}',
    ],
    [
      "a variant without its value",
      "core::option::Option::<felt>",
      "Some",
      'value: expected {"Some": …} with a value of type felt',
    ],
    [
      "zero where it is excluded",
      "core::zeroable::NonZero::<felt>",
      "0",
      "value: expected a value other than 0",
    ],
    ["an undeclared type", "gone", "1", "value: the ABI does not declare gone"],
    ["a value that nests", "loop", JSON.stringify(nested(100)), "value.m0.m0"],
  ])("names the place and form for %s", (_, type, value, message) => {
    expect(() => encodeValue(abi, field(type), value as string)).toThrow(message);
  });
});

/** Object with objects inside. */
function nested(depth: number): object {
  let value: object = {};
  for (let i = 0; i < depth; i++) value = { m0: value };
  return value;
}
