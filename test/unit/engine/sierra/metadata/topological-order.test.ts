import { describe, expect, test } from "bun:test";
import { reverseTopologicalOrder } from "#engine/sierra/metadata/topological-order.ts";

function orderOf(children: readonly (readonly number[])[], roots = [...children.keys()]): number[] {
  return reverseTopologicalOrder(roots, children.length, (node) => children[node] ?? []);
}

describe("a reverse topological order", () => {
  test("has children first, of several the last one", () => {
    expect(orderOf([[1, 2], [3], [3], []])).toEqual([3, 2, 1, 0]);
    expect(orderOf([[2, 1], [], []])).toEqual([1, 2, 0]);
  });

  test("visits a child that is named twice when its last name comes up", () => {
    expect(orderOf([[1, 2, 1], [], []])).toEqual([1, 2, 0]);
  });

  test("leaves out what roots do not reach", () => {
    expect(orderOf([[1], [], [1]], [0])).toEqual([1, 0]);
  });

  test("goes around a cycle from where it came in", () => {
    expect(orderOf([[1], [2], [0, 3], []])).toEqual([3, 2, 1, 0]);
    expect(orderOf([[1], [2], [0, 3], []], [2])).toEqual([3, 1, 0, 2]);
    expect(orderOf([[0]])).toEqual([0]);
  });

  test("tells of a cycle when it is asked to", () => {
    const children = [[1], [2], [1]];
    const onCycle = (node: number): never => {
      throw new RangeError(`cycle at ${node}`);
    };
    const order = (): number[] =>
      reverseTopologicalOrder([0], 3, (node) => children[node] ?? [], onCycle);
    expect(order).toThrow("cycle at 1");
  });

  test("does not take two ways to a node for a cycle", () => {
    const onCycle = (node: number): never => {
      throw new RangeError(`cycle at ${node}`);
    };
    const children = [[1, 2, 1], [2], []];
    expect(reverseTopologicalOrder([0], 3, (node) => children[node] ?? [], onCycle)).toEqual([
      2, 1, 0,
    ]);
  });

  test("is found for a chain that is deeper than any stack", () => {
    const order = reverseTopologicalOrder([0], 300_000, (node) =>
      node < 299_999 ? [node + 1] : [],
    );
    expect(order[0]).toBe(299_999);
    expect(order.at(-1)).toBe(0);
  });
});
