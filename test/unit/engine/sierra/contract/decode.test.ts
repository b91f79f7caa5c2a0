import { describe, expect, test } from "bun:test";
import { FIELD_PRIME } from "#base/primitives/index.ts";
import { starknetKeccak } from "#protocol/crypto/index.ts";
import { decodeProgram } from "#engine/sierra/contract/decode.ts";
import { genericIdFromFelt } from "#engine/sierra/contract/generic-id.ts";
import { readProgram } from "#engine/sierra/contract/program-reader.ts";
import { unpackWords } from "#engine/sierra/contract/unpack.ts";

const felt = (text: string): bigint => BigInt(`0x${Buffer.from(text).toString("hex")}`);

describe("packed words", () => {
  /** A code book of `book`, padded to 256, and words as digits of eight bits in one felt. */
  const packed = (book: readonly bigint[], count: bigint, ...felts: readonly bigint[]) => [
    BigInt(book.length),
    256n - BigInt(book.length),
    ...book,
    count,
    ...felts,
  ];

  test("are the lowest digits first; felts beyond the last one are ignored", () => {
    const book = [70n, 80n, 90n];
    expect(unpackWords(packed(book, 4n, 0x01_00_02_01n))).toEqual([80n, 90n, 70n, 80n]);
    expect(unpackWords(packed(book, 0n, 999n, FIELD_PRIME))).toEqual([]);
  });

  test("31 of eight bits fill a felt, the next one is in another", () => {
    const book = [5n, 6n];
    expect(unpackWords(packed(book, 32n, 0n, 1n))).toEqual([...Array(31).fill(5n), 6n]);
  });

  test.each([
    ["nothing", [], "a length"],
    ["a book that is longer than all", [9n, 247n, 1n], "a code book within"],
    ["a book of another size", [1n, 254n, 7n, 1n, 0n], "power of two"],
    ["a book that is too small", [1n, 127n, 7n, 1n, 0n], "power of two"],
    ["a length that is no number", [2n ** 60n, 0n], "a length"],
    ["fewer felts than words", packed([7n], 32n, 0n), "as many words"],
    ["an index beyond the book", packed([7n], 1n, 1n), "indices into the code book"],
  ])("%s is refused", (_, felts, expected) => {
    expect(() => unpackWords(felts)).toThrow(expected);
  });
});

describe("words of a program", () => {
  const U8 = felt("u8");

  test("are types, libfuncs, statements and functions; what follows is ignored", () => {
    const info = (1n + 2n) << 128n;
    const fallthrough = 2n ** 64n - 1n;
    const program = readProgram([
      ...[2n, U8, info | 0n, felt("Box"), 1n, 1n, 0n],
      ...[1n, felt("drop"), 2n, 5n, 3n, 0n, 9n],
      ...[2n, 0n, 0n, 1n, 4n, 2n, fallthrough, 0n, 1n, 1n, 6n, 1n, 1n, 6n],
      ...[1n, 1n, 0n, 0n, 4n, 0n],
      77n,
    ]);
    expect(program).toEqual({
      types: [
        {
          genericId: "u8",
          args: [],
          declared: { storable: true, droppable: true, duplicatable: false, zeroSized: false },
        },
        { genericId: "Box", args: [{ kind: "type", type: 0 }], declared: undefined },
      ],
      libfuncs: [
        {
          genericId: "drop",
          args: [
            { kind: "value", value: -3n },
            { kind: "user_type", id: "0x9" },
          ],
        },
      ],
      statements: [
        {
          kind: "invocation",
          libfunc: 0,
          args: [4],
          branches: [
            { target: undefined, results: [] },
            { target: 1, results: [6] },
          ],
        },
        { kind: "return", args: [6] },
      ],
      functions: [
        { name: "function 0", params: [{ type: 0, variable: 4 }], returns: [], entry: 0 },
      ],
    });
  });

  test.each([
    ["a list that is longer than the rest", [9n, U8], "a length that fits"],
    ["arguments that are longer than the rest", [1n, U8, 99n], "a length that fits"],
    ["a kind of argument", [1n, U8, 1n, 6n, 0n], "a kind of argument from 0 to 5"],
    ["a statement", [0n, 0n, 1n, 2n], "a statement: 0 or 1"],
    ["a name that is no text", [1n, 0xffn, 0n], "the name of a type"],
    ["a target above all statements", [0n, 0n, 1n, 0n, 0n, 0n, 1n, 2n ** 64n, 0n], "a statement"],
    ["an end in the middle", [0n, 0n, 1n, 0n], "another word"],
  ])("%s is refused", (_, words, expected) => {
    expect(() => readProgram(words)).toThrow(expected);
  });
});

test("names that do not fit a felt are known by their hashes", () => {
  const name = "secp256k1_get_point_from_x_syscall";
  expect(genericIdFromFelt(starknetKeccak(name))).toBe(name);
  expect(genericIdFromFelt(felt("store_temp"))).toBe("store_temp");
  expect(genericIdFromFelt(2n ** 250n)).toBeUndefined();
});

describe("a program is refused", () => {
  test.each([
    ["with a number that is no felt", [1n, FIELD_PRIME], "sierra_program[1] is not a felt"],
    ["with a negative number", [-1n], "sierra_program[0] is not a felt"],
    ["without versions", [1n, 6n, 0n, 2n], "does not begin with the versions"],
    ["with a text for its version", [felt("0.1.0.alpha"), 0n, 0n, 0n, 0n, 0n], "the versions"],
    ["of a version to come", [1n, 10n, 0n, 2n, 0n, 0n], "Sierra 1.10.0 is not supported"],
  ])("%s", (_, felts, expected) => {
    expect(() => decodeProgram(felts)).toThrow(expected);
  });
});
