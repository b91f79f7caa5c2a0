import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { MaybeRelocatable, Relocatable, VmMemory } from "#engine/cairo/index.ts";
import { SyscallCursor } from "#engine/execution/syscalls/cursor.ts";
import { assertProperty } from "#test/helpers/property.ts";

type Cells = readonly (MaybeRelocatable | undefined)[];

/** Read-only memory of one segment. */
function memoryOf(cells: Cells): VmMemory {
  const no = (): never => {
    throw new TypeError("not asked for");
  };
  const readMany = ({ offset }: Relocatable, count: number) =>
    Array.from({ length: count }, (_, i) => cells[offset + i]);
  return {
    read: ({ offset }) => cells[offset],
    readMany,
    readFelt: no,
    readFelts(address, length) {
      const values = readMany(address, length);
      return values.every((value) => typeof value === "bigint") ? values : undefined;
    },
    readBlock: no,
    write: no,
    writeMany: no,
    writeFelts: no,
    pause: no,
    addSegment: no,
    addReadOnlySegment: no,
  };
}

describe("SyscallCursor", () => {
  const felts = fc.bigInt({ min: 0n, max: 1n << 250n });

  test("reads a request cell by cell, of any length and from any start", () => {
    assertProperty(
      fc.property(fc.array(felts, { maxLength: 30 }), fc.nat({ max: 30 }), (cells, start) => {
        const cursor = new SyscallCursor(memoryOf(cells), { segment: 3, offset: start });
        const expected = cells.slice(start);
        expect(expected.map((_, i) => (i % 2 === 0 ? cursor.felt() : cursor.key()))).toEqual(
          expected,
        );
        expect([cursor.error, cursor.position()]).toEqual([
          undefined,
          { segment: 3, offset: start + expected.length },
        ]);
        expect(cursor.felt()).toBe(0n);
        expect(cursor.error).toBe(`Unknown memory cell at address 3:${start + expected.length}`);
      }),
    );
  });

  test("keeps its first error", () => {
    const cells: Cells = [1n, { segment: 4, offset: 5 }, 2n, undefined, 1n << 251n];
    const cursorAt = (offset: number) => new SyscallCursor(memoryOf(cells), { segment: 3, offset });
    const errors = [
      (cursor: SyscallCursor) => [cursor.felt(), cursor.felt(), cursor.pointer()],
      (cursor: SyscallCursor) => [cursor.pointer(), cursor.felt()],
    ].map((read) => {
      const cursor = cursorAt(0);
      read(cursor);
      return cursor.error;
    });
    expect(errors).toEqual([
      "Expected integer at address 3:1",
      "Expected relocatable at address 3:0",
    ]);
    const missing = cursorAt(3);
    missing.pointer();
    const large = cursorAt(4);
    large.key();
    expect([missing.error, large.error]).toEqual([
      "Unknown memory cell at address 3:3",
      `Out of range [0x0, 0x${(1n << 251n).toString(16)}).`,
    ]);
  });

  test("reads lists by start and end, also after prefetched cells", () => {
    for (const gap of [0, 6, 7, 8, 9]) {
      const ahead = Array.from({ length: gap }, (_, i) => BigInt(i));
      const at = (offset: number): Relocatable => ({ segment: 3, offset });
      const cells: Cells = [...ahead, at(gap + 4), at(gap + 6), 7n, 7n, 11n, 12n];
      const cursor = new SyscallCursor(memoryOf(cells), at(0));
      for (const value of ahead) expect(cursor.felt()).toBe(value);
      expect([cursor.list(), cursor.list(), cursor.felt(), cursor.error]).toEqual([
        [11n, 12n],
        [],
        11n,
        undefined,
      ]);
    }
  });
});
