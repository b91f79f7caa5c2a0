import { describe, expect, test } from "bun:test";
import { type JsonObject, type JsonValue, parseJson } from "#base/codec/index.ts";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import {
  readBlockReference,
  readContractAddresses,
  readGatewayClass,
  readGatewayError,
  readGatewayTransactionStatus,
  readPublicKey,
  writeContractAddresses,
  writeGatewayClass,
  writeGatewayError,
  writeGatewayTransactionStatus,
  writePublicKey,
} from "#io/feeder/index.ts";
import {
  type ContractClass,
  type LegacyClass,
  parseLegacyClass,
  legacyClassHash,
} from "#protocol/chain/index.ts";
import { sent } from "#test/helpers/gateway-forms.ts";
import { packedClass, sentPackedClass } from "#test/helpers/packed-class.ts";
import { fixturePath, fixtureTest } from "#test/helpers/shared.ts";

describe("get_contract_addresses", () => {
  // Response of mainnet's feeder gateway.
  const mainnet = {
    Starknet: "0xc662c410C0ECf747543f5bA90660f6ABeBD9C8c4",
    GpsStatementVerifier: "0x47312450B3Ac8b5b8e247a6bB6d523e7605bDb60",
    eth_l2_token_address: "0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7",
    strk_l2_token_address: "0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d",
  };

  test("reads and writes the response of mainnet", () => {
    const read = readContractAddresses(mainnet);
    expect(read.starknet).toBe(0xc662c410c0ecf747543f5ba90660f6abebd9c8c4n);
    const verifier = BigInt(mainnet.GpsStatementVerifier);
    expect(sent(writeContractAddresses(read, verifier))).toEqual(mainnet);
  });

  test("requires only the core contract", () => {
    const read = readContractAddresses({ Starknet: mainnet.Starknet });
    expect(read.parentFeeToken).toBeUndefined();
    expect(sent(writeContractAddresses(read, null))).toEqual({ Starknet: mainnet.Starknet });
  });

  test.each([
    [{}, "Starknet"],
    [{ Starknet: `0x1${"0".repeat(40)}` }, "Starknet"],
    [{ ...mainnet, strk_l2_token_address: `0x8${"0".repeat(62)}` }, "strk_l2_token_address"],
    [{ ...mainnet, eth_l2_token_address: 5 }, "eth_l2_token_address"],
  ])("rejects %p", (json, path) => {
    expect(() => readContractAddresses(json)).toThrow(`${path}: expected`);
  });

  test.each([[null], [[]], ["0x1"], [7]])("rejects the non-object %p", (json) => {
    expect(() => readContractAddresses(json)).toThrow("value: expected");
  });
});

describe("get_transaction_status", () => {
  test.each([
    { tx_status: "NOT_RECEIVED", finality_status: "NOT_RECEIVED", execution_status: null },
    { tx_status: "CANDIDATE", finality_status: "RECEIVED", execution_status: null },
    { tx_status: "PRE_CONFIRMED", finality_status: "RECEIVED", execution_status: "SUCCEEDED" },
    {
      tx_status: "REJECTED",
      finality_status: "RECEIVED",
      execution_status: "REJECTED",
      tx_failure_reason: { code: "TRANSACTION_FAILED", error_message: "no" },
    },
    {
      tx_status: "ACCEPTED_ON_L2",
      finality_status: "ACCEPTED_ON_L2",
      execution_status: "REVERTED",
      block_hash: "0x2",
      tx_revert_reason: "because",
    },
  ])("reads and writes %p", (json) => {
    const read = readGatewayTransactionStatus(json as JsonObject);
    expect(sent(writeGatewayTransactionStatus(read))).toEqual(json as JsonObject);
  });

  test.each([
    [{ finality_status: "PRE_CONFIRMED" }, "finality_status"],
    [{ execution_status: "FAILED" }, "execution_status"],
    [{ tx_status: null }, "tx_status"],
    [{ block_hash: "2" + "0".repeat(80) }, "block_hash"],
    [{ tx_failure_reason: "no" }, "tx_failure_reason"],
    [{ tx_failure_reason: { code: "A" } }, "tx_failure_reason.error_message"],
    [{ tx_revert_reason: {} }, "tx_revert_reason"],
  ])("rejects %p", (wrong, path) => {
    const right = { tx_status: "RECEIVED", finality_status: "RECEIVED" };
    expect(() => readGatewayTransactionStatus({ ...right, ...wrong })).toThrow(`${path}: expected`);
  });
});

