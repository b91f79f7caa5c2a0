import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { codePoints } from "#test/helpers/code-points.ts";

describe("codePoints", () => {
  test("generates single code points of one and two units, and no surrogates", () => {
    const units = fc.sample(codePoints, { seed: 3, numRuns: 500 });
    for (const unit of units) {
      expect(unit).toBe(String.fromCodePoint(unit.codePointAt(0) ?? 0));
      expect(unit.isWellFormed()).toBe(true);
    }
    expect(new Set(units.map((unit) => unit.length))).toEqual(new Set([1, 2]));
  });

  test("recognizes single code points, so that texts can contain given parts", () => {
    const recognized = (text: string) => codePoints.canShrinkWithoutContext(text);
    expect(["a", "\u{e000}", "\u{10ffff}"].map(recognized)).toEqual([true, true, true]);
    expect(["", "ab", "\u{d800}"].map(recognized)).toEqual([false, false, false]);
  });
});
