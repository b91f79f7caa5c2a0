import type { Database } from "bun:sqlite";
import type { Felt } from "#base/primitives/index.ts";
import { uintFromBlob } from "../blob.ts";
import { createChainReader } from "../chain-reader.ts";
import type { DatabaseHandle } from "../database.ts";
import { ANCESTOR_HEADERS_KEY, META, MetaTables, nodeKey } from "../meta.ts";
import type { StoredChainReader } from "../types.ts";
import { StatePages } from "../revert/state-pages.ts";
import { BlockRows } from "./block-rows.ts";
import { EventIndexCheck } from "./event-rows.ts";
import { migrationFinding, schemaFinding, sqliteFinding } from "./file-findings.ts";
import type { ChainMarks, RowCounts, SetValueCounts } from "./rows.ts";
import { idAt, unpackPage } from "../trie/page.ts";
import { StateRows } from "./state-rows.ts";

const NEXT_CONTRACT_ID = "next_contract_id";

/** Keys in `meta` with a decimal number. */
const NUMBERS: readonly string[] = [...Object.values(META), NEXT_CONTRACT_ID];

/** Keys in `meta` with a block number. */
const BLOCK_NUMBERS: readonly string[] = [
  META.l1Accepted,
  META.oldestBlock,
  META.oldestTrieBlock,
  META.oldestStateBlock,
  META.prunedStateBlock,
];

const MISSING_CLASS = ["contract_class", "compiled_class_hash"]
  .map(
    (table) => `select class_hash from ${table} where class_hash not in (select hash from class)`,
  )
  .join(" union all ");

/** Row of `meta`. */
export interface MetaRow {
  readonly key: string;
  readonly value: Uint8Array;
  /** Expected type of the value; `unknown` for a key that this program never writes. */
  readonly kind: "chainId" | "number" | "block" | "headers" | "node" | "unknown";
}

/**
 * Reads everything in a chain database as stored, for verification. A writer may be active at the same time.
 */
export interface IntegrityReader {
  readonly blocks: BlockRows;
  readonly state: StateRows;
  /** Regular reader, for values at a block. */
  readonly chain: StoredChainReader;
  /** Chain id text recorded in the file. */
  readonly chainId: string;
  /** Starts a consistent snapshot that lasts until {@link end}; the log cannot be truncated meanwhile. */
  begin(): void;
  end(): void;
  marks(): ChainMarks;
  meta(): readonly MetaRow[];
  /** Iterates over contracts with their ids, page by page. */
  contracts(): Iterable<{ readonly address: Felt; readonly id: number }>;
  countContracts(): number;
  /** Counts rows of the oldest stored block and of later ones. */
  counts(): RowCounts;
  /** Returns a class that a contract or a compiled class hash refers to but that is not stored. */
  missingClass(): Felt | undefined;
  /** Counts set values; reads every row of the state up to a block. */
  countSetValues(blockNumber: number): SetValueCounts;
  /** Counts trie rows of blocks above a block; reads every row. */
  countTrieRows(above: number): { readonly roots: number; readonly removed: number };
  /** Greatest id of a trie node; 0 without nodes. */
  greatestNodeId(): number;
  createEventIndexCheck(): EventIndexCheck;
  /** Returns the first problem that SQLite finds in the file. */
  sqliteFinding(): string | undefined;
  /** Returns the first table or index that differs from this program's schema. */
  schemaFinding(): Promise<string | undefined>;
  /** Returns the first migration that only the file or only this program has. */
  migrationFinding(): string | undefined;
}

