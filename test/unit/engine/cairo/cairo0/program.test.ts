import { expect, test } from "bun:test";
import { createCairoVm } from "#engine/cairo/index.ts";
import { ADD_SEGMENT, HINT_TEXTS } from "#engine/cairo/cairo0/hint-texts.ts";
import { prepareLegacyProgram } from "#engine/cairo/cairo0/program.ts";
import { HINT_CODES } from "#kernels/vm/index.ts";
import type { LegacyProgram } from "#protocol/chain/index.ts";
import { NO_SYSCALLS } from "#test/unit/engine/cairo/no-syscalls.ts";

const SYSCALL = "syscall_handler.storage_read(segments=segments, syscall_ptr=ids.syscall_ptr)";

function programWith(code: string): LegacyProgram {
  const hint = { code, apTracking: { group: 0, offset: 0 }, variables: new Map() };
  return {
    bytecode: [0x208b7fff7fff7ffen],
    builtins: [],
    hints: new Map([[0, [hint]]]),
    constants: new Map(),
    references: [],
    errorMessages: [],
    entryPoints: { EXTERNAL: [], L1_HANDLER: [], CONSTRUCTOR: [] },
  };
}

function kindOf(code: string): string {
  return prepareLegacyProgram(programWith(code)).actions[0]?.kind ?? "kernel";
}

test("prepareLegacyProgram recognises hints by their exact text", () => {
  expect([ADD_SEGMENT, SYSCALL, HINT_TEXTS.ASSERT_NN].map(kindOf)).toEqual([
    "kernel",
    "syscall",
    "library",
  ]);
});

test.each([
  ["a trailing blank", (code: string) => `${code} `],
  ["a leading blank", (code: string) => ` ${code}`],
  ["a trailing line break", (code: string) => `${code}\n`],
  ["a doubled blank", (code: string) => code.replace(" ", "  ")],
])("a hint with %s is unknown and quoted in the failure", (_, changed) => {
  for (const text of [ADD_SEGMENT, SYSCALL, HINT_TEXTS.ASSERT_NN]) {
    const code = changed(text);
    expect(kindOf(code)).toBe("unknown");
    const outcome = createCairoVm().runLegacy({
      program: programWith(code),
      entryPointOffset: 0,
      selector: 0n,
      calldata: [],
      stepBudget: { left: 10 },
      host: NO_SYSCALLS,
    });
    expect(outcome).toMatchObject({
      kind: "failed",
      failure: { message: `Unknown Hint: ${code}`, pc: "0:0", inHint: true },
    });
  }
});

test("add_segment becomes the kernel hint alloc_segment at ap", () => {
  const { hintWords } = prepareLegacyProgram(programWith(ADD_SEGMENT)).image;
  expect([...hintWords]).toEqual([1, HINT_CODES.indexOf("alloc_segment"), 0]);
});
