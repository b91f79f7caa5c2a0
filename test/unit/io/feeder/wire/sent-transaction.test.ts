import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import type { JsonObject } from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import { FIELD_PRIME, hexFromFelt } from "#base/primitives/index.ts";
import { readGatewayTransaction } from "#io/feeder/index.ts";
import { contractAddress } from "#protocol/chain/index.ts";

const V3 = {
  version: "0x3",
  signature: ["0x1", "2"],
  nonce: "0x4",
  nonce_data_availability_mode: 0,
  fee_data_availability_mode: 0,
  resource_bounds: {
    L1_GAS: { max_amount: "0x5", max_price_per_unit: "0x6" },
    L2_GAS: { max_amount: "7", max_price_per_unit: "0x8" },
  },
  tip: "0x9",
  paymaster_data: [],
};
const READ_V3 = {
  version: 3,
  signature: [1n, 2n],
  nonce: 4n,
  nonceDataAvailabilityMode: 0,
  feeDataAvailabilityMode: 0,
  resourceBounds: {
    l1Gas: { maxAmount: 5n, maxPricePerUnit: 6n },
    l2Gas: { maxAmount: 7n, maxPricePerUnit: 8n },
    l1DataGas: null,
  },
  tip: 9n,
  paymasterData: [],
} as const;

const CALLS = { sender_address: "0xa", calldata: ["11", "0xc"] };
const INVOKE = { type: "INVOKE_FUNCTION", ...V3, ...CALLS, account_deployment_data: [] };
const OLD = { version: "0x1", max_fee: "0x64", signature: ["3", "0x4"], nonce: "0" };

/** With decimal felts, as Pathfinder sends it. */
const DEPLOYMENT = {
  type: "DEPLOY_ACCOUNT",
  ...OLD,
  class_hash: "0x25ec026985a3bf9d0cc1fe17326b245dfdc3ff89b8fde106542a3ea56c5a918",
  contract_address_salt:
    "1932153013209706297281880350012341441929166838423012389811489107471012886391",
  constructor_calldata: [
    "1449178161945088530446351771646113898511736767359209664273682237687410451",
    "215307247182100370520050591091822763712463273430149262739280891880522753123",
    "2",
    "1932153013209706297281880350012341441929166838423012389811489107471012886391",
    "0",
  ],
};

const pack = (text: string): string => gzipSync(text).toString("base64");
const SIERRA = {
  sierra_program: pack('["0x1"]'),
  contract_class_version: "0.1.0",
  entry_points_by_type: { CONSTRUCTOR: [], EXTERNAL: [], L1_HANDLER: [] },
  abi: "[]",
};
const LEGACY = {
  program: pack("{}"),
  entry_points_by_type: SIERRA.entry_points_by_type,
  abi: [],
};
const DECLARE = {
  type: "DECLARE",
  ...V3,
  sender_address: "0xa",
  compiled_class_hash: "0xb",
  account_deployment_data: [],
  contract_class: SIERRA,
};

const transactionOf = (sent: JsonObject) => {
  const read = readGatewayTransaction(sent);
  if (read.kind !== "transaction") throw new TypeError(`it is ${read.kind}`);
  return read.transaction;
};
const failure = (sent: unknown): DecodeError => {
  try {
    readGatewayTransaction(sent as JsonObject);
  } catch (error) {
    if (error instanceof DecodeError) return error;
    throw error;
  }
  throw new TypeError("it was read");
};

describe("readGatewayTransaction of an invoke", () => {
  test.each(["INVOKE", "INVOKE_FUNCTION"])(
    "of type %s reads felts in hex and in decimal",
    (type) => {
      expect(transactionOf({ ...INVOKE, type })).toEqual({
        type: "INVOKE",
        ...READ_V3,
        senderAddress: 10n,
        calldata: [11n, 12n],
        accountDeploymentData: [],
        proofFacts: [],
      });
    },
  );

  test("reads the maximum fee of version 1", () => {
    expect(transactionOf({ type: "INVOKE", ...OLD, ...CALLS })).toEqual({
      type: "INVOKE",
      version: 1,
      maxFee: 100n,
      signature: [3n, 4n],
      nonce: 0n,
      senderAddress: 10n,
      calldata: [11n, 12n],
    });
  });

  test("reads bounds of L1 data gas and ignores unknown members", () => {
    const L1_DATA_GAS = { max_amount: "0x1", max_price_per_unit: "0x2" };
    const resource_bounds = { ...INVOKE.resource_bounds, L1_DATA_GAS };
    expect(transactionOf({ ...INVOKE, resource_bounds, unknown: { a: 1 } })).toMatchObject({
      resourceBounds: { l1DataGas: { maxAmount: 1n, maxPricePerUnit: 2n } },
    });
  });

  test.each([
    ["an invoke", INVOKE],
    ["a declaration", DECLARE],
  ])("reports an address out of range in %s", (_, sent) => {
    const address = 1n << 251n;
    for (const sender_address of [hexFromFelt(address), address.toString()]) {
      expect(readGatewayTransaction({ ...sent, sender_address })).toEqual({
        kind: "address out of range",
        address,
      });
    }
    expect(
      readGatewayTransaction({ ...sent, sender_address: hexFromFelt(address - 1n) }),
    ).toHaveProperty("transaction.senderAddress", address - 1n);
  });

  test.each([{ proof: "AAAA" }, { proof_facts: ["0x1"] }])("recognises a proof: %p", (proof) => {
    expect(readGatewayTransaction({ ...INVOKE, ...proof })).toEqual({ kind: "proof" });
  });

  test("accepts empty proof members", () => {
    expect(transactionOf({ ...INVOKE, proof: null, proof_facts: [] }).type).toBe("INVOKE");
  });
});

