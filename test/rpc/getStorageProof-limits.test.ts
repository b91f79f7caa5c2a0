import { describe, expect, test } from "bun:test";
import type { JsonValue } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { createChainReader, openDatabase } from "#io/storage/index.ts";
import { fakeDiff } from "#test/helpers/fake-chain.ts";
import { BUSY, DIFFS, FIRST_CLASS, proofContext } from "#test/helpers/proofs/proof-chain.ts";
import { errorOf, resultOf } from "#test/helpers/rpc.ts";
import { sampleContext } from "#test/helpers/sample-chain.ts";
import { StateHistory } from "#test/helpers/state-history.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";
import { NO_BLOCK, testBadParams } from "./common.ts";

/** Reads several nodes. */
const REQUEST = {
  class_hashes: [hexFromFelt(FIRST_CLASS)],
  contract_addresses: [hexFromFelt(BUSY)],
  contracts_storage_keys: [{ contract_address: hexFromFelt(BUSY), storage_keys: ["0x2", "0x3"] }],
};
const numbered = (block_number: number) => ({ block_number });

const answerTo = (params: Readonly<Record<string, JsonValue>>): Promise<unknown> =>
  resultOf("getStorageProof", { block_id: "latest", ...params }, proofContext());

describe("getStorageProof limits", () => {
  const keys = (count: number): string[] => Array.from({ length: count }, (_, i) => `0x${i}`);
  const tooMany = (limit: number, requested: number) => ({
    code: 10000,
    message: "Too many storage keys requested",
    data: { limit, requested },
  });
  const storage = (...counts: number[]) =>
    counts.map((count) => ({ contract_address: hexFromFelt(BUSY), storage_keys: keys(count) }));

  test("allow 100 keys in all lists together, and no more", async () => {
    const atLimit = {
      class_hashes: keys(20),
      contract_addresses: keys(30),
      contracts_storage_keys: storage(40, 10),
    };
    expect(await answerTo(atLimit)).toHaveProperty("contracts_storage_proofs.length", 2);
    for (const more of [
      { ...atLimit, class_hashes: keys(21) },
      { ...atLimit, contract_addresses: keys(31) },
      { ...atLimit, contracts_storage_keys: storage(40, 11) },
      { ...atLimit, contracts_storage_keys: storage(40, 10, 0) },
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

  test("are configurable", async () => {
    const limits = { maxEventsChunk: 1, maxEventKeys: 1, maxTransactions: 1, maxProofKeys: 2 };
    const context = proofContext({}, { limits });
    const ask = (count: number) => ({ block_id: "latest", class_hashes: keys(count) });
    expect(await resultOf("getStorageProof", ask(2), context)).toMatchObject({});
    expect(await errorOf("getStorageProof", ask(3), context)).toEqual(tooMany(2, 3));
  });

  test("are checked before the block is resolved", async () => {
    const params = { block_id: NO_BLOCK, class_hashes: keys(50_000) };
    expect(await errorOf("getStorageProof", params, proofContext())).toEqual(tooMany(100, 50_000));
  });
});

describe("getStorageProof during writes", () => {
  const path = (folder: TemporaryFolder): string => folder.file("chain.db");
  const write = (block: number) =>
    fakeDiff({ storageDiffs: new Map([[BUSY, new Map([[2n, 0x1000n + BigInt(block)]])]]) });

  /** Chain that keeps the proofs of one block, and a reader next to its writer. */
  async function shortChain(folder: TemporaryFolder) {
    const history = await StateHistory.open(path(folder), { keepProofs: 1 });
    for (const diff of DIFFS) history.commit(diff);
    const options = { path: path(folder), chainId: "SN_TEST", durability: "normal" } as const;
    const reading = await openDatabase({ ...options, mode: "reader" });
    return { history, reading, chain: createChainReader(reading) };
  }

  test("returns a consistent proof despite concurrent commits, pruning and reverts", async () => {
    for (const happens of [
      (history: StateHistory) => history.commit(write(history.newest + 1)),
      (history: StateHistory) => history.revertTo(history.newest - 1),
    ]) {
      using folder = temporaryFolder();
      const { history, reading, chain } = await shortChain(folder);
      const quiet = await resultOf(
        "getStorageProof",
        { block_id: "latest", ...REQUEST },
        sampleContext({ chain }),
      );
      let reads = 0;
      const isStopped = (): boolean => {
        if (++reads === 3) happens(history);
        return false;
      };
      const context = sampleContext({ chain, isStopped });
      expect(
        await resultOf("getStorageProof", { block_id: "latest", ...REQUEST }, context),
      ).toEqual(quiet);
      expect(reads).toBeGreaterThan(5);
      const next = await resultOf("getStorageProof", { block_id: "latest", ...REQUEST }, context);
      expect(next).not.toEqual(quiet);
      reading.close();
      history[Symbol.dispose]();
    }
  });

  test("reports a missing row as a damaged database", async () => {
    const { chain, ...rest } = proofContext();
    const trieAt = (number: number) => ({
      ...chain.trieAt(number),
      node: () => undefined,
    });
    const params = { block_id: numbered(2), ...REQUEST };
    const damaged = { ...rest, chain: { ...chain, trieAt } };
    expect(await errorOf("getStorageProof", params, damaged)).toEqual({
      code: -32603,
      message: "Internal error",
      data: { log_id: expect.any(String) },
    });
  });

  test("stops between two reads when it is cancelled", async () => {
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
