import { describe, expect, test } from "bun:test";
import { type JsonValue, stringifyJson } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import {
  BARE,
  BUSY,
  BUSY_KEYS,
  DIFFS,
  FIRST_CLASS,
  headerOf,
  LATER_CLASS,
  proofContext,
  SMALL,
  SYSTEM,
} from "#test/helpers/proofs/proof-chain.ts";
import {
  classLeafOf,
  type ProofRequest,
  type StorageProof,
  verifyStorageProof,
} from "#test/helpers/proofs/storage-proof.ts";
import { stateOfDiffs } from "#test/helpers/fake-chain.ts";
import { ask, errorOf, resultOf, specTest, tableOf, VERSIONS } from "#test/helpers/rpc.ts";
import { emptyContext, sampleContext } from "#test/helpers/sample-chain.ts";
import { errorObject, NO_BLOCK, testByPosition } from "./common.ts";
import type { FullContext } from "#test/helpers/serving.ts";

const SERVED = VERSIONS.filter((version) => version !== "0.7.1");
const NOBODY = 0xbadn;
const hexes = (values: readonly bigint[]): string[] => values.map(hexFromFelt);
const numbered = (block_number: number) => ({ block_number });

/** Includes all existing entries, many unknown ones, and some duplicates. */
const CLASSES = [LATER_CLASS, NOBODY, FIRST_CLASS, LATER_CLASS];
const CONTRACTS = [SMALL, NOBODY, BUSY, SYSTEM, BARE, BUSY, 0n, 2n ** 251n - 1n];
const STORAGE: readonly (readonly [bigint, readonly bigint[]])[] = [
  [BUSY, [...BUSY_KEYS.toReversed(), 3n, 2n ** 250n + 1n]],
  [NOBODY, [1n]],
  [SMALL, [7n, 6n, 7n]],
  [BARE, [0n]],
  [SYSTEM, [0n, 1n]],
  [BUSY, [1n]],
];
const REQUEST = {
  class_hashes: hexes(CLASSES),
  contract_addresses: hexes(CONTRACTS),
  contracts_storage_keys: STORAGE.map(([address, keys]) => ({
    contract_address: hexFromFelt(address),
    storage_keys: hexes(keys),
  })),
} satisfies ProofRequest;

async function proofAt(
  block_id: JsonValue,
  request: ProofRequest = REQUEST,
  context: FullContext = proofContext(),
  version?: string,
): Promise<StorageProof> {
  const params = { block_id, ...request } as JsonValue;
  return (await resultOf("getStorageProof", params, context, version)) as StorageProof;
}

describe.each(SERVED)("getStorageProof over %s", (version) => {
  test.each(DIFFS.map((_, number) => number))(
    "returns valid proofs at block %d in the order of the request",
    async (number) => {
      const answer = await proofAt(numbered(number), REQUEST, proofContext(), version);
      const proven = verifyStorageProof(REQUEST, answer, headerOf(number));
      expect(proven.findings).toEqual([]);

      const diffs = DIFFS.slice(0, number + 1);
      const state = stateOfDiffs(diffs);
      expect(proven.storage).toEqual(
        STORAGE.map(([address, keys]) => keys.map((key) => state.storageAt(address, key))),
      );
      expect(proven.contracts).toMatchObject(
        CONTRACTS.map((address) => ({
          nonce: hexFromFelt(state.nonceAt(address)),
          class_hash: hexFromFelt(state.classHashAt(address)),
        })),
      );
      expect(proven.classes).toEqual(
        CLASSES.map((hash) => {
          const compiled = state.compiledClassHashOf(hash);
          return compiled === 0n ? 0n : classLeafOf(compiled);
        }),
      );
    },
  );

  test("is served under both prefixes", () => {
    for (const prefix of ["starknet", "chain"]) {
      expect(tableOf(version).find(`${prefix}_getStorageProof`)?.name).toBe("getStorageProof");
    }
  });
});

test("getStorageProof does not exist in 0.7.1", async () => {
  const answer = await ask("getStorageProof", ["latest"], proofContext(), "0.7.1");
  expect(answer).toMatchObject({ error: { code: -32601 } });
});

