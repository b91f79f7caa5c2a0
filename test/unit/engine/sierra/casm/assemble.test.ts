import { expect, test } from "bun:test";
import { assemble } from "#engine/sierra/casm/assemble.ts";
import type { Hint } from "#engine/sierra/casm/hint.ts";
import type { Instruction, InstructionBody } from "#engine/sierra/casm/instruction.ts";
import { apCell, deref, fpCell, immediate } from "#engine/sierra/casm/operand.ts";

const RET = 0x208b7fff7fff7ffen;

const line = (body: InstructionBody, incAp = false, hints: readonly Hint[] = []): Instruction => ({
  body,
  incAp,
  hints,
});

const store = (b: InstructionBody & { kind: "assert_eq" }): Instruction => line(b, true);
const number = (value: number): Instruction =>
  store({ kind: "assert_eq", a: apCell(0), b: immediate(value) });

// Vector of the encoder tests in the reference compiler.
test("assemble lays out instructions in sequence", () => {
  const a = apCell(0);
  const instructions = [
    number(1),
    number(1),
    number(13),
    line({ kind: "call", target: immediate(3), relative: true }),
    line({ kind: "ret" }),
    line({ kind: "jnz", target: immediate(5), condition: fpCell(-3) }),
    store({ kind: "assert_eq", a, b: deref(fpCell(-5)) }),
    line({ kind: "jump", target: immediate(8), relative: true }),
  ];
  expect(assemble({ instructions, constSegments: [] }).bytecode).toEqual([
    ...[0x480680017fff8000n, 1n, 0x480680017fff8000n, 1n, 0x480680017fff8000n, 13n],
    ...[0x1104800180018000n, 3n, RET, 0x20780017fff7ffdn, 5n],
    ...[0x480a7ffb7fff8000n, 0x10780017fff7fffn, 8n],
  ]);
});

test("assemble starts each constant segment with a return and keeps its values", () => {
  const constSegments = [{ values: [5n, -1n] }, { values: [] }, { values: [7n] }];
  const { bytecode } = assemble({ instructions: [line({ kind: "ret" })], constSegments });
  expect(bytecode).toEqual([RET, RET, 5n, -1n, RET, RET, 7n]);
});

test("assemble maps hints to the felt offset of their instruction", () => {
  const hint: Hint = { name: "AllocSegment", fields: [] };
  const other: Hint = { name: "Other", fields: [] };
  const instructions = [
    number(1),
    line({ kind: "ret" }, false, [hint, other]),
    line({ kind: "ret" }),
    line({ kind: "ret" }, false, [hint]),
  ];
  expect(assemble({ instructions, constSegments: [] }).hints).toEqual([
    [2, [hint, other]],
    [4, [hint]],
  ]);
});
