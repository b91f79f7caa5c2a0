import { describe, expect, test } from "bun:test";
import { gatewayErrorCode } from "#api/gateway/errors.ts";
import { StorageError } from "#base/errors/index.ts";
import { readContractAddresses } from "#io/feeder/index.ts";
import { feederOf, IDENTITY } from "#test/helpers/feeder.ts";
import { SAMPLE_CHAIN, sampleContext } from "#test/helpers/sample-chain.ts";
import { readStrictly } from "#test/helpers/strict-gateway/index.ts";

const { ask } = feederOf();

/** One more than the largest key of a trie. */
const LEAVES = `0x8${"0".repeat(62)}`;
const PRIME = "0x800000000000011000000000000000000000000000000000000000000000001";

describe("chain-wide endpoints", () => {
  test("return the public key and the contract addresses", async () => {
    const key = await ask("get_public_key");
    expect(key.json).toBe("0x1234");
    readStrictly("publicKey", key.text);
    const addresses = await ask("get_contract_addresses");
    readStrictly("contractAddresses", addresses.text);
    expect(readContractAddresses(addresses.json)).toEqual(IDENTITY.addresses);
    expect(addresses.json).toHaveProperty("GpsStatementVerifier");
  });

  test("a full node that does not know the public key yet sends Retry-After", async () => {
    const unknown = feederOf({ identity: { ...IDENTITY, publicKey: () => undefined } });
    const { status, headers } = await unknown.ask("get_public_key");
    expect([status, headers["retry-after"]]).toEqual([503, "1"]);
  });

  test("convert between block numbers and hashes", async () => {
    expect((await ask("get_block_hash_by_id?blockId=1")).json).toBe("0xb10c1");
    expect((await ask("get_block_id_by_hash?blockHash=0xb10c1")).json).toBe(1);
  });

  test.each([
    ["get_block_hash_by_id", "MALFORMED_REQUEST", "Field blockId is required."],
    [
      "get_block_hash_by_id?blockId=2",
      "MALFORMED_REQUEST",
      "Block ID should be in the range [0, 2); got: 2.",
    ],
    [
      "get_block_hash_by_id?blockId=18446744073709551615",
      "MALFORMED_REQUEST",
      "Block ID should be in the range [0, 2); got: 18446744073709551615.",
    ],
    [
      "get_block_hash_by_id?blockId=-1",
      "MALFORMED_REQUEST",
      "Field blockId must be a non-negative integer; got: -1.",
    ],
    ["get_block_id_by_hash", "MALFORMED_REQUEST", "Block hash must be given."],
    [
      "get_block_id_by_hash?blockHash=0xdead",
      "BLOCK_NOT_FOUND",
      "Block hash 0xdead does not exist.",
    ],
    [
      `get_block_id_by_hash?blockHash=${PRIME}`,
      "OUT_OF_RANGE_BLOCK_HASH",
      `Block hash ${PRIME} is out of range.`,
    ],
    ["get_class_by_hash", "MALFORMED_REQUEST", "Missing classHash parameter"],
    ["get_compiled_class_by_class_hash", "MALFORMED_REQUEST", "Missing classHash parameter"],
    ["get_class_by_hash?classHash=0xdead", "UNDECLARED_CLASS", "Class with hash 0xdead not found"],
    [
      "get_compiled_class_by_class_hash?classHash=0xdead",
      "UNDECLARED_CLASS",
      "Class with hash 0xdead not found",
    ],
    [
      "get_compiled_class_by_class_hash?classHash=0x1e6ac",
      "UNDECLARED_CLASS",
      "Class with hash 0x1e6ac not found",
    ],
    [
      "get_class_by_hash?classHash=0x51e77a&blockNumber=0",
      "UNDECLARED_CLASS",
      "Class with hash 0x51e77a not found",
    ],
    ["get_class_by_hash?classHash=0x51e77a&blockNumber=2", "BLOCK_NOT_FOUND", "Block not found"],
    [
      `get_class_by_hash?classHash=${PRIME}`,
      "OUT_OF_RANGE_CLASS_HASH",
      `Class hash ${PRIME} is out of range.`,
    ],
    ["get_transaction", "MALFORMED_REQUEST", "Field transactionHash is required."],
    ["get_transaction_status", "MALFORMED_REQUEST", "Field transactionHash is required."],
    ["get_transaction_receipt", "MALFORMED_REQUEST", "Field transactionHash is required."],
    ["get_transaction_trace", "MALFORMED_REQUEST", "Field transactionHash is required."],
    [
      `get_transaction?transactionHash=${PRIME}`,
      "OUT_OF_RANGE_TRANSACTION_HASH",
      `Transaction hash ${PRIME} is out of range.`,
    ],
    [
      "get_transaction?transactionHash=7",
      "MALFORMED_REQUEST",
      "Transaction hash should be a hexadecimal string starting with 0x, or 'null'; got: 7.",
    ],
    ["get_nonce", "MALFORMED_REQUEST", "Field contractAddress is required."],
    ["get_storage_at?contractAddress=0x1", "MALFORMED_REQUEST", "Field key is required."],
    [
      `get_storage_at?contractAddress=0x1&key=${PRIME}`,
      "OUT_OF_RANGE_STORAGE_KEY",
      `Storage key ${PRIME} is out of range.`,
    ],
    [
      `get_nonce?contractAddress=${PRIME}`,
      "OUT_OF_RANGE_CONTRACT_ADDRESS",
      `Contract address ${PRIME} is out of range.`,
    ],
    [
      `get_storage_at?contractAddress=0x1&key=${LEAVES}`,
      "OUT_OF_RANGE_STORAGE_KEY",
      `Storage key ${LEAVES} is out of range.`,
    ],
    [
      `get_storage_at?contractAddress=0x1&key=${BigInt(LEAVES)}`,
      "OUT_OF_RANGE_STORAGE_KEY",
      `Storage key ${BigInt(LEAVES)} is out of range.`,
    ],
    [
      `get_storage_at?contractAddress=0x1&key=${"9".repeat(77)}`,
      "OUT_OF_RANGE_STORAGE_KEY",
      `Storage key ${"9".repeat(77)} is out of range.`,
    ],
    [
      "get_storage_at?contractAddress=0x1&key=-1",
      "MALFORMED_REQUEST",
      "Storage key should be a hexadecimal string starting with 0x, or 'null'; got: -1.",
    ],
    ["get_full_contract", "MALFORMED_REQUEST", "Field contractAddress is required."],
    [
      "get_full_contract?contractAddress=0xdead",
      "UNINITIALIZED_CONTRACT",
      "Requested contract address 0xdead is not deployed.",
    ],
    [
      `get_class_hash_at?contractAddress=${LEAVES}`,
      "OUT_OF_RANGE_CONTRACT_ADDRESS",
      `Contract address ${LEAVES} is out of range.`,
    ],
    [
      "get_class_hash_at?contractAddress=0xdead",
      "UNINITIALIZED_CONTRACT",
      "Requested contract address 0xdead is not deployed.",
    ],
    ["get_nonce?contractAddress=0xc0&blockNumber=7", "BLOCK_NOT_FOUND", "Block not found"],
  ] as const)("%s responds %s", async (path, name, message) => {
    const { status, json, text, headers } = await ask(path);
    expect([status, json]).toEqual([400, { code: gatewayErrorCode(name), message }]);
    expect(headers["cache-control"]).toBe("no-store");
    readStrictly("error", text);
  });
});

