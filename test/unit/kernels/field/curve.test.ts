import { expect, test } from "bun:test";
import fc from "fast-check";
import type { EcPoint } from "#kernels/field/index.ts";
import { assertProperty } from "#test/helpers/property.ts";
import * as reference from "#test/helpers/reference/field.ts";
import { describeBuilds, felts } from "./builds.ts";

const { G, N, P } = reference;
const NEUTRAL: EcPoint = { x: 0n, y: 0n };
const GENERATOR: EcPoint = G ?? NEUTRAL;
const fromReference = (point: reference.Point): EcPoint => point ?? NEUTRAL;
const toReference = (point: EcPoint): reference.Point => (point.x === 0n ? undefined : point);
const negative = ({ x, y }: EcPoint): EcPoint => ({ x, y: P - y });

describeBuilds("curve", (kernel) => {
  const points = felts.map((scalar) => kernel.mulGenerator(scalar));

  test("multiplies the generator like double-and-add", () => {
    assertProperty(
      fc.property(felts, (scalar) => {
        expect(kernel.mulGenerator(scalar)).toEqual(fromReference(reference.multiply(G, scalar)));
      }),
      { numRuns: 15, minRuns: 5 },
    );
  });

  test("multiplies a point like double-and-add", () => {
    assertProperty(
      fc.property(points, felts, (point, scalar) => {
        expect(kernel.mulPoint(point, scalar)).toEqual(
          fromReference(reference.multiply(toReference(point), scalar)),
        );
      }),
      { numRuns: 15, minRuns: 5 },
    );
  });

  test("multiplying by the curve's order gives the neutral point", () => {
    expect(kernel.mulGenerator(N)).toEqual(NEUTRAL);
    expect(kernel.mulPoint(GENERATOR, N)).toEqual(NEUTRAL);
    expect(kernel.mulPoint(GENERATOR, N + 1n)).toEqual(GENERATOR);
    expect(kernel.mulPoint(GENERATOR, N - 1n)).toEqual(negative(GENERATOR));
  });

  test("adds points like the textbook formula", () => {
    assertProperty(
      fc.property(points, points, (p, q) => {
        const sum = fromReference(reference.add(toReference(p), toReference(q)));
        expect(kernel.addPoints(p, q)).toEqual(sum);
      }),
      { numRuns: 20, minRuns: 5 },
    );
  });

  test("adds equal, opposite and neutral points", () => {
    const doubled = fromReference(reference.add(G, G));
    expect(kernel.addPoints(GENERATOR, GENERATOR)).toEqual(doubled);
    expect(kernel.addPoints(GENERATOR, negative(GENERATOR))).toEqual(NEUTRAL);
    expect(kernel.addPoints(GENERATOR, NEUTRAL)).toEqual(GENERATOR);
    expect(kernel.addPoints(NEUTRAL, GENERATOR)).toEqual(GENERATOR);
    expect(kernel.addPoints(NEUTRAL, NEUTRAL)).toEqual(NEUTRAL);
  });

  test("isOnCurve rejects points off the curve", () => {
    expect(kernel.isOnCurve(GENERATOR)).toBe(true);
    expect(kernel.isOnCurve({ x: GENERATOR.x, y: GENERATOR.y + 1n })).toBe(false);
    expect(kernel.isOnCurve(NEUTRAL)).toBe(false);
  });

  test("ec_op equals the additions of its definition", () => {
    assertProperty(
      fc.property(felts, felts, felts, (a, b, m) => {
        const p = kernel.mulGenerator(a + 7n);
        const q = kernel.mulGenerator(b + 3n);
        const expected = reference.ecOp(toReference(p), toReference(q), m);
        const result = kernel.ecOp(p, q, m);
        if (expected === undefined) expect(result.status).not.toBe("ok");
        else expect(result).toEqual({ status: "ok", point: expected });
      }),
      { numRuns: 15, minRuns: 5 },
    );
  });

  test("ec_op with m = 0 gives the first point, even when both are equal", () => {
    expect(kernel.ecOp(GENERATOR, GENERATOR, 0n)).toEqual({ status: "ok", point: GENERATOR });
  });

  test("ec_op fails when partial sum and doubled point meet, also at a zero bit", () => {
    const twice = kernel.mulGenerator(2n);
    // Step 1 compares 2G with 2 * G although bit 1 of m = 0b100 is zero.
    expect(kernel.ecOp(twice, GENERATOR, 4n)).toEqual({ status: "sameX" });
    expect(kernel.ecOp(GENERATOR, GENERATOR, 1n)).toEqual({ status: "sameX" });
    expect(kernel.ecOp(negative(GENERATOR), GENERATOR, 2n)).toEqual({ status: "sameX" });
    // There is no step after the top bit of m: 4G would meet 4 * G in step 2.
    const fourth = kernel.mulGenerator(4n);
    expect(kernel.ecOp(fourth, GENERATOR, 2n).status).toBe("ok");
    expect(kernel.ecOp(fourth, GENERATOR, 4n).status).toBe("sameX");
  });

  test("ec_op rejects points off the curve and reports the first one", () => {
    const off = { x: 1n, y: 1n };
    expect(kernel.ecOp(off, off, 1n)).toEqual({ status: "firstNotOnCurve" });
    expect(kernel.ecOp(GENERATOR, off, 1n)).toEqual({ status: "secondNotOnCurve" });
  });

  test("nextPoint gives 300 different points of the curve", () => {
    const seen = new Set<bigint>();
    let point: EcPoint = GENERATOR;
    for (let i = 0; i < 300; i++) {
      point = kernel.nextPoint(point);
      seen.add(point.x);
      expect(reference.isOnCurve(point)).toBe(true);
    }
    expect(seen.size).toBe(300);
  });

  test("nextPoint adds a point whose x is derived from a hash", () => {
    const digest = new Bun.CryptoHasher("sha256").update("appchain RandomEcPoint").digest("hex");
    const next = toReference(kernel.nextPoint(GENERATOR));
    const step = reference.add(next, negative(GENERATOR));
    expect(step?.x).toBe(BigInt(`0x${digest}`) % P);
  });
});
