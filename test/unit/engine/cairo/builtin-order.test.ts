import { describe, expect, test } from "bun:test";
import { entryPointBuiltinsProblem } from "#engine/cairo/builtin-order.ts";
import {
  ENTRY_POINT_BUILTINS,
  isInBuiltinOrder,
  LEGACY_BUILTINS,
} from "#protocol/versions/index.ts";

// Orders are from starknet_api and cairo-lang-sierra-to-casm for Cairo 1, cairo-lang for Cairo 0.
describe("builtin order", () => {
  test("accepts any subset of the allowed builtins in order", () => {
    expect(isInBuiltinOrder([], LEGACY_BUILTINS)).toBe(true);
    expect(isInBuiltinOrder(["pedersen", "ecdsa", "poseidon"], LEGACY_BUILTINS)).toBe(true);
    expect(isInBuiltinOrder(LEGACY_BUILTINS, LEGACY_BUILTINS)).toBe(true);
    expect(entryPointBuiltinsProblem(ENTRY_POINT_BUILTINS)).toBeUndefined();
    expect(entryPointBuiltinsProblem(["range_check", "segment_arena", "mul_mod"])).toBeUndefined();
  });

  test.each([
    ["a wrong order", ["range_check", "pedersen"]],
    ["a duplicate", ["pedersen", "pedersen"]],
    ["a forbidden builtin", ["pedersen", "keccak"]],
  ] as const)("rejects %s", (_, builtins) => {
    expect(isInBuiltinOrder(builtins, LEGACY_BUILTINS)).toBe(false);
    expect(entryPointBuiltinsProblem(builtins)).toBe(
      `Entry point uses unsupported builtins or an invalid builtin order: [${builtins.join(", ")}].`,
    );
  });

  test("allows ecdsa only in Cairo 0, modular arithmetic and the segment arena only in Cairo 1", () => {
    expect(isInBuiltinOrder(["ecdsa"], ENTRY_POINT_BUILTINS)).toBe(false);
    expect(isInBuiltinOrder(["add_mod"], LEGACY_BUILTINS)).toBe(false);
    expect(isInBuiltinOrder(["segment_arena"], LEGACY_BUILTINS)).toBe(false);
  });
});