describe("getStorageProof lists", () => {
  const nothing = {
    classes_proof: [],
    contracts_proof: { nodes: [], contract_leaves_data: [] },
    contracts_storage_proofs: [],
  };

  test("may be omitted, null or empty; the roots are still returned", async () => {
    const empty = { class_hashes: [], contract_addresses: [], contracts_storage_keys: [] };
    const { global_roots, ...rest } = await proofAt("latest", {});
    expect(rest).toEqual(nothing);
    expect(global_roots.block_hash).toBe(hexFromFelt(headerOf(3).hash));
    expect(await proofAt("latest", empty)).toEqual({ ...nothing, global_roots });
    for (const params of [["latest"], ["latest", null, null, null], ["latest", [], [], []]]) {
      expect(await resultOf("getStorageProof", params, proofContext())).toEqual({
        ...nothing,
        global_roots,
      });
    }
  });

  test("have no nodes for empty tries, and zeros for unknown contracts", async () => {
    expect(await proofAt("latest", REQUEST, sampleContext())).toMatchObject({
      classes_proof: [],
      contracts_proof: { nodes: [], contract_leaves_data: CONTRACTS.map(() => ({})) },
      contracts_storage_proofs: STORAGE.map(() => []),
      global_roots: { contracts_tree_root: "0x0", classes_tree_root: "0x0" },
    });
    const absent = await proofAt("latest", { contract_addresses: ["0xbad"] });
    expect(absent.contracts_proof.contract_leaves_data).toEqual([
      { nonce: "0x0", class_hash: "0x0", storage_root: "0x0" },
    ]);
  });

  test("have no nodes for a contract whose storage was cleared", async () => {
    const request = {
      contract_addresses: hexes([SMALL]),
      contracts_storage_keys: [{ contract_address: hexFromFelt(SMALL), storage_keys: ["0x7"] }],
    };
    const at = async (number: number) => {
      const proof = await proofAt(numbered(number), request);
      expect(verifyStorageProof(request, proof, headerOf(number)).findings).toEqual([]);
      return proof;
    };
    expect((await at(1)).contracts_storage_proofs).toMatchObject([
      [{ node: { path: "0x7", length: 251, child: "0x77" } }],
    ]);
    const after = await at(2);
    expect(after.contracts_storage_proofs).toEqual([[]]);
    expect(after.contracts_proof.contract_leaves_data).toMatchObject([{ storage_root: "0x0" }]);
  });

  test("keep the position of a contract without keys", async () => {
    const contracts_storage_keys = [{ contract_address: "0x1", storage_keys: [] }];
    const proof = await proofAt("latest", { contracts_storage_keys });
    expect(proof.contracts_storage_proofs).toEqual([[]]);
  });
});

describe("getStorageProof blocks", () => {
  const hashAt = async (block_id: JsonValue, version?: string) =>
    (await proofAt(block_id, {}, proofContext(), version)).global_roots.block_hash;

  test("are selected by number, hash or tag", async () => {
    const hash = hexFromFelt(headerOf(1).hash);
    for (const id of [numbered(1), { block_hash: hash }, "l1_accepted"]) {
      expect(await hashAt(id)).toBe(hash);
    }
    expect(await hashAt("latest", "0.8.1")).toBe(hexFromFelt(headerOf(3).hash));
  });

  for (const block_id of [NO_BLOCK, numbered(4), numbered(2 ** 53), { block_number: 10n ** 80n }]) {
    test(`${stringifyJson(block_id)} is BLOCK_NOT_FOUND`, async () => {
      const error = await errorOf("getStorageProof", { block_id }, proofContext());
      expect(error).toEqual(errorObject("BLOCK_NOT_FOUND"));
    });
  }

  test("are BLOCK_NOT_FOUND before the first one", async () => {
    for (const tag of ["latest", "l1_accepted", numbered(0)]) {
      const error = await errorOf("getStorageProof", [tag], emptyContext());
      expect(error).toEqual(errorObject("BLOCK_NOT_FOUND"));
    }
  });

  test.each([
    ["0.10.2", "pre_confirmed"],
    ["0.10.2", "pending"],
    ["0.9.0", "pre_confirmed"],
    ["0.8.1", "pending"],
    ["0.8.1", "l1_accepted"],
  ])("of %s cannot be selected by %s", async (version, tag) => {
    const error = await errorOf("getStorageProof", [tag], proofContext(), version);
    expect(error).toMatchObject({ code: -32602, data: { path: "block_id" } });
  });

  test.each(["oldestTrieBlock", "oldestStateBlock"])(
    "below %s are STORAGE_PROOF_NOT_SUPPORTED, with the oldest block",
    async (kept) => {
      const context = proofContext({ [kept]: 2 });
      for (const version of SERVED) {
        const error = await errorOf("getStorageProof", [numbered(1)], context, version);
        expect(error).toEqual({
          ...errorObject("STORAGE_PROOF_NOT_SUPPORTED"),
          code: 42,
          data: "proofs are kept from block 2 on, not of block 1",
        });
      }
      const proof = await proofAt(numbered(2), REQUEST, context);
      expect(verifyStorageProof(REQUEST, proof, headerOf(2)).findings).toEqual([]);
    },
  );
});

const at = { block_id: "latest" } as const;
testByPosition("getStorageProof", {
  ...at,
  class_hashes: ["0x1"],
  contract_addresses: ["0xc0"],
  contracts_storage_keys: [{ contract_address: "0xc0", storage_keys: ["0x10"] }],
});
specTest("getStorageProof", [
  ...DIFFS.map(
    (_, number) => [{ block_id: numbered(number), ...REQUEST }, proofContext()] as const,
  ),
  [["latest"], sampleContext()],
  [[NO_BLOCK]],
  [[numbered(0)], proofContext({ oldestTrieBlock: 1 })],
]);
