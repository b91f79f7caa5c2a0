import { describe, expect, test } from "bun:test";
import { contractAddress, type InvokeV3, transactionHash } from "#protocol/chain/index.ts";
import { pedersenArray } from "#protocol/crypto/index.ts";
import { ADDRESS_BOUND, feltFromShortString, FIELD_PRIME } from "#base/primitives/index.ts";

const MAINNET = feltFromShortString("SN_MAIN");
const none = { maxAmount: 0n, maxPricePerUnit: 0n };

/** Mainnet transaction 0x41906f1c… of starkware-libs/sequencer, transaction_hash.json. */
const INVOKE: InvokeV3 = {
  type: "INVOKE",
  version: 3,
  senderAddress: 0x69c0f9bcd79697bdceaf7748e3ff8f34aa39e4063ce44896af664c0c96f6c10n,
  nonce: 0x9dn,
  signature: [],
  calldata: [
    0x1n,
    0x4c0a5193d58f74fbace4b74dcf65481e734ed1714121bdc571da345540efa05n,
    0x3943907ef0ef6f9d2e2408b05e520a66daaf74293dbf665e5a20b117676170en,
    0x2n,
    0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7n,
    0x16345785d8a0000n,
  ],
  resourceBounds: {
    l1Gas: { maxAmount: 0xa9en, maxPricePerUnit: 0x7f2a1ad4f2f1n },
    l2Gas: none,
    l1DataGas: null,
  },
  tip: 0n,
  paymasterData: [],
  nonceDataAvailabilityMode: 0,
  feeDataAvailabilityMode: 0,
  accountDeploymentData: [],
  proofFacts: [],
};

describe("transactionHash", () => {
  test("computes the query hash of an invoke of version 3", () => {
    expect(transactionHash(INVOKE, MAINNET, { query: true })).toBe(
      0x63548034064bb4bc4aff845f0350e286e695225480627c1048d3216735bc9afn,
    );
  });
  test("computes the query hash with proof facts", () => {
    const proven = { ...INVOKE, proofFacts: [1n, 2n, 3n] };
    expect(transactionHash(proven, MAINNET, { query: true })).toBe(
      0x4f6d9d6a88c714904736ad22f9ebda8fa93958c6a3be3bd23a5a0d7b6e67668n,
    );
  });
  test("distinguishes a bound of 0 on L1 data gas from a missing one", () => {
    const resourceBounds = { ...INVOKE.resourceBounds, l1DataGas: none };
    expect(transactionHash({ ...INVOKE, resourceBounds }, MAINNET)).not.toBe(
      transactionHash(INVOKE, MAINNET),
    );
  });
  test("does not cover the signature", () => {
    expect(transactionHash({ ...INVOKE, signature: [1n] }, MAINNET)).toBe(
      transactionHash(INVOKE, MAINNET),
    );
  });
});

describe("contractAddress", () => {
  test("is the documented hash modulo the address bound", () => {
    // Inputs of starkware-libs/sequencer, core_test.rs.
    const calldata = [60n, 70n, FIELD_PRIME - 1n];
    const prefix = feltFromShortString("STARKNET_CONTRACT_ADDRESS");
    const hash = pedersenArray([prefix, 0n, 1337n, 0x110n, pedersenArray(calldata)]);
    expect(contractAddress(0n, 1337n, 0x110n, calldata)).toBe(hash % ADDRESS_BOUND);
  });
});
