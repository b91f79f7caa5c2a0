import { describe, expect, test } from "bun:test";
import { FIELD_PRIME } from "#base/primitives/index.ts";
import { starknetKeccak } from "#protocol/crypto/index.ts";
import { decodeProgram } from "#engine/sierra/contract/decode.ts";
import { genericIdFromFelt } from "#engine/sierra/contract/generic-id.ts";
import { readProgram } from "#engine/sierra/contract/program-reader.ts";
import { unpackWords } from "#engine/sierra/contract/unpack.ts";

const felt = (text: string): bigint => BigInt(`0x${Buffer.from(text).toString("hex")}`);

describe("unpackWords", () => {
  /** A code book of `book`, padded to 256, and words as digits of eight bits in felts. */
  const packed = (book: readonly bigint[], count: bigint, ...felts: readonly bigint[]) => [
    BigInt(book.length),
    256n - BigInt(book.length),
    ...book,
    count,
    ...felts,
  ];

  test("reads the lowest digits first and ignores felts after the last word", () => {
    const book = [70n, 80n, 90n];
    expect(unpackWords(packed(book, 4n, 0x01_00_02_01n))).toEqual([80n, 90n, 70n, 80n]);
    expect(unpackWords(packed(book, 0n, 999n, FIELD_PRIME))).toEqual([]);
  });

  test("reads 31 words of eight bits per felt", () => {
    const book = [5n, 6n];
    expect(unpackWords(packed(book, 32n, 0n, 1n))).toEqual([...Array(31).fill(5n), 6n]);
  });

  test.each([
    ["no felts", [], "a length"],
    ["a code book longer than the input", [9n, 247n, 1n], "a code book within"],
    ["a code book of the wrong size", [1n, 254n, 7n, 1n, 0n], "power of two"],
    ["a code book that is too small", [1n, 127n, 7n, 1n, 0n], "power of two"],
    ["a length that is not a safe integer", [2n ** 60n, 0n], "a length"],
    ["fewer felts than words", packed([7n], 32n, 0n), "as many words"],
    ["an index beyond the code book", packed([7n], 1n, 1n), "indices into the code book"],
  ])("rejects %s", (_, felts, expected) => {
    expect(() => unpackWords(felts)).toThrow(expected);
  });
});

describe("readProgram", () => {
  const U8 = felt("u8");

  test("reads types, libfuncs, statements and functions and ignores the rest", () => {
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
    ["a list longer than the rest", [9n, U8], "a length that fits"],
    ["arguments longer than the rest", [1n, U8, 99n], "a length that fits"],
    ["an unknown kind of argument", [1n, U8, 1n, 6n, 0n], "a kind of argument from 0 to 5"],
    ["an unknown kind of statement", [0n, 0n, 1n, 2n], "a statement: 0 or 1"],
    ["a name that is not text", [1n, 0xffn, 0n], "the name of a type"],
    ["a target above all statements", [0n, 0n, 1n, 0n, 0n, 0n, 1n, 2n ** 64n, 0n], "a statement"],
    ["a truncated program", [0n, 0n, 1n, 0n], "another word"],
  ])("rejects %s", (_, words, expected) => {
    expect(() => readProgram(words)).toThrow(expected);
  });
});

test("genericIdFromFelt recognises names that do not fit a felt by their hashes", () => {
  const name = "secp256k1_get_point_from_x_syscall";
  expect(genericIdFromFelt(starknetKeccak(name))).toBe(name);
  expect(genericIdFromFelt(felt("store_temp"))).toBe("store_temp");
  expect(genericIdFromFelt(2n ** 250n)).toBeUndefined();
});

describe("decodeProgram rejects a program", () => {
  test.each([
    ["with a number that is not a felt", [1n, FIELD_PRIME], "sierra_program[1] is not a felt"],
    ["with a negative number", [-1n], "sierra_program[0] is not a felt"],
    ["without versions", [1n, 6n, 0n, 2n], "does not begin with the versions"],
    ["with text instead of a version", [felt("0.1.0.alpha"), 0n, 0n, 0n, 0n, 0n], "the versions"],
    ["of a future version", [1n, 10n, 0n, 2n, 0n, 0n], "Sierra 1.10.0 is not supported"],
  ])("%s", (_, felts, expected) => {
    expect(() => decodeProgram(felts)).toThrow(expected);
  });
});
