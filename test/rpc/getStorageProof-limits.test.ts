import { describe, expect, test } from "bun:test";
import type { JsonValue } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import type { RpcContext } from "#api/rpc/index.ts";
import { fakeHeader } from "#test/helpers/fake-chain.ts";
import { BUSY, FIRST_CLASS, proofContext } from "#test/helpers/proofs/proof-chain.ts";
import { errorOf, resultOf } from "#test/helpers/rpc.ts";
import { errorObject, NO_BLOCK, testBadParams } from "./common.ts";

/** Reads several nodes. */
const REQUEST = {
  class_hashes: [hexFromFelt(FIRST_CLASS)],
  contract_addresses: [hexFromFelt(BUSY)],
  contracts_storage_keys: [{ contract_address: hexFromFelt(BUSY), storage_keys: ["0x2", "0x3"] }],
};
const numbered = (block_number: number) => ({ block_number });

const answerTo = (params: Readonly<Record<string, JsonValue>>): Promise<unknown> =>
  resultOf("getStorageProof", { block_id: "latest", ...params }, proofContext());

describe("limits", () => {
  const keys = (count: number): string[] => Array.from({ length: count }, (_, i) => `0x${i}`);
  const tooMany = (limit: number, requested: number) => ({
    code: 10000,
    message: "Too many storage keys requested",
    data: { limit, requested },
  });
  const storage = (...counts: number[]) =>
    counts.map((count) => ({ contract_address: hexFromFelt(BUSY), storage_keys: keys(count) }));

  test("100 keys are answered, of all lists together, and 101 are not", async () => {
    const most = {
      class_hashes: keys(20),
      contract_addresses: keys(30),
      contracts_storage_keys: storage(40, 10),
    };
    expect(await answerTo(most)).toHaveProperty("contracts_storage_proofs.length", 2);
    for (const more of [
      { ...most, class_hashes: keys(21) },
      { ...most, contract_addresses: keys(31) },
      { ...most, contracts_storage_keys: storage(40, 11) },
      { ...most, contracts_storage_keys: storage(40, 10, 0) },
      { contracts_storage_keys: storage(...Array.from({ length: 101 }, () => 0)) },
    ]) {
      const error = await errorOf(
        "getStorageProof",
        { block_id: "latest", ...more },
        proofContext(),
      );
      expect(error).toEqual(tooMany(100, 101));
    }
  });

  test("are an option", async () => {
    const limits = { maxEventsChunk: 1, maxEventKeys: 1, maxTransactions: 1, maxProofKeys: 2 };
    const context = proofContext({}, { limits });
    const ask = (count: number) => ({ block_id: "latest", class_hashes: keys(count) });
    expect(await resultOf("getStorageProof", ask(2), context)).toMatchObject({});
    expect(await errorOf("getStorageProof", ask(3), context)).toEqual(tooMany(2, 3));
  });

  test("are told before the block is looked for", async () => {
    const params = { block_id: NO_BLOCK, class_hashes: keys(50_000) };
    expect(await errorOf("getStorageProof", params, proofContext())).toEqual(tooMany(100, 50_000));
  });
});

describe("while other threads write", () => {
  test("a block that is pruned meanwhile is not answered", async () => {
    const context = proofContext({
      onRead: (chain) => Object.assign(chain, { oldestTrieBlock: () => 3 }),
    });
    const error = await errorOf("getStorageProof", { block_id: numbered(2), ...REQUEST }, context);
    expect(error).toMatchObject({
      code: 42,
      data: "proofs are kept from block 3 on, not of block 2",
    });
  });

  test("a block that is taken back meanwhile is not found, nor is the one in its place", async () => {
    for (const left of [undefined, fakeHeader({ number: 2, hash: 0xf04cn })]) {
      const context = proofContext({
        onRead: (chain) => Object.assign(chain, { header: () => left }),
      });
      const params = { block_id: numbered(2), ...REQUEST };
      const error = await errorOf("getStorageProof", params, context);
      expect(error).toEqual(errorObject("BLOCK_NOT_FOUND"));
    }
  });

  test("a row that is gone ends as what took it away", async () => {
    const rowless = (onRead: (chain: RpcContext["chain"]) => void) => {
      const { chain, ...rest } = proofContext();
      const trieAt = (number: number) => ({
        root: chain.trieAt(number).root,
        node() {
          onRead(lossy);
          return undefined;
        },
      });
      const lossy = { ...chain, trieAt };
      return { ...rest, chain: lossy };
    };
    const params = { block_id: numbered(2), ...REQUEST };
    const pruned = rowless((chain) => Object.assign(chain, { oldestTrieBlock: () => 3 }));
    expect(await errorOf("getStorageProof", params, pruned)).toMatchObject({ code: 42 });
    const damaged = rowless(() => undefined);
    expect(await errorOf("getStorageProof", params, damaged)).toEqual({
      code: -32603,
      message: "Internal error",
      data: { log_id: expect.any(String) },
    });
  });

  test("a request that is stopped ends between two reads", async () => {
    let reads = 0;
    const context = proofContext({ onRead: () => reads++ }, { isStopped: () => reads === 5 });
    const error = await errorOf("getStorageProof", { block_id: "latest", ...REQUEST }, context);
    expect(error).toMatchObject({ code: -32603, data: expect.stringContaining("took too long") });
    expect(reads).toBe(5);
  });
});

const TOO_GREAT = hexFromFelt(2n ** 251n);
const at = { block_id: "latest" } as const;
testBadParams("getStorageProof", {}, "block_id");
testBadParams("getStorageProof", { block_id: {} }, "block_id");
testBadParams("getStorageProof", { block_id: { block_number: -1 } }, "block_id.block_number");
testBadParams("getStorageProof", { ...at, class_hashes: "0x1" }, "class_hashes");
testBadParams("getStorageProof", { ...at, class_hashes: {} }, "class_hashes");
testBadParams("getStorageProof", { ...at, class_hashes: ["0x1", null] }, "class_hashes[1]");
testBadParams("getStorageProof", { ...at, class_hashes: [TOO_GREAT] }, "class_hashes[0]");
testBadParams("getStorageProof", { ...at, contract_addresses: [1] }, "contract_addresses[0]");
testBadParams(
  "getStorageProof",
  { ...at, contract_addresses: [TOO_GREAT] },
  "contract_addresses[0]",
);
testBadParams(
  "getStorageProof",
  { ...at, contracts_storage_keys: [[]] },
  "contracts_storage_keys[0]",
);
testBadParams(
  "getStorageProof",
  { ...at, contracts_storage_keys: [{ storage_keys: [] }] },
  "contracts_storage_keys[0].contract_address",
);
testBadParams(
  "getStorageProof",
  { ...at, contracts_storage_keys: [{ contract_address: "0x1" }] },
  "contracts_storage_keys[0].storage_keys",
);
testBadParams(
  "getStorageProof",
  {
    ...at,
    contracts_storage_keys: [{ contract_address: "0x1", storage_keys: ["0x1", TOO_GREAT] }],
  },
  "contracts_storage_keys[0].storage_keys[1]",
);
testBadParams("getStorageProof", { ...at, keys: [] }, "keys");
testBadParams("getStorageProof", ["latest", [], [], [], []], "[4]");
