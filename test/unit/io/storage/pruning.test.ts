import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { EMPTY_STATE_DIFF, type StateDiff } from "#protocol/chain/index.ts";
import type { ChainWriterOptions } from "#io/storage/index.ts";
import { STATE_TRIE_HEIGHT, PEDERSEN, proveKeys } from "#protocol/trie/index.ts";
import { storageErrorOf } from "#test/helpers/chain-folder.ts";
import { naiveStateRoot, StateHistory } from "#test/helpers/state-history.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";
import { countTrieNodes } from "#test/helpers/trie-nodes.ts";

const CONTRACT = 0x77n;
const STORAGE = { kind: "storage", contractAddress: CONTRACT } as const;

let folder: TemporaryFolder;
let history: StateHistory;

beforeEach(async () => {
  folder = temporaryFolder();
  history = await StateHistory.open(folder.file("chain.db"));
});

afterEach(() => {
  history[Symbol.dispose]();
  folder[Symbol.dispose]();
});

/** Writes `value` to slots `[first, first + count)`, spread over the whole trie. */
function slots(count: number, value: bigint, first = 1): StateDiff {
  const entries = Array.from({ length: count }, (_, i): [bigint, bigint] => [
    (BigInt(first + i) * 0x5851f42d4c957f2d14057b7ef767814fn) << 100n,
    value,
  ]);
  return { ...EMPTY_STATE_DIFF, storageDiffs: new Map([[CONTRACT, new Map(entries)]]) };
}

function count(table: string, where = "true"): number {
  const row = history.handle.connection
    .query<{ count: bigint }, []>(`select count(*) as count from ${table} where ${where}`)
    .get();
  return Number(row?.count);
}

/** Number of nodes in the tries of the newest block. */
function liveNodes(): number {
  const { reader } = history;
  const tries = reader.trieAt(history.newest);
  const root = tries.root(STORAGE);
  const keys = [...(history.states.at(-1)?.storage.get(CONTRACT)?.keys() ?? [])];
  const nodes = proveKeys(tries, root, STATE_TRIE_HEIGHT, keys, PEDERSEN);
  const binary = nodes.filter(({ kind }) => kind === "binary").length;
  // A topmost edge has a row; the contracts trie is a single leaf.
  return binary + (nodes[0]?.kind === "edge" ? 1 : 0) + 1;
}

async function grow(blocks: number, options: ChainWriterOptions, size = 8): Promise<void> {
  await history.reopen(options);
  for (let i = 0; i < blocks; i++) history.commit(slots(size, BigInt(history.newest + 2)));
}

describe("a file that keeps one proof and 16 states", () => {
  test("has only the newest tries and the versions of 16 blocks", async () => {
    await grow(50, { keepProofs: 1, pruneHistory: 16 });
    expect(history.reader.oldestTrieBlock()).toBe(49);
    expect(history.reader.oldestStateBlock()).toBe(34);
    expect(countTrieNodes(history.handle.connection)).toBe(liveNodes());
    expect(count("trie_root")).toBe(2);
    expect(count("trie_removed")).toBe(0);
    expect(count("contract_storage")).toBe(16 * 8);
    expect(count("block_state_diff")).toBe(50);
    expect(history.writer.pruneMore()).toBe(false);
  });

  test("reports requests for pruned data", async () => {
    await grow(20, { keepProofs: 2, pruneHistory: 16 });
    const { reader, writer } = history;
    const [key = 0n] = slots(1, 1n).storageDiffs.get(CONTRACT)?.keys() ?? [];
    const message = "The state of block 3 is not kept any more; the oldest block with state is 4.";
    expect(() => reader.stateAt(3).storageAt(CONTRACT, key)).toThrow(message);
    expect(storageErrorOf(() => reader.lastStorageUpdate(CONTRACT, key, 3))).toBe("STORAGE_PRUNED");
    expect(storageErrorOf(() => reader.trieAt(17).root(STORAGE))).toBe("STORAGE_PRUNED");
    expect(storageErrorOf(() => writer.revertTo(3))).toBe("STORAGE_PRUNED");
    expect(reader.latestNumber()).toBe(19);
    expect(reader.stateAt(4).storageAt(CONTRACT, key)).toBe(5n);
    expect(reader.stateAt(-1).storageAt(CONTRACT, key)).toBe(0n);
    expect(reader.lastStorageUpdate(CONTRACT, key, 4)).toBe(4);
    expect(reader.stateAt(4).storageAt(CONTRACT, 12_345n)).toBe(0n);
  });

  test("reads a value that was last changed long ago", async () => {
    await history.reopen({ keepProofs: 1, pruneHistory: 16 });
    history.commit(slots(1, 5n, 900));
    await grow(40, { keepProofs: 1, pruneHistory: 16 });
    const [key = 0n] = slots(1, 1n, 900).storageDiffs.get(CONTRACT)?.keys() ?? [];
    expect(history.reader.stateAt(30).storageAt(CONTRACT, key)).toBe(5n);
    expect(history.reader.lastStorageUpdate(CONTRACT, key, 30)).toBe(0);
  });
});

