import { describe, expect, test } from "bun:test";
import { InvariantError } from "#base/errors/index.ts";
import { encodeInstruction } from "#engine/sierra/casm/encode.ts";
import type { InstructionBody } from "#engine/sierra/casm/instruction.ts";
import { apCell, deref, fpCell, immediate } from "#engine/sierra/casm/operand.ts";

const encode = (body: InstructionBody, incAp = false): bigint[] =>
  encodeInstruction({ body, incAp, hints: [] });

const relative = (kind: "jump" | "call", distance: number): InstructionBody => ({
  kind,
  target: immediate(distance),
  relative: true,
});

/** Vectors of the encoder tests in the reference compiler. */
const VECTORS: readonly (readonly [string, InstructionBody, boolean, readonly bigint[]])[] = [
  [
    "jmp abs 3",
    { kind: "jump", target: immediate(3), relative: false },
    false,
    [0x8780017fff7fffn, 3n],
  ],
  ["jmp rel -5, ap++", relative("jump", -5), true, [0x90780017fff7fffn, -5n]],
  [
    "call abs 3",
    { kind: "call", target: immediate(3), relative: false },
    false,
    [0x1084800180018000n, 3n],
  ],
  ["call rel -5", relative("call", -5), false, [0x1104800180018000n, -5n]],
  [
    "jmp rel 205 if [ap + 5] != 0",
    { kind: "jnz", target: immediate(205), condition: apCell(5) },
    false,
    [0x20680017fff8005n, 205n],
  ],
  [
    "jmp rel 2 if [ap - 1] != 0, ap++",
    { kind: "jnz", target: immediate(2), condition: apCell(-1) },
    true,
    [0xa0680017fff7fffn, 2n],
  ],
  [
    "jmp rel 5 if [fp - 3] != 0",
    { kind: "jnz", target: immediate(5), condition: fpCell(-3) },
    false,
    [0x20780017fff7ffdn, 5n],
  ],
  [
    "[ap + 5] = 205",
    { kind: "assert_eq", a: apCell(5), b: immediate(205) },
    false,
    [0x400680017fff8005n, 205n],
  ],
  ["ret", { kind: "ret" }, false, [0x208b7fff7fff7ffen]],
  ["ap += 205", { kind: "add_ap", operand: immediate(205) }, false, [0x40780017fff7fffn, 205n]],
  [
    "[ap] = [fp - 5], ap++",
    { kind: "assert_eq", a: apCell(0), b: deref(fpCell(-5)) },
    true,
    [0x480a7ffb7fff8000n],
  ],
  [
    "[ap] = [ap - 3], ap++",
    { kind: "assert_eq", a: apCell(0), b: deref(apCell(-3)) },
    true,
    [0x48127ffd7fff8000n],
  ],
  [
    "[ap] = [fp - 5] + [fp - 4], ap++",
    {
      kind: "assert_eq",
      a: apCell(0),
      b: { kind: "bin_op", op: "add", a: fpCell(-5), b: deref(fpCell(-4)) },
    },
    true,
    [0x482a7ffc7ffb8000n],
  ],
  [
    "[fp - 3] = [ap] + 1, ap++",
    {
      kind: "assert_eq",
      a: fpCell(-3),
      b: { kind: "bin_op", op: "add", a: apCell(0), b: immediate(1) },
    },
    true,
    [0x4825800180007ffdn, 1n],
  ],
  [
    "blake2s, not final",
    {
      kind: "blake2s_compress",
      state: fpCell(0),
      message: apCell(0),
      byteCount: fpCell(-1),
      finalize: false,
    },
    true,
    [0x8813800080007fffn],
  ],
  [
    "blake2s, final",
    {
      kind: "blake2s_compress",
      state: fpCell(0),
      message: apCell(0),
      byteCount: fpCell(-1),
      finalize: true,
    },
    true,
    [0x1_0813_8000_8000_7fffn],
  ],
  [
    "QM31 [ap] = [fp - 3], ap++",
    { kind: "qm31_assert_eq", a: apCell(0), b: deref(fpCell(-3)) },
    true,
    [0x1_c80a_7ffd_7fff_8000n],
  ],
  [
    "QM31 [ap + 2] = [fp - 1] + 8",
    {
      kind: "qm31_assert_eq",
      a: apCell(2),
      b: { kind: "bin_op", op: "add", a: fpCell(-1), b: immediate(8) },
    },
    false,
    [0x1_c026_8001_7fff_8002n, 8n],
  ],
];

describe("encodeInstruction agrees with the reference compiler:", () => {
  for (const [text, body, incAp, expected] of VECTORS) {
    test(text, () => expect(encode(body, incAp)).toEqual([...expected]));
  }
});

// From the tables of the Cairo whitepaper, section 4.4: offsets with a bias of 2^15, then flags.
describe("encodeInstruction sets the flags", () => {
  const flagsOf = (body: InstructionBody): bigint => (encode(body)[0] ?? 0n) >> 48n;

  test("of a double dereference", () => {
    const body = (cell: ReturnType<typeof apCell>): InstructionBody => ({
      kind: "assert_eq",
      a: apCell(0),
      b: { kind: "double_deref", cell, offset: 7 },
    });
    expect(encode(body(apCell(-2)))).toEqual([0x4000_8007_7ffe_8000n]);
    expect(encode(body(fpCell(-2)))).toEqual([0x4002_8007_7ffe_8000n]);
  });

  test("of a product", () => {
    const b = { kind: "bin_op", op: "mul", a: apCell(-1), b: deref(apCell(-2)) } as const;
    expect(flagsOf({ kind: "assert_eq", a: apCell(0), b })).toBe(0x4050n);
  });

  test("of a relative jump to the value of a cell", () => {
    expect(encode({ kind: "jump", target: deref(apCell(-1)), relative: true })).toEqual([
      0x0113_7fff_7fff_7fffn,
    ]);
  });

  test("of the lowest and the highest offset", () => {
    const body: InstructionBody = { kind: "assert_eq", a: apCell(-32768), b: deref(fpCell(32767)) };
    expect(encode(body)).toEqual([0x400a_ffff_7fff_0000n]);
  });
});

test("encodeInstruction rejects ap++ for instructions that move ap themselves", () => {
  const bodies: InstructionBody[] = [
    { kind: "ret" },
    relative("call", 2),
    { kind: "add_ap", operand: immediate(1) },
  ];
  for (const body of bodies) expect(() => encode(body, true)).toThrow(InvariantError);
});
