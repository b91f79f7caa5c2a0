import { expect, test } from "bun:test";
import fc from "fast-check";
import type { VmKernel } from "#kernels/vm/index.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { P } from "#test/helpers/reference/field.ts";
import { prepareProgram } from "#engine/cairo/program.ts";
import { classOf } from "#test/unit/engine/cairo/assembler.ts";
import { describeBuilds, input, output } from "./builds.ts";

interface Access {
  readonly key: bigint;
  readonly value: bigint;
}

/** A hint with the values that it must write at ap. */
interface Expectation {
  readonly hint: unknown;
  readonly outputs: readonly bigint[];
}

/** Frame cells: arena pointer, dictionary pointer, range check pointer. */
const [ARENA, DICTIONARY, RANGE_CHECK] = [0, 1, 2] as const;
const FRAME = 2;

function constant(value: number | bigint): unknown {
  return { Immediate: `0x${value.toString(16)}` };
}

function plus(cell: number, distance: number): unknown {
  return { BinOp: { op: "Add", a: { register: "FP", offset: cell }, b: constant(distance) } };
}

function accessHints(accesses: readonly Access[]): Expectation[] {
  return accesses.flatMap(({ key, value }, i) => [
    {
      hint: { Felt252DictEntryInit: { dict_ptr: plus(DICTIONARY, 3 * i), key: constant(key) } },
      outputs: [],
    },
    {
      hint: {
        Felt252DictEntryUpdate: { dict_ptr: plus(DICTIONARY, 3 * i + 3), value: constant(value) },
      },
      outputs: [],
    },
  ]);
}

/** The squashing hints and their expected outputs. */
function squashHints(accesses: readonly Access[]): Expectation[] {
  const numbers = Map.groupBy(accesses.keys(), (i) => (accesses[i] as Access).key);
  const keys = [...numbers.keys()].toSorted((a, b) => (a < b ? -1 : 1));
  const isBig = (keys.at(-1) as bigint) >> 128n > 0n;
  const hints: Expectation[] = [
    {
      hint: {
        InitSquashData: {
          ...{ dict_accesses: input(DICTIONARY), ptr_diff: constant(3 * accesses.length) },
          ...{ n_accesses: constant(accesses.length), big_keys: output(0), first_key: output(1) },
        },
      },
      outputs: [isBig ? 1n : 0n, keys[0] as bigint],
    },
  ];
  for (const [position, key] of keys.entries()) {
    const list = numbers.get(key) as number[];
    hints.push({
      hint: { GetCurrentAccessIndex: { range_check_ptr: plus(RANGE_CHECK, position) } },
      outputs: [],
    });
    hints.push({
      hint: { ShouldSkipSquashLoop: { should_skip_loop: output(0) } },
      outputs: [list.length > 1 ? 0n : 1n],
    });
    for (let i = 1; i < list.length; i++) {
      const delta = BigInt((list[i] as number) - (list[i - 1] as number) - 1);
      hints.push({
        hint: { GetCurrentAccessDelta: { index_delta_minus1: output(0) } },
        outputs: [delta],
      });
      hints.push({
        hint: { ShouldContinueSquashLoop: { should_continue: output(0) } },
        outputs: [i < list.length - 1 ? 1n : 0n],
      });
    }
    const next = keys[position + 1];
    if (next !== undefined) {
      hints.push({ hint: { GetNextDictKey: { next_key: output(0) } }, outputs: [next] });
    }
  }
  return hints;
}

