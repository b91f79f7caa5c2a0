import { describe, expect, test } from "bun:test";
import { hashMismatch } from "#services/admission/declare/hash-mismatch.ts";

const HASHES = { poseidon: 0xaan, blake: 0xbbn };

describe("the compiled class hash of a declaration", () => {
  test.each([
    ["poseidon", 0xaan],
    ["blake", 0xbbn],
  ] as const)("is right if it is the chain's: %s", (expected, named) => {
    expect(hashMismatch(named, HASHES, expected)).toBeUndefined();
  });

  test("is wrong if the class compiles to another, and the reason names both", () => {
    expect(hashMismatch(0xccn, HASHES, "blake")).toEqual({
      kind: "rejected",
      code: "COMPILED_CLASS_HASH_MISMATCH",
      reason: "the class compiles to 0xbb, the transaction names 0xcc",
    });
  });

  test.each([
    [
      "blake",
      0xaan,
      "0xbb",
      "that is the Poseidon hash of the class, this chain requires the Blake hash",
    ],
    [
      "poseidon",
      0xbbn,
      "0xaa",
      "that is the Blake hash of the class, this chain requires the Poseidon hash",
    ],
  ] as const)(
    "is wrong in the form of other chains, and the reason says so: %s",
    (expected, named, right, hint) => {
      expect(hashMismatch(named, HASHES, expected)).toMatchObject({
        code: "COMPILED_CLASS_HASH_MISMATCH",
        reason: `the class compiles to ${right}, the transaction names 0x${named.toString(16)}: ${hint}`,
      });
    },
  );
});
