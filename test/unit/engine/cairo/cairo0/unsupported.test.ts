import { describe, expect, test } from "bun:test";
import { createCairoVm, unsupportedInLegacy } from "#engine/cairo/index.ts";
import { ADD_SEGMENT, HINT_TEXTS } from "#engine/cairo/cairo0/hint-texts.ts";
import { IMMEDIATE, legacyProgram, QM31, RETURN } from "#test/helpers/unsupported-programs.ts";
import { NO_SYSCALLS } from "#test/unit/engine/cairo/calls.ts";

const SYSCALL = "syscall_handler.storage_read(segments=segments, syscall_ptr=ids.syscall_ptr)";

/** Failure of running a program from its first instruction. */
function failureOf(parts: Parameters<typeof legacyProgram>[0]) {
  const outcome = createCairoVm().runLegacy({
    program: legacyProgram(parts),
    entryPointOffset: 0,
    selector: 0n,
    calldata: [],
    stepBudget: { left: 10 },
    host: NO_SYSCALLS,
  });
  return outcome.kind === "failed" ? outcome.failure : outcome;
}

describe("unsupportedInLegacy", () => {
  test("finds a hint with an unknown text at any position", () => {
    const known = [ADD_SEGMENT, SYSCALL, HINT_TEXTS.ASSERT_NN];
    expect(unsupportedInLegacy(legacyProgram({ hints: [[0, known]] }))).toBeUndefined();
    const hints = [
      [0, known],
      [7, [...known, "print(ids.x)", "second"]],
    ] as const;
    expect(unsupportedInLegacy(legacyProgram({ hints }))).toBe(
      "the hint at program counter 7: print(ids.x)",
    );
  });

  test("truncates a long hint", () => {
    const text = unsupportedInLegacy(legacyProgram({ hints: [[0, ["x".repeat(100_000)]]] }));
    expect(text).toBe(`the hint at program counter 0: ${"x".repeat(2_000)}…`);
  });

  test.each([
    ["first", [QM31, 5n, RETURN], 0],
    ["after one with an immediate", [IMMEDIATE, QM31, QM31, 5n, RETURN], 2],
    ["last", [RETURN, QM31], 1],
  ])("finds an instruction of the QM31 extension: %s", (_, bytecode, at) => {
    expect(unsupportedInLegacy(legacyProgram({ bytecode }))).toBe(
      `the QM31 instruction at program counter ${at}`,
    );
  });

  const flag = (bit: bigint): bigint => QM31 ^ (1n << (48n + bit));

  test.each([
    ["an immediate", [IMMEDIATE, QM31, RETURN]],
    ["a word with an invalid result", [flag(5n)]],
    ["a word with an invalid operand", [flag(2n)]],
    ["a word with an invalid jump", [flag(7n)]],
    ["a word with an invalid opcode", [flag(14n)]],
    ["an instruction of another extension", [QM31 - (1n << 63n)]],
    ["an instruction of an unknown extension", [QM31 + (1n << 63n)]],
  ])("ignores %s", (_, bytecode) => {
    expect(unsupportedInLegacy(legacyProgram({ bytecode }))).toBeUndefined();
  });
});

describe("a run that reaches an unsupported part is marked as unsupported:", () => {
  test.each([
    ["a hint", { hints: [[0, ["print(1)"]]] as const }, "Unknown Hint: print(1)"],
    [
      "an instruction",
      { bytecode: [QM31, 5n, RETURN] },
      "Instructions of the QM31 extension are not supported.",
    ],
  ])("%s", (_, parts, message) => {
    expect(failureOf(parts)).toMatchObject({ message, isUnsupported: true });
  });

  test("an ordinary failure is not marked as unsupported", () => {
    expect(failureOf({ bytecode: [0n] })).not.toHaveProperty("isUnsupported");
    expect(failureOf({ hints: [[0, [HINT_TEXTS.ASSERT_NN]]] })).not.toHaveProperty("isUnsupported");
  });
});
