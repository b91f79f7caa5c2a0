import { describe, expect, test } from "bun:test";
import type { JsonObject } from "#base/codec/index.ts";
import {
  type GatewayBlock,
  readGatewayBlock,
  writeGatewayBlock,
  writeGatewayStateUpdate,
  writeGatewayTransaction,
} from "#io/feeder/index.ts";
import { EMPTY_STATE_DIFF, type Receipt, type Transaction } from "#protocol/chain/index.ts";
import { sent } from "#test/helpers/gateway-forms.ts";

const NO_GAS = { l1Gas: 0n, l1DataGas: 0n, l2Gas: 0n };
const NO_PRICE = { wei: 1n, fri: 1n };

const HANDLER: Transaction = {
  type: "L1_HANDLER",
  version: 0,
  nonce: 1n,
  contractAddress: 2n,
  entryPointSelector: 3n,
  calldata: [0xab5801a7d398351b8be11c439e05c5b3259aec9bn, 5n, 6n],
  paidFeeOnL1: 7n,
};

const FEE = { maxFee: 1n, signature: [] };
const DEPLOYMENT = {
  nonce: 0n,
  contractAddress: 4n,
  classHash: 5n,
  contractAddressSalt: 6n,
  constructorCalldata: [],
};
const NO_BOUND = { maxAmount: 0n, maxPricePerUnit: 0n };
const V3 = {
  version: 3,
  signature: [],
  resourceBounds: { l1Gas: NO_BOUND, l2Gas: NO_BOUND, l1DataGas: null },
  tip: 0n,
  paymasterData: [],
  nonceDataAvailabilityMode: 0,
  feeDataAvailabilityMode: 1,
} as const;

function receiptWith(members: Partial<Receipt>): Receipt {
  return {
    transactionHash: 8n,
    actualFee: 0n,
    feeUnit: "WEI",
    events: [],
    messages: [],
    status: { kind: "succeeded" },
    gas: NO_GAS,
    daGas: NO_GAS,
    vmResources: { steps: 0, memoryHoles: 0, builtins: {} },
    ...members,
  };
}

function blockOf(protocolVersion: string, receipt: Partial<Receipt> = {}): GatewayBlock {
  return {
    header: {
      hash: 1n,
      parentHash: 2n,
      number: 3,
      newRoot: 4n,
      timestamp: 5,
      sequencerAddress: 6n,
      status: "ACCEPTED_ON_L2",
      l1DaMode: "CALLDATA",
      protocolVersion,
      gasPrices: { l1Gas: NO_PRICE, l1DataGas: NO_PRICE, l2Gas: NO_PRICE },
      transactionCommitment: 1n,
      eventCommitment: 2n,
      receiptCommitment: 3n,
      stateDiffCommitment: 4n,
      stateDiffLength: 5,
    },
    transactions: [{ hash: 8n, transaction: HANDLER }],
    receipts: [receiptWith(receipt)],
  };
}

function written(block: GatewayBlock): JsonObject {
  return sent(writeGatewayBlock(block)) as JsonObject;
}

function receiptOf(block: GatewayBlock): JsonObject {
  return (written(block)["transaction_receipts"] as readonly JsonObject[])[0] ?? {};
}

const ALWAYS = [
  "block_hash",
  "block_number",
  "event_commitment",
  "l1_da_mode",
  "l1_data_gas_price",
  "l1_gas_price",
  "parent_block_hash",
  "sequencer_address",
  "state_root",
  "status",
  "timestamp",
  "transaction_commitment",
  "transaction_receipts",
  "transactions",
];
const LATER = ["receipt_commitment", "state_diff_commitment", "state_diff_length"];

describe("writeGatewayBlock: block members", () => {
  test.each([
    ["", []],
    ["0.13.0", ["starknet_version"]],
    ["0.13.1.1", ["starknet_version"]],
    ["0.13.2", ["starknet_version", ...LATER]],
    ["0.13.3", ["starknet_version", ...LATER]],
    ["0.13.4", ["starknet_version", ...LATER, "l2_gas_price"]],
    ["0.14.4", ["starknet_version", ...LATER, "l2_gas_price"]],
  ])("of version %p", (version, more) => {
    expect(Object.keys(written(blockOf(version))).sort()).toEqual([...ALWAYS, ...more].sort());
  });

  test("includes the L2 gas price of an older block if there is one", () => {
    const { header, ...rest } = blockOf("0.13.2");
    const gasPrices = { ...header.gasPrices, l2Gas: { wei: 1n, fri: 9n } };
    const told = written({ ...rest, header: { ...header, gasPrices } });
    expect(told["l2_gas_price"]).toEqual({ price_in_wei: "0x1", price_in_fri: "0x9" });
  });

  test("omits a zero sequencer address", () => {
    const { header, ...rest } = blockOf("0.14.4");
    const told = written({ ...rest, header: { ...header, sequencerAddress: 0n } });
    expect("sequencer_address" in told).toBe(false);
    expect(readGatewayBlock(told).header.sequencerAddress).toBe(0n);
  });
});

