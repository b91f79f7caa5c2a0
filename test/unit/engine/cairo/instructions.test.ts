import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createCairoVm, type RunOutcome } from "#engine/cairo/index.ts";
import { FIELD_PRIME } from "#base/primitives/index.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { runReference } from "#test/helpers/reference/vm/machine.ts";
import { classOf, encode, jump, push, returningCalldata, runBytecode } from "./assembler.ts";

const fast = createCairoVm();
const slow = createCairoVm({ slowPath: true });

const value = fc.oneof(
  fc.bigInt(0n, 4n),
  fc.bigInt(1n, 4n).map((small) => FIELD_PRIME - small),
  fc.bigInt(0n, FIELD_PRIME - 1n),
  fc.constantFrom(1n << 64n, (1n << 64n) - 1n, (1n << 128n) - 1n, FIELD_PRIME - (1n << 128n)),
);

const offset = fc.integer({ min: -7, max: 2 });

/** Instruction shapes of compiled code, so that programs run more than a few steps. */
const usual = fc
  .record({
    dstFp: fc.integer({ min: 0, max: 1 }),
    op0Fp: fc.integer({ min: 0, max: 1 }),
    source: fc.constantFrom(0, 1, 1, 2, 4, 4),
    logic: fc.constantFrom(0, 1, 1, 2),
    increment: fc.constantFrom(0, 2, 2),
    opcode: fc.constantFrom(4, 4, 4, 4, 0),
    off0: fc.oneof(fc.constant(0), offset),
    off1: fc.oneof(fc.constant(-1), offset),
    off2: offset,
    immediate: value,
  })
  .map((r) => {
    const flags =
      r.dstFp |
      (r.op0Fp << 1) |
      (r.source << 2) |
      (r.logic << 5) |
      (r.increment << 10) |
      (r.opcode << 12);
    const off2 = r.source === 1 ? 1 : r.off2;
    const word = encode({ off0: r.off0, off1: r.off1, off2, flags });
    return r.source === 1 ? [word, r.immediate] : [word];
  });

const jumps = fc
  .record({
    flags: fc.constantFrom(0x0107, 0x0206, 0x0207, 0x1104, 0x1084, 0x0407, 0x010b, 0x0113, 0x0110),
    off0: offset,
    off2: offset,
    distance: fc.constantFrom(0n, 1n, 2n, 3n, 4n, 5n, FIELD_PRIME - 2n, FIELD_PRIME - 4n),
  })
  .map(({ flags, off0, off2, distance }) => {
    const isCall = flags >> 12 === 1;
    const isImmediate = ((flags >> 2) & 7) === 1;
    const word = encode({
      off0: isCall ? 0 : (flags & 1) === 1 && (flags >> 7) % 8 !== 4 ? -1 : off0,
      off1: isCall ? 1 : -1,
      off2: isImmediate ? 1 : off2,
      flags: isCall ? flags : flags | 2,
    });
    return isImmediate ? [word, distance] : [word];
  });

const anyWord = fc.bigInt(0n, (1n << 66n) - 1n).map((word) => [word]);

const bytecode = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: value.map(push) },
      { weight: 8, arbitrary: usual },
      { weight: 3, arbitrary: jumps },
      { weight: 1, arbitrary: fc.constant([0x208b7fff7fff7ffen]) },
      { weight: 1, arbitrary: anyWord },
    ),
    { minLength: 1, maxLength: 30 },
  )
  .map((parts) => parts.flat());

const CALLDATA = [5n, 6n, FIELD_PRIME - 1n];
const COSTS = [11n, 22n];
const MAX_STEPS = 300;

function comparable(outcome: RunOutcome): unknown {
  if (outcome.kind === "cancelled" || outcome.kind === "out_of_memory") return outcome;
  const { steps, memoryHoles } = outcome.resources;
  if (outcome.kind !== "returned") {
    return outcome.failure.pc === null ? "refused result" : { pc: outcome.failure.pc, steps };
  }
  const { panicked, gasLeft } = outcome;
  const retdata = outcome.retdata.toArray();
  return { panicked, retdata, gasLeft, steps, holes: memoryHoles };
}

describe("arbitrary programs", () => {
  test("fast handlers agree with the slow path", () => {
    assertProperty(
      fc.property(bytecode, (words) => {
        const casm = classOf(words);
        const options = { calldata: CALLDATA, builtinCosts: COSTS, maxSteps: MAX_STEPS };
        expect(runBytecode(casm, options, fast)).toEqual(runBytecode(casm, options, slow));
      }),
      { numRuns: 3000 },
    );
  });

  test("the kernel stops where the reference machine stops", () => {
    assertProperty(
      fc.property(bytecode, (words) => {
        const casm = classOf(returningCalldata(words));
        const options = { calldata: CALLDATA, builtinCosts: COSTS, maxSteps: MAX_STEPS };
        const ran = runBytecode(casm, options, fast);
        // E.g. a jump of the allocation pointer: the reference machine has no limit.
        if (ran.kind === "out_of_memory") return;
        const outcome = comparable(ran);
        const expected = runReference({
          ...options,
          casm,
          entryPointOffset: 0,
          builtins: [],
          gas: 1_000_000n,
        });
        if (expected.kind === "unsupported") return;
        if (expected.kind === "refused") {
          expect(outcome).toBe("refused result");
          return;
        }
        if (expected.kind === "failed") {
          expect(outcome).toEqual({ pc: expected.pc, steps: expected.steps });
          return;
        }
        const { panicked, retdata, gasLeft, steps, holes } = expected;
        expect(outcome).toEqual({ panicked, retdata, gasLeft, steps, holes });
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ["pedersen", 3, 2],
    ["bitwise", 5, 2],
    ["poseidon", 6, 3],
    ["keccak", 16, 8],
    ["segment_arena", 3, 3],
    ["range_check96", 1, 1],
    ["add_mod", 7, 7],
  ] as const)("writes to %s cells end as on the slow path", (builtin, cells, inputs) => {
    // [ap - 1] = [[fp - 7] + offset], in two instances.
    const assign = (value: bigint, offset: number): bigint[] => [
      ...push(value),
      encode({ off0: -1, off1: -7, off2: offset, flags: 0x4002 }),
    ];
    for (let offset = 0; offset < 2 * cells; offset++) {
      const first = offset - (offset % cells);
      const given = Array.from({ length: inputs }, (_, i) => assign(5n + BigInt(i), first + i));
      for (const value of [0n, 9n, 1n << 100n]) {
        const casm = classOf([...given.flat(), ...assign(value, offset), ...returningCalldata([])]);
        const options = { builtins: [builtin], maxSteps: MAX_STEPS } as const;
        const outcome = runBytecode(casm, options, slow);
        expect(runBytecode(casm, options, fast)).toEqual(outcome);
        if (offset >= first + inputs) expect(outcome.kind).toBe("failed");
      }
    }
  });

  test("a jump past the program fails at its target", () => {
    const outcome = runBytecode(classOf(jump(100)));
    expect(outcome).toMatchObject({
      kind: "failed",
      failure: { message: "Unknown memory cell at address 0:100", pc: "0:100" },
    });
  });
});