/** Runs the hints one by one, and writes keys and values between them like the program would. */
function play(kernel: VmKernel, accesses: readonly Access[]): void {
  const expectations: Expectation[] = [
    { hint: { AllocFelt252Dict: { segment_arena_ptr: input(ARENA) } }, outputs: [] },
    ...accessHints(accesses),
    {
      hint: {
        GetSegmentArenaIndex: {
          dict_end_ptr: plus(DICTIONARY, 3 * accesses.length),
          dict_index: output(0),
        },
      },
      outputs: [0n],
    },
    ...squashHints(accesses),
  ];
  const bytecode = expectations.flatMap(({ outputs }) => [
    0x40780017fff7fffn,
    BigInt(outputs.length),
  ]);
  const hints = Object.fromEntries(expectations.map(({ hint }, i) => [2 * i, [hint]]));
  const { image } = prepareProgram(classOf(bytecode, hints));
  const placed = kernel.pin(image);
  if (placed === undefined || !kernel.begin(placed, false)) throw new TypeError("no room");
  try {
    const arena = kernel.addSegment("segment_arena");
    const infos = kernel.addSegment("plain");
    const rangeCheck = kernel.addSegment("range_check");
    const dictionary = rangeCheck + 1;
    const start = (segment: number, offset = 0) => ({ segment, offset });
    kernel.writeMany(start(arena), [start(infos), 0n, 0n]);
    const frame = [start(arena, 3), start(dictionary), start(rangeCheck)];
    kernel.writeMany(start(1), [0n, 0n, ...frame]);
    kernel.setRegisters(0, FRAME + frame.length, FRAME, 99);
    kernel.setStepLimit(1e6);
    const known = new Map<bigint, bigint>();
    let { ap } = kernel;
    for (const [i, { outputs }] of expectations.entries()) {
      const access = i > 0 ? accesses[Math.floor((i - 1) / 2)] : undefined;
      const at = 3 * Math.floor((i - 1) / 2);
      if (access !== undefined && i % 2 === 1) kernel.write(start(dictionary, at), access.key);
      expect(kernel.run(1)).toBe("slice");
      if (access !== undefined && i % 2 === 1) {
        expect(kernel.read(start(dictionary, at + 1))).toBe(known.get(access.key) ?? 0n);
        kernel.write(start(dictionary, at + 2), access.value);
        known.set(access.key, access.value);
      }
      expect(kernel.readMany(start(1, ap), outputs.length)).toEqual([...outputs]);
      ap += outputs.length;
    }
    expect(kernel.read(start(infos))).toEqual(start(dictionary));
    const firsts = [...Map.groupBy(accesses.keys(), (i) => (accesses[i] as Access).key)]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, list]) => BigInt(list[0] as number));
    expect(kernel.readMany(start(rangeCheck), firsts.length)).toEqual(firsts);
  } finally {
    kernel.end();
    kernel.unpin(placed);
  }
}

const KEYS = [
  fc.bigInt(0n, 9n),
  fc.bigInt(0n, P - 1n),
  fc.constantFrom((1n << 128n) - 1n, 1n << 128n, P - 1n, 1n << 64n),
  fc.bigInt(0n, (1n << 32n) - 1n),
  fc.constantFrom(0n, 2047n, 2048n, 1n << 21n, 1n << 22n, (1n << 22n) + 1n, (1n << 32n) - 1n),
];

/** Accesses with mixed keys or with one kind of key: small keys are sorted differently. */
const someAccesses = fc.constantFrom(fc.oneof(...KEYS), ...KEYS).chain((key) => {
  const access = fc.record({ key, value: fc.bigInt(0n, P - 1n) });
  return fc.array(access, { minLength: 1, maxLength: 60 });
});

describeBuilds("dictionary hints", (kernel) => {
  test("remember values and visit accesses by key, then by time", () => {
    assertProperty(
      fc.property(someAccesses, (accesses) => {
        play(kernel, accesses);
      }),
      { numRuns: 90 },
    );
  });

  test.each([
    ["small", (i: number) => BigInt((i * 7919) % 1777)],
    ["large and small", (i: number) => BigInt((i * 7919) % 1777) << BigInt((i % 3) * 64)],
  ])("squash 3000 accesses with %s keys", (_, key) => {
    play(
      kernel,
      Array.from({ length: 3000 }, (_, i) => ({ key: key(i), value: BigInt(i) })),
    );
  });
});
