import { expect, test } from "bun:test";
import { callTreeOf, nodesOf } from "#api/explorer/page/decode/call-tree.ts";
import { withRevertedCalls } from "#api/explorer/page/decode/reverted-calls.ts";

const call = (contract: string, more: object = {}) => ({
  contract_address: contract,
  class_hash: "0xC",
  entry_point_selector: "0x5",
  entry_point_type: "EXTERNAL",
  call_type: "CALL",
  calls: [] as object[],
  events: [{ order: 0, keys: ["0x1"], data: [] }],
  execution_resources: { l1_gas: 0, l2_gas: 100 },
  is_reverted: true,
  ...more,
});

const TREE = callTreeOf({
  validate_invocation: call("0x1"),
  execute_invocation: { revert_reason: "too much" },
  fee_transfer_invocation: call("0x3"),
});

test("the calls of a reverted execution come before the fee transfer, with gas and without events", () => {
  const invocation = call("0x2", { calls: [call("0x4")] });
  const { phases, revertReason } = withRevertedCalls(TREE, { reverted: { invocation, path: [0] } });
  expect(phases.map(({ name, root }) => [name, root.contract])).toEqual([
    ["Validation", "0x1"],
    ["Execution", "0x2"],
    ["Fee transfer", "0x3"],
  ]);
  const nodes = phases[1] === undefined ? [] : nodesOf(phases[1].root);
  expect(nodes.map(({ gas, isReverted, events }) => [gas, isReverted, events])).toEqual([
    [100, true, []],
    [100, true, []],
  ]);
  expect(revertReason).toBe("too much");
});

test("a reverted message from L1 is the phase of its handler", () => {
  const tree = callTreeOf({ function_invocation: { revert_reason: "too much" } });
  const invocation = call("0x2", { entry_point_type: "L1_HANDLER" });
  const { phases } = withRevertedCalls(tree, { reverted: { invocation, path: [] } });
  expect(phases.map(({ name }) => name)).toEqual(["L1 handler"]);
});

test.each([
  ["was not reverted", { reverted: null }],
  ["is too large", { reverted: { invocation: null, path: null } }],
  ["is no object", "text"],
])("an execution that %s adds nothing", (_, answer) => {
  expect(withRevertedCalls(TREE, answer)).toEqual(TREE);
});
