import { describe, expect, test } from "bun:test";
import { encodeContractClass, type HashedTransaction } from "#protocol/chain/index.ts";
import { encodeLocation, encodeNumber, encodeOriginClass } from "#io/origin/index.ts";
import { fakeReceipt } from "#test/helpers/fake-chain.ts";
import { FORK, forkWorld, type ForkWorldParts, originBlock } from "#test/helpers/fork-context.ts";
import { feltValue } from "#test/helpers/origin-world.ts";
import { tableOf } from "#test/helpers/rpc.ts";
import { INVOKE_V3, MEMPOOL_TX_HASH, SIERRA_CLASS } from "#test/helpers/sample-chain.ts";
import { answerText } from "#test/helpers/serving.ts";

const OLD_HASH = 0x51n;
const LOCAL_HASH = 0x61n;
const transaction = (hash: bigint): HashedTransaction => ({ hash, transaction: INVOKE_V3 });
const LOCAL = {
  header: { number: FORK + 1 },
  transactions: [transaction(LOCAL_HASH)],
  receipts: [fakeReceipt({ transactionHash: LOCAL_HASH })],
};
const BLOCK_2 = originBlock({
  header: { number: 2 },
  transactions: [transaction(OLD_HASH)],
  receipts: [fakeReceipt({ transactionHash: OLD_HASH })],
});

async function askFork(parts: ForkWorldParts, method: string, params: unknown) {
  const world = forkWorld({ local: [LOCAL], ...parts });
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: `starknet_${method}`, params });
  const text = await answerText(world.dispatcher, body, tableOf("0.10.2"));
  const { result, error } = JSON.parse(text);
  return { result, error, asked: world.asked };
}

describe("methods on a fork", () => {
  test("a variable of an old block comes from the origin", async () => {
    const values = new Map([["storage 2 0x7 0x10", feltValue(5n)]]);
    const params = { contract_address: "0x7", key: "0x10", block_id: { block_number: 2 } };
    const { result, asked } = await askFork({ values }, "getStorageAt", params);
    expect(result).toBe("0x5");
    expect(asked).toEqual(["storage 2 0x7 0x10"]);
  });

  test("an unwritten variable of a local block is that of the fork block", async () => {
    const values = new Map([["storage 3 0x7 0x10", feltValue(6n)]]);
    const params = { contract_address: "0x7", key: "0x10", block_id: "latest" };
    expect((await askFork({ values }, "getStorageAt", params)).result).toBe("0x6");
  });

  test.each([
    ["an old block", { block_number: 2 }, 2, 2],
    ["a local block", "latest", FORK, 1],
  ] as const)("the last update of a variable in %s comes from the origin", async (...row) => {
    const [, block_id, block, update] = row;
    const values = new Map([
      [`storage ${block} 0x7 0x10`, feltValue(6n)],
      [`lastUpdate ${block} 0x7 0x10`, encodeNumber(update)],
    ]);
    const response_flags = ["INCLUDE_LAST_UPDATE_BLOCK"];
    const params = { contract_address: "0x7", key: "0x10", block_id, response_flags };
    const { result } = await askFork({ values }, "getStorageAt", params);
    expect(result).toEqual({ value: "0x6", last_update_block: update });
  });

  test("a block that the origin does not prove has no storage proof", async () => {
    const empty = { class_hashes: [], contract_addresses: [], contracts_storage_keys: [] };
    const values = new Map([[`proof 2 ${JSON.stringify(empty)}`, null]]);
    const params = { block_id: { block_number: 2 } };
    const { error } = await askFork({ values }, "getStorageProof", params);
    const data = "the fork's origin does not prove this block";
    expect(error).toMatchObject({ code: 42, data });
  });

  test("a lost origin is an error that names it and the value, never a zero", async () => {
    const params = { contract_address: "0x7", key: "0x10", block_id: { block_number: 2 } };
    const { error } = await askFork({}, "getStorageAt", params);
    expect(error).toEqual({
      code: -32603,
      message: "Internal error",
      data: "http://origin:1 did not return storage 2 0x7 0x10",
    });
  });

  test.each(["getBlockWithTxHashes", "getBlockTransactionCount"])(
    "a local block needs no origin: %s",
    async (method) => {
      const { result, asked } = await askFork({}, method, ["latest"]);
      expect(result).toBeDefined();
      expect(asked).toEqual([]);
    },
  );

  test("an old block has the origin's transactions and finality", async () => {
    const values = new Map([
      ["block 2", BLOCK_2],
      ["l1Accepted", encodeNumber(2)],
    ]);
    const id = [{ block_number: 2 }];
    const { result } = await askFork({ values }, "getBlockWithTxHashes", id);
    expect(result.status).toBe("ACCEPTED_ON_L1");
    expect(result.transactions).toEqual(["0x51"]);
  });

  test("an old block is found by hash", async () => {
    const values = new Map([
      ["numberByHash 0xabc", encodeNumber(2)],
      ["block 2", BLOCK_2],
    ]);
    const id = [{ block_hash: "0xabc" }];
    expect((await askFork({ values }, "getBlockTransactionCount", id)).result).toBe(1);
  });

  test("a hash that neither chain has is no block", async () => {
    const values = new Map([["numberByHash 0xabc", null]]);
    const id = [{ block_hash: "0xabc" }];
    expect((await askFork({ values }, "getBlockTransactionCount", id)).error.code).toBe(24);
  });

  test("a number above the newest block is never asked", async () => {
    const { error, asked } = await askFork({}, "getBlockTransactionCount", [{ block_number: 9 }]);
    expect(error.code).toBe(24);
    expect(asked).toEqual([]);
  });

  test.each([
    [2, encodeNumber(2)],
    [FORK + 1, undefined],
  ])("l1_accepted is the origin's block, or a local one: %i", async (number, value) => {
    const values = new Map(value === undefined ? [] : [["l1Accepted", value]]);
    values.set("block 2", BLOCK_2);
    const l1Accepted = value === undefined ? { l1Accepted: number } : {};
    const parts = { values, ...l1Accepted };
    const { result } = await askFork(parts, "getBlockWithTxHashes", ["l1_accepted"]);
    expect(result.block_number).toBe(number);
  });
});

