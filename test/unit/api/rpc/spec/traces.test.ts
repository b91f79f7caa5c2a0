import { describe, expect, test } from "bun:test";
import type { CallInfo } from "#engine/execution/index.ts";
import { SPEC_0_10_2 } from "#api/rpc/spec/v0_10/index.ts";
import { SPEC_0_7_1 } from "#api/rpc/spec/v0_7/index.ts";
import { SPEC_0_8_1 } from "#api/rpc/spec/v0_8/index.ts";
import { SPEC_0_9_0 } from "#api/rpc/spec/v0_9/index.ts";
import type { SpecVersion } from "#api/rpc/spec/version.ts";
import { fakeCall, fakeTrace } from "#test/helpers/call-info.ts";
import { EVERY_TRANSACTION } from "#test/helpers/sample-chain.ts";
import { fakeDiff } from "#test/helpers/fake-chain.ts";

const OLDER = [SPEC_0_9_0, SPEC_0_8_1, SPEC_0_7_1] as const;

/** First sample transaction of a type. */
function ofType(type: string) {
  const transaction = EVERY_TRANSACTION.find((each) => each.type === type);
  if (transaction === undefined) throw new TypeError(type);
  return { hash: 0x100n, transaction };
}

const INVOKE = ofType("INVOKE");

/** A call as encoded by a version. */
function shown(spec: SpecVersion, call: CallInfo, gas = { l1Gas: 7n, l2Gas: 8n }) {
  const trace = { ...fakeTrace(INVOKE, { execute: call }), callGas: new Map([[call, gas]]) };
  return (spec.transactionTrace(trace) as Record<string, unknown>)["execute_invocation"];
}

describe("call in a trace", () => {
  test("has its inputs, results, events and messages", () => {
    const inner = fakeCall({ contractAddress: 0xddn, entryPointType: "CONSTRUCTOR" });
    const call = fakeCall({
      calldata: [1n, 2n],
      result: [3n],
      events: [{ order: 4, keys: [5n], data: [6n, 7n] }],
      messages: [{ order: 8, toAddress: 0xe7n, payload: [9n] }],
      innerCalls: [inner],
    });
    expect(shown(SPEC_0_10_2, call)).toEqual({
      contract_address: "0xc0",
      entry_point_selector: "0x5e",
      calldata: ["0x1", "0x2"],
      caller_address: "0xca",
      class_hash: "0xc1",
      entry_point_type: "EXTERNAL",
      call_type: "CALL",
      result: ["0x3"],
      calls: [
        expect.objectContaining({ contract_address: "0xdd", entry_point_type: "CONSTRUCTOR" }),
      ],
      events: [{ order: 4, keys: ["0x5"], data: ["0x6", "0x7"] }],
      messages: [{ order: 8, from_address: "0xc0", to_address: "0xe7", payload: ["0x9"] }],
      execution_resources: { l1_gas: 7, l2_gas: 8 },
      is_reverted: false,
    });
  });

  test.each([
    ["CALL", "a contract", { callType: "CALL", codeAddress: 0xc0n }],
    ["CALL", "a contract called by the protocol", { callType: "CALL", codeAddress: null }],
    ["LIBRARY_CALL", "a class", { callType: "DELEGATE", codeAddress: null }],
    ["DELEGATE", "the class of a contract", { callType: "DELEGATE", codeAddress: 0xc2n }],
  ] as const)("has the type %s for %s", (callType, _, members) => {
    expect(shown(SPEC_0_10_2, fakeCall(members))).toMatchObject({ call_type: callType });
  });

  test("is marked as reverted since 0.8, with its inner calls", () => {
    const call = fakeCall({ failed: true, result: [1n], innerCalls: [fakeCall({ failed: true })] });
    for (const spec of [SPEC_0_10_2, SPEC_0_9_0, SPEC_0_8_1]) {
      expect(shown(spec, call)).toMatchObject({
        is_reverted: true,
        calls: [{ is_reverted: true }],
      });
    }
    expect(shown(SPEC_0_7_1, call)).not.toHaveProperty("is_reverted");
  });

  test("has VM resources in 0.7, with at least 1 step", () => {
    const vmResources = { steps: 9, memoryHoles: 1, builtins: { pedersen: 2 } };
    expect(shown(SPEC_0_7_1, fakeCall({ vmResources }))).toMatchObject({
      execution_resources: { steps: 9, memory_holes: 1, pedersen_builtin_applications: 2 },
    });
    expect(shown(SPEC_0_7_1, fakeCall())).toMatchObject({ execution_resources: { steps: 1 } });
  });
});

describe("transaction trace", () => {
  const [validate, execute, feeTransfer] = [1n, 2n, 3n].map((contractAddress) =>
    fakeCall({ contractAddress }),
  ) as [CallInfo, CallInfo, CallInfo];

  test.each([
    ["INVOKE", ["validate_invocation", "fee_transfer_invocation", "execute_invocation"]],
    [
      "DEPLOY_ACCOUNT",
      ["validate_invocation", "fee_transfer_invocation", "constructor_invocation"],
    ],
  ] as const)("of type %s has the calls of that type", (type, names) => {
    const trace = fakeTrace(ofType(type), { validate, execute, feeTransfer });
    const written = SPEC_0_10_2.transactionTrace(trace) as Record<string, unknown>;
    expect(Object.keys(written)).toEqual(["type", ...names, "state_diff", "execution_resources"]);
    expect(written["type"]).toBe(type);
  });

  test("of a declaration without calls has none", () => {
    const written = SPEC_0_10_2.transactionTrace(fakeTrace(ofType("DECLARE")));
    expect(Object.keys(written as object)).toEqual(["type", "state_diff", "execution_resources"]);
  });

  test("of an L1 handler has one call", () => {
    const written = SPEC_0_10_2.transactionTrace(fakeTrace(ofType("L1_HANDLER"), { execute }));
    expect(written).toMatchObject({
      type: "L1_HANDLER",
      function_invocation: { contract_address: "0x2" },
    });
  });

  test("has migrated classes since 0.10", () => {
    const stateDiff = fakeDiff({ migratedCompiledClasses: new Map([[1n, 2n]]) });
    const trace = fakeTrace(INVOKE, { execute, stateDiff });
    expect(SPEC_0_10_2.transactionTrace(trace)).toMatchObject({
      state_diff: {
        migrated_compiled_classes: [{ class_hash: "0x1", compiled_class_hash: "0x2" }],
      },
    });
    for (const spec of OLDER) {
      const { state_diff } = spec.transactionTrace(trace) as Record<string, object>;
      expect(state_diff).not.toHaveProperty("migrated_compiled_classes");
    }
  });

  test("sums the resources of its calls in 0.7", () => {
    const used = (steps: number) =>
      fakeCall({ vmResources: { steps, memoryHoles: 0, builtins: { range_check: 1 } } });
    const trace = fakeTrace(INVOKE, {
      validate: used(1),
      execute: used(20),
      feeTransfer: used(300),
      daGas: { l1Gas: 4n, l1DataGas: 5n, l2Gas: 0n },
    });
    expect(SPEC_0_7_1.transactionTrace(trace)).toMatchObject({
      execution_resources: {
        steps: 321,
        range_check_builtin_applications: 3,
        data_availability: { l1_gas: 4, l1_data_gas: 5 },
      },
    });
  });
});
