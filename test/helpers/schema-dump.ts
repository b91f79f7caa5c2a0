import { Database } from "bun:sqlite";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "#io/storage/index.ts";
import { writeSample } from "./schema-samples.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Folder of the dumps: `chain-0001.sql` has schema version 1. */
export const DUMPS: string = join(import.meta.dir, "../fixtures/schemas");

/** Id of the chain in the dumps. */
export const DUMPED_CHAIN_ID = "SN_TEST";

interface SchemaRow {
  readonly name: string;
  readonly type: string;
  readonly sql: string;
}

/** A database as statements that recreate it. */
export function dumpOf(connection: Database): string {
  const schema = connection
    .query<SchemaRow, []>(
      "select name, type, sql from sqlite_master where sql is not null order by type desc, name",
    )
    .all();
  const lines = schema.map(({ sql }) => `${sql};`);
  for (const { name } of schema.filter(({ type }) => type === "table")) {
    const columns = connection
      .query<{ name: string }, []>(`select name from pragma_table_info('${name}')`)
      .all();
    const values = columns.map((column) => `quote("${column.name}")`).join(" || ', ' || ");
    const rows = connection.query<{ row: string }, []>(`select ${values} as row from "${name}"`);
    for (const { row } of rows.all()) lines.push(`insert into "${name}" values (${row});`);
  }
  const version = connection.query<{ user_version: bigint }, []>("pragma user_version").get();
  lines.push(`pragma user_version = ${version?.user_version};`);
  return `${lines.join("\n")}\n`;
}

/**
 * Replaces compressed values of a dump by their content: versions may write frames of zstd
 * differently.
 */
export function unpackedDump(dump: string): string {
  return dump.replace(/X'(28B52FFD[0-9A-F]*)'/g, (_, hex: string) => {
    const content = Bun.zstdDecompressSync(Buffer.from(hex, "hex"));
    return `unpacked X'${content.toString("hex").toUpperCase()}'`;
  });
}

/** Schema versions that have a dump, in ascending order. */
export function dumpedVersions(): number[] {
  return readdirSync(DUMPS)
    .flatMap((name) => /^chain-(\d+)\.sql$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

/** Path of the dump of a schema version. */
export function dumpPath(version: number): string {
  return join(DUMPS, `chain-${String(version).padStart(4, "0")}.sql`);
}

/** Creates the database of a dump. */
export function restoreDump(version: number, path: string): void {
  using connection = new Database(path, { create: true, strict: true });
  connection.run(readFileSync(dumpPath(version), "utf8"));
}

if (import.meta.main) {
  using folder = temporaryFolder();
  const options = { chainId: DUMPED_CHAIN_ID, mode: "writer", durability: "normal" } as const;
  const handle = await openDatabase({ ...options, path: folder.file("chain.db") });
  writeSample(handle);
  const version = handle.connection
    .query<{ user_version: bigint }, []>("pragma user_version")
    .get();
  await Bun.write(dumpPath(Number(version?.user_version)), dumpOf(handle.connection));
  handle.close();
}
