import { executeQuery } from "#test/helpers/execute-query.ts";
import { describe, expect, test } from "bun:test";
import type { JsonValue } from "#base/codec/index.ts";
import { hexFromFelt } from "#base/primitives/index.ts";
import { NO_TRIES, stateOfDiffs } from "#test/helpers/fake-chain.ts";
import { type PathfinderProof, wireNodes } from "#test/helpers/proofs/pathfinder-proof.ts";
import {
  BARE,
  BUSY,
  BUSY_KEYS,
  DIFFS,
  headerOf,
  naiveRoots,
  proofContext,
  SMALL,
  SYSTEM,
} from "#test/helpers/proofs/proof-chain.ts";
import { contractLeafOf, stateRootOf } from "#test/helpers/proofs/storage-proof.ts";
import { pedersenOf, proveLeaf, type WireNode } from "#test/helpers/proofs/trie-walk.ts";
import { ownSchemas } from "#test/helpers/own-openrpc.ts";
import { type RpcAnswer, tableOf, VERSIONS } from "#test/helpers/rpc.ts";
import { errorObject } from "./common.ts";
import { answerText, dispatcherOf, SILENT, type FullContext } from "#test/helpers/serving.ts";

const METHOD = "pathfinder_getProof";
const NOBODY = 0xbadn;
const numbered = (block_number: number) => ({ block_number });

async function askFor(
  params: JsonValue,
  context: FullContext = proofContext(),
  version = "0.10.2",
): Promise<RpcAnswer> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: METHOD, params });
  const answer = await answerText(dispatcherOf(context), body, tableOf(version));
  const { jsonrpc: _, id: __, ...rest } = JSON.parse(answer) as Record<string, unknown>;
  return rest as unknown as RpcAnswer;
}

async function proofAt(
  block: JsonValue,
  address: bigint,
  keys: readonly bigint[],
  version?: string,
): Promise<PathfinderProof> {
  const params = [block, hexFromFelt(address), keys.map(hexFromFelt)];
  const answer = await askFor(params, proofContext(), version);
  expect(answer).toHaveProperty("result");
  const { result } = answer as { readonly result: PathfinderProof };
  expect(ownSchemas(version ?? "0.10.2").resultFindings(METHOD, result)).toEqual([]);
  return result;
}

const errorOf = async (params: JsonValue, context?: FullContext) =>
  (await askFor(params, context)) as { readonly error: object };

/** Leaf of `key`, if the nodes are exactly the path from the root to it. */
function orderedLeaf(nodes: readonly WireNode[], root: bigint, key: bigint): bigint | string {
  const proven = proveLeaf(nodes, root, key, pedersenOf);
  if (proven.kind === "broken") return proven.reason;
  expect(nodes.map(({ node_hash }) => node_hash)).toEqual([...proven.visited]);
  return proven.value;
}

describe.each(VERSIONS)("pathfinder_getProof over %s", (version) => {
  test.each(DIFFS.map((_, number) => number))("proofs at block %d are valid", async (number) => {
    const diffs = DIFFS.slice(0, number + 1);
    const roots = naiveRoots(diffs);
    const state = stateOfDiffs(diffs);
    for (const [address, keys] of [
      [BUSY, [...BUSY_KEYS.toReversed(), 3n, BUSY_KEYS[0] ?? 0n]],
      [SMALL, [7n, 8n]],
      [BARE, [1n]],
      [SYSTEM, [0n, 1n]],
      [NOBODY, [1n]],
      [BUSY, []],
    ] as const) {
      const proof = await proofAt(numbered(number), address, keys, version);
      expect(BigInt(proof.state_commitment ?? 0)).toBe(headerOf(number).stateRoot);
      expect(stateRootOf(roots.contracts, BigInt(proof.class_commitment ?? 0))).toBe(
        headerOf(number).stateRoot,
      );
      const leaf = orderedLeaf(wireNodes(proof.contract_proof), roots.contracts, address);
      const { contract_data: data } = proof;
      if (data === undefined) {
        expect(leaf).toBe(0n);
        continue;
      }
      expect(leaf).toBe(contractLeafOf({ ...data, storage_root: data.root }));
      expect(data.contract_state_hash_version).toBe("0x0");
      expect(data.storage_proofs).toHaveLength(keys.length);
      expect(
        keys.map((key, i) =>
          orderedLeaf(wireNodes(data.storage_proofs[i] ?? []), BigInt(data.root), key),
        ),
      ).toEqual(keys.map((key) => state.storageAt(address, key)));
    }
  });
});

