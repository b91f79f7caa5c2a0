import { describe, expect, test } from "bun:test";
import type { CallNode } from "#api/explorer/page/decode/call-tree.ts";
import { flameOf } from "#api/explorer/page/decode/flame.ts";

/** A call with its gas and inner calls. */
function call(path: string, gas: number, ...calls: readonly CallNode[]): CallNode {
  return { path, gas, depth: path.split(".").length - 1, calls } as unknown as CallNode;
}

/** Boxes as path, left, width and depth. */
function boxesOf(root: CallNode) {
  return flameOf(root).map(({ node, left, width, depth }) => [node.path, left, width, depth]);
}

describe("the boxes of a call tree", () => {
  test("have widths by gas; the call's own gas is free space at the right", () => {
    const root = call("0", 100, call("0.0", 50, call("0.0.0", 25)), call("0.1", 25));
    expect(boxesOf(root)).toEqual([
      ["0", 0, 1, 0],
      ["0.0", 0, 0.5, 1],
      ["0.0.0", 0, 0.25, 2],
      ["0.1", 0.5, 0.25, 1],
    ]);
  });

  test("stay inside their parent's if inner calls have more gas than it", () => {
    expect(boxesOf(call("0", 10, call("0.0", 30), call("0.1", 10)))).toEqual([
      ["0", 0, 1, 0],
      ["0.0", 0, 0.75, 1],
      ["0.1", 0.75, 0.25, 1],
    ]);
  });

  test("have equal widths if no call has gas", () => {
    expect(boxesOf(call("0", 0, call("0.0", 0), call("0.1", 0)))).toEqual([
      ["0", 0, 1, 0],
      ["0.0", 0, 0.5, 1],
      ["0.1", 0.5, 0.5, 1],
    ]);
  });

  test("of an inner call begin at the top", () => {
    expect(boxesOf(call("0.1", 4, call("0.1.0", 4)))).toEqual([
      ["0.1", 0, 1, 0],
      ["0.1.0", 0, 1, 1],
    ]);
  });

  test("narrower than a thousandth are omitted, with those inside", () => {
    const root = call("0", 10_000, call("0.0", 9, call("0.0.0", 9)), call("0.1", 10));
    expect(boxesOf(root)).toEqual([
      ["0", 0, 1, 0],
      ["0.1", 0.0009, 0.001, 1],
    ]);
  });
});
