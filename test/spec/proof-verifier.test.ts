import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import {
  BUSY,
  BUSY_KEYS,
  FIRST_CLASS,
  headerOf,
  proofContext,
} from "#test/helpers/proofs/proof-chain.ts";
import { type StorageProof, verifyStorageProof } from "#test/helpers/proofs/storage-proof.ts";
import { pedersenOf, proveLeaf, type WireNode } from "#test/helpers/proofs/trie-walk.ts";
import { resultOf } from "#test/helpers/rpc.ts";
import { fixturePath, fixtureTest, hasFixtures, readFixtureJson } from "#test/helpers/shared.ts";

const sharedTest = fixtureTest("patricia");

interface PatriciaVector {
  readonly height: number;
  readonly root_hash: string;
  readonly initial_leaves: readonly number[];
  readonly modified_leaves_indices: readonly number[];
  readonly facts_storage: Readonly<Record<string, readonly string[]>>;
}

/** Facts of a vector as proof nodes: two children, or length, path and child. */
function nodesOf({ facts_storage }: PatriciaVector): WireNode[] {
  return Object.entries(facts_storage).map(([node_hash, [a = "", b = "", child]]) => ({
    node_hash,
    node: child === undefined ? { left: a, right: b } : { path: b, length: Number(a), child },
  }));
}

const files = hasFixtures("patricia")
  ? readdirSync(fixturePath("patricia")).filter((name) => name.endsWith(".json"))
  : [];

for (const file of files) {
  sharedTest(`proveLeaf reads the tree of ${file}`, () => {
    const vector = readFixtureJson("patricia", file) as PatriciaVector;
    const { height } = vector;
    const keys = [...vector.modified_leaves_indices, ...vector.initial_leaves.slice(0, 20)];
    const nodes = nodesOf(vector);
    const leaves = keys.map((key) => {
      const proven = proveLeaf(nodes, BigInt(vector.root_hash), BigInt(key), pedersenOf, height);
      return proven.kind === "leaf" ? proven.value : proven.reason;
    });
    // In the vectors the value of a leaf is its index among all nodes of a full tree.
    const initial = new Set(vector.initial_leaves);
    expect(leaves).toEqual(keys.map((key) => (initial.has(key) ? BigInt(key + 2 ** height) : 0n)));
  });
}

if (!hasFixtures("patricia")) sharedTest("proveLeaf reads the trees", () => undefined);

const REQUEST = {
  class_hashes: [`0x${FIRST_CLASS.toString(16)}`],
  contract_addresses: [`0x${BUSY.toString(16)}`, "0xbad"],
  contracts_storage_keys: [
    {
      contract_address: `0x${BUSY.toString(16)}`,
      storage_keys: [...BUSY_KEYS.slice(2), 3n].map((key) => `0x${key.toString(16)}`),
    },
  ],
};

const proof = async (): Promise<StorageProof> =>
  (await resultOf(
    "getStorageProof",
    { block_id: { block_number: 2 }, ...REQUEST },
    proofContext(),
  )) as StorageProof;

/** Paths of all strings and numbers in a value. */
function placesOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  return typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, member]) => placesOf(member, [...path, name]))
    : [path];
}

/** Copy of the value with the string or number at one path changed. */
function changed(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) {
    return typeof value === "number"
      ? value + 1
      : `0x${(BigInt(value as string) ^ 1n).toString(16)}`;
  }
  const copy: Record<string, unknown> | unknown[] = structuredClone(value) as typeof copy;
  Object.assign(copy, { [name]: changed((value as Record<string, unknown>)[name], rest) });
  return copy;
}

describe("verifyStorageProof", () => {
  test("detects any change of a proof", async () => {
    const honest = await proof();
    expect(verifyStorageProof(REQUEST, honest, headerOf(2)).findings).toEqual([]);
    const places = placesOf(honest);
    expect(places.length).toBeGreaterThan(60);
    const unnoticed = places.filter((path) => {
      const { findings } = verifyStorageProof(
        REQUEST,
        changed(honest, path) as StorageProof,
        headerOf(2),
      );
      return findings.length === 0;
    });
    expect(unnoticed).toEqual([]);
  });

  test("detects missing and superfluous nodes", async () => {
    const honest = await proof();
    for (const i of honest.classes_proof.keys()) {
      const classes_proof = honest.classes_proof.toSpliced(i, 1);
      const { findings } = verifyStorageProof(REQUEST, { ...honest, classes_proof }, headerOf(2));
      expect(findings.length).toBeGreaterThan(0);
    }
    const [storage = []] = honest.contracts_storage_proofs;
    for (const i of storage.keys()) {
      const contracts_storage_proofs = [storage.toSpliced(i, 1)];
      const less = { ...honest, contracts_storage_proofs };
      expect(verifyStorageProof(REQUEST, less, headerOf(2)).findings.length).toBeGreaterThan(0);
    }
    const more = { ...honest, contracts_storage_proofs: [[...storage, ...honest.classes_proof]] };
    expect(verifyStorageProof(REQUEST, more, headerOf(2)).findings).toHaveLength(1);
  });

  test("detects the proof of another block", async () => {
    expect(verifyStorageProof(REQUEST, await proof(), headerOf(1)).findings).toEqual([
      "another block's hash",
      "the roots are not those of the block",
    ]);
  });
});