test("omits the data of an unknown contract", async () => {
  expect(await proofAt("latest", NOBODY, [1n])).not.toHaveProperty("contract_data");
  expect(await proofAt(numbered(0), SYSTEM, [0n])).not.toHaveProperty("contract_data");
  expect(await proofAt(numbered(1), SYSTEM, [0n])).toHaveProperty("contract_data");
});

test("returns null for commitments of empty tries", async () => {
  const { chain, ...rest } = proofContext();
  const header = (number: number) => {
    const known = chain.header(number);
    return known === undefined ? undefined : { ...known, newRoot: 0n };
  };
  const trieAt = () => NO_TRIES;
  const context = { ...rest, chain: { ...chain, header, trieAt } };
  expect(await askFor(["latest", "0xbad", []], context)).toEqual({
    result: { state_commitment: null, class_commitment: null, contract_proof: [] },
  });
});

test("accepts named parameters too", async () => {
  const keys = ["0x7"];
  const contract_address = hexFromFelt(SMALL);
  const byPosition = await askFor(["latest", contract_address, keys]);
  expect(await askFor({ block_id: "latest", contract_address, keys })).toEqual(byPosition);
});

test("has no prefixed name", async () => {
  for (const version of VERSIONS) {
    const table = tableOf(version);
    expect(table.find(METHOD)?.name).toBe(METHOD);
    for (const name of [`starknet_${METHOD}`, "starknet_getProof", "pathfinder_getNonce"]) {
      expect(table.find(name)).toBeUndefined();
    }
  }
});

test("runs on a query thread", async () => {
  const table = tableOf("0.9.0");
  const params = JSON.stringify(["latest", hexFromFelt(SMALL), ["0x7"]]);
  const bytes = await executeQuery(table, proofContext(), METHOD, params, SILENT);
  expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual(await askFor(JSON.parse(params)));
  expect(table.find(METHOD)?.runsOn).toBe("query");
});

describe("pathfinder_getProof errors", () => {
  const at = (block_id: JsonValue, count = 1) => [
    block_id,
    hexFromFelt(BUSY),
    Array.from({ length: count }, (_, i) => hexFromFelt(BigInt(i))),
  ];

  test("allow 100 keys, and no more", async () => {
    const context = proofContext();
    expect(await askFor(at("latest", 100), context)).toHaveProperty("result");
    expect(await errorOf(at("latest", 101), context)).toEqual({
      error: {
        code: 10000,
        message: "Too many storage keys requested",
        data: { limit: 100, requested: 101 },
      },
    });
  });

  test("report pruned tries as PROOF_MISSING, with the oldest block", async () => {
    expect(await errorOf(at(numbered(0)), proofContext({ oldestTrieBlock: 1 }))).toEqual({
      error: {
        code: 10001,
        message: "Merkle trie proof is not available",
        data: "proofs are kept from block 1 on, not of block 0",
      },
    });
  });

  test("report an unknown block as BLOCK_NOT_FOUND", async () => {
    for (const block of [numbered(4), { block_hash: "0x9" }]) {
      expect(await errorOf(at(block))).toEqual({ error: errorObject("BLOCK_NOT_FOUND") });
    }
  });

  test.each([
    ["block_id", at("pre_confirmed")],
    ["block_id", at("pending")],
    ["contract_address", ["latest", hexFromFelt(2n ** 251n), []]],
    ["contract_address", ["latest", "c0", []]],
    ["keys", ["latest", "0x1"]],
    ["keys", ["latest", "0x1", null]],
    ["keys[1]", ["latest", "0x1", ["0x1", hexFromFelt(2n ** 251n)]]],
    ["more", { block_id: "latest", contract_address: "0x1", keys: [], more: 1 }],
  ] as const)("reject an invalid %s", async (path, params) => {
    expect(await errorOf(params as JsonValue)).toMatchObject({
      error: { code: -32602, message: "Invalid params", data: { path } },
    });
  });
});
