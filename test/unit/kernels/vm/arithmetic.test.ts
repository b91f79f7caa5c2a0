import { expect, test } from "bun:test";
import fc from "fast-check";
import { prepareProgram } from "#engine/cairo/program.ts";
import type { VmKernel } from "#kernels/vm/index.ts";
import { P } from "#test/helpers/reference/field.ts";
import { classOf, encode, push } from "#test/unit/engine/cairo/assembler.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { describeBuilds } from "./builds.ts";

/** Flags of `[dst] = [op0] op [op1], ap++`: operands in cells below ap, or an immediate. */
const [ADD, MUL, ADD_IMMEDIATE, MUL_IMMEDIATE] = [0x4830, 0x4850, 0x4824, 0x4844] as const;

/** Cells below the first number: a call frame. */
const FRAME = 2;

/**
 * Numbers near the powers of two that bound limbs, 128-bit products and reductions; both signs.
 */
const boundary = fc
  .tuple(
    fc.constantFrom(0, 1, 31, 32, 63, 64, 123, 125, 126, 127, 128, 191, 192, 250, 251),
    fc.bigInt(-2n, 2n),
  )
  .map(([bits, distance]) => ((((1n << BigInt(bits)) + distance) % P) + P) % P);
const number = fc.oneof(
  boundary,
  boundary.map((value) => (P - value) % P),
  fc.bigInt(0n, (1n << 64n) - 1n),
  fc.bigInt(0n, (1n << 128n) - 1n),
  fc.bigInt(0n, P - 1n),
);

/** Pushes a and b, executes one instruction, and reads its result cell. */
function calculate(kernel: VmKernel, a: bigint, b: bigint, words: readonly bigint[]): unknown[] {
  const bytecode = [...push(a), ...push(b), ...words];
  const placed = kernel.pin(prepareProgram(classOf(bytecode)).image);
  if (placed === undefined || !kernel.begin(placed, true)) throw new TypeError("no room");
  try {
    kernel.writeMany({ segment: 1, offset: 0 }, [0n, 0n]);
    kernel.setRegisters(0, FRAME, FRAME, 99);
    kernel.setStepLimit(3);
    expect(kernel.run(3)).toBe("slice");
    return kernel.readMany({ segment: 1, offset: FRAME + 2 }, 1);
  } finally {
    kernel.end();
    kernel.unpin(placed);
  }
}

const cells = (flags: number) => [encode({ off0: 0, off1: -2, off2: -1, flags })];
const immediate = (flags: number, value: bigint) => [
  encode({ off0: 0, off1: -2, off2: 1, flags }),
  value,
];
/** `[ap - 2] = [ap] + [ap - 1]`, from which the machine deduces `[ap]`. */
const unknown = [encode({ off0: -2, off1: 0, off2: -1, flags: ADD })];

describeBuilds("arithmetic of instructions", (kernel) => {
  test("equals that of the field for any two numbers", () => {
    assertProperty(
      fc.property(number, number, (a, b) => {
        const sum = (a + b) % P;
        const product = (a * b) % P;
        expect(calculate(kernel, a, b, cells(ADD))).toEqual([sum]);
        expect(calculate(kernel, a, b, immediate(ADD_IMMEDIATE, b))).toEqual([sum]);
        expect(calculate(kernel, a, b, unknown)).toEqual([(a - b + P) % P]);
        expect(calculate(kernel, a, b, cells(MUL))).toEqual([product]);
        expect(calculate(kernel, a, b, immediate(MUL_IMMEDIATE, b))).toEqual([product]);
      }),
      { numRuns: 300 },
    );
  });
});
