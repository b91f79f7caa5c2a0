import { describe, expect, test } from "bun:test";
import { referenceAddress, referenceValue } from "#engine/cairo/cairo0/references.ts";
import { legacyReference } from "#protocol/chain/legacy-reference.ts";
import type { LegacyReference } from "#protocol/chain/index.ts";
import type { Address, CellValue } from "#kernels/vm/index.ts";
import { FIELD_PRIME } from "#base/primitives/index.ts";

const AT = { group: 1, offset: 5 };

const cells = new Map<string, CellValue>([
  ["1:7", 40n],
  ["1:8", { segment: 3, offset: 2 }],
  ["1:9", { segment: 3, offset: 6 }],
  ["3:4", { segment: 4, offset: 0 }],
  ["4:0", 9n],
]);

const kernel = {
  ap: 12,
  fp: 10,
  read: ({ segment, offset }: Address) => cells.get(`${segment}:${offset}`),
};

function reference(text: string, tracking = AT): LegacyReference {
  const read = legacyReference(text, tracking);
  if (read === undefined) throw new TypeError(text);
  return read;
}

function value(text: string, tracking = AT): CellValue {
  return referenceValue(kernel, reference(text, tracking), AT);
}

describe("referenceValue", () => {
  test("reads variables relative to fp", () => {
    expect(value("[cast(fp + (-3), felt*)]")).toBe(40n);
  });

  test("follows ap changes since the reference was created", () => {
    // ap was three cells lower when the reference was created: 12 - 3 - 2 = 7.
    expect(value("[cast(ap + (-2), felt*)]", { group: 1, offset: 2 })).toBe(40n);
  });

  test("returns undefined for another tracking group", () => {
    expect(value("[cast(ap + (-2), felt*)]", { group: 2, offset: 5 })).toBeUndefined();
  });

  test("reads struct members through their pointer", () => {
    expect(value("[cast([fp + (-2)] + 2, felt*)]")).toEqual({ segment: 4, offset: 0 });
    expect(value("[cast([[fp + (-2)] + 2], felt*)]")).toBe(9n);
  });

  test("computes sums and differences", () => {
    expect(value("cast([fp + (-1)] - [fp + (-2)], felt)")).toBe(4n);
    expect(value("cast([fp + (-2)] - [fp + (-1)], felt)")).toBe(FIELD_PRIME - 4n);
    expect(value("cast([fp + (-3)] + 2, felt)")).toBe(42n);
    expect(value("cast([fp + (-2)] + (-1), felt*)")).toEqual({ segment: 3, offset: 1 });
    expect(value("cast([fp + (-2)] + (-3), felt*)")).toBeUndefined();
  });

  test("has an address only for variables in memory", () => {
    const at = (text: string) => referenceAddress(kernel, reference(text), AT);
    expect(at("[cast(fp + (-3), felt*)]")).toEqual({ segment: 1, offset: 7 });
    expect(at("[cast([fp + (-2)] + 2, felt*)]")).toEqual({ segment: 3, offset: 4 });
    expect(at("cast(7, felt)")).toBeUndefined();
  });
});
