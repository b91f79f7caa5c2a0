import { expect, test } from "bun:test";
import { ProgramArea, type ProgramImage } from "../../../../src/kernels/vm/program-area.ts";

/** An image that occupies 64 bytes per cell plus 64. */
function imageOf(length: number): ProgramImage {
  return {
    length,
    cells: new Uint8Array(length * 32),
    constants: new Uint8Array(0),
    hintWords: new Uint32Array(0),
    constantWords: new Uint32Array(0),
    hintStarts: [],
  };
}

const CELL = 64;
const EXTRA = 64;

function areaFor(programs: number, budget = programs): ProgramArea {
  return new ProgramArea(1024, programs * (CELL + EXTRA), budget * (CELL + EXTRA));
}

test("ProgramArea loads a program once while it stays resident", () => {
  const area = areaFor(4);
  const image = imageOf(1);
  let loads = 0;
  const first = area.pin(image, () => void loads++);
  area.unpin(first as NonNullable<typeof first>);
  expect(area.pin(image, () => void loads++)).toBe(first);
  expect(loads).toBe(1);
});

test("ProgramArea evicts the least recently used program", () => {
  const area = areaFor(8, 2);
  const images = [imageOf(1), imageOf(1), imageOf(1)] as const;
  const loaded: number[] = [];
  const use = (index: 0 | 1 | 2): void => {
    const program = area.pin(images[index], () => void loaded.push(index));
    if (program !== undefined) area.unpin(program);
  };
  for (const index of [0, 1, 0, 2, 0, 1] as const) use(index);
  expect(loaded).toEqual([0, 1, 2, 1]);
});

test("ProgramArea keeps programs in use, even beyond the budget", () => {
  const area = areaFor(3, 1);
  const placed = [imageOf(1), imageOf(1), imageOf(1)].map((image) => area.pin(image, () => {}));
  expect(new Set(placed.map((program) => program?.start)).size).toBe(3);
  expect(area.pin(imageOf(1), () => {})).toBeUndefined();
});

test("ProgramArea places programs inside the area and without overlap", () => {
  const area = new ProgramArea(4096, 100_000, 40_000);
  const live: { start: number; end: number; unpin: () => void }[] = [];
  for (let i = 0; i < 400; i++) {
    const image = imageOf(1 + ((i * 37) % 90));
    const program = area.pin(image, () => {});
    if (program === undefined) {
      for (const each of live.splice(0)) each.unpin();
      continue;
    }
    const { start, bytes } = program;
    for (const other of live) expect(start >= other.end || start + bytes <= other.start).toBe(true);
    expect(start).toBeGreaterThanOrEqual(4096);
    expect(start + bytes).toBeLessThanOrEqual(104_096);
    live.push({ start, end: start + bytes, unpin: () => area.unpin(program) });
    if (i % 3 === 0) live.shift()?.unpin();
  }
});