describe("gateway errors", () => {
  test("are read with any code", () => {
    const body = { code: "StarkErrorCode.INVALID_SIGNATURE", message: "no" };
    expect(readGatewayError({ ...body, problems: {} })).toEqual(body);
    expect(sent(writeGatewayError(body))).toEqual(body);
  });

  test.each<[JsonValue]>([[null], ["no"], [[]], [{}], [{ code: "A" }], [{ code: 1, message: "" }]])(
    "%p is no gateway error",
    (json) => {
      expect(readGatewayError(json)).toBeUndefined();
    },
  );
});

test("public keys and block references are read back, and rejected in another form", () => {
  expect(readPublicKey(sent(writePublicKey(255n)))).toBe(255n);
  expect(() => readPublicKey({})).toThrow("value: expected");
  expect(() => readBlockReference({ block_hash: "0x1" })).toThrow("block_number: expected");
});

describe("get_class_by_hash", () => {
  const sierra: ContractClass = {
    kind: "sierra",
    sierraProgram: [1n, 2n],
    contractClassVersion: "0.1.0",
    entryPoints: { EXTERNAL: [{ selector: 3n, functionIdx: 4 }], L1_HANDLER: [], CONSTRUCTOR: [] },
    abi: '[{"a": 1}]',
  };

  test("reads a Sierra class as it was written", () => {
    const json = sent(writeGatewayClass(sierra));
    expect(Object.keys(json as JsonObject).sort()).toEqual([
      "abi",
      "contract_class_version",
      "entry_points_by_type",
      "sierra_program",
    ]);
    expect(readGatewayClass(json)).toEqual(sierra);
  });

  test("writes null for the missing ABI of a Cairo 0 class", () => {
    const json = '{"entry_points_by_type":{},"program":{"data":[]}}';
    const written = writeGatewayClass({ kind: "legacy", json }) as JsonObject;
    expect(written["abi"]).toBeNull();
    expect(() => writeGatewayClass({ kind: "legacy", json: "[]" })).toThrow("object");
  });

  test("reads a compressed Cairo 0 class", () => {
    const json = sent(sentPackedClass({ felts: 3 }) as unknown as JsonValue);
    const read = readGatewayClass(json) as LegacyClass;
    const program = parseLegacyClass(read).value["program"] as JsonObject;
    expect(program["data"]).toHaveLength(3);
    expect(packedClass({ felts: 3 }).kind).toBe("packed");
  });

  test.each<[JsonValue]>([[null], [[]], [{}], [{ program: 1 }], [{ program: "" }]])(
    "rejects %p",
    (json) => {
      expect(() => readGatewayClass(json)).toThrow("expected");
    },
  );

  test("does not decompress a program that is too long", () => {
    const bomb = gzipSync(`{"data":[],"long":"${"a".repeat(70 << 20)}"}`).toString("base64");
    expect(bomb.length).toBeLessThan(1 << 20);
    const tables = { CONSTRUCTOR: [], EXTERNAL: [], L1_HANDLER: [] };
    const json = { program: bomb, entry_points_by_type: tables };
    expect(() => readGatewayClass(json)).toThrow("program: expected a class of at most");
  });

  for (const name of [
    "cairo-0.10-compiler-version",
    "cairo-0.11.0-decimal-entry-point-offset",
    "cairo-0.8-new-attributes",
    "goerli-genesis",
  ]) {
    fixtureTest("classes/pathfinder-gateway")(`${name} keeps its hash`, () => {
      const path = fixturePath("classes", "pathfinder-gateway", `${name}.json`);
      const json = readFileSync(path, "utf8");
      const read = readGatewayClass(sent(writeGatewayClass(readGatewayClass(parseJson(json)))));
      expect(legacyClassHash(read as LegacyClass)).toBe(legacyClassHash({ kind: "legacy", json }));
    });
  }
});
