import { Database } from "bun:sqlite";
import { describe, expect, spyOn, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import {
  createChainReader,
  createChainWriter,
  createIntegrityReader,
  createSnapshotWriter,
  createExplorerReader,
  openCompiledClasses,
  openExplorerStore,
  openForkStore,
  openDatabase,
  openMempoolStore,
} from "#io/storage/index.ts";
import { openExplorerFile } from "#io/storage/explorer/open.ts";
import { SnapshotPages } from "#io/storage/snapshot/pages.ts";
import { StatementFactory } from "#io/storage/statement.ts";
import { fakeHeader } from "#test/helpers/fake-chain.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const STORAGE = join(import.meta.dir, "../../../../src/io/storage");

/** Statements that may read a whole table or index. */
const EXCEPTIONS: readonly { readonly sql: RegExp; readonly reason: string }[] = [
  {
    sql: /^select "number" from "block" order by "number" desc limit 1$/,
    reason: "reads the last row and stops",
  },
  {
    sql: /^select count\(\*\) as "count" from "contract"$/,
    reason: "the total that a rebuilding of all tries or a check of everything reports",
  },
  {
    sql: /^select .* from "l1_message" where "l1_transaction_hash" = \+\? order by /,
    reason: "sorts the few messages of one transaction",
  },
  {
    sql: /^select "nonce" from "l1_message" order by "block" desc limit 256$/,
    reason: "reads the last rows of an index and stops",
  },
  {
    sql: /^select .* from "l1_message" where \(length\("nonce"\) > /,
    reason: "looks for what an alarm is to name, after which nothing is produced",
  },
  {
    sql: /^select "block" from "contract_storage" where "block" >= \? limit 1$/,
    reason: "once, when a snapshot was imported; it reads all of its state for the tries, too",
  },
  {
    sql: /^select "class_hash" from "contract_class" where "class_hash" not in /,
    reason: "once, when a snapshot was imported: one row a contract",
  },
  {
    sql: /^delete from "trie_(page|root|removed)"$/,
    reason: "SQLite drops the pages of a table that is emptied",
  },
  {
    sql: /^select "hash", "received_at_ms", .* from "mempool_transaction" order by "sequence"$/,
    reason: "the whole mempool, at the start",
  },
  {
    sql: /^select "hash" from "mempool_impersonated"$/,
    reason: "the whole table, at the start; it is small",
  },
  {
    sql: /^select "hash", "crashes", "reason" from "mempool_suspect_message"$/,
    reason: "the whole table, at the start; a message is in it that a crash may be blamed on",
  },
  {
    sql: /^select distinct "declared_block" from "class" order by "declared_block"$/,
    reason: "goes through an index at the start, of a chain whose fee token has no contract yet",
  },
  {
    sql: /^select "rejected_at_ms" from "mempool_rejection" limit \?$/,
    reason: "reads one row and stops",
  },
  {
    sql: /^select "hash" from "mempool_rejection" where "cause" = \?$/,
    reason: "once, at the start with several admission threads; at most some thousand rows",
  },
  {
    sql: /^select "rejected_at_ms" from "mempool_rejection" .* limit \? offset \?$/,
    reason: "goes through the index to the oldest rejection that is kept, at most some thousand",
  },
  {
    sql: /^select coalesce\(sum\(size_bytes\), 0\) .* from "compiled_class"$/,
    reason: "after a compilation; some hundred entries of an index that has the sizes",
  },
  {
    sql: /^select "class_hash", "size_bytes" from "compiled_class" order by "used_at_ms" limit \?$/,
    reason: "reads the first entry of an index and stops",
  },
  {
    sql: /^select coalesce\(sum\(length\(key\) .* from "limited_value"$/,
    reason: "once, at the start of a fork; the table has a size limit",
  },
  {
    sql: /^select "sequence", .* from "limited_value" order by "sequence" limit \?$/,
    reason: "reads the first rows and stops",
  },
  {
    sql: /^select .* from "indexed_block" order by "number"( desc)? limit \?$/,
    reason: "reads the first or last row and stops",
  },
];

/** A statement with its query plan and the source file that prepared it. */
interface Prepared {
  readonly sql: string;
  readonly file: string;
  readonly plan: readonly string[];
}

/** Steps of a plan that read a whole table or index, or build a temporary one. */
function wholeReads({ sql, plan }: Prepared): readonly string[] {
  if (plan.length === 0 && /^(delete|update) /.test(sql)) return ["every row"];
  return plan.filter(
    (step) =>
      (step.startsWith("SCAN ") && step !== "SCAN CONSTANT ROW") ||
      /AUTOMATIC|USE TEMP B-TREE/.test(step),
  );
}

/** Opens every kind of database file and returns the statements prepared on them. */
async function preparedStatements(): Promise<Prepared[]> {
  using folder = temporaryFolder();
  const found: Prepared[] = [];
  let file = "";
  const connections = new Set<Database>();
  const { of } = StatementFactory.prototype;
  const { prepare } = Database.prototype;
  using _factory = spyOn(StatementFactory.prototype, "of").mockImplementation(function (
    this: StatementFactory<never>,
  ) {
    const build = of.call(this) as (...parameters: unknown[]) => never;
    // The first frame in the storage sources is the user of the statement.
    const caller = new Error().stack?.split("\n").find((line) => isStatementUser(line));
    return (...parameters) => {
      file = caller === undefined ? "" : relative(STORAGE, pathOf(caller));
      const statement = build(...parameters);
      while (this.prepareNext());
      file = "";
      return statement;
    };
  });
  using _connection = spyOn(Database.prototype, "prepare").mockImplementation(function (
    this: Database,
    ...parameters: Parameters<typeof prepare>
  ) {
    const [sql] = parameters;
    if (file !== "") {
      connections.add(this);
      const steps = prepare.call(this, `explain query plan ${sql}`).all() as { detail: string }[];
      found.push({ sql, file, plan: steps.map(({ detail }) => detail) });
    }
    return prepare.apply(this, parameters);
  } as typeof prepare);

  const chain = await openDatabase({
    path: folder.file("chain.db"),
    chainId: "SN_TEST",
    mode: "writer",
    durability: "normal",
  });
  createChainWriter(chain, { keepProofs: 1, pruneHistory: 128 });
  createChainReader(chain);
  createIntegrityReader(chain).createEventIndexCheck();
  createSnapshotWriter(chain);
  void new SnapshotPages(chain.statements, 0);
  chain.close();
  (await openMempoolStore(folder.file("mempool.db"), "SN_TEST")).close();
  const compiled = { path: folder.file("compiled.db"), chainId: "SN_TEST", compiler: "c" };
  (await openCompiledClasses(compiled)).close();
  const fork = { chainId: "SN_TEST", header: fakeHeader({ number: 1 }), ancestors: [] };
  (await openForkStore({ path: folder.file("fork.db"), fork, maxLimitedBytes: 1 << 20 })).close();
  const explorer = folder.file("explorer.db");
  (await openExplorerStore(explorer, "SN_TEST")).close();
  const index = await openExplorerFile(explorer, "SN_TEST", "reader");
  createExplorerReader(index);
  index.connection.close();
  expect(connections.size).toBe(6);
  return found;
}

const isStatementUser = (line: string): boolean =>
  line.includes("/src/io/storage/") && !line.includes("/statement.ts");

const pathOf = (frame: string): string => /\(?(\/[^():]+\.ts)/.exec(frame)?.[1] ?? "";

const prepared = await preparedStatements();

describe("no prepared statement reads a whole table", () => {
  const distinct = new Map(prepared.map((statement) => [statement.sql, statement]));
  for (const statement of distinct.values()) {
    const { sql, file } = statement;
    test(`${file}: ${sql}`, () => {
      const isException = EXCEPTIONS.some((exception) => exception.sql.test(sql));
      if (!isException) expect(wholeReads(statement)).toEqual([]);
    });
  }
});

test("every exception is needed", () => {
  for (const { sql, reason } of EXCEPTIONS) {
    const statements = prepared.filter((statement) => sql.test(statement.sql));
    const isNeeded = statements.some((statement) => wholeReads(statement).length > 0);
    expect({ reason, isNeeded }).toEqual({ reason, isNeeded: true });
  }
});

test("the statements of every file are checked", () => {
  const files = readdirSync(STORAGE, { recursive: true, encoding: "utf8" }).filter(
    (path) =>
      path.endsWith(".ts") && readFileSync(join(STORAGE, path), "utf8").includes("statements.of<"),
  );
  const seen = new Set(prepared.map(({ file }) => file));
  expect(files.filter((path) => !seen.has(path))).toEqual([]);
  expect(files.length).toBeGreaterThan(15);
});
