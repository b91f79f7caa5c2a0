import { describe, expect, test } from "bun:test";
import { FeltBlock, feltsOf, withFelt } from "#kernels/vm/index.ts";
import { FIELD_PRIME } from "#base/primitives/index.ts";
import { emptyProgram, smallKernel } from "./builds.ts";

const VALUES = [0n, 1n, 2n ** 64n, 2n ** 251n + 5n, FIELD_PRIME - 1n];

describe.each(["plain", "wide", "debug"] as const)("blocks of felts (%s build)", (form) => {
  const kernel = smallKernel(form);
  const program = emptyProgram(kernel);

  /** Creates a frame and a segment in it that holds these cells. */
  function segmentWith(cells: Parameters<typeof kernel.writeMany>[1]): number {
    kernel.begin(program, false);
    const segment = kernel.addSegment("plain");
    expect(kernel.writeMany({ segment, offset: 0 }, cells)).toBe(true);
    return segment;
  }

  test("are read and written unchanged, without access marks", () => {
    const segment = segmentWith(VALUES);
    kernel.markAccessed({ segment, offset: 0 }, 2);
    const block = kernel.readBlock({ segment, offset: 0 }, VALUES.length);
    expect(block?.toArray()).toEqual(VALUES);
    const copy = kernel.addSegment("plain");
    expect(kernel.writeBlock({ segment: copy, offset: 0 }, block as FeltBlock)).toBe(true);
    expect(kernel.readMany({ segment: copy, offset: 0 }, VALUES.length)).toEqual(VALUES);
    // Segments without any access have no holes: the marks stay in the first segment.
    expect(kernel.countHoles()).toBe(VALUES.length - 2);
    kernel.end();
  });

  test("longer than one transfer are complete and extendable", () => {
    const many = Array.from({ length: 10_000 }, (_, i) => BigInt(i) << 100n);
    const segment = segmentWith(many);
    const block = kernel.readBlock({ segment, offset: 1 }, many.length - 1) as FeltBlock;
    const copy = kernel.addSegment("plain");
    kernel.writeBlock({ segment: copy, offset: 0 }, block);
    expect(kernel.segmentSize(copy)).toBe(many.length - 1);
    expect(kernel.write({ segment: copy, offset: many.length - 1 }, 7n)).toBe(true);
    const all = kernel.readBlock({ segment: copy, offset: 0 }, many.length);
    expect(all?.toArray()).toEqual([...many.slice(1), 7n]);
    kernel.end();
  });

  test("are not read where a cell is an address, unwritten or out of range", () => {
    const segment = segmentWith([1n, { segment: 0, offset: 0 }, 3n]);
    expect(kernel.write({ segment, offset: 5 }, 5n)).toBe(true);
    const read = (offset: number, count: number) => kernel.readBlock({ segment, offset }, count);
    expect(read(0, 1)?.toArray()).toEqual([1n]);
    expect([read(0, 2), read(2, 2), read(5, 2), read(2 ** 32, 1)]).toEqual(
      Array.from({ length: 4 }, () => undefined),
    );
    expect(kernel.readBlock({ segment: segment + 1, offset: 0 }, 1)).toBeUndefined();
    kernel.end();
  });

  test("are rejected where the cells hold other values", () => {
    const segment = segmentWith([1n, 2n]);
    expect(kernel.writeBlock({ segment, offset: 0 }, withFelt([1n], 3n))).toBe(false);
    kernel.end();
  });
});

describe("FeltBlock", () => {
  test("gives felts by index", () => {
    const block = withFelt(VALUES.slice(0, -1), VALUES.at(-1) ?? 0n);
    expect(VALUES.map((_, i) => block.at(i))).toEqual(VALUES);
    expect([block.at(-1), block.at(VALUES.length)]).toEqual([undefined, undefined]);
    expect(feltsOf(withFelt(block, 9n))).toEqual([...VALUES, 9n]);
  });

  test("is empty after its release", () => {
    const block = withFelt(
      Array.from({ length: 500 }, () => 1n),
      2n,
    );
    const { buffer } = block.cells;
    block.release();
    expect([block.length, block.at(0), block.toArray()]).toEqual([0, undefined, []]);
    expect(buffer.byteLength).toBe(0);
    expect(FeltBlock.EMPTY.length).toBe(0);
  });
});
