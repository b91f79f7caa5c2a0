import { expect, test } from "bun:test";
import { fakeReceipt } from "#test/helpers/fake-chain.ts";
import { encodeReceipt } from "#api/rpc/spec/v0_10/receipt.ts";

test("the message hash of a receipt matches that of the core contract", () => {
  // Mainnet message with nonce 775628; hash as in the tests of starknet-rs and madara.
  const transaction = {
    type: "L1_HANDLER",
    version: 0,
    nonce: 775628n,
    contractAddress: 0x73314940630fd6dcda0d772d4c972c4e0a9946bef9dabf4ef84eda8ef542b82n,
    entryPointSelector: 0x2d757788a8d8d6f21d1cd40bce38a8222d70654214e96ff95d8086e684fbee5n,
    calldata: [
      0xc3511006c04ef1d78af4c8e0e74ec18a6e64ff9en,
      0x689ead7d814e51ed93644bc145f0754839b8dcb340027ce0c30953f38f55d7n,
      0x2c68af0bb140000n,
      0n,
    ],
    paidFeeOnL1: null,
  } as const;
  const receipt = fakeReceipt({ transactionHash: 1n });
  expect(encodeReceipt({ hash: 1n, transaction }, receipt, "ACCEPTED_ON_L2")).toMatchObject({
    message_hash: "0xc51a543ef9563ad2545342b390b67edfcddf9886aa36846cf70382362fc5fab3",
  });
});
