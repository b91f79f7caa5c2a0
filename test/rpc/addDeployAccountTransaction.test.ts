import { expect, test } from "bun:test";
import { DEPLOY_ACCOUNT, DEPLOY_ACCOUNT_V1 } from "#test/helpers/broadcasted.ts";
import { errorOf, resultOf, specTest, VERSIONS } from "#test/helpers/rpc.ts";
import { accepting, rejecting, testWriteErrors } from "./write-common.ts";
import { errorObject, testBadParams } from "./common.ts";

const METHOD = "addDeployAccountTransaction";
const PARAMS = { deploy_account_transaction: DEPLOY_ACCOUNT };

test("returns the hash and the address", async () => {
  const { context, submitted } = accepting({ transactionHash: 0x7a5bn });
  const result = await resultOf(METHOD, PARAMS, context);
  const [transaction] = submitted;
  const address = transaction?.type === "DEPLOY_ACCOUNT" ? transaction.contractAddress : 0n;
  expect(result).toEqual({
    transaction_hash: "0x7a5b",
    contract_address: `0x${address.toString(16)}`,
  });
});

testWriteErrors(METHOD, PARAMS, [
  "INSUFFICIENT_ACCOUNT_BALANCE",
  "INSUFFICIENT_RESOURCES_FOR_VALIDATE",
  "INVALID_TRANSACTION_NONCE",
  "REPLACEMENT_TRANSACTION_UNDERPRICED",
  "FEE_BELOW_MINIMUM",
  "VALIDATION_FAILURE",
  "NON_ACCOUNT",
  "CLASS_HASH_NOT_FOUND",
  "DUPLICATE_TX",
  "UNSUPPORTED_TX_VERSION",
  "UNEXPECTED_ERROR",
]);

for (const version of VERSIONS) {
  test(`submits version 1 with its address over ${version}`, async () => {
    const { context, submitted } = accepting({ transactionHash: 1n });
    const [newer, older] = await Promise.all(
      [DEPLOY_ACCOUNT, DEPLOY_ACCOUNT_V1].map((sent) => resultOf(METHOD, [sent], context, version)),
    );
    expect(older).toEqual(newer);
    expect(submitted[1]).toMatchObject({ type: "DEPLOY_ACCOUNT", version: 1, maxFee: 100n });
  });
}

test("responds UNSUPPORTED_TX_VERSION to version 2", async () => {
  const params = { deploy_account_transaction: { ...DEPLOY_ACCOUNT, version: "0x2" } };
  expect(await errorOf(METHOD, params)).toMatchObject(errorObject("UNSUPPORTED_TX_VERSION"));
});

testBadParams(
  METHOD,
  { deploy_account_transaction: { ...DEPLOY_ACCOUNT, constructor_calldata: "0x1" } },
  "deploy_account_transaction.constructor_calldata",
);
// The address hashes the whole calldata before anything else is checked.
testBadParams(
  METHOD,
  {
    deploy_account_transaction: {
      ...DEPLOY_ACCOUNT,
      constructor_calldata: Array.from({ length: 5_001 }, () => "0x1"),
    },
  },
  "deploy_account_transaction.constructor_calldata",
);
testBadParams(METHOD, [], "deploy_account_transaction");
specTest(METHOD, [
  [PARAMS, accepting({ transactionHash: 1n }).context],
  [PARAMS, rejecting("CLASS_HASH_NOT_FOUND")],
]);
