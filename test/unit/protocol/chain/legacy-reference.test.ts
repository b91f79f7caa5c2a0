import { describe, expect, test } from "bun:test";
import { legacyReference } from "#protocol/chain/legacy-reference.ts";
import { FIELD_PRIME } from "#base/primitives/index.ts";

const TRACKING = { group: 1, offset: 2 };

function register(name: "ap" | "fp", offset: number, isCell: boolean) {
  return { kind: "register", register: name, offset, isCell } as const;
}

function number(value: bigint) {
  return { kind: "number", value } as const;
}

function read(text: string) {
  return legacyReference(text, TRACKING);
}

describe("legacyReference", () => {
  test("reads an argument as the cell at an address", () => {
    expect(read("[cast(fp + (-3), felt**)]")).toEqual({
      first: register("fp", -3, false),
      second: number(0n),
      isDifference: false,
      inner: false,
      outer: true,
      apTracking: TRACKING,
      type: "felt**",
    });
  });

  test("reads a member behind a pointer with both dereferences", () => {
    expect(read("[cast([fp + (-5)] + 2, felt*)]")).toMatchObject({
      first: register("fp", -5, true),
      second: number(2n),
      inner: false,
      outer: true,
    });
    expect(read("[cast([ap + (-1)], felt*)]")).toMatchObject({
      first: register("ap", -1, false),
      inner: true,
      outer: true,
    });
  });

  test("reads a difference of cells", () => {
    expect(read("cast([ap + (-1)] - [fp + (-4)], felt)")).toMatchObject({
      first: register("ap", -1, true),
      second: register("fp", -4, true),
      isDifference: true,
      outer: false,
    });
  });

  test("reads a register with a distance and an offset", () => {
    expect(read("[cast(ap - 1 + (-2), felt*)]")).toMatchObject({
      first: register("ap", -1, false),
      second: number(FIELD_PRIME - 2n),
    });
  });

  test("reads a constant", () => {
    expect(read("cast(7, felt)")).toMatchObject({ first: number(7n), outer: false });
  });

  test("accepts types with commas", () => {
    expect(read("[cast(fp, (felt, felt)*)]")?.type).toBe("(felt, felt)*");
  });

  test.each(["", "[]", "fp", "[cast(fp)]", "cast(fp + 1"])("rejects %p", (text) => {
    expect(read(text)).toBeUndefined();
  });
});
