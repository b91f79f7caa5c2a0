import { describe, expect, test } from "bun:test";
import { createCairoVm, unsupportedInLegacy } from "#engine/cairo/index.ts";
import { ADD_SEGMENT, HINT_TEXTS } from "#engine/cairo/cairo0/hint-texts.ts";
import { IMMEDIATE, legacyProgram, QM31, RETURN } from "#test/helpers/unsupported-programs.ts";
import { NO_SYSCALLS } from "#test/unit/engine/cairo/calls.ts";

const SYSCALL = "syscall_handler.storage_read(segments=segments, syscall_ptr=ids.syscall_ptr)";

/** How a run of a program from its beginning fails. */
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

describe("what a Cairo 0 program has that this machine cannot execute", () => {
  test("is a hint that is not known by its exact text, wherever it is", () => {
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

  test("is shown as far as people read it", () => {
    const text = unsupportedInLegacy(legacyProgram({ hints: [[0, ["x".repeat(100_000)]]] }));
    expect(text).toBe(`the hint at program counter 0: ${"x".repeat(2_000)}…`);
  });

  test.each([
    ["first", [QM31, 5n, RETURN], 0],
    ["behind one with an immediate", [IMMEDIATE, QM31, QM31, 5n, RETURN], 2],
    ["last", [RETURN, QM31], 1],
  ])("is an instruction of the QM31 extension, %s", (_, bytecode, at) => {
    expect(unsupportedInLegacy(legacyProgram({ bytecode }))).toBe(
      `the QM31 instruction at program counter ${at}`,
    );
  });

  const flag = (bit: bigint): bigint => QM31 ^ (1n << (48n + bit));

  test.each([
    ["an immediate", [IMMEDIATE, QM31, RETURN]],
    ["no instruction by its result", [flag(5n)]],
    ["no instruction by its operand", [flag(2n)]],
    ["no instruction by its jump", [flag(7n)]],
    ["no instruction by its opcode", [flag(14n)]],
    ["of another extension", [QM31 - (1n << 63n)]],
    ["of an extension that there is not", [QM31 + (1n << 63n)]],
  ])("is no word that is %s", (_, bytecode) => {
    expect(unsupportedInLegacy(legacyProgram({ bytecode }))).toBeUndefined();
  });
});

describe("a run that reaches it says that nothing can be said", () => {
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

  test("but not where something else is wrong", () => {
    expect(failureOf({ bytecode: [0n] })).not.toHaveProperty("isUnsupported");
    expect(failureOf({ hints: [[0, [HINT_TEXTS.ASSERT_NN]]] })).not.toHaveProperty("isUnsupported");
  });
});
