import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { EMPTY_STATE_DIFF, type StateDiff } from "#protocol/chain/index.ts";
import type { RevertProgress } from "#io/storage/index.ts";
import { PEDERSEN, proveKeys, STATE_TRIE_HEIGHT } from "#protocol/trie/index.ts";
import { storageErrorOf } from "#test/helpers/chain-folder.ts";
import { StateHistory } from "#test/helpers/state-history.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { verifyProof } from "#test/helpers/verify-proof.ts";

const LARGE = 0x1a49en;
const STORAGE = { kind: "storage", contractAddress: LARGE } as const;
const MASK = (1n << 251n) - 1n;

/** Pseudorandom numbers of up to 251 bits; one in eight is shorter than 32 bytes. */
const scatter = (seed: number): bigint =>
  (BigInt(seed + 1) * 0x5851f42d4c957f2d14057b7ef767814f9e3779b97f4a7c15f39cc0605cedc834n) & MASK;

const scattered = (count: number, value: bigint): Map<bigint, bigint> =>
  new Map(Array.from({ length: count }, (_, i) => [scatter(i), value]));

/** Every trie has more leaves than a step and more rows than a page. */
const LARGE_STATE: StateDiff = {
  ...EMPTY_STATE_DIFF,
  storageDiffs: new Map([
    [LARGE, scattered(bySize({ quick: 12_000, full: 20_000 }), 5n)],
    [1n, new Map([[0n, 7n]])],
  ]),
  nonces: scattered(5000, 1n),
  deployedContracts: new Map([[LARGE, 0xc1a55n]]),
  declaredClasses: scattered(4500, 0xca5n),
};

/** Some of the values of {@link LARGE_STATE}. */
const SMALL_STATE: StateDiff = {
  ...LARGE_STATE,
  storageDiffs: new Map([[LARGE, scattered(10, 5n)]]),
  nonces: scattered(10, 1n),
  declaredClasses: scattered(10, 0xca5n),
};

let base: TemporaryFolder;
let folder: TemporaryFolder;
let history: StateHistory;

// Each test gets a copy of a chain that has the large state in block 0.
beforeAll(async () => {
  base = temporaryFolder();
  using made = await StateHistory.open(base.file("chain.db"), { keepProofs: 1 });
  made.commit(LARGE_STATE);
});

afterAll(() => base[Symbol.dispose]());

beforeEach(async () => {
  folder = temporaryFolder();
  cpSync(base.path, folder.path, { recursive: true });
  history = await StateHistory.resume(folder.file("chain.db"), { keepProofs: 1 });
});

afterEach(() => {
  history[Symbol.dispose]();
  folder[Symbol.dispose]();
});

/** Block that changes `count` slots of the large contract and zeroes a third of them. */
const change = (count: number, value: bigint): StateDiff => ({
  ...EMPTY_STATE_DIFF,
  storageDiffs: new Map([
    [
      LARGE,
      new Map([...scattered(count, value)].map(([key], i) => [key, i % 3 === 0 ? 0n : value])),
    ],
  ]),
});

/** Adds small blocks, so that older tries are pruned. */
function grow(blocks: number): void {
  for (let i = 0; i < blocks; i++) history.commit(change(10, BigInt(100 + i)));
}

describe("reverting past the retained tries", () => {
  test("rebuilds them, and the chain continues with the same roots", () => {
    history.commit(change(3000, 6n));
    const { reader, writer } = history;
    const root = reader.header(1)?.newRoot;
    grow(3);
    const next = reader.header(2)?.newRoot;
    const lastId = writer.trieStore.nextNodeId();
    history.revertTo(1);
    expect(reader.latestNumber()).toBe(1);
    expect(reader.header(1)?.newRoot).toBe(root ?? 0n);
    expect(reader.oldestTrieBlock()).toBe(1);
    expect(writer.trieStore.nextNodeId()).toBeGreaterThan(lastId);

    const storage = writer.trieStore.root(STORAGE);
    const keys = [scatter(0), scatter(1), scatter(4000), 12_345n];
    const values = [0n, 6n, 5n, 0n];
    const proof = proveKeys(writer.trieStore, storage, STATE_TRIE_HEIGHT, keys, PEDERSEN);
    for (const [i, key] of keys.entries()) {
      const value = values[i] ?? 0n;
      expect(verifyProof(storage?.hash ?? 0n, STATE_TRIE_HEIGHT, PEDERSEN, key, proof)).toEqual(
        value === 0n ? { kind: "absent" } : { kind: "present", value },
      );
    }
    grow(1);
    expect(reader.header(2)?.newRoot).toBe(next ?? 0n);
    history.revertTo(1);
    history.revertTo(0);
    history.commit(change(3000, 6n));
    expect(reader.header(1)?.newRoot).toBe(root ?? 0n);
  });

  test("reports its progress", () => {
    grow(70);
    const reports: RevertProgress[] = [];
    history.writer.revertTo(0, (progress) => reports.push(progress));
    expect(reports.slice(0, 2)).toEqual([
      { phase: "blocks", done: 64, total: 70 },
      { phase: "blocks", done: 70, total: 70 },
    ]);
    const tries = reports.slice(2);
    expect(tries.every(({ phase, total }) => phase === "tries" && total === 5002)).toBe(true);
    expect(tries.length).toBeGreaterThan(1);
    expect(tries.at(-1)?.done).toBe(5002);
  });

  test("fails without changes if the state does not have the root of the header", () => {
    grow(3);
    const { connection } = history.handle;
    connection.run("update contract_storage set value = x'09' where key = x'' and contract = 2");
    const rows = () =>
      ["trie_page", "trie_root", "contract_storage", "block", "meta"].map((table) =>
        connection.query(`select count(*) as count from ${table}`).get(),
      );
    const before = rows();
    expect(storageErrorOf(() => history.writer.revertTo(0))).toBe("STORAGE_ROOT_MISMATCH");
    expect(rows()).toEqual(before);
    expect(history.reader.latestNumber()).toBe(3);
    expect(history.reader.oldestTrieBlock()).toBe(3);
    grow(1);
    expect(history.reader.latestNumber()).toBe(4);
  });

  test("to -1 leaves an empty chain", () => {
    grow(20);
    history.revertTo(-1);
    expect(history.reader.latestNumber()).toBeUndefined();
    expect(history.reader.oldestTrieBlock()).toBe(0);
    expect(history.reader.stateAt(0).storageAt(LARGE, scatter(1))).toBe(0n);
    history.commit(bySize({ quick: SMALL_STATE, full: LARGE_STATE }));
    expect(history.reader.latestNumber()).toBe(0);
  });
});