describe("proofs of blocks not accepted on L1", () => {
  test("are kept with keepUnsettledProofs, from the newest accepted block on", async () => {
    const options = { keepProofs: 2, keepUnsettledProofs: true };
    await grow(10, options);
    expect(history.reader.oldestTrieBlock()).toBe(0);
    history.writer.setL1Accepted(6);
    history.commit(slots(1, 99n));
    expect(history.reader.oldestTrieBlock()).toBe(6);
    history.writer.setL1Accepted(10);
    history.commit(slots(1, 98n));
    expect(history.reader.oldestTrieBlock()).toBe(10);
  });

  test("are pruned otherwise", async () => {
    await grow(10, { keepProofs: 2 });
    history.writer.setL1Accepted(3);
    history.commit(slots(1, 99n));
    expect(history.reader.oldestTrieBlock()).toBe(9);
  });
});

describe("a changed retention", () => {
  test("prunes in portions, but moves the oldest readable blocks immediately", async () => {
    await grow(24, {}, 800);
    const rows = () => countTrieNodes(history.handle.connection) + count("contract_storage");
    await history.reopen({ keepProofs: 1, pruneHistory: 16 });
    const sizes = [rows()];
    for (let i = 0; i < 40; i++) {
      history.commit(slots(1, 1000n + BigInt(i)));
      expect(history.reader.oldestTrieBlock()).toBe(history.newest);
      expect(history.reader.oldestStateBlock()).toBe(history.newest - 15);
      sizes.push(rows());
    }
    const steps = sizes.slice(1).map((size, i) => (sizes[i] ?? 0) - size);
    // One portion of nodes and one of versions, each of 1024 and the roots of one block.
    expect(Math.max(...steps)).toBeLessThan(2 * 1024 + 10);
    expect(steps.filter((step) => step > 1000).length).toBeGreaterThan(10);
    expect(countTrieNodes(history.handle.connection)).toBe(liveNodes());
    expect(history.reader.header(history.newest)?.newRoot).toBe(
      naiveStateRoot(history.states.at(-1) ?? naiveFailure()),
    );
  });

  test("prunes everything when pruneMore is repeated", async () => {
    const size = bySize({ quick: 300, full: 800 });
    await grow(24, {}, size);
    await history.reopen({ keepProofs: 1, pruneHistory: 16 });
    while (history.writer.pruneMore())
      expect(countTrieNodes(history.handle.connection)).toBeGreaterThan(liveNodes());
    expect(countTrieNodes(history.handle.connection)).toBe(liveNodes());
    expect(count("contract_storage")).toBe(16 * size);
  });

  test("prunes a block that is larger than a portion", async () => {
    await grow(2, {}, 3000);
    await grow(24, { keepProofs: 1, pruneHistory: 16 }, 1);
    // One slot has 16 versions, the others the one of the second large block.
    expect(count("contract_storage")).toBe(16 + 2999);
    expect(countTrieNodes(history.handle.connection)).toBe(liveNodes());
    expect(history.writer.pruneMore()).toBe(false);
  });

  test("starts over with a chain that is reverted entirely", async () => {
    const retention = { keepProofs: 1, pruneHistory: 16 };
    await grow(30, retention);
    history.revertTo(-1);
    expect(history.reader.oldestStateBlock()).toBe(0);
    await grow(20, retention);
    expect(history.reader.oldestStateBlock()).toBe(4);
    expect(count("contract_storage")).toBe(16 * 8);
    expect(countTrieNodes(history.handle.connection)).toBe(liveNodes());
  });

  test("keeps existing data and does not restore pruned data", async () => {
    await grow(20, { keepProofs: 1, pruneHistory: 16 });
    await grow(10, {});
    expect(history.reader.oldestTrieBlock()).toBe(19);
    expect(history.reader.oldestStateBlock()).toBe(4);
    expect(count("contract_storage")).toBe(26 * 8);
    await grow(1, { keepProofs: 5, pruneHistory: 20 });
    expect(history.reader.oldestTrieBlock()).toBe(26);
    expect(history.reader.oldestStateBlock()).toBe(11);
    await grow(1, { keepProofs: 100, pruneHistory: 100 });
    expect(history.reader.oldestTrieBlock()).toBe(26);
  });

  test("is rejected below the minimum", () => {
    for (const options of [{ keepProofs: 0 }, { pruneHistory: 15 }, { keepProofs: 1.5 }]) {
      expect(() => history.reopen(options)).toThrow("not a number from");
    }
  });
});

function naiveFailure(): never {
  throw new TypeError("there is no block");
}
