import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { Database } from "bun:sqlite";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { writeFileSync } from "node:fs";
import { main, processContext } from "#app/cli/index.ts";
import {
  CHAIN_SCHEMA_VERSION,
  createChainWriter,
  lockFolder,
  openBackup,
  openDatabase,
} from "#io/storage/index.ts";
import { restoreDump } from "#test/helpers/schema-dump.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";
import { makeTrueChain, TRUE_CHAIN_ID } from "#test/helpers/true-chain.ts";
import { run } from "../run.ts";

const BLOCKS = 8;
const SCHEMA = `"schemaVersion":${CHAIN_SCHEMA_VERSION}`;

let folder: TemporaryFolder;
let chain: string;
let backup: string;

beforeAll(async () => {
  folder = temporaryFolder();
  chain = folder.file("chain");
  const retention = { keepProofs: 3, pruneHistory: "archive" } as const;
  await makeTrueChain(chain, { blocks: BLOCKS, transactions: 4, retention });
  const mempool = { path: `${chain}/mempool.db`, chainId: TRUE_CHAIN_ID } as const;
  (await openDatabase({ ...mempool, mode: "writer", durability: "normal" })).close();
  backup = folder.file("backup");
  await db(["backup", backup], chain);
});
afterAll(() => folder[Symbol.dispose]());

const db = (words: readonly string[], basePath: string) =>
  run(["db", ...words, "--base-path", basePath]);

function copyOf(name: string): string {
  const path = folder.file(name);
  rmSync(path, { recursive: true, force: true });
  cpSync(chain, path, { recursive: true });
  return path;
}

/** Runs a command in a terminal, and stops it after `stopAfter` texts. */
async function shown(words: readonly string[], stopAfter = Infinity) {
  const controller = new AbortController();
  if (stopAfter === 0) controller.abort();
  const texts: string[] = [];
  const err: string[] = [];
  const code = await main(["db", ...words], {
    ...processContext(controller.signal),
    environment: {},
    out: () => undefined,
    err: (line) => err.push(line),
    terminal: {
      isTTY: true,
      columns: 80,
      write(text) {
        if (texts.push(text) >= stopAfter) controller.abort();
      },
    },
  });
  return { code, texts, err: err.join("\n") };
}

describe("a command in a terminal", () => {
  test("shows its progress", async () => {
    expect((await shown(["check", "--base-path", chain])).texts[0]).toBe("\rchecking the file");
    const { texts } = await shown(["restore", backup, "--base-path", folder.file("shown")]);
    expect(texts[0]).toMatch(/^\rrestore \d+ %$/);
    const revert = await shown(["revert", "--to", "1", "--yes", "--base-path", copyOf("shown-2")]);
    expect(revert.texts[0]).toMatch(/^\r(reverting blocks|building tries) \d+ %/);
  });

  test("stops on request and leaves nothing behind", async () => {
    const stopped = folder.file("stopped");
    for (const words of [
      ["backup", stopped, "--base-path", chain],
      ["restore", backup, "--base-path", stopped],
      ["revert", "--to", "1", "--yes", "--base-path", copyOf("not-reverted")],
    ]) {
      const { code, err } = await shown(words, 0);
      expect(err).toStartWith("error: stopped before");
      expect(code).toBe(1);
    }
    expect(existsSync(`${stopped}.tmp`)).toBe(false);
    expect(readdirSync(stopped)).toEqual(["lock.db"]);
    expect((await db(["check"], folder.file("not-reverted"))).out).toContain(
      `no difference in ${BLOCKS + 1} blocks`,
    );
  });
});

describe("db check", () => {
  test("stops on request", async () => {
    let nowMs = 0;
    const clock = spyOn(performance, "now").mockImplementation(() => (nowMs += 1000));
    try {
      const { code, err } = await shown(["check", "--base-path", chain], 2);
      expect(err).toBe("error: stopped before the end of the check");
      expect(code).toBe(1);
    } finally {
      clock.mockRestore();
    }
  });

  test("checks the requested blocks, and reports how many of them have tries", async () => {
    const { out } = await db(["check", "--from", "2", "--to", "6"], chain);
    expect(out).toContain("no difference in 5 blocks");
    expect(out).toContain("tries are kept, and were checked, for 1 of these blocks");
  });
});

