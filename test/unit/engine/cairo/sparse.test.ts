import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createCairoVm, type RunOutcome, type SyscallHost } from "#engine/cairo/index.ts";
import { DEFAULT_MEMORY_BYTES } from "#engine/cairo/memory-limit.ts";
import { LAYOUT } from "#kernels/vm/index.ts";
import { BUILT_IN_CONSTANTS, compareProtocolVersions } from "#protocol/versions/index.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { runReference } from "#test/helpers/reference/vm/machine.ts";
import {
  classOf,
  encode,
  felt,
  jump,
  push,
  pushFromFp,
  RETURN,
  returningCalldata,
  runBytecode,
} from "./assembler.ts";
import { advance, writeFp } from "./memory-programs.ts";

const MIB = 2 ** 20;
const OPTIONS = { calldata: [7n], maxSteps: 400 };

/** The entire address space. */
const maxSpanBytes = 2 ** 32;
const whole = createCairoVm({ maxSpanBytes });
const fast = createCairoVm({ maxSpanBytes, maxMemoryBytes: 512 * MIB });
const slow = createCairoVm({ maxSpanBytes, maxMemoryBytes: 512 * MIB, slowPath: true });

/** `[ap + offset] = value` */
function writeAp(offset: number, value: bigint): bigint[] {
  return [encode({ off0: offset, off1: -1, off2: 1, flags: 0x4006 }), value];
}

/** `call rel 2; [ap] = [ap - 2] + distance; ap++; [ap] = value; ap++; [[ap - 2]] = [ap - 1]` */
function writeFar(distance: number, value: bigint): bigint[] {
  // The function body is placed inline; it returns to the instruction after itself.
  const body = [
    ...[encode({ off0: 0, off1: -2, off2: 1, flags: 0x4824 }), felt(BigInt(distance))],
    ...push(value),
    encode({ off0: -1, off1: -2, off2: 0, flags: 0x4000 }),
  ];
  return called(body);
}

/** Calls a function with this body, placed inline. */
function called(body: readonly bigint[]): bigint[] {
  const call = [encode({ off0: 0, off1: 1, off2: 1, flags: 0x1104 }), 4n];
  return [...call, ...jump(body.length + 3), ...body, ...RETURN];
}

const cells = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.constantFrom(127, 128, 129, 1023, 1024, 1025, 1026, 4095, 4096, 4097),
  fc.integer({ min: 4, max: 32_767 }),
);
const distance = fc.oneof(
  { weight: 4, arbitrary: cells },
  { weight: 2, arbitrary: fc.integer({ min: 32_768, max: 300_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 300_000, max: 9_000_000 }) },
);
const number = fc.bigInt(1n, 1n << 70n);

const statement = fc.oneof(
  { weight: 3, arbitrary: number.map(push) },
  { weight: 4, arbitrary: distance.map(advance) },
  { weight: 1, arbitrary: cells.map((count) => advance(-count)) },
  { weight: 4, arbitrary: fc.tuple(cells, number).map(([at, value]) => writeFp(at, value)) },
  { weight: 2, arbitrary: fc.tuple(cells, number).map(([at, value]) => writeAp(at, value)) },
  { weight: 2, arbitrary: cells.map((at) => writeAp(-at, 5n)) },
  { weight: 2, arbitrary: cells.map(pushFromFp) },
  { weight: 2, arbitrary: fc.tuple(distance, number).map(([at, value]) => writeFar(at, value)) },
);
const body = fc.array(statement, { maxLength: 12 }).map((parts) => parts.flat());
const program = fc
  .array(
    fc.oneof(
      statement,
      body.map(called),
      body.map((inner) => called(called(inner))),
    ),
    {
      maxLength: 8,
    },
  )
  .map((parts) => classOf(returningCalldata(parts.flat())));

function comparable(outcome: RunOutcome): unknown {
  if (outcome.kind === "cancelled" || outcome.kind === "out_of_memory") return outcome;
  const { steps, memoryHoles } = outcome.resources;
  if (outcome.kind !== "returned") return { pc: outcome.failure.pc, steps };
  return { retdata: outcome.retdata.toArray(), steps, holes: memoryHoles };
}

