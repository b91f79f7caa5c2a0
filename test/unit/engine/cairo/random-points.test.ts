import { describe, expect, test } from "bun:test";
import { createCairoVm } from "#engine/cairo/index.ts";
import { FieldKernel } from "#kernels/field/index.ts";
import { isOnCurve } from "#test/helpers/reference/field.ts";
import { classOf, encode, push, pushFromFp, RETURN, runBytecode } from "./assembler.ts";

const AP_PLUS_2 = [encode({ off0: -1, off1: -1, off2: 1, flags: 0x0407 }), 2n];
const HINT = {
  RandomEcPoint: { x: { register: "AP", offset: 0 }, y: { register: "AP", offset: 1 } },
};

/**
 * Two random points; a call then stores the frame pointer, which is the address of their cells.
 */
const PROGRAM = classOf(
  [
    ...[...AP_PLUS_2, ...AP_PLUS_2],
    ...[encode({ off0: 0, off1: 1, off2: 1, flags: 0x1104 }), 3n, ...RETURN],
    ...[...pushFromFp(-12), ...pushFromFp(-11), ...push(0n), ...pushFromFp(-2)],
    ...[encode({ off0: 0, off1: -2, off2: 1, flags: 0x4826 }), 4n, ...RETURN],
  ],
  { 0: [HINT], 2: [HINT] },
);

function points(pointScalar?: () => bigint, vm = createCairoVm()): readonly bigint[] {
  const outcome = runBytecode(PROGRAM, pointScalar === undefined ? {} : { pointScalar }, vm);
  return outcome.kind === "returned" ? outcome.retdata.toArray() : [];
}

describe("random points of a run", () => {
  test("start at the generator times the run's scalar and differ", () => {
    const scalar = (1n << 256n) - 12345n;
    const first = new FieldKernel().mulGenerator(scalar);
    const [x = 0n, y = 0n, nextX = 0n, nextY = 0n] = points(() => scalar);
    expect({ x, y }).toEqual(first);
    expect(isOnCurve({ x: nextX, y: nextY })).toBe(true);
    expect(nextX).not.toBe(x);
  });

  test("depend only on the scalar, not on the machine", () => {
    const vm = createCairoVm();
    const once = points(() => 77n, vm);
    expect(once).toHaveLength(4);
    expect(points(() => 77n, vm)).toEqual([...once]);
    expect(points(() => 77n, createCairoVm({ slowPath: true }))).toEqual([...once]);
    const other = points(() => 78n, vm);
    expect(other.some((coordinate) => once.includes(coordinate))).toBe(false);
  });

  test("request the scalar once per run, and only if a hint needs it", () => {
    let asked = 0;
    points(() => BigInt(++asked));
    expect(asked).toBe(1);
    const program = classOf([...pushFromFp(-6), ...RETURN]);
    runBytecode(program, { pointScalar: () => BigInt(++asked) });
    expect(asked).toBe(1);
  });
});
