import { describe, expect, test } from "bun:test";
import { entryPointBuiltinsProblem } from "#engine/cairo/builtin-order.ts";
import {
  ENTRY_POINT_BUILTINS,
  isInBuiltinOrder,
  LEGACY_BUILTINS,
} from "#protocol/versions/index.ts";

// Orders: starknet_api and cairo-lang-sierra-to-casm for Cairo 1, cairo-lang for Cairo 0.
describe("the order of builtins", () => {
  test("some of the allowed ones in their order are good", () => {
    expect(isInBuiltinOrder([], LEGACY_BUILTINS)).toBe(true);
    expect(isInBuiltinOrder(["pedersen", "ecdsa", "poseidon"], LEGACY_BUILTINS)).toBe(true);
    expect(isInBuiltinOrder(LEGACY_BUILTINS, LEGACY_BUILTINS)).toBe(true);
    expect(entryPointBuiltinsProblem(ENTRY_POINT_BUILTINS)).toBeUndefined();
    expect(entryPointBuiltinsProblem(["range_check", "segment_arena", "mul_mod"])).toBeUndefined();
  });

  test.each([
    ["another order", ["range_check", "pedersen"]],
    ["one twice", ["pedersen", "pedersen"]],
    ["one that is not allowed", ["pedersen", "keccak"]],
  ] as const)("%s is not", (_, builtins) => {
    expect(isInBuiltinOrder(builtins, LEGACY_BUILTINS)).toBe(false);
    expect(entryPointBuiltinsProblem(builtins)).toBe(
      `Entry point uses unsupported builtins or an invalid builtin order: [${builtins.join(", ")}].`,
    );
  });

  test("signatures are for Cairo 0, modular arithmetic and the arena for Cairo 1", () => {
    expect(isInBuiltinOrder(["ecdsa"], ENTRY_POINT_BUILTINS)).toBe(false);
    expect(isInBuiltinOrder(["add_mod"], LEGACY_BUILTINS)).toBe(false);
    expect(isInBuiltinOrder(["segment_arena"], LEGACY_BUILTINS)).toBe(false);
  });
});
