import { describe, expect, test } from "bun:test";
import type { Felt } from "#base/primitives/index.ts";
import { StorageError } from "#base/errors/index.ts";
import { Database } from "bun:sqlite";
import { openDatabase } from "#io/storage/index.ts";
import { toSchema4 } from "#test/helpers/earlier-tries.ts";
import { fakeDiff } from "#test/helpers/fake-chain.ts";
import { StateHistory } from "#test/helpers/state-history.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const spread = (seed: number): Felt =>
  (BigInt(seed + 1) * 0x5851f42d4c957f2d14057b7ef767814f9e3779b97f4a7c15f39cc0605cedc834n) &
  ((1n << 251n) - 1n);

/**
 * Chain with tries of every kind: thousands of nodes, one leaf, edges; also some of older blocks.
 */
async function makeChain(path: string, count: number): Promise<void> {
  using history = await StateHistory.open(path);
  for (let block = 0; block < 6; block++) {
    const numbers = Array.from({ length: count }, (_, i) => 60 * block + i);
    history.commit(
      fakeDiff({
        storageDiffs: new Map([
          [7n, new Map(numbers.map((i) => [spread(i), block === 5 ? 0n : BigInt(i + block + 1)]))],
          [spread(block), new Map([[1n, 5n]])],
          [9n, new Map(numbers.slice(0, 9).map((i): [Felt, Felt] => [BigInt(i), spread(i)]))],
        ]),
        nonces: new Map(numbers.map((i) => [spread(3000 + i), BigInt(block + 1)])),
        declaredClasses: new Map(
          numbers.slice(0, count / 2).map((i) => [spread(6000 + i), spread(i)]),
        ),
      }),
    );
  }
  history.revertTo(4);
  history.commit(fakeDiff({ nonces: new Map([[1n, 1n]]) }));
  await history.reopen({ keepProofs: 3 });
  while (history.writer.pruneMore()) continue;
}

const rowsOf = (connection: Database): unknown[] =>
  ["trie_page", "trie_root", "trie_removed", "block"].map((table) =>
    connection.query(`select * from ${table}`).all(),
  );

const OPTIONS = { chainId: "SN_TEST", mode: "writer", durability: "normal" } as const;

describe("migrating tries with one row per node", () => {
  test("yields the pages that the same blocks produce today", async () => {
    using folder = temporaryFolder();
    const path = folder.file("chain.db");
    await makeChain(path, 100);
    const before = new Database(path, { strict: true, safeIntegers: true });
    const expected = rowsOf(before);
    toSchema4(before);
    before.close();
    const handle = await openDatabase({ ...OPTIONS, path });
    expect(rowsOf(handle.connection)).toEqual(expected);
    expect((expected[0] as unknown[]).length).toBeGreaterThan(100);
    handle.close();
  });

  test("changes nothing if a row is damaged", async () => {
    using folder = temporaryFolder();
    const path = folder.file("chain.db");
    await makeChain(path, 10);
    const before = new Database(path, { strict: true, safeIntegers: true });
    toSchema4(before);
    before.run("update trie_node set bytes = x'00ff' where id = (select max(id) from trie_node)");
    before.close();
    const refusal = await openDatabase({ ...OPTIONS, path }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StorageError);
    const after = new Database(path, { readonly: true });
    const tables = after
      .query("select name from sqlite_master where name like 'trie_%' order by name")
      .values();
    expect(tables.flat()).toEqual(["trie_node", "trie_removed", "trie_root"]);
    after.close();
  });
});