describe("programs that pass over memory", () => {
  test("behave as on the slow path and the reference machine, in sequence on one machine", () => {
    let returned = 0;
    assertProperty(
      fc.property(program, (casm) => {
        const outcome = runBytecode(casm, OPTIONS, fast);
        expect(runBytecode(casm, OPTIONS, slow)).toEqual(outcome);
        const call = { casm, entryPointOffset: 0, builtins: [], gas: 1_000_000n };
        const expected = runReference({ ...call, ...OPTIONS, builtinCosts: [] });
        if (expected.kind === "returned") {
          returned++;
          const { retdata, steps, holes } = expected;
          expect(comparable(outcome)).toEqual({ retdata, steps, holes });
        } else if (expected.kind === "failed") {
          expect(comparable(outcome)).toEqual({ pc: expected.pc, steps: expected.steps });
        }
      }),
      { numRuns: 1500, minRuns: 200 },
    );
    expect(returned).toBeGreaterThan(bySize({ quick: 20, full: 200 }));
  }, 60_000);

  test("may touch a limited number of pages at any address", () => {
    const vm = createCairoVm({ maxSpanBytes, maxMemoryBytes: MIB });
    const pages = (count: number): bigint[] =>
      Array.from({ length: count }, (_, i) => writeFp(128 * i + 40, BigInt(i))).flat();
    const run = (count: number): string => {
      const casm = classOf(returningCalldata([...advance(100_000), ...pages(count)]));
      return runBytecode(casm, {}, vm).kind;
    };
    // 256 pages, some of which segments and the end of the run take.
    expect(run(240)).toBe("returned");
    expect(run(256)).toBe("out_of_memory");
    expect(run(240)).toBe("returned");
  });

  test("leave nothing behind when they are cancelled", () => {
    let looks = 0;
    let allowed = Number.POSITIVE_INFINITY;
    const vm = createCairoVm({
      maxSpanBytes,
      maxMemoryBytes: 64 * MIB,
      slowPath: true,
      isOver: () => ++looks > allowed,
    });
    const gap = [...writeFp(3, 1n), ...advance(200_000), ...writeFp(70, 1n), ...writeFp(9000, 1n)];
    const endless = classOf([...gap, ...push(1n), ...jump(-2)]);
    const other = [
      ...writeFp(3, 2n),
      ...advance(200_000),
      ...writeFp(70, 2n),
      ...writeFp(9000, 2n),
    ];
    const pushes = Array.from({ length: 1000 }, () => push(2n)).flat();
    const casm = classOf(returningCalldata([...other, ...pushes]));
    for (const most of [2, 3, 4, 5]) {
      looks = 0;
      allowed = most;
      expect(runBytecode(endless, { maxSteps: 1e8 }, vm).kind).toBe("cancelled");
      allowed = Number.POSITIVE_INFINITY;
      expect(runBytecode(casm, {}, vm)).toEqual(runBytecode(casm, {}, slow));
    }
  });

  test("continue correctly after an inner run has cleared its memory", () => {
    const inner = classOf(
      returningCalldata([...advance(50_000), ...writeFp(9, 8n), ...advance(9000), ...push(8n)]),
    );
    const hint = { SystemCall: { system: { Deref: { register: "FP", offset: -5 } } } };
    const call = [...push(1n), ...push(2n)];
    const writes = [...advance(40_000), ...writeFp(4, 3n), ...call, ...writeFp(90, 4n)];
    const casm = classOf(
      returningCalldata([
        ...writes,
        ...pushFromFp(4),
        ...pushFromFp(90),
        ...advance(3000),
        ...call,
      ]),
      { 4: [hint] },
    );
    const kinds: string[] = [];
    const host: SyscallHost = {
      syscall(_memory, frame) {
        kinds.push(runBytecode(inner, {}, fast).kind, runBytecode(inner, {}, fast).kind);
        return { kind: "done", nextPtr: { ...frame, offset: frame.offset + 1 } };
      },
    };
    const first = runBytecode(casm, { host }, fast);
    expect(first.kind).toBe("returned");
    expect(runBytecode(casm, { host }, fast)).toEqual(first);
    expect(kinds).toEqual(Array.from({ length: 4 }, () => "returned"));
  });
});

describe("the execution segment and other segments", () => {
  const LIMIT = 16 * MIB;
  /** From the first cell of the execution segment to the end of all cell memory, in bytes. */
  const SPAN = 4 * LIMIT + (LAYOUT.GUARDS - 1) * LAYOUT.GUARD_BYTES;
  const FIVES = Array.from({ length: (4 * MIB) / LAYOUT.CELL_BYTES }, () => 5n);

  /**
   * Runs a program whose hint before its cell `at` fills 4 MiB of a new segment, which takes 8
   * MiB.
   */
  function filling(at: number, program: readonly bigint[]): string {
    const hint = { SystemCall: { system: { Deref: { register: "FP", offset: -5 } } } };
    const host: SyscallHost = {
      syscall(memory, frame) {
        memory.writeFelts(memory.addSegment(), FIVES);
        return { kind: "done", nextPtr: { ...frame, offset: frame.offset + 1 } };
      },
    };
    const vm = createCairoVm({ maxSpanBytes, maxMemoryBytes: LIMIT });
    return runBytecode(classOf(program, { [at]: [hint] }), { host }, vm).kind;
  }

  test("share no memory: a pointer past one does not reach the others", () => {
    const reads = (bytes: number): string => {
      const far = felt(BigInt(bytes / LAYOUT.CELL_BYTES));
      const pointer = [encode({ off0: 0, off1: -2, off2: 1, flags: 0x4824 }), far];
      const body = [...pointer, encode({ off0: 0, off1: -1, off2: 0, flags: 0x4800 })];
      return filling(0, returningCalldata([...push(1n), ...called(body)]));
    };
    expect(reads(0)).toBe("returned");
    for (let below = 1; below <= 9; below++) {
      expect(reads(SPAN - below * MIB)).toBe("failed");
    }
  });

  test("do not grow into each other", () => {
    const guards = 2 * LAYOUT.GUARD_BYTES;
    const withGap = (bytes: number): string =>
      filling(2, returningCalldata([...advance((SPAN - bytes) / LAYOUT.CELL_BYTES), ...push(1n)]));
    expect(withGap(12 * MIB + guards)).toBe("returned");
    expect(withGap(5 * MIB + guards)).toBe("out_of_memory");
  });
});

test("gas is exhausted before memory in all versions that meter gas", () => {
  const versions = BUILT_IN_CONSTANTS.versions.filter(
    (version) => compareProtocolVersions(version, "0.13.4") >= 0,
  );
  expect(versions.length).toBeGreaterThan(5);
  for (const version of versions) {
    const { os } = BUILT_IN_CONSTANTS.at(version);
    const cells = os.executeMaxSierraGas / os.memoryHoleGasCost;
    expect(Number(cells) * LAYOUT.CELL_BYTES).toBeLessThan(DEFAULT_MEMORY_BYTES);
    // A step takes two cells.
    expect(os.stepGasCost).toBeGreaterThanOrEqual(2n * os.memoryHoleGasCost);
    const run = runBytecode(
      classOf(returningCalldata([...advance(Number(cells) - 100), ...push(1n)])),
      {},
      whole,
    );
    expect(run.kind).toBe("returned");
  }
});