describe("classes on a fork", () => {
  const params = { block_id: { block_number: 2 }, class_hash: "0x51e77a" };

  test("a class of an old block is the origin's at that block", async () => {
    const contractClass = encodeContractClass(SIERRA_CLASS);
    const value = encodeOriginClass({ contractClass, casmJson: null, compiledClassHash: 1n });
    const values = new Map([["class 2 0x51e77a", value]]);
    const { result } = await askFork({ values }, "getClass", params);
    expect(result.contract_class_version).toBe(SIERRA_CLASS.contractClassVersion);
  });

  test("a class that an old block does not have yet is unknown", async () => {
    const values = new Map([["class 2 0x51e77a", null]]);
    expect((await askFork({ values }, "getClass", params)).error.code).toBe(28);
  });
});

describe("transactions on a fork", () => {
  test("a status of the mempool does not wait for the origin", async () => {
    const hash = [`0x${MEMPOOL_TX_HASH.toString(16)}`];
    const { result, asked } = await askFork({}, "getTransactionStatus", hash);
    expect(result.finality_status).toBe("RECEIVED");
    expect(asked).toEqual([]);
  });

  test("a status of a rejected one does not wait for the origin", async () => {
    const context = {
      mempool: {
        find: () => Promise.resolve(undefined),
        rejectionOf: () => Promise.resolve("no fee"),
      },
    };
    const receipt = await askFork({ context }, "getTransactionReceipt", ["0x77"]);
    expect(receipt.error).toMatchObject({ code: 29, data: "rejected: no fee" });
    expect(receipt.asked).toEqual([]);
  });

  test.each(["getTransactionByHash", "getTransactionReceipt", "getTransactionStatus"])(
    "one of the origin is found after the local ones: %s",
    async (method) => {
      const values = new Map([
        ["locate 0x51", encodeLocation({ blockNumber: 2, index: 0 })],
        ["block 2", BLOCK_2],
        ["l1Accepted", null],
      ]);
      const { result, asked } = await askFork({ values }, method, ["0x51"]);
      expect(result).toBeDefined();
      expect(asked[0]).toBe("locate 0x51");
    },
  );

  test.each(["getTransactionByHash", "getTransactionReceipt", "getTransactionStatus"])(
    "one that neither chain has is unknown: %s",
    async (method) => {
      const values = new Map([["locate 0x77", null]]);
      expect((await askFork({ values }, method, ["0x77"])).error.code).toBe(29);
    },
  );

  test.each([
    "getTransactionByHash",
    "getTransactionReceipt",
    "getTransactionStatus",
    "traceTransaction",
  ])("a lost origin does not make one unknown: %s", async (method) => {
    const { error } = await askFork({}, method, ["0x77"]);
    expect(error).toMatchObject({ code: -32603 });
  });

  test("a local receipt needs no origin", async () => {
    const { result, asked } = await askFork({}, "getTransactionReceipt", ["0x61"]);
    expect(result.finality_status).toBe("ACCEPTED_ON_L2");
    expect(asked).toEqual([]);
  });

  test("a trace of the origin's is the origin's", async () => {
    const trace = { type: "INVOKE", execute_invocation: { revert_reason: "no" } };
    const values = new Map<string, Uint8Array | null>([
      ["locate 0x51", encodeLocation({ blockNumber: 2, index: 0 })],
      ["block 2", BLOCK_2],
      ["l1Accepted", null],
      ["trace 0x51", Buffer.from(JSON.stringify(trace))],
    ]);
    expect((await askFork({ values }, "traceTransaction", ["0x51"])).result).toEqual(trace);
  });

  test("traces of an old block are the origin's", async () => {
    const rows = [{ transaction_hash: "0x51", trace_root: { type: "INVOKE" } }];
    const values = new Map<string, Uint8Array | null>([
      ["block 2", BLOCK_2],
      ["traces 2", Buffer.from(JSON.stringify(rows))],
    ]);
    const id = [{ block_number: 2 }];
    expect((await askFork({ values }, "traceBlockTransactions", id)).result).toEqual(rows);
  });
});

describe("proofs on a fork", () => {
  test("the origin proves its own blocks", async () => {
    const proof = { classes_proof: [], contracts_storage_proofs: [] };
    const request = {
      class_hashes: [],
      contract_addresses: ["0x7"],
      contracts_storage_keys: [],
    };
    const values = new Map([
      [`proof 2 ${JSON.stringify(request)}`, Buffer.from(JSON.stringify(proof))],
    ]);
    const params = { block_id: { block_number: 2 }, contract_addresses: ["0x7"] };
    expect((await askFork({ values }, "getStorageProof", params)).result).toEqual(proof);
  });

  test("nothing proves a local block", async () => {
    const { error } = await askFork({}, "getStorageProof", { block_id: "latest" });
    expect(error.code).toBe(42);
    expect(error.data).toContain("local changes alone");
  });
});
