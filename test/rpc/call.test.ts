import { expect, test } from "bun:test";
import type { CallOutcome } from "#engine/execution/index.ts";
import type { ExecutionAccess } from "#api/rpc/index.ts";
import { errorOf, resultOf, specTest } from "#test/helpers/rpc.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { errorObject, NO_BLOCK, testBadParams, testBlockId } from "./common.ts";
import type { FullContext } from "#test/helpers/serving.ts";

const REQUEST = { contract_address: "0xc0", entry_point_selector: "0x5", calldata: ["0x6", "0x7"] };
const PARAMS = { request: REQUEST, block_id: "latest" };

const FAILED: CallOutcome = {
  kind: "failed",
  retdata: [],
  failure: {
    frames: [
      { contractAddress: 1n, classHash: 2n, selector: 3n },
      { contractAddress: 4n, classHash: 5n, selector: 6n },
    ],
    message: "it broke",
    text: "the whole story",
  },
};

function answering(
  outcome: CallOutcome,
  seen?: (...args: Parameters<ExecutionAccess["call"]>) => void,
): FullContext {
  return sampleContext({
    execution: {
      call(...args) {
        seen?.(...args);
        return outcome;
      },
      estimateFee: () => ({ kind: "cancelled" }),
    },
  });
}

test("returns the result of the function", async () => {
  const context = answering({ kind: "ok", retdata: [0n, 0xffn] });
  expect(await resultOf("call", PARAMS, context)).toEqual(["0x0", "0xff"]);
});

test("uses the state and environment of the selected block", async () => {
  let seen: unknown;
  const context = answering({ kind: "ok", retdata: [] }, (state, info, request) => {
    seen = [state.storageAt(0xc0n, 0x10n), info.number, request];
  });
  await resultOf("call", { request: REQUEST, block_id: { block_number: 0 } }, context);
  expect(seen).toEqual([
    0x111n,
    0,
    { contractAddress: 0xc0n, entryPointSelector: 5n, calldata: [6n, 7n] },
  ]);
});

for (const [outcome, name] of [
  [{ kind: "contract_not_found" }, "CONTRACT_NOT_FOUND"],
  [{ kind: "entry_point_not_found" }, "ENTRYPOINT_NOT_FOUND"],
] as const) {
  test(`reports ${outcome.kind} as ${name}`, async () => {
    expect(await errorOf("call", PARAMS, answering(outcome))).toEqual(errorObject(name));
  });
}

test("reports a failed call as CONTRACT_ERROR with its frames from the outermost inwards", async () => {
  expect(await errorOf("call", PARAMS, answering(FAILED))).toEqual({
    ...errorObject("CONTRACT_ERROR"),
    data: {
      revert_error: {
        contract_address: "0x1",
        class_hash: "0x2",
        selector: "0x3",
        error: { contract_address: "0x4", class_hash: "0x5", selector: "0x6", error: "it broke" },
      },
    },
  });
});

test("reports that a call exceeded its deadline", async () => {
  expect(await errorOf("call", PARAMS, answering({ kind: "cancelled" }))).toMatchObject({
    code: -32603,
    data: "the execution took too long and was stopped",
  });
});

testBlockId("call", { request: REQUEST });
testBadParams("call", [{ ...REQUEST, calldata: ["0x1", 2] }, "latest"], "request.calldata[1]");
testBadParams("call", [{ contract_address: "0x1" }, "latest"], "request.entry_point_selector");
specTest("call", [
  [PARAMS, answering({ kind: "ok", retdata: [1n] })],
  [PARAMS, answering(FAILED)],
  [PARAMS, answering({ kind: "contract_not_found" })],
  [PARAMS, answering({ kind: "entry_point_not_found" })],
  [{ ...PARAMS, block_id: NO_BLOCK }],
]);
