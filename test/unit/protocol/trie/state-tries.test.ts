import { describe, expect, test } from "bun:test";
import { EMPTY_STATE_DIFF, type StateDiff } from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { MemoryTrieStore } from "#test/helpers/memory-trie-store.ts";
import { verifyProof } from "#test/helpers/verify-proof.ts";
import {
  applyStateDiff,
  classLeaf,
  contractLeaf,
  type ContractReader,
  PEDERSEN,
  proveKeys,
  STATE_TRIE_HEIGHT,
  stateRootHash,
} from "#protocol/trie/index.ts";
// State updates of the first blocks of Sepolia from its feeder gateway, in our own format.
import sepolia from "./sepolia-blocks-0-7.json";

type Json = Readonly<Record<string, string>>;

const felts = (json: Json): Map<Felt, Felt> =>
  new Map(Object.entries(json).map(([key, value]) => [BigInt(key), BigInt(value)]));

const BLOCKS = sepolia.map((block) => ({
  newRoot: BigInt(block.newRoot),
  diff: {
    ...EMPTY_STATE_DIFF,
    storageDiffs: new Map(
      Object.entries(block.storage as unknown as Readonly<Record<string, Json>>).map(
        ([address, entries]) => [BigInt(address), felts(entries)],
      ),
    ),
    nonces: felts(block.nonces as Json),
    deployedContracts: felts(block.deployed as Json),
    declaredClasses: felts(block.declared as Json),
  } satisfies StateDiff,
}));

/** Contract state after a number of blocks. */
function contractsAfter(count: number): ContractReader {
  const last = (pick: (diff: StateDiff) => ReadonlyMap<Felt, Felt>) => (address: Felt) =>
    BLOCKS.slice(0, count).findLast(({ diff }) => pick(diff).has(address));
  return {
    nonceAt: (address) => last((diff) => diff.nonces)(address)?.diff.nonces.get(address) ?? 0n,
    classHashAt: (address) =>
      last((diff) => diff.deployedContracts)(address)?.diff.deployedContracts.get(address) ?? 0n,
  };
}

function apply(store: MemoryTrieStore, diff: StateDiff, alwaysHashClasses = false) {
  const contracts = contractsAfter(store.height);
  const result = applyStateDiff({ diff, store, contracts, pedersen: PEDERSEN, alwaysHashClasses });
  store.commit(result.changes);
  return result;
}

/** Applies the missing blocks up to block 7. */
function synchronize(store: MemoryTrieStore): Felt[] {
  return BLOCKS.slice(store.height).map(({ diff }) => apply(store, diff).stateRoot);
}

describe("trie leaves (starknet_committer, hash_test.rs)", () => {
  for (const [classHash, storageRoot, nonce, expected] of [
    [
      0x150917f3bba17e3c0be685981d6cf8874098a857f354d374688e76eb69f44abn,
      0x5d6b3a46ac855f3cea9af60e13cc6c81bf237b901f49f73981a521d4cb6c50cn,
      0x38n,
      0x3f27688d56740e5e238acde5b408154563c4f6e05514b8029e86ad51c388f8bn,
    ],
    [
      0x2c9982b9bd36f16e409c98616e43dbc9e4b47db8a8e8edc3b915bc4dab3c61cn,
      0x63d7c2a04df01e361238cf4bf07b7cee2e3c5ee58b4ec37cf279aed9ac8d013n,
      0x1bn,
      0x26e95377fcfa70a9882dc08653b7dc77165befe23971aa2fa5b926ff81af6ccn,
    ],
    [
      0x314bd50b446c4e8c3a82b0eb9326e532432fbd925ab7afea236f7f8618848a2n,
      0x1118159298289b372808e6b008b6bc9d68f5ebc060962ea1331fdc70cf3d047n,
      0x47n,
      0x1b20bbb35009bf03f86fb092b56a9c44deedbcca6addf8f7640f54a48ba5bbcn,
    ],
  ] as const) {
    test(`contract leaf with nonce ${nonce}`, () => {
      expect(contractLeaf(classHash, storageRoot, nonce)).toBe(expected);
    });
  }
  test("class leaf", () => {
    expect(classLeaf(0xacdcn)).toBe(
      0x49ed9a06987e7e55770d6c4d7d16b819ad984bf4aed552042847380cc31210dn,
    );
  });
  test("a contract without values has no leaf", () => {
    expect(contractLeaf(0n, 0n, 0n)).toBe(0n);
  });
});

describe("applyStateDiff", () => {
  test("reproduces the state roots of the first blocks of Sepolia", () => {
    expect(synchronize(new MemoryTrieStore())).toEqual(BLOCKS.map(({ newRoot }) => newRoot));
  });

  test("applies a reverted block again with the same rows", () => {
    const store = new MemoryTrieStore();
    synchronize(store);
    const rows = [...store.rows];
    store.revert();
    store.revert();
    synchronize(store);
    expect([...store.rows]).toEqual(rows);
  });

  test("extends the newest block after pruning", () => {
    const store = new MemoryTrieStore();
    for (const { diff } of BLOCKS.slice(0, -1)) apply(store, diff);
    store.prune(store.height - 1);
    expect(synchronize(store)).toEqual([BLOCKS.at(-1)?.newRoot ?? 0n]);
  });

  test("keeps proofs of older blocks", () => {
    const store = new MemoryTrieStore();
    synchronize(store);
    // An ETH balance that block 6 set and block 7 changed.
    const ether = 0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7n;
    const key = 0x110e2f729c9c2b988559994a3daccd838cf52faf88e18101373e67dd061455an;
    const values = [5, 6, 7].map((block) => {
      const root = store.rootAt({ kind: "storage", contractAddress: ether }, block);
      const nodes = proveKeys(store, root, STATE_TRIE_HEIGHT, [key], PEDERSEN);
      return verifyProof(root?.hash ?? 0n, STATE_TRIE_HEIGHT, PEDERSEN, key, nodes);
    });
    expect(values).toEqual([
      { kind: "absent" },
      { kind: "present", value: 0xde0b6b3a7640000n },
      { kind: "present", value: 0xe043da617250000n },
    ]);
  });

  test("drops the root of a storage trie without values", () => {
    const store = new MemoryTrieStore();
    const write = (value: Felt) =>
      apply(store, { ...EMPTY_STATE_DIFF, storageDiffs: new Map([[1n, new Map([[5n, value]])]]) });
    write(7n);
    expect(write(0n).changes.roots).toEqual([
      { kind: "storage", contractAddress: 1n, root: null },
      { kind: "contracts", contractAddress: 0n, root: null },
    ]);
  });

  test("adds and removes nothing for a block without changes", () => {
    const store = new MemoryTrieStore();
    synchronize(store);
    const { changes } = apply(store, EMPTY_STATE_DIFF);
    expect(changes).toEqual({ added: [], removed: [], roots: [], lastNodeId: store.rows.size });
  });
});

describe("stateRootHash", () => {
  test("is 0 for an empty state", () => {
    expect(stateRootHash(0n, 0n, true)).toBe(0n);
  });
  test("is the contracts root before 0.14.0 if there are no Sierra classes", () => {
    expect(stateRootHash(5n, 0n, false)).toBe(5n);
  });
  test("always covers the classes root from 0.14.0 on", () => {
    expect(stateRootHash(5n, 0n, true)).not.toBe(5n);
  });
});
