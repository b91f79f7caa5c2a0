import { describe, expect, test } from "bun:test";
import { RpcFault } from "#api/rpc/errors.ts";
import { SPEC_0_7_1 } from "#api/rpc/spec/v0_7/index.ts";
import { fakeReceipt } from "#test/helpers/fake-chain.ts";
import { resultOf } from "#test/helpers/rpc.ts";
import { INVOKE_V3, sampleContext } from "#test/helpers/sample-chain.ts";

const VERSION = "0.7.1";
const here = (method: string, params: readonly unknown[]) =>
  resultOf(method, params as never, sampleContext(), VERSION) as Promise<Record<string, unknown>>;

describe("version 0.7.1 without L2 gas", () => {
  test("omits the L2 gas price from sealed and pending blocks", async () => {
    for (const tag of ["latest", "pending"]) {
      const block = await here("getBlockWithTxHashes", [tag]);
      expect(Object.keys(block)).not.toContain("l2_gas_price");
      expect(Object.keys(block)).toContain("l1_data_gas_price");
    }
    expect(await here("getBlockWithTxHashes", ["pending"])).toMatchObject({
      parent_hash: "0xb10c1",
    });
  });

  test("omits L2 gas from a fee estimate except in the sum", () => {
    expect(
      SPEC_0_7_1.feeEstimates([
        {
          gas: { l1Gas: 1n, l1DataGas: 2n, l2Gas: 3n },
          prices: { l1Gas: 4n, l1DataGas: 5n, l2Gas: 6n },
          overallFee: 32n,
          unit: "FRI",
        },
      ]),
    ).toEqual([
      {
        gas_consumed: "0x1",
        gas_price: "0x4",
        data_gas_consumed: "0x2",
        data_gas_price: "0x5",
        overall_fee: "0x20",
        unit: "FRI",
      },
    ]);
  });
});

test("version 0.7.1 has two resource bounds", async () => {
  const transaction = await here("getTransactionByHash", ["0x200"]);
  expect(transaction["resource_bounds"]).toEqual({
    l1_gas: { max_amount: "0x1", max_price_per_unit: "0x2" },
    l2_gas: { max_amount: "0x5", max_price_per_unit: "0x6" },
  });
});

test("version 0.7.1 receipts have VM resources with only the builtins that were used", () => {
  const receipt = fakeReceipt({
    transactionHash: 1n,
    vmResources: {
      steps: 10,
      memoryHoles: 0,
      builtins: { range_check: 3, segment_arena: 2, pedersen: 0, add_mod: 4, output: 5 },
    },
    daGas: { l1Gas: 0n, l1DataGas: 128n, l2Gas: 0n },
  });
  const transaction = { hash: 1n, transaction: INVOKE_V3 };
  const answer = { transaction, receipt, finality: "PRE_CONFIRMED", blockNumber: 2 } as const;
  const written = SPEC_0_7_1.receipt(answer) as Record<string, unknown>;
  expect(written["execution_resources"]).toEqual({
    steps: 10,
    range_check_builtin_applications: 3,
    segment_arena_builtin: 2,
    data_availability: { l1_gas: 0, l1_data_gas: 128 },
  });
  expect(written["finality_status"]).toBe("ACCEPTED_ON_L2");
  expect(written["block_number"]).toBeUndefined();
});

describe("version 0.7.1 errors", () => {
  const call = { contractAddress: 1n, classHash: 2n, selector: 3n };
  const failure = { frames: [call], message: "inner", text: "outer: inner" };

  test("have the execution error as text", () => {
    expect(SPEC_0_7_1.error(new RpcFault("CONTRACT_ERROR", { failure }), "call").data).toEqual({
      revert_error: "outer: inner",
    });
    const fault = new RpcFault("TRANSACTION_EXECUTION_ERROR", { transactionIndex: 1, failure });
    expect(SPEC_0_7_1.error(fault, "estimateFee").data).toEqual({
      transaction_index: 1,
      execution_error: "outer: inner",
    });
  });

  test("report unknown entry points as contract errors", () => {
    expect(SPEC_0_7_1.error(new RpcFault("ENTRYPOINT_NOT_FOUND"), "call")).toEqual({
      code: 40,
      message: "Contract error",
      data: { revert_error: "Requested entry point does not exist in the contract" },
    });
  });

  test("of fees refer to the max fee", () => {
    const written = (name: ConstructorParameters<typeof RpcFault>[0]) =>
      SPEC_0_7_1.error(new RpcFault(name), "addInvokeTransaction");
    const message =
      "Max fee is smaller than the minimal transaction cost (validation plus fee transfer)";
    expect(written("INSUFFICIENT_RESOURCES_FOR_VALIDATE")).toEqual({ code: 53, message });
    expect(written("FEE_BELOW_MINIMUM")).toMatchObject({ code: 53, message });
    expect(written("INSUFFICIENT_ACCOUNT_BALANCE").message).toBe(
      "Account balance is smaller than the transaction's max_fee",
    );
  });
});