describe("contract state endpoints", () => {
  test.each([
    ["get_storage_at?contractAddress=0xc0&key=0x10", "0x222"],
    ["get_storage_at?contractAddress=0xc0&key=0x10&blockNumber=latest", "0x222"],
    ["get_storage_at?contractAddress=0xc0&key=16", "0x222"],
    ["get_storage_at?contractAddress=0xc0&key=016&blockHash=null", "0x222"],
    ["get_storage_at?contractAddress=0xc0&key=0x10&blockNumber=0", "0x111"],
    ["get_storage_at?contractAddress=0xc0&key=0x10&blockHash=0xb10c0", "0x111"],
    ["get_storage_at?contractAddress=0xc0&key=0x10&blockNumber=pending", "0x333"],
    ["get_storage_at?contractAddress=0xdead&key=0x10", "0x0"],
    ["get_nonce?contractAddress=0xc0", "0x2"],
    ["get_nonce?contractAddress=0xc0&blockNumber=0", "0x1"],
    ["get_nonce?contractAddress=0xc0&blockNumber=pending", "0x3"],
    ["get_nonce?contractAddress=0xdead", "0x0"],
    ["get_class_hash_at?contractAddress=0xc0", "0x51e77a"],
    ["get_class_hash_at?contractAddress=0xc0&blockNumber=0", "0x1e6ac"],
    ["get_class_hash_at?contractAddress=0xc1&blockNumber=pending", "0x9e4d1"],
  ])("%s returns %s", async (path, value) => {
    expect(await ask(path)).toMatchObject({ status: 200, json: value });
  });

  test("report pruned state as BLOCK_NOT_FOUND", async () => {
    const chain = {
      ...SAMPLE_CHAIN,
      stateAt: () => {
        throw new StorageError("STORAGE_PRUNED", "the state of block 0 is not kept any more");
      },
    };
    const pruned = feederOf({ context: sampleContext({ chain }) });
    expect((await pruned.ask("get_nonce?contractAddress=0xc0&blockNumber=0")).json).toEqual({
      code: "StarknetErrorCode.BLOCK_NOT_FOUND",
      message: "the state of block 0 is not kept any more",
    });
  });

  test("hide the details of an internal error", async () => {
    const chain = {
      ...SAMPLE_CHAIN,
      stateAt: () => {
        throw new StorageError("STORAGE_FAILED", "/secret/chain.db is gone");
      },
    };
    const broken = feederOf({ context: sampleContext({ chain }) });
    expect(await broken.ask("get_nonce?contractAddress=0xc0")).toMatchObject({
      status: 500,
      text: "Internal Server Error",
    });
  });
});

describe("get_class_by_hash", () => {
  test("returns Sierra and Cairo 0 classes, also of pre-confirmed blocks under latest", async () => {
    for (const query of ["", "&blockNumber=latest", "&blockNumber=pending"]) {
      for (const hash of ["0x51e77a", "0x1e6ac", "0x9e4d1"]) {
        const { status, text } = await ask(`get_class_by_hash?classHash=${hash}${query}`);
        expect([hash, query, status]).toEqual([hash, query, 200]);
        // The Cairo 0 class of the sample chain is not well-formed, so the strict reader refuses
        // it.
        if (hash !== "0x1e6ac") readStrictly("contractClass", text);
      }
    }
    expect((await ask("get_class_by_hash?classHash=0x51e77a&blockNumber=1")).status).toBe(200);
    expect((await ask("get_class_by_hash?classHash=0x1e6ac&blockHash=0xb10c0")).status).toBe(200);
  });

  test("returns a Cairo 0 class in its declared member order, which its hash depends on", async () => {
    const { text } = await ask("get_class_by_hash?classHash=0x1e6ac");
    expect(text.indexOf('"10"')).toBeLessThan(text.indexOf('"2"'));
    const declared = SAMPLE_CHAIN.declaredClass(0x1e6acn)?.contractClass;
    expect(text).toBe(declared?.kind === "legacy" ? declared.json : "");
  });
});
