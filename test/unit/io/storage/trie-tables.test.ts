import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { EMPTY_STATE_DIFF } from "#protocol/chain/index.ts";
import {
  type ChainWriter,
  createChainReader,
  createChainWriter,
  type DatabaseHandle,
  openDatabase,
  type StoredChainReader,
} from "#io/storage/index.ts";
import { blockCommit } from "#test/helpers/blocks.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";
import type { TrieChanges, TrieName } from "#protocol/trie/index.ts";

const CONTRACTS: TrieName = { kind: "contracts", contractAddress: 0n };
const CLASSES: TrieName = { kind: "classes", contractAddress: 0n };
const STORAGE: TrieName = { kind: "storage", contractAddress: 0x77n };

const STORAGE_DIFF = {
  ...EMPTY_STATE_DIFF,
  storageDiffs: new Map([[STORAGE.contractAddress, new Map([[1n, 1n]])]]),
};

let folder: TemporaryFolder;
let handle: DatabaseHandle;
let writer: ChainWriter;
let reader: StoredChainReader;

beforeEach(async () => {
  folder = temporaryFolder();
  const path = folder.file("chain.db");
  handle = await openDatabase({ path, chainId: "T", mode: "writer", durability: "normal" });
  writer = createChainWriter(handle);
  reader = createChainReader(handle);
  // Three blocks; each adds one node per trie and removes those of the block before.
  for (const number of [0, 1, 2]) {
    writer.commitBlock(blockCommit(number, { stateDiff: STORAGE_DIFF, trie: changesOf(number) }));
  }
});

afterEach(() => {
  handle.close();
  folder[Symbol.dispose]();
});

function changesOf(block: number): TrieChanges {
  const first = 3 * block + 1;
  return {
    added: [0, 1, 2].map((i) => ({ id: first + i, bytes: Uint8Array.of(block, i), hash: null })),
    removed: block === 0 ? [] : [first - 1, first - 3, first - 2],
    roots: [CONTRACTS, CLASSES, STORAGE].map((name, i) => ({
      ...name,
      root: { id: first + i, hash: BigInt(10 * block + i) },
    })),
    lastNodeId: first + 2,
  };
}

describe("stored tries", () => {
  test("have the root of each block", () => {
    expect(reader.trieAt(-1).root(CONTRACTS)).toBeUndefined();
    expect(reader.trieAt(0).root(CONTRACTS)).toEqual({ id: 1, hash: 0n });
    expect(reader.trieAt(1).root(CLASSES)).toEqual({ id: 5, hash: 11n });
    expect(reader.trieAt(2).root(STORAGE)).toEqual({ id: 9, hash: 22n });
    expect(reader.trieAt(2).root({ ...STORAGE, contractAddress: 0x78n })).toBeUndefined();
  });

  test("return nodes by id", () => {
    expect(writer.trieStore.node(5)).toEqual(Uint8Array.of(1, 1));
    expect(reader.trieAt(0).node(5)).toEqual(Uint8Array.of(1, 1));
    expect(reader.trieAt(0).node(10)).toBeUndefined();
  });

  test("continue with the id above the highest", () => {
    expect(writer.trieStore.nextNodeId()).toBe(10);
    expect(writer.trieStore.root(STORAGE)).toEqual({ id: 9, hash: 22n });
  });

  test("have no root when they are empty", () => {
    const roots = [{ ...STORAGE, root: null }];
    const trie = { added: [], removed: [9], roots, lastNodeId: 9 };
    writer.commitBlock(blockCommit(3, { stateDiff: STORAGE_DIFF, trie }));
    expect(writer.trieStore.root(STORAGE)).toBeUndefined();
    expect(reader.trieAt(2).root(STORAGE)).toEqual({ id: 9, hash: 22n });
  });
});

describe("the cached newest root of a trie", () => {
  const commit = (number: number, root: { id: number; hash: bigint } | null): void => {
    const lastNodeId = 10 + number;
    const added = root === null ? [] : [{ id: root.id, bytes: Uint8Array.of(number), hash: null }];
    const trie = { added, removed: [], roots: [{ ...STORAGE, root }], lastNodeId };
    writer.commitBlock(blockCommit(number, { stateDiff: STORAGE_DIFF, trie }));
  };

  test("is updated by each stored block", () => {
    const found = [writer.trieStore.root(STORAGE)];
    for (const root of [null, { id: 14, hash: 4n }]) {
      commit(2 + found.length, root);
      found.push(writer.trieStore.root(STORAGE));
    }
    expect(found).toEqual([{ id: 9, hash: 22n }, undefined, { id: 14, hash: 4n }]);
    expect(writer.trieStore.root(CLASSES)).toEqual({ id: 8, hash: 21n });
  });

  test("is kept when storing a block fails", () => {
    expect(writer.trieStore.root(STORAGE)).toEqual({ id: 9, hash: 22n });
    // The id of this node is already in use.
    expect(() => commit(3, { id: 9, hash: 5n })).toThrow("could not store block 3");
    expect(writer.trieStore.root(STORAGE)).toEqual({ id: 9, hash: 22n });
  });

  test("is that of the block after a revert, if any", () => {
    const kinds = [CONTRACTS, CLASSES, STORAGE];
    const roots = () => kinds.map((name) => writer.trieStore.root(name)?.hash);
    const found = [roots()];
    for (const blockNumber of [1, -1]) {
      writer.revertTo(blockNumber);
      found.push(roots());
    }
    expect(found).toEqual([[20n, 21n, 22n], [10n, 11n, 12n], kinds.map(() => undefined)]);
  });
});

describe("reverting tries", () => {
  test("removes nodes and roots and reuses their ids", () => {
    writer.revertTo(0);
    expect(writer.trieStore.nextNodeId()).toBe(4);
    expect(writer.trieStore.node(4)).toBeUndefined();
    expect(writer.trieStore.root(STORAGE)).toEqual({ id: 3, hash: 2n });
    writer.commitBlock(blockCommit(1, { stateDiff: STORAGE_DIFF, trie: changesOf(1) }));
    expect(writer.trieStore.root(CLASSES)).toEqual({ id: 5, hash: 11n });
  });
});
