import type { DatabaseHandle } from "#io/storage/index.ts";
import { unpackIds } from "#io/storage/trie/ids.ts";

/** Tables with superseded versions, and the keys of their rows. */
const SUPERSEDED: readonly (readonly [table: string, key: string])[] = [
  ["contract_storage", "contract, key"],
  ["contract_nonce", "contract"],
  ["contract_class", "contract"],
  ["compiled_class_hash", "class_hash"],
  ["trie_root", "kind, contract"],
];

interface TableSize {
  readonly name: string;
  readonly bytes: bigint;
  readonly payload: bigint;
  readonly rows: bigint;
}

/** Prints the size of each table in the file, and the number of rows that only past blocks need. */
export function printSizes(
  { connection }: DatabaseHandle,
  blocks: number,
  transactions: number,
): void {
  const count = (sql: string): number =>
    Number(connection.query<{ n: bigint | null }, []>(`select ${sql} as n`).get()?.n ?? 0n);
  const past = new Map(
    SUPERSEDED.map(([table, key]) => [
      table,
      count(`(select count(*) from ${table})`) -
        count(`(select count(*) from (select distinct ${key} from ${table}))`),
    ]),
  );
  let deadNodes = 0;
  const removed = connection.query<{ ids: Uint8Array }, []>("select ids from trie_removed");
  for (const { ids } of removed.iterate()) deadNodes += unpackIds(ids).length;
  past.set("trie_page", deadNodes);
  const sizes = connection
    .query<TableSize, []>(
      "select name, sum(pgsize) as bytes, sum(payload) as payload, sum(iif(pagetype = 'leaf', ncell, 0)) as rows from dbstat group by name order by bytes desc",
    )
    .all();
  const total = sizes.reduce((sum, { bytes }) => sum + Number(bytes), 0);
  const free = count("(select freelist_count from pragma_freelist_count)");
  console.log(
    `\n${(total / 2 ** 20).toFixed(0)} MiB and ${free} free pages: ${(total / blocks).toFixed(0)} bytes a block, ${(total / transactions).toFixed(0)} a transaction`,
  );
  console.log("table                         rows  of the past  MiB  full  a block  per 1000 tx");
  for (const { name, bytes, payload } of sizes) {
    if (Number(bytes) / total < 0.0005) continue;
    const isTable = count(
      `(select count(*) from sqlite_master where type = 'table' and name = '${name}')`,
    );
    const rows = isTable === 0 ? "" : String(count(`(select count(*) from ${name})`));
    const part = ((Number(payload) / Number(bytes)) * 100).toFixed(0);
    console.log(
      [
        name.padEnd(24),
        rows.padStart(10),
        String(past.get(name) ?? "").padStart(13),
        (Number(bytes) / 2 ** 20).toFixed(0).padStart(5),
        `${part} %`.padStart(6),
        (Number(bytes) / blocks).toFixed(0).padStart(9),
        ((Number(bytes) / transactions) * 1000).toFixed(0).padStart(12),
      ].join(""),
    );
  }
}
