import { describe, expect, test } from "bun:test";
import { callTreeOf, nodesOf } from "#api/explorer/page/decode/call-tree.ts";
import { flameOf } from "#api/explorer/page/decode/flame.ts";
import { delegatesOf } from "#api/explorer/page/decode/named-calls.ts";
import { fixtureTest, readFixtureJson } from "#test/helpers/shared.ts";

const tracesTest = fixtureTest("rpc-execution");

interface Call {
  readonly calls: readonly Call[];
  readonly execution_resources: { readonly l1_gas: number };
}

const traces = () =>
  readFixtureJson("rpc-execution", "0.10.0", "traces", "multiple_txs.json") as readonly {
    readonly trace_root: Readonly<Record<string, Call>>;
  }[];

const call = (more: object = {}) => ({
  contract_address: "0x01",
  class_hash: "0xC",
  entry_point_selector: "0x5",
  call_type: "CALL",
  calls: [] as object[],
  execution_resources: { l1_gas: 0, l2_gas: 100 },
  ...more,
});

const rootOf = (more: object) => {
  const [phase] = callTreeOf({ execute_invocation: call(more) }).phases;
  if (phase === undefined) throw new TypeError("no phase");
  return phase.root;
};

describe("callTreeOf", () => {
  tracesTest("reads the phases and every call of recorded traces", () => {
    const read = traces().map(({ trace_root }) => callTreeOf(trace_root));
    expect(read.map(({ phases }) => phases.map(({ name }) => name))).toEqual([
      ["Validation", "Fee transfer"],
      ["Validation", "Execution", "Fee transfer"],
      ["Validation", "Execution", "Fee transfer"],
    ]);
    const count = (one: Call): number => one.calls.reduce((sum, inner) => sum + count(inner), 1);
    for (const [i, { trace_root }] of traces().entries()) {
      const nodes = read[i]?.phases.flatMap(({ root }) => nodesOf(root)) ?? [];
      const calls = Object.entries(trace_root).filter(([name]) => name.endsWith("_invocation"));
      expect(nodes).toHaveLength(calls.reduce((sum, [, one]) => sum + count(one), 0));
    }
  });

  tracesTest("own gas and that of the inner calls sum to the gas of recorded calls", () => {
    const roots = traces().flatMap(({ trace_root }) => callTreeOf(trace_root).phases);
    for (const { root } of roots) {
      const own = nodesOf(root).reduce((sum, node) => sum + node.ownGas, 0);
      expect(own).toBe(root.gas);
    }
  });

  test("returns the reason of a reverted execution, which has no call", () => {
    const trace = { validate_invocation: call(), execute_invocation: { revert_reason: "no" } };
    expect(callTreeOf(trace)).toMatchObject({
      phases: [{ name: "Validation" }],
      revertReason: "no",
    });
  });

  test("places a panic at the call that raised it, not at those that passed it on", () => {
    const failed = "0x454e545259504f494e545f4641494c4544";
    const root = rootOf({
      is_reverted: true,
      result: ["0x6e6f", failed],
      calls: [call({ is_reverted: true, result: ["0x6e6f"] }), call({ result: ["0x1"] })],
    });
    expect(nodesOf(root).map(({ panic }) => panic)).toEqual([
      null,
      [{ felt: "0x6e6f", text: "no" }],
      null,
    ]);
  });

  test.each([
    [null],
    [5],
    [[]],
    [{ execute_invocation: null }],
    [{ execute_invocation: { calls: 5 } }],
  ])("reads no phases in %p", (trace) => {
    expect(callTreeOf(trace)).toEqual({ phases: [], revertReason: null });
  });

  test("marks trees that are cut for their depth", () => {
    let deep: object = call();
    for (let i = 0; i < 1_000; i++) deep = call({ calls: [deep] });
    const nodes = nodesOf(rootOf({ calls: [deep] }));
    expect(nodes).toHaveLength(201);
    expect(nodes.map(({ isCut }) => isCut).lastIndexOf(true)).toBe(200);
  });

  test("marks trees that are cut for their size", () => {
    const root = rootOf({ calls: Array.from({ length: 30_000 }, () => call()) });
    expect(root.isCut).toBe(true);
    expect(nodesOf(root)).toHaveLength(20_000);
  });
});

test("delegatesOf returns a proxy's call and the library call that it makes of itself", () => {
  const root = rootOf({
    calls: [
      call({ entry_point_selector: "0x6", call_type: "LIBRARY_CALL", class_hash: "0xd" }),
      call({ call_type: "DELEGATE", class_hash: "0xe" }),
    ],
  });
  expect(delegatesOf(root).map(({ classHash }) => classHash)).toEqual(["0xc", "0xe"]);
});

describe("flameOf", () => {
  test("gives each call its share of the gas, below its caller", () => {
    const gas = (l2_gas: number) => ({ execution_resources: { l1_gas: 0, l2_gas } });
    const root = rootOf({ calls: [call({ ...gas(25), calls: [call(gas(5))] }), call(gas(50))] });
    expect(flameOf(root).map(({ left, width, depth }) => [left, width, depth])).toEqual([
      [0, 1, 0],
      [0, 0.25, 1],
      [0, 0.05, 2],
      [0.25, 0.5, 1],
    ]);
  });

  test("gives calls without gas equal shares", () => {
    const none = { execution_resources: {} };
    const root = rootOf({ ...none, calls: [call(none), call(none)] });
    expect(flameOf(root).map(({ width }) => width)).toEqual([1, 0.5, 0.5]);
  });
});