describe("writeGatewayBlock: receipt members", () => {
  const L1 = { l1_gas: 0, l1_data_gas: 0 };
  const ALL = { ...L1, l2_gas: 0 };

  test.each([
    ["", undefined, undefined],
    ["0.13.0", undefined, undefined],
    ["0.13.1", L1, undefined],
    ["0.13.2", L1, L1],
    ["0.13.4", ALL, ALL],
    ["0.14.4", ALL, ALL],
  ])("gas amounts of version %p", (version, data, total) => {
    const resources = receiptOf(blockOf(version))["execution_resources"] as JsonObject;
    expect(resources["data_availability"]).toEqual(data);
    expect(resources["total_gas_consumed"]).toEqual(total);
  });

  test("the gas total is written in every version if it is not zero", () => {
    const gas = { l1Gas: 1n, l1DataGas: 0n, l2Gas: 2n ** 60n };
    const resources = receiptOf(blockOf("0.13.0", { gas }))["execution_resources"] as JsonObject;
    expect(resources["data_availability"]).toBeUndefined();
    expect(resources["total_gas_consumed"]).toEqual({
      l1_gas: 1,
      l1_data_gas: 0,
      l2_gas: 2n ** 60n,
    });
  });

  test("a consumed L1 message has a payload without its sender", () => {
    expect(receiptOf(blockOf("0.14.4"))["l1_to_l2_consumed_message"]).toEqual({
      from_address: "0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B",
      to_address: "0x2",
      selector: "0x3",
      payload: ["0x5", "0x6"],
      nonce: "0x1",
    });
    const { transactions: _replaced, ...rest } = blockOf("0.14.4");
    const declare: Transaction = {
      ...FEE,
      type: "DECLARE",
      version: 0,
      senderAddress: 1n,
      classHash: 2n,
    };
    const other = receiptOf({ ...rest, transactions: [{ hash: 8n, transaction: declare }] });
    expect("l1_to_l2_consumed_message" in other).toBe(false);
  });

  test("a revert error exists only for reverted transactions", () => {
    expect("revert_error" in receiptOf(blockOf("0.14.4"))).toBe(false);
    const status = { kind: "reverted", reason: "" } as const;
    expect(receiptOf(blockOf("0.14.4", { status }))).toMatchObject({
      execution_status: "REVERTED",
      revert_error: "",
    });
  });

  test("the fee unit follows from the transaction version", () => {
    const [receipt] = readGatewayBlock(written(blockOf("0.14.4", { feeUnit: "FRI" }))).receipts;
    expect(receipt?.feeUnit).toBe("WEI");
  });
});

describe("writeGatewayTransaction", () => {
  const keysOf = (transaction: Transaction) =>
    Object.keys(sent(writeGatewayTransaction({ hash: 1n, transaction })) as JsonObject);

  test("names the address of an account deployment by its version", () => {
    const first = keysOf({ type: "DEPLOY_ACCOUNT", version: 1, ...FEE, ...DEPLOYMENT });
    expect(first).toContain("contract_address");
    expect(first).not.toContain("sender_address");
    const third = keysOf({ type: "DEPLOY_ACCOUNT", ...V3, ...DEPLOYMENT });
    expect(third).toContain("sender_address");
    expect(third).not.toContain("contract_address");
  });

  test("writes an invoke of version 0 with a contract and no nonce", () => {
    const call = { contractAddress: 1n, entryPointSelector: 2n, calldata: [] };
    const keys = keysOf({ type: "INVOKE", version: 0, ...FEE, ...call });
    expect(keys).toContain("contract_address");
    expect(keys).not.toContainAnyValues(["nonce", "sender_address"]);
  });

  test("writes a declaration of version 0 with nonce 0", () => {
    const declare = { type: "DECLARE", version: 0, ...FEE, senderAddress: 1n } as const;
    const transaction = { ...declare, classHash: 2n };
    expect(writeGatewayTransaction({ hash: 1n, transaction })["nonce"]).toBe("0x0");
  });

  test("writes an L1 handler without a fee", () => {
    expect(keysOf(HANDLER)).not.toContainAnyValues(["max_fee", "paid_fee_on_l1", "signature"]);
  });

  test("omits empty members of version 3 and writes modes as numbers", () => {
    const invoke = { type: "INVOKE", ...V3, nonce: 0n, senderAddress: 1n, calldata: [] } as const;
    const transaction = { ...invoke, accountDeploymentData: [], proofFacts: [] };
    const json = sent(writeGatewayTransaction({ hash: 1n, transaction })) as JsonObject;
    expect(Object.keys(json["resource_bounds"] as JsonObject)).toEqual(["L1_GAS", "L2_GAS"]);
    expect(json["nonce_data_availability_mode"]).toBe(0);
    expect(json["fee_data_availability_mode"]).toBe(1);
    expect("proof_facts" in json).toBe(false);
    const proved = writeGatewayTransaction({
      hash: 1n,
      transaction: { ...transaction, proofFacts: [9n] },
    });
    expect(proved["proof_facts"]).toEqual(["0x9"]);
  });

  test("readGatewayBlock assumes version 0 when it is omitted", () => {
    const json = written(blockOf("0.8.0"));
    const [{ version: _version, ...handler } = {}] = json["transactions"] as JsonObject[];
    const block = readGatewayBlock({ ...json, transactions: [handler] });
    expect(block.transactions[0]?.transaction.version).toBe(0);
  });
});

test.each([
  ["0.14.0", false],
  ["0.14.1", true],
  ["0.14.4", true],
])("state updates of %s have migrated classes: %p", (version, isThere) => {
  const update = { blockHash: 1n, newRoot: 2n, oldRoot: 3n, stateDiff: EMPTY_STATE_DIFF };
  const json = sent(writeGatewayStateUpdate(update, version)) as JsonObject;
  expect("migrated_compiled_classes" in (json["state_diff"] as JsonObject)).toBe(isThere);
});
