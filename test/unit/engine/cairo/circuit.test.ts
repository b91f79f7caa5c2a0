import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Address, CellValue } from "#kernels/vm/index.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { evaluateCircuit } from "#engine/cairo/circuit.ts";

const LIMB = (1n << 96n) - 1n;
const [VALUES, ADD_OFFSETS, MUL_OFFSETS, ADD, MUL] = [10, 11, 12, 13, 14] as const;

/** Write-once memory backed by a map. */
class MapMemory {
  readonly cells = new Map<string, bigint | Address>();

  read({ segment, offset }: Address): CellValue {
    return this.cells.get(`${segment}:${offset}`);
  }

  write(address: Address, value: bigint | Address): boolean {
    const key = `${address.segment}:${address.offset}`;
    const known = this.cells.get(key);
    if (known === undefined) this.cells.set(key, value);
    return known === undefined || Bun.deepEquals(known, value);
  }
}

function start(segment: number, offset = 0): Address {
  return { segment, offset };
}

function writeValue(memory: MapMemory, at: Address, value: bigint): void {
  for (let i = 0; i < 4; i++) {
    memory.write(start(at.segment, at.offset + i), (value >> BigInt(96 * i)) & LIMB);
  }
}

function readValue(memory: MapMemory, index: number): bigint | undefined {
  let value = 0n;
  for (let i = 3; i >= 0; i--) {
    const limb = memory.read(start(VALUES, 4 * index + i));
    if (typeof limb !== "bigint") return undefined;
    value = (value << 96n) | limb;
  }
  return value;
}

/**
 * Evaluates gates that refer to values by number. @returns the memory, or `undefined` if the hint
 * fails
 */
function evaluate(
  modulus: bigint,
  inputs: Readonly<Record<number, bigint>>,
  adds: readonly (readonly [number, number, number])[],
  muls: readonly (readonly [number, number, number])[],
): MapMemory | undefined {
  const memory = new MapMemory();
  for (const [index, value] of Object.entries(inputs)) {
    writeValue(memory, start(VALUES, 4 * Number(index)), value);
  }
  for (const [segment, gates] of [
    [ADD_OFFSETS, adds],
    [MUL_OFFSETS, muls],
  ] as const) {
    for (const [i, index] of gates.flat().entries())
      memory.write(start(segment, i), BigInt(4 * index));
  }
  for (const [segment, offsets] of [
    [ADD, ADD_OFFSETS],
    [MUL, MUL_OFFSETS],
  ] as const) {
    memory.write(start(segment, 4), start(VALUES));
    memory.write(start(segment, 5), start(offsets));
  }
  writeValue(memory, start(MUL), modulus);
  const isDone = evaluateCircuit(memory, start(ADD), adds.length, start(MUL), muls.length);
  return isDone ? memory : undefined;
}

const value = fc.bigInt(0n, (1n << 384n) - 1n);
const modulus = fc.bigInt(2n, (1n << 384n) - 1n);

describe("EvalCircuit", () => {
  test("adds, subtracts and multiplies modulo p", () => {
    assertProperty(
      fc.property(modulus, value, value, (p, left, right) => {
        const [a, b] = [left % p, right % p];
        // 2 = a + b, 3 = a - b (3 + b = a), 4 = (a + b) (a - b)
        const memory = evaluate(
          p,
          { 0: a, 1: b },
          [
            [0, 1, 2],
            [3, 1, 0],
          ],
          [[2, 3, 4]],
        );
        const results = [2, 3, 4].map((index) => memory && readValue(memory, index));
        const difference = (a - b + p) % p;
        expect(results).toEqual([(a + b) % p, difference, (((a + b) % p) * difference) % p]);
      }),
    );
  });

  test("inverts, and chains the instances with decreasing counts", () => {
    const memory = evaluate(
      17n,
      { 0: 5n, 9: 1n },
      [],
      [
        [1, 0, 9],
        [1, 1, 2],
      ],
    );
    expect(memory && [readValue(memory, 1), readValue(memory, 2)]).toEqual([7n, 15n]);
    expect(memory?.read(start(MUL, 6))).toBe(2n);
    expect(memory?.read(start(MUL, 13))).toBe(1n);
    expect(memory?.read(start(MUL, 12))).toEqual(start(MUL_OFFSETS, 3));
    expect(memory?.read(start(MUL, 7))).toBe(17n);
  });

  test("writes a zero divisor if there is no inverse, and stops the instances there", () => {
    const memory = evaluate(
      15n,
      { 0: 10n, 9: 1n },
      [],
      [
        [0, 0, 3],
        [1, 0, 9],
      ],
    );
    expect(memory && readValue(memory, 1)).toBe(3n);
    expect(memory?.read(start(MUL, 6))).toBe(1n);
    expect(memory?.read(start(MUL, 13))).toBeUndefined();
  });

  test("fails when an input is missing", () => {
    expect(evaluate(17n, { 0: 5n }, [], [[0, 8, 2]])).toBeUndefined();
  });

  test("fails for an offset of 2^32, which no memory has", () => {
    const memory = new MapMemory();
    writeValue(memory, start(MUL), 17n);
    writeValue(memory, start(VALUES), 5n);
    writeValue(memory, start(VALUES, 2 ** 32), 3n);
    memory.write(start(MUL, 4), start(VALUES));
    memory.write(start(MUL, 5), start(MUL_OFFSETS));
    for (const [i, offset] of [0n, 1n << 32n, 4n].entries()) {
      memory.write(start(MUL_OFFSETS, i), offset);
    }
    expect(evaluateCircuit(memory, start(ADD), 0, start(MUL), 1)).toBe(false);
  });
});