/** Opens the tables of a chain database for verification. */
export function createIntegrityReader(handle: DatabaseHandle): IntegrityReader {
  const { statements } = handle;
  const { connection } = handle;
  const chain = createChainReader(handle);
  const meta = new MetaTables(statements);
  const pages = new StatePages(statements);
  const count = (sql: string): number =>
    Number(connection.query<{ n: bigint | null }, []>(`select ${sql} as n`).get()?.n ?? 0n);
  const rowsOf = (table: keyof RowCounts): number => count(`(select count(*) from ${table})`);
  const rowsFrom = (table: keyof RowCounts, column: string, from: number): number =>
    count(`(select count(*) from ${table} where ${column} >= ${from})`);
  const setValues = (table: string, key: string, value: string, upTo: number): number =>
    count(
      `(select count(*) from (select ${value} as newest, max(block) from ${table}
        where block <= ${upTo} group by ${key}) where newest <> x'')`,
    );
  return {
    blocks: new BlockRows(statements),
    state: new StateRows(statements),
    chain,
    chainId: handle.options.chainId,
    begin: () => void connection.run("begin"),
    end: () => void connection.run("rollback"),
    marks: () => ({
      latest: chain.latestNumber() ?? -1,
      oldest: chain.oldestBlock(),
      oldestState: chain.oldestStateBlock(),
      oldestTrie: chain.oldestTrieBlock(),
      prunedState: [
        meta.number(META.prunedStateBlock) ?? 0,
        meta.number(META.prunedStateEntries) ?? 0,
      ],
    }),
    meta: () =>
      connection
        .query<{ key: string; value: Uint8Array }, []>("select key, value from meta order by key")
        .all()
        .map(({ key, value }) => ({ key, value, kind: kindOf(key) })),
    contracts: () => pages.contracts(),
    countContracts: () => pages.countContracts(),
    counts() {
      const oldest = chain.oldestBlock();
      return {
        block: rowsOf("block"),
        block_state_diff: rowsOf("block_state_diff"),
        transaction_chunk: rowsOf("transaction_chunk"),
        transaction_index: rowsOf("transaction_index"),
        contract_storage: rowsFrom("contract_storage", "block", oldest),
        contract_nonce: rowsFrom("contract_nonce", "block", oldest),
        contract_class: rowsFrom("contract_class", "block", oldest),
        compiled_class_hash: rowsFrom("compiled_class_hash", "block", oldest),
        class: rowsFrom("class", "declared_block", oldest),
        l1_message: rowsFrom("l1_message", "block", oldest),
      };
    },
    missingClass() {
      const row = connection.query<{ class_hash: Uint8Array }, []>(MISSING_CLASS).get();
      return row === null ? undefined : uintFromBlob(row.class_hash);
    },
    countSetValues: (upTo) => ({
      contract_storage: setValues("contract_storage", "contract, key", "value", upTo),
      contract_nonce: setValues("contract_nonce", "contract", "nonce", upTo),
      contract_class: setValues("contract_class", "contract", "class_hash", upTo),
      compiled_class_hash: setValues(
        "compiled_class_hash",
        "class_hash",
        "compiled_class_hash",
        upTo,
      ),
    }),
    countTrieRows: (above) => ({
      roots: count(`(select count(*) from trie_root where block > ${above})`),
      removed: count(`(select count(*) from trie_removed where block > ${above})`),
    }),
    greatestNodeId: () => greatestNodeId(connection),
    createEventIndexCheck: () => new EventIndexCheck(statements, chain.oldestBlock()),
    sqliteFinding: () => sqliteFinding(connection),
    schemaFinding: () => schemaFinding(connection),
    migrationFinding: () => migrationFinding(connection),
  };
}

function greatestNodeId(connection: Database): number {
  const row = connection
    .query<{ id: bigint; nodes: Uint8Array }, []>(
      "select id, nodes from trie_page order by id desc limit 1",
    )
    .get();
  if (row === null) return 0;
  const nodes = unpackPage(row.nodes, Number(row.id));
  return idAt(
    Number(row.id),
    nodes.findLastIndex((node) => node !== undefined),
  );
}

function kindOf(key: string): MetaRow["kind"] {
  if (key === "chain_id") return "chainId";
  if (BLOCK_NUMBERS.includes(key)) return "block";
  if (key === ANCESTOR_HEADERS_KEY) return "headers";
  if (NUMBERS.includes(key)) return "number";
  return key.startsWith(nodeKey("")) ? "node" : "unknown";
}