describe("db info", () => {
  test("reports L1 acceptance, free pages and replaced nodes", async () => {
    const path = copyOf("told");
    const database = await openDatabase({
      path: `${path}/chain.db`,
      chainId: TRUE_CHAIN_ID,
      mode: "writer",
      durability: "normal",
    });
    const writer = createChainWriter(database);
    expect((await db(["info"], path)).out).toContain("l1_accepted_block: none\n");
    writer.setL1Accepted(3);
    database.connection.run("delete from transaction_chunk");
    database.connection.run("delete from trie_removed");
    // Ids 3, 4 and 200 in the form of `trie/ids.ts`: differences, the last one of two bytes.
    database.connection.run("insert into trie_removed values (5, x'0301c401')");
    database.close();
    const { out } = await db(["info"], path);
    expect(out).toContain("l1_accepted_block: 3\n");
    expect(out).toContain("replaced_trie_nodes: 3 ");
    const [, free = "", , size = ""] = /free_pages: (\d+) of (\d+) \(([\d.]+) KiB/.exec(out) ?? [];
    expect(Number(size)).toBe(4 * Number(free));
  });

  test("requires a choice between several chains in appchain-data", async () => {
    const parent = folder.file("parent");
    mkdirSync(`${parent}/appchain-data`, { recursive: true });
    const before = process.cwd();
    process.chdir(parent);
    try {
      expect((await run(["db", "info"])).err).toContain("there is no chain in ");
      expect((await run(["db", "restore", backup])).code).toBe(0);
      expect(readdirSync("appchain-data")).toEqual([TRUE_CHAIN_ID]);
      expect((await run(["db", "info", "--quick"])).out).toContain(`blocks: ${BLOCKS + 1}\n`);
      cpSync(chain, "appchain-data/other", { recursive: true });
      const { code, err } = await run(["db", "info"]);
      expect(code).toBe(2);
      expect(err).toContain(`contains 2 chains: ${TRUE_CHAIN_ID}, other`);
    } finally {
      process.chdir(before);
    }
  });
});

describe("db backup and db restore", () => {
  test("include the mempool, in files private to their owner", async () => {
    const open = openBackup(backup);
    open.close();
    expect(open.manifest.parts.map(({ name }) => name)).toEqual(["chain.db", "mempool.db"]);
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    expect(open.manifest.program).toContain(version);
    const target = folder.file("modes");
    expect((await db(["restore", backup], target)).out).toContain("put it back before you start");
    for (const path of [backup, `${target}/chain.db`, `${target}/mempool.db`]) {
      expect(statSync(path).mode & 0o777).toBe(0o600);
    }
    writeFileSync(`${target}/block-signing.key`, "0x5\n");
    rmSync(`${target}/chain.db`);
    rmSync(`${target}/mempool.db`);
    expect((await db(["restore", backup], target)).out).not.toContain("put it back");
  });

  test("refuse a folder in use as a target", async () => {
    const target = folder.file("used");
    const lock = lockFolder(target);
    expect((await db(["restore", backup], target)).err).toContain("in use by another process");
    lock.release();
    expect((await db(["restore", backup], target)).code).toBe(0);
  });

  test("leave a folder without a chain if the backup is damaged", async () => {
    const damaged = folder.file("damaged");
    const bytes = readFileSync(backup);
    bytes[9000] = (bytes[9000] ?? 0) ^ 1;
    writeFileSync(damaged, bytes);
    const target = folder.file("from-damaged");
    expect((await db(["restore", damaged], target)).err).toContain("checksum");
    expect(readdirSync(target)).toEqual(["lock.db"]);
  });

  test("refuse a backup with a wrong chain id, or of a newer program", async () => {
    for (const [from, to, told] of [
      [TRUE_CHAIN_ID, "APPCHAIN_DEVNEX", "the backup names chain APPCHAIN_DEVNEX, but contains"],
      [SCHEMA, '"schemaVersion":9', "The backup has schema version 9"],
      [SCHEMA, '"schemaVersion":1', "names chain"],
      ['"format":1', '"format":2', "use a newer program"],
    ] as const) {
      const path = folder.file("lie");
      const bytes = readFileSync(backup);
      const at = bytes.lastIndexOf(from);
      bytes.write(to, at);
      new Bun.CryptoHasher("sha256")
        .update(bytes.subarray(0, -32))
        .digest()
        .copy(bytes, bytes.length - 32);
      writeFileSync(path, bytes);
      const target = folder.file("from-lie");
      const { code, err } = await db(["restore", path], target);
      expect(err).toContain(told);
      expect(code).toBe(1);
      expect(existsSync(`${target}/chain.db`)).toBe(false);
    }
  });

  test("require a folder for a chain id that is no valid name", async () => {
    const path = folder.file("upwards");
    const bytes = readFileSync(backup);
    bytes.write("../APPCHAIN_DEV", bytes.lastIndexOf(TRUE_CHAIN_ID));
    writeFileSync(path, bytes);
    const { code, err } = await run(["db", "restore", path]);
    expect(err).toContain("the chain id cannot be used as a folder name");
    expect(code).toBe(2);
  });

  test("escape control characters of a path", async () => {
    const target = folder.file("ü \n\u001b[31m");
    const { out } = await db(["restore", backup], target);
    expect(out).toContain("ü \\u{a}\\u{1b}[31m\n");
    expect((await db(["check"], target)).code).toBe(0);
  });
});

describe("a command that changes a chain", () => {
  test("is refused after an unfinished restore", async () => {
    const path = copyOf("half");
    mkdirSync(`${path}/restore.tmp`);
    for (const words of [["compact"], ["revert", "--to", "1", "--yes"]]) {
      const { code, err } = await db(words, path);
      expect(err).toContain("run db restore again");
      expect(code).toBe(2);
      lockFolder(path).release();
    }
  });

  test("releases the folder afterwards", async () => {
    const path = copyOf("free");
    for (const words of [["compact"], ["revert", "--to", "0", "--yes"], ["revert", "--to", "9"]]) {
      await db(words, path);
      lockFolder(path).release();
    }
    expect((await db(["check"], path)).out).toContain("no difference in 1 blocks");
  });
});

test("an older database is reported by each command and migrated by none", async () => {
  const path = folder.file("older");
  mkdirSync(path);
  restoreDump(1, `${path}/chain.db`);
  const { out } = await db(["info"], path);
  expect(out).toContain(
    `schema_version: 1 (starting a node upgrades it to ${CHAIN_SCHEMA_VERSION})`,
  );
  for (const words of [["check"], ["revert", "--to", "0", "--yes"]]) {
    const { code, err } = await db(words, path);
    expect(err).toContain("Start the node once");
    expect(code).toBe(1);
  }
  const saved = folder.file("older.backup");
  expect((await db(["backup", saved], path)).err).toBe("");
  expect((await db(["compact"], path)).err).toBe("");
  const restored = folder.file("older-restored");
  expect((await db(["restore", saved], restored)).err).toBe("");
  for (const each of [path, restored]) {
    using database = new Database(`${each}/chain.db`, { readonly: true });
    expect(database.query("pragma user_version").get()).toEqual({ user_version: 1 });
  }
});
