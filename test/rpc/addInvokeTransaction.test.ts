import { expect, test } from "bun:test";
import { INVOKE, INVOKE_V1, QUERY_VERSION } from "#test/helpers/broadcasted.ts";
import { ask, errorOf, resultOf, specTest, VERSIONS } from "#test/helpers/rpc.ts";
import { accepting, rejecting, testWriteErrors } from "./write-common.ts";
import { errorObject, testBadParams } from "./common.ts";

const METHOD = "addInvokeTransaction";
const PARAMS = { invoke_transaction: INVOKE };

test("returns the hash of the accepted transaction", async () => {
  const { context } = accepting({ transactionHash: 0x7a5bn });
  expect(await resultOf(METHOD, PARAMS, context)).toEqual({ transaction_hash: "0x7a5b" });
});

test("submits the transaction as sent", async () => {
  const { context, submitted } = accepting({ transactionHash: 1n });
  await resultOf(METHOD, [INVOKE], context);
  expect(submitted).toEqual([
    {
      type: "INVOKE",
      version: 3,
      senderAddress: 0xc0n,
      calldata: [1n, 2n],
      signature: [3n, 4n],
      nonce: 5n,
      resourceBounds: {
        l1Gas: { maxAmount: 6n, maxPricePerUnit: 7n },
        l1DataGas: { maxAmount: 8n, maxPricePerUnit: 9n },
        l2Gas: { maxAmount: 10n, maxPricePerUnit: 11n },
      },
      tip: 12n,
      paymasterData: [],
      accountDeploymentData: [],
      nonceDataAvailabilityMode: 0,
      feeDataAvailabilityMode: 1,
      proofFacts: [],
    },
  ]);
});

testWriteErrors(METHOD, PARAMS, [
  "INSUFFICIENT_ACCOUNT_BALANCE",
  "INSUFFICIENT_RESOURCES_FOR_VALIDATE",
  "INVALID_TRANSACTION_NONCE",
  "REPLACEMENT_TRANSACTION_UNDERPRICED",
  "FEE_BELOW_MINIMUM",
  "VALIDATION_FAILURE",
  "NON_ACCOUNT",
  "DUPLICATE_TX",
  "UNSUPPORTED_TX_VERSION",
  "INVALID_PROOF",
  "UNEXPECTED_ERROR",
]);

test("reports an error that the method does not list as UNEXPECTED_ERROR with its name", async () => {
  expect(await errorOf(METHOD, PARAMS, rejecting("CLASS_HASH_NOT_FOUND"))).toEqual({
    ...errorObject("UNEXPECTED_ERROR"),
    data: "CLASS_HASH_NOT_FOUND: because",
  });
});

for (const version of VERSIONS) {
  test(`submits version 1 as sent over ${version}`, async () => {
    const { context, submitted } = accepting({ transactionHash: 1n });
    await resultOf(METHOD, [INVOKE_V1], context, version);
    expect(submitted).toEqual([
      {
        type: "INVOKE",
        version: 1,
        maxFee: 100n,
        senderAddress: 0xc0n,
        calldata: [1n, 2n],
        signature: [3n],
        nonce: 5n,
      },
    ]);
  });
}

test("accepts two resource bounds over 0.7.1 only", async () => {
  const { l1_gas, l2_gas } = INVOKE.resource_bounds;
  const two = { ...INVOKE, resource_bounds: { l1_gas, l2_gas } };
  for (const version of VERSIONS) {
    const { context, submitted } = accepting({ transactionHash: 1n });
    const answer = await ask(METHOD, [two], context, version);
    if (version === "0.7.1") {
      const bounds = { l1Gas: { maxAmount: 6n, maxPricePerUnit: 7n }, l1DataGas: null };
      expect(submitted).toMatchObject([{ version: 3, resourceBounds: bounds }]);
    } else {
      const path = "invoke_transaction.resource_bounds.l1_data_gas";
      expect(answer).toMatchObject({ error: { code: -32602, data: { path } } });
    }
  }
});

test("keeps a third resource bound where it is optional, because it is hashed", async () => {
  for (const version of VERSIONS) {
    const { context, submitted } = accepting({ transactionHash: 1n });
    await resultOf(METHOD, [INVOKE], context, version);
    expect(submitted).toMatchObject([
      { resourceBounds: { l1DataGas: { maxAmount: 8n, maxPricePerUnit: 9n } } },
    ]);
  }
});

for (const version of ["0x0", "0x2", "0x4", QUERY_VERSION]) {
  test(`responds UNSUPPORTED_TX_VERSION to version ${version}`, async () => {
    const params = { invoke_transaction: { type: "INVOKE", version } };
    const sent =
      version === QUERY_VERSION ? { invoke_transaction: { ...INVOKE, version } } : params;
    expect(await errorOf(METHOD, sent)).toMatchObject(errorObject("UNSUPPORTED_TX_VERSION"));
  });
}

test("ignores an empty proof", async () => {
  const params = { invoke_transaction: { ...INVOKE, proof: "" } };
  const { context } = accepting({ transactionHash: 1n });
  for (const version of VERSIONS) {
    expect(await resultOf(METHOD, params, context, version)).toEqual({ transaction_hash: "0x1" });
  }
});

test("responds INVALID_PROOF to a transaction with proof facts", async () => {
  const params = { invoke_transaction: { ...INVOKE, proof_facts: ["0x1"], proof: "AAAA" } };
  expect(await errorOf(METHOD, params)).toMatchObject(errorObject("INVALID_PROOF"));
});

testBadParams(METHOD, { invoke_transaction: { version: "0x3" } }, "invoke_transaction.type");
testBadParams(
  METHOD,
  { invoke_transaction: { ...INVOKE, tip: "0x10000000000000000" } },
  "invoke_transaction.tip",
);
testBadParams(
  METHOD,
  { invoke_transaction: { ...INVOKE, resource_bounds: { l1_gas: {} } } },
  "invoke_transaction.resource_bounds.l1_gas.max_amount",
);
testBadParams(METHOD, { transaction: INVOKE }, "invoke_transaction");
specTest(METHOD, [
  [PARAMS, accepting({ transactionHash: 1n }).context],
  [PARAMS, rejecting("VALIDATION_FAILURE")],
  [PARAMS, rejecting("INVALID_TRANSACTION_NONCE")],
]);
