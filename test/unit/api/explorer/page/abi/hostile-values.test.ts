import { expect, test } from "bun:test";
import fc from "fast-check";
import { readAbi } from "#api/explorer/page/abi/abi.ts";
import { decodeFelts } from "#api/explorer/page/abi/decode.ts";
import { AbiError } from "#api/explorer/page/abi/abi-error.ts";
import { encodeValue, type FormValue } from "#api/explorer/page/abi/encode.ts";
import { typeNameOf } from "#api/explorer/page/abi/type-name.ts";
import { callTreeOf } from "#api/explorer/page/decode/call-tree.ts";
import { callsOf } from "#api/explorer/page/decode/calls.ts";
import { lookupsOf } from "#api/explorer/page/decode/search.ts";
import { unfoldRevert } from "#api/explorer/page/decode/revert-reason.ts";
import { assertProperty } from "#test/helpers/property.ts";

const TYPES = [
  "felt",
  "felt*",
  "core::bool",
  "core::integer::u8",
  "core::integer::i128",
  "core::integer::u256",
  "core::byte_array::ByteArray",
  "core::array::Array::<core::byte_array::ByteArray>",
  "core::array::Array::<tree>",
  "core::option::Option::<core::array::Span::<tree>>",
  "(tree, [choice; 3])",
  "choice",
  "()",
  "gone",
];

const ABI = readAbi([
  {
    type: "struct",
    name: "tree",
    members: [
      { name: "value", type: "core::integer::u128" },
      { name: "inner", type: "core::array::Array::<tree>" },
    ],
  },
  {
    type: "enum",
    name: "choice",
    variants: [
      { name: "None", type: "()" },
      { name: "Tree", type: "tree" },
    ],
  },
]);

const type = fc.constantFrom(...TYPES);
const small = fc.bigInt(0n, 4n);
const felt = fc.oneof(small, fc.bigInt(0n, 2n ** 252n)).map((value) => `0x${value.toString(16)}`);
const entryText = fc.oneof(
  fc.constantFrom(
    "function",
    "struct",
    "enum",
    "event",
    "interface",
    "key",
    "nested",
    "flat",
    ...TYPES,
  ),
  fc.string(),
);
const entry = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    entryText,
    fc.constantFrom(null, 0, true),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(
      fc.constantFrom(
        "type",
        "name",
        "kind",
        "inputs",
        "outputs",
        "members",
        "variants",
        "items",
        "keys",
        "data",
        "__proto__",
      ),
      tie("value"),
    ),
  ),
})).value;

test("every felt of any list is in a value or in the rest", () => {
  assertProperty(
    fc.property(
      fc.array(type, { maxLength: 4 }),
      fc.array(felt, { maxLength: 40 }),
      (types, felts) => {
        const fields = types.map((one, i) => ({ name: `a${i}`, type: one, kind: "" }));
        const { values, rest, problem } = decodeFelts(ABI, fields, felts);
        expect((values.at(-1)?.end ?? 0) + rest.length).toBe(felts.length);
        expect(problem === null && rest.length > 0).toBe(false);
      },
    ),
  );
});

test("any JSON is read as an ABI whose functions and events decode", () => {
  assertProperty(
    fc.property(
      fc.array(entry, { maxLength: 6 }),
      fc.array(felt, { maxLength: 8 }),
      (entries, felts) => {
        const abi = readAbi(entries);
        for (const { inputs } of abi.functions) decodeFelts(abi, inputs, felts);
        for (const { data } of abi.events) decodeFelts(abi, data, felts);
      },
    ),
  );
});

test("any value is encoded, or rejected with an AbiError that names the place", () => {
  assertProperty(
    fc.property(type, fc.oneof(fc.jsonValue(), fc.json()), (one, value) => {
      try {
        const felts = encodeValue(ABI, { name: "value", type: one, kind: "" }, value as FormValue);
        expect(felts.every((encoded) => /^0x[0-9a-f]+$/.test(encoded))).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(AbiError);
        expect((error as AbiError).message).toStartWith("value");
      }
    }),
  );
});

test("any text is read as a type, a search, a reason and calldata, and any JSON as a trace", () => {
  assertProperty(
    fc.property(
      fc.string({ unit: "binary" }),
      fc.array(fc.string()),
      entry,
      (text, texts, json) => {
        typeNameOf(text);
        lookupsOf(text);
        unfoldRevert(text);
        unfoldRevert(json);
        callsOf(texts);
        callTreeOf({ execute_invocation: json });
      },
    ),
  );
});
