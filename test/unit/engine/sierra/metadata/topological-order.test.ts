import { describe, expect, test } from "bun:test";
import { reverseTopologicalOrder } from "#engine/sierra/metadata/topological-order.ts";

function orderOf(children: readonly (readonly number[])[], roots = [...children.keys()]): number[] {
  return reverseTopologicalOrder(roots, children.length, (node) => children[node] ?? []);
}

describe("reverseTopologicalOrder", () => {
  test("lists children first, starting with the last", () => {
    expect(orderOf([[1, 2], [3], [3], []])).toEqual([3, 2, 1, 0]);
    expect(orderOf([[2, 1], [], []])).toEqual([1, 2, 0]);
  });

  test("visits a duplicate child at its last position", () => {
    expect(orderOf([[1, 2, 1], [], []])).toEqual([1, 2, 0]);
  });

  test("omits nodes that the roots do not reach", () => {
    expect(orderOf([[1], [], [1]], [0])).toEqual([1, 0]);
  });

  test("walks around a cycle from its entry", () => {
    expect(orderOf([[1], [2], [0, 3], []])).toEqual([3, 2, 1, 0]);
    expect(orderOf([[1], [2], [0, 3], []], [2])).toEqual([3, 1, 0, 2]);
    expect(orderOf([[0]])).toEqual([0]);
  });

  test("reports a cycle if requested", () => {
    const children = [[1], [2], [1]];
    const onCycle = (node: number): never => {
      throw new RangeError(`cycle at ${node}`);
    };
    const order = (): number[] =>
      reverseTopologicalOrder([0], 3, (node) => children[node] ?? [], onCycle);
    expect(order).toThrow("cycle at 1");
  });

  test("does not report two paths to a node as a cycle", () => {
    const onCycle = (node: number): never => {
      throw new RangeError(`cycle at ${node}`);
    };
    const children = [[1, 2, 1], [2], []];
    expect(reverseTopologicalOrder([0], 3, (node) => children[node] ?? [], onCycle)).toEqual([
      2, 1, 0,
    ]);
  });

  test("handles a chain deeper than any stack", () => {
    const order = reverseTopologicalOrder([0], 300_000, (node) =>
      node < 299_999 ? [node + 1] : [],
    );
    expect(order[0]).toBe(299_999);
    expect(order.at(-1)).toBe(0);
  });
});
