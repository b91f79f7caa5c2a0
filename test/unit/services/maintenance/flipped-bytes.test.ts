import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { StorageError } from "#base/errors/index.ts";
import type { CheckResult } from "#services/maintenance/index.ts";
import { checkFolder } from "#test/helpers/check-folder.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";
import { bySize } from "#test/helpers/test-size.ts";
import { makeTrueChain, type TrueChain } from "#test/helpers/true-chain.ts";

/** Fractions that select the row, and the byte of its blob or text, to flip. */
const PLACES = [
  { row: 0, byte: 0 },
  { row: 0.5, byte: 0.5 },
  { row: 1, byte: 1 },
];

/** Flips per column. */
const FLIPS = bySize({ quick: 1, full: PLACES.length });

/** Columns that nothing else in the database determines, with the reason. */
const UNCHECKED = new Map([
  ["block.epoch", "which sequencer made a block is in no hash, and signed by nobody"],
  ["kysely_migration.timestamp", "when a migration ran is known to nobody else"],
]);

/** Tables that can be named instead of the changed one, because both state the same fact. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  // Only the number of a block determines which diff or chunk belongs to it.
  block_state_diff: ["block_state_diff"],
  // A root, its node and the block's mark state the same fact three times.
  trie_root: ["trie_root", "trie_page", "trie_removed"],
  trie_page: ["trie_page", "trie_root"],
  // A block's inputs also contain what it consumed.
  contract: ["contract", "contract_storage", "contract_class", "contract_nonce"],
};

/** First bytes of a frame of zstd (RFC 8878, section 3.1.1). */
const ZSTD_MAGIC = [0x28, 0xb5, 0x2f, 0xfd];

let folder: TemporaryFolder;
let chain: TrueChain;
const columns: { readonly table: string; readonly column: string }[] = [];

beforeAll(async () => {
  folder = temporaryFolder();
  chain = await makeTrueChain(folder.file("chain"), {
    blocks: 6,
    transactions: bySize({ quick: 6, full: 40 }),
    genesis: bySize({ quick: "small", full: "devnet" }),
  });
  const database = new Database(folder.file("chain/chain.db"));
  database.run("pragma journal_mode = delete");
  database.close();
});
afterAll(() => folder[Symbol.dispose]());

function withFlipped(
  table: string,
  column: string,
  place: { readonly row: number; readonly byte: number },
): "empty" | "refused" | "flipped" {
  copyFileSync(folder.file("chain/chain.db"), folder.file("copy.db"));
  using database = new Database(folder.file("copy.db"), { strict: true, safeIntegers: true });
  // Keys that the node stores in `meta` are private: only their form can be checked.
  const source = table === "meta" ? "meta where key not like 'node:%'" : table;
  const [count] = database.query(`select count(*) from ${source}`).values()[0] ?? [];
  const offset = Math.floor(place.row * (Number(count) - 1));
  const key = keyOf(database, table);
  const row = database
    .query<Record<string, unknown>, []>(
      `select ${key.join(", ")}, ${column} as flipped from ${source} limit 1 offset ${Math.max(0, offset)}`,
    )
    .get();
  if (row === null) return "empty";
  const value = flipped(row["flipped"], place.byte);
  if (value === undefined) return "empty";
  const where = key.map((name, i) => `${name} = $k${i}`).join(" and ");
  const bindings = Object.fromEntries(key.map((name, i) => [`k${i}`, row[name]]));
  try {
    database
      .query(`update ${table} set ${column} = $flipped where ${where}`)
      .run({ ...bindings, flipped: value } as never);
  } catch {
    // Another row already has that key.
    return "refused";
  }
  return "flipped";
}

function keyOf(database: Database, table: string): string[] {
  const keys = database
    .query<{ name: string; pk: bigint }, []>(`select name, pk from pragma_table_info('${table}')`)
    .all()
    .filter(({ pk }) => pk > 0n)
    .map(({ name }) => name);
  return keys.length > 0 ? keys : ["rowid"];
}

function flipped(value: unknown, at: number): unknown {
  if (typeof value === "bigint") return value ^ 1n;
  if (typeof value === "string") return value.replace(/[a-z0-9]/i, (c) => (c === "x" ? "y" : "x"));
  if (!(value instanceof Uint8Array) || value.length === 0) return undefined;
  const first = Math.floor(at * (value.length - 1));
  for (let i = 0; i < value.length; i++) {
    const bytes = value.slice();
    const index = (first + i) % value.length;
    bytes[index] = (bytes[index] ?? 0) ^ 0x10;
    if (!isSameContent(value, bytes)) return bytes;
  }
  return undefined;
}

/**
 * Whether two compressed values have the same content. A frame of zstd has a reserved bit, and can
 * reference the same bytes at several distances (RFC 8878, sections 3.1.1.1.1 and 3.1.1.5): such a
 * flip loses nothing.
 */
function isSameContent(value: Uint8Array, changed: Uint8Array): boolean {
  if (!ZSTD_MAGIC.every((byte, i) => value[i] === byte)) return false;
  try {
    return Bun.zstdDecompressSync(changed).equals(Bun.zstdDecompressSync(value));
  } catch {
    return false;
  }
}

async function differenceIn(path: string): Promise<CheckResult["difference"]> {
  try {
    return (await checkFolder(path, chain.publicKey)).difference;
  } catch (error) {
    // A chain database without its name cannot be opened.
    if (!(error instanceof StorageError) || error.code !== "STORAGE_CANNOT_OPEN") throw error;
    return { blockNumber: null, table: "meta", field: "chain_id", message: error.message };
  }
}

describe("a flipped byte", () => {
  test("is detected in every column of every table", async () => {
    const database = new Database(folder.file("chain/chain.db"), { readonly: true });
    const tables = database
      .query<{ name: string }, []>(
        "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'",
      )
      .all();
    for (const { name } of tables) {
      for (const column of database
        .query<{ name: string }, []>(`select name from pragma_table_info('${name}')`)
        .all()) {
        columns.push({ table: name, column: column.name });
      }
    }
    database.close();
    const missed: string[] = [];
    const misnamed: string[] = [];
    const tried = new Set<string>();
    for (const [i, { table, column }] of columns.entries()) {
      if (UNCHECKED.has(`${table}.${column}`)) continue;
      let flips = 0;
      for (const place of [
        ...PLACES.slice(i % PLACES.length),
        ...PLACES.slice(0, i % PLACES.length),
      ]) {
        if (flips === FLIPS) break;
        if (withFlipped(table, column, place) !== "flipped") continue;
        flips++;
        tried.add(table);
        const what = `${table}.${column} row ${place.row} byte ${place.byte}`;
        const difference = await differenceIn(folder.file("copy.db"));
        if (difference === undefined) missed.push(what);
        else if (!(ALSO[table] ?? [table]).includes(difference.table)) {
          misnamed.push(`${what}: ${JSON.stringify(difference)}`);
        }
      }
    }
    expect(missed).toEqual([]);
    expect(misnamed).toEqual([]);
    expect([...tried].sort()).toEqual(tables.map(({ name }) => name).sort());
  }, 120_000);
});
