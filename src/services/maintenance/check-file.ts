import { DecodeError } from "#base/errors/index.ts";
import { parseJson } from "#base/codec/index.ts";
import type { IntegrityReader, RowCounts } from "#io/storage/index.ts";
import type { TrieRowCounts } from "./check-tries.ts";
import { differ, requireSame } from "./difference.ts";

/** Printable text of a short string, the form of a chain id. */
const CHAIN_ID = /^[\x21-\x7e]{1,31}$/;

/** A chain id stored outside the database, for comparison. */
export interface OtherChainId {
  /** Name of the file that contains it. */
  readonly file: string;
  readonly chainId: string;
}

/**
 * Checks the file as a whole, without the blocks: SQLite's own checks, the tables, and the single values.
 *
 * @throws {StorageError} STORAGE_DIFFERENCE
 */
export async function checkFile(
  reader: IntegrityReader,
  others: readonly OtherChainId[],
): Promise<void> {
  const broken = reader.sqliteFinding();
  if (broken !== undefined) differ("(the file)", "its pages", broken);
  const schema = await reader.schemaFinding();
  if (schema !== undefined) differ(schema, "definition", "it differs from this program's schema");
  const migration = reader.migrationFinding();
  if (migration !== undefined) {
    const isLock = migration === "migration_lock";
    const table = isLock ? "kysely_migration_lock" : "kysely_migration";
    differ(
      table,
      isLock ? "is_locked" : "name",
      `${migration} is not in the state of a finished migration`,
    );
  }
  reader.begin();
  try {
    checkMeta(reader, others);
    checkContracts(reader);
  } finally {
    reader.end();
  }
}

function checkMeta(reader: IntegrityReader, others: readonly OtherChainId[]): void {
  const { latest } = reader.marks();
  for (const { key, value, kind } of reader.meta()) {
    const text = new TextDecoder().decode(value);
    if (kind === "unknown") differ("meta", `key ${key}`, "this program has no such key");
    if (kind === "headers") continue;
    if (kind === "node") checkNodeValue(key, text);
    if (kind === "chainId") {
      if (!CHAIN_ID.test(text)) differ("meta", key, "expected 1 to 31 visible characters");
      const other = others.find(({ chainId }) => chainId !== text);
      if (other !== undefined) differ("meta", key, `${other.file} has \`${other.chainId}\``);
    }
    if (kind !== "number" && kind !== "block") continue;
    if (!/^(0|[1-9]\d{0,15})$/.test(text)) differ("meta", key, "expected a decimal number");
    if (kind === "block" && Number(text) > Math.max(latest, 0)) {
      differ("meta", key, `${text} is above the newest block, ${latest}`);
    }
  }
}

/** Values kept by the node are opaque here; those in JSON must parse. */
function checkNodeValue(key: string, text: string): void {
  if (!/^[{[]/.test(text)) return;
  try {
    parseJson(text);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    differ("meta", key, `it cannot be read: ${error.message}`);
  }
}

/** Requires consecutive ids: each id below the next one to assign belongs to exactly one contract. */
function checkContracts(reader: IntegrityReader): void {
  const count = reader.countContracts();
  const seen = new Uint8Array(Math.ceil((count + 1) / 8));
  for (const { address, id } of reader.contracts()) {
    const at = id >> 3;
    const bit = 1 << (id & 7);
    const isNew = id >= 1 && id <= count && ((seen[at] ?? 0) & bit) === 0;
    if (!isNew) differ("contract", `id of 0x${address.toString(16)}`, `${id} is not possible`);
    seen[at] = (seen[at] ?? 0) | bit;
  }
  const next = reader.meta().find(({ key }) => key === "next_contract_id");
  const found = next === undefined ? 1 : Number(new TextDecoder().decode(next.value));
  requireSame("meta", "next_contract_id", count + 1, found);
}

/**
 * Checks that tables have exactly the rows of the blocks.
 *
 * @param expected - counts over all blocks
 * @throws {StorageError} STORAGE_DIFFERENCE
 */
export function checkCounts(reader: IntegrityReader, expected: Partial<RowCounts>): void {
  const found = reader.counts();
  for (const [table, count] of Object.entries(expected)) {
    const has = found[table as keyof RowCounts];
    if (has !== count) differ(table, "number of rows", `expected ${count}, found ${has}`);
  }
}

/**
 * Checks that trie tables have exactly the rows of the blocks.
 *
 * @param expected - counts over all blocks above `oldestTrie`; `undefined` skips the check
 * @throws {StorageError} STORAGE_DIFFERENCE
 */
export function checkTrieCounts(
  reader: IntegrityReader,
  expected: TrieRowCounts | undefined,
  oldestTrie: number,
): void {
  if (expected === undefined) return;
  const { roots, removed } = reader.countTrieRows(oldestTrie);
  requireSame("trie_root", "number of rows", expected.roots, roots);
  requireSame("trie_removed", "number of rows", expected.removed, removed);
}