describe("readGatewayTransaction of a deployment", () => {
  test("derives the address, also from decimal felts", () => {
    const read = transactionOf(DEPLOYMENT);
    const inHex = {
      ...DEPLOYMENT,
      contract_address_salt: hexFromFelt(BigInt(DEPLOYMENT.contract_address_salt)),
      constructor_calldata: DEPLOYMENT.constructor_calldata.map((text) =>
        hexFromFelt(BigInt(text)),
      ),
      // The address in the request is ignored.
      contract_address: "0x1",
    };
    expect(transactionOf(inHex)).toEqual(read);
    expect(read).toMatchObject({
      type: "DEPLOY_ACCOUNT",
      version: 1,
      signature: [3n, 4n],
      contractAddress: contractAddress(
        0n,
        BigInt(DEPLOYMENT.contract_address_salt),
        BigInt(DEPLOYMENT.class_hash),
        DEPLOYMENT.constructor_calldata.map(BigInt),
      ),
    });
  });

  test("limits the calldata to the protocol maximum", () => {
    const constructor_calldata = Array<string>(5_001).fill("0x0");
    expect(failure({ ...DEPLOYMENT, constructor_calldata }).path).toBe("constructor_calldata");
    expect(failure({ ...DEPLOYMENT, constructor_calldata: "0x0" }).path).toBe(
      "constructor_calldata",
    );
  });
});

describe("readGatewayTransaction of a declaration", () => {
  test("keeps a Sierra class compressed", () => {
    expect(readGatewayTransaction(DECLARE)).toEqual({
      kind: "declaration",
      transaction: {
        type: "DECLARE",
        ...READ_V3,
        senderAddress: 10n,
        compiledClassHash: 11n,
        accountDeploymentData: [],
      },
      contractClass: {
        kind: "packed-sierra",
        program: SIERRA.sierra_program,
        contractClassVersion: "0.1.0",
        entryPoints: SIERRA.entry_points_by_type,
        abi: "[]",
      },
    });
  });

  test("keeps the compressed Cairo 0 class of version 1", () => {
    const sent = { ...DECLARE, ...OLD, contract_class: LEGACY };
    expect(readGatewayTransaction(sent)).toMatchObject({
      kind: "declaration",
      transaction: { type: "DECLARE", version: 1, maxFee: 100n, senderAddress: 10n },
      contractClass: { kind: "packed", program: LEGACY.program, abi: "[]" },
    });
  });

  test.each([
    ["contract_class", undefined],
    ["contract_class.sierra_program", { ...SIERRA, sierra_program: ["0x1"] }],
    ["contract_class.sierra_program", { ...SIERRA, sierra_program: "no base64" }],
    ["contract_class.sierra_program", LEGACY],
    ["contract_class.entry_points_by_type", { ...SIERRA, entry_points_by_type: null }],
  ])("rejects an invalid %s", (path, contract_class) => {
    expect(failure({ ...DECLARE, contract_class }).path).toBe(path);
  });
});

describe("readGatewayTransaction without support", () => {
  test.each([
    ["a query", { ...INVOKE, version: hexFromFelt((1n << 128n) + 3n) }],
    ["a query in decimals", { ...INVOKE, version: String((1n << 128n) + 1n) }],
    ["version 0", { ...INVOKE, version: "0x0" }],
    ["version 2 of an invoke", { ...INVOKE, version: "0x2" }],
    ["version 4", { ...DECLARE, version: "0x4" }],
    ["version 0 of a declaration", { ...DECLARE, version: "0x0" }],
    ["version 2 of a deployment", { ...DEPLOYMENT, version: "0x2" }],
    ["a deprecated deployment", { type: "DEPLOY", version: "0x0" }],
    ["an L1 handler", { type: "L1_HANDLER", version: "0x0" }],
  ])("reports %s as unsupported", (_, sent) => {
    expect(readGatewayTransaction(sent)).toMatchObject({ kind: "unsupported" });
  });

  test.each([(1n << 128n) + 3n, 1n << 128n])("reports the query version %p", (version) => {
    const reason = "a query version can only be estimated or simulated";
    const sent = { ...INVOKE, version: hexFromFelt(version) };
    expect(readGatewayTransaction(sent)).toEqual({ kind: "unsupported", reason });
  });

  test.each<readonly [string, unknown]>([
    ["", null],
    ["", []],
    ["", "0x1"],
    ["type", {}],
    ["type", { ...INVOKE, type: "constructor" }],
    ["version", { ...INVOKE, version: undefined }],
    ["version", { ...INVOKE, version: 3 }],
    ["version", { ...INVOKE, version: hexFromFelt(FIELD_PRIME) }],
    ["nonce", { ...INVOKE, nonce: "" }],
    ["nonce", { ...INVOKE, nonce: "-1" }],
    ["calldata[1]", { ...INVOKE, calldata: ["0x1", 2] }],
    ["calldata", { ...INVOKE, calldata: { 0: "0x1" } }],
    ["tip", { ...INVOKE, tip: hexFromFelt(1n << 64n) }],
    ["resource_bounds.L1_GAS", { ...INVOKE, resource_bounds: { l1_gas: {}, l2_gas: {} } }],
    ["max_fee", { ...DEPLOYMENT, max_fee: hexFromFelt(1n << 128n) }],
  ])("rejects an invalid value at %p", (path, sent) => {
    expect(failure(sent).path).toBe(path);
  });
});
