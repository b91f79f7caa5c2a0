import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { writeFileSync } from "node:fs";
import { StorageError } from "#base/errors/index.ts";
import { type ExplorerStore, type IndexedBlock, openExplorerStore } from "#io/storage/index.ts";
import { explorerRows } from "#services/explorer-index/index.ts";
import { events, stateDiffs } from "#test/helpers/arbitraries.ts";
import { explorerBlock, invokeOf, transferEvent } from "#test/helpers/explorer-blocks.ts";
import { assertProperty } from "#test/helpers/property.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";

let folder: TemporaryFolder;
const open: ExplorerStore[] = [];

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  for (const store of open.splice(0)) store.close();
  folder[Symbol.dispose]();
});

async function storeAt(name = "explorer.db", chainId = "SN_TEST"): Promise<ExplorerStore> {
  const store = await openExplorerStore(folder.file(name), chainId);
  open.push(store);
  return store;
}

/** All rows of all tables of the index. */
function rowsOf(name: string): unknown {
  using database = new Database(folder.file(name));
  const tables = [
    "felt",
    "indexed_block",
    "sent",
    "touched",
    "transfer",
    "class_contract",
    "declared",
  ];
  return tables.map((table) => database.query(`select * from ${table}`).values());
}

const addresses = fc.constantFrom(0xa1n, 0xa2n, 0xa3n, 0xa4n, 0xa5n);
const made = fc.record({
  sender: addresses,
  targets: fc.array(addresses, { maxLength: 3 }),
  events: fc.array(
    fc.oneof(
      events,
      fc.tuple(addresses, addresses).map(([from, to]) => transferEvent(0x70cn, from, to, 1n)),
    ),
    { maxLength: 3 },
  ),
});
const contents = fc.record({
  transactions: fc.array(made, { maxLength: 4 }),
  stateDiff: stateDiffs,
});

type Contents = Parameters<Parameters<typeof contents.map>[0]>[0];

function blockOf(number: number, { transactions, stateDiff }: Contents): IndexedBlock {
  const sent = transactions.map(({ sender, targets, events: emitted }) => ({
    transaction: invokeOf(sender, ...targets),
    events: emitted,
  }));
  return explorerRows(explorerBlock(number, sent, stateDiff));
}

test("appending and unwinding in any order leaves the rows of an index built in one step", async () => {
  let run = 0;
  await assertProperty(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          fc.record({ add: fc.array(contents, { minLength: 1, maxLength: 4 }) }),
          fc.record({ unwind: fc.nat({ max: 4 }) }),
        ),
        { minLength: 1, maxLength: 8 },
      ),
      async (steps) => {
        run++;
        const store = await storeAt(`changed-${run}.db`);
        let chain: IndexedBlock[] = [];
        for (const step of steps) {
          if ("add" in step) {
            const blocks = step.add.map((each, i) => blockOf(chain.length + i, each));
            store.append(blocks);
            chain = [...chain, ...blocks];
          } else {
            chain = chain.slice(0, Math.max(0, chain.length - step.unwind));
            store.unwind(chain.length - 1);
          }
        }
        const fresh = await storeAt(`fresh-${run}.db`);
        fresh.append(chain);
        expect(store.newest()?.number).toBe(chain.at(-1)?.number);
        expect(rowsOf(`changed-${run}.db`)).toEqual(rowsOf(`fresh-${run}.db`));
        for (const each of open.splice(0)) each.close();
      },
    ),
    { numRuns: 40, minRuns: 8 },
  );
});

const EMPTY = (number: number): IndexedBlock => explorerRows(explorerBlock(number, []));

test("the first block may have any number, and its place is kept over a restart", async () => {
  const first = await storeAt();
  first.append([EMPTY(7), EMPTY(8)]);
  open.pop()?.close();
  const again = await storeAt();
  expect(again.oldest()).toEqual({ number: 7, hash: EMPTY(7).hash });
  expect(again.newest()).toEqual({ number: 8, hash: EMPTY(8).hash });
  expect([again.hashOf(8), again.hashOf(9)]).toEqual([EMPTY(8).hash, undefined]);
});

test("a batch with a gap adds nothing", async () => {
  const store = await storeAt();
  expect(() => store.append([EMPTY(0), EMPTY(2)])).toThrow(StorageError);
  expect(store.newest()).toBeUndefined();
  store.append([EMPTY(0), EMPTY(1)]);
  expect(store.newest()?.number).toBe(1);
});

test("felts of a batch that failed get new ids later", async () => {
  const store = await storeAt();
  const block = (number: number): IndexedBlock =>
    explorerRows(explorerBlock(number, [{ transaction: invokeOf(0xa1n, 0xa2n) }]));
  expect(() => store.append([block(0), block(5)])).toThrow(StorageError);
  store.append([block(0)]);
  const fresh = await storeAt("fresh.db");
  fresh.append([block(0)]);
  expect(rowsOf("explorer.db")).toEqual(rowsOf("fresh.db"));
});

describe("a file is refused", () => {
  const codeOf = async (chainId = "SN_TEST"): Promise<string> => {
    try {
      await storeAt("explorer.db", chainId);
    } catch (error) {
      if (error instanceof StorageError) return error.code;
      throw error;
    }
    return "";
  };

  test("of another chain", async () => {
    await storeAt();
    open.pop()?.close();
    expect(await codeOf("SN_OTHER")).toBe("STORAGE_OTHER_CHAIN");
  });

  test("with other tables", async () => {
    await storeAt();
    open.pop()?.close();
    using database = new Database(folder.file("explorer.db"));
    database.run("drop table declared");
    database.run("create table declared (block integer primary key)");
    database.close();
    expect(await codeOf()).toBe("STORAGE_OLDER_SCHEMA");
  });

  test("that is no database", async () => {
    writeFileSync(folder.file("explorer.db"), "x".repeat(10_000));
    expect(await codeOf()).toBe("STORAGE_DAMAGED");
  });
});
