import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { Database } from "bun:sqlite";
import { notePublished } from "#app/node/storage/folder/published-blocks.ts";
import type { NodeSetup } from "#app/node/setup/setup.ts";
import {
  createChainWriter,
  type DatabaseHandle,
  lockFolder,
  openDatabase,
} from "#io/storage/index.ts";
import { takeFolder } from "#app/node/storage/folder/new-folder.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";
import { makeTrueChain, TRUE_CHAIN_ID } from "#test/helpers/true-chain.ts";
import { run, type Run } from "../run.ts";

const BLOCKS = 5;

let folder: TemporaryFolder;
let chain: string;

beforeAll(async () => {
  folder = temporaryFolder();
  chain = folder.file("chain");
  await makeTrueChain(chain, { blocks: BLOCKS, transactions: 4 });
});
afterAll(() => folder[Symbol.dispose]());

const db = (words: string, basePath = chain): Promise<Run> =>
  run(["db", ...words.split(" "), "--base-path", basePath]);

/** Writes to the chain of a folder. */
async function writing(path: string, work: (database: DatabaseHandle) => unknown): Promise<void> {
  const database = await openDatabase({
    path: `${path}/chain.db`,
    chainId: TRUE_CHAIN_ID,
    mode: "writer",
    durability: "normal",
  });
  work(database);
  database.close();
}

/** A separate copy of the chain. */
function copyOf(name: string): string {
  const path = folder.file(name);
  rmSync(path, { recursive: true, force: true });
  cpSync(chain, path, { recursive: true });
  return path;
}

describe("db info", () => {
  test("prints the contents line by line", async () => {
    const { code, out } = await db("info");
    expect(code).toBe(0);
    expect(out).toContain(`chain_id: ${TRUE_CHAIN_ID}\n`);
    expect(out).toContain(`blocks: ${BLOCKS + 1}\n`);
    expect(out).toContain("oldest_state_block: 0\noldest_proof_block: 0\n");
    expect(out).toMatch(/^file chain\.db: [\d.]+ [KM]iB$/m);
    expect(out).toMatch(/^table trie_page: [\d.]+ KiB, \d+ rows$/m);
    expect((await db("info --quick")).out).not.toContain("table ");
  });

  test("uses the folder of the environment as a node does", async () => {
    expect((await run(["db", "info", "--quick"], { APPCHAIN_BASE_PATH: chain })).code).toBe(0);
  });
});

describe("a folder", () => {
  test("that is a file, is missing or has no chain is named", async () => {
    const file = folder.file("file");
    writeFileSync(file, "");
    const empty = folder.file("empty");
    mkdirSync(empty);
    const texts = [folder.file("nowhere"), file, empty].map((path) => db("check", path));
    const [nowhere, noFolder, noChain] = await Promise.all(texts);
    expect(nowhere).toMatchObject({
      code: 2,
      err: expect.stringContaining("there is no folder"),
    });
    expect(noFolder?.err).toContain("is not a folder");
    expect(noChain?.err).toContain("it has no chain.db");
    writeFileSync(`${empty}/chain.db`, "something else");
    expect(await db("info", empty)).toMatchObject({
      code: 1,
      err: expect.stringContaining("is not a chain database"),
    });
  });

  test("of a newer program is refused", async () => {
    const path = copyOf("newer");
    using database = new Database(`${path}/chain.db`);
    database.run("pragma user_version = 99");
    for (const words of ["info", "check", "compact", "revert --to 1 --yes"]) {
      expect((await db(words, path)).err).toContain("schema version 99");
    }
  });

  test("locked by a node is refused by commands that change it", async () => {
    const path = copyOf("held");
    const lock = lockFolder(path);
    for (const words of ["compact", "revert --to 1 --yes"]) {
      expect(await db(words, path)).toMatchObject({
        code: 1,
        err: expect.stringContaining("in use by another process"),
      });
    }
    expect((await db("check", path)).code).toBe(0);
    lock.release();
  });
});

describe("db check", () => {
  test("reports the first difference and exits with 1", async () => {
    const path = copyOf("wrong");
    using database = new Database(`${path}/chain.db`);
    database.run("update contract_nonce set nonce = x'77' where block > 1");
    const { code, err } = await db("check", path);
    expect(code).toBe(1);
    expect(err).toMatch(
      /^error: block \d+, table contract_nonce, nonce of 0x\w+: expected 0x\w+, /,
    );
  });

  test("refuses a range without blocks", async () => {
    expect((await db("check --from 3 --to 2")).code).toBe(2);
    expect((await db("check --from 300")).err).toContain("no such blocks");
  });

  test("compares the chain id with that of the mempool", async () => {
    const path = copyOf("other-id");
    const other = { path: `${path}/mempool.db`, chainId: "OTHER", durability: "normal" } as const;
    (await openDatabase({ ...other, mode: "writer" })).close();
    expect((await db("check", path)).err).toContain("table meta, chain_id");
  });
});

describe("db backup and db restore", () => {
  test("omit the key unless it is requested", async () => {
    const backup = folder.file("plain");
    expect((await db(`backup ${backup}`)).out).toContain("contains: chain.db\n");
    const target = folder.file("restored");
    const { code, out } = await run(["db", "restore", backup, "--base-path", target]);
    expect(code).toBe(0);
    expect(out).toContain("is not in the backup");
    expect((await db("check", target)).code).toBe(0);

    const withKey = folder.file("with-key");
    await db(`backup ${withKey} --with-key`);
    const other = folder.file("restored-key");
    await run(["db", "restore", withKey, "--base-path", other]);
    const [there, restored] = [chain, other].map((path) =>
      readFileSync(`${path}/block-signing.key`, "utf8"),
    );
    expect(restored).toBe(there);
  });

  test("refuse a folder with a chain or parts of one", async () => {
    const backup = folder.file("for-refusal");
    await db(`backup ${backup}`);
    expect((await run(["db", "restore", backup, "--base-path", chain])).err).toContain(
      "already contains a chain",
    );
    const part = folder.file("part");
    mkdirSync(part);
    writeFileSync(`${part}/mempool.db`, "");
    expect((await run(["db", "restore", backup, "--base-path", part])).code).toBe(1);
    const file = folder.file("a-file");
    writeFileSync(file, "");
    expect((await run(["db", "restore", backup, "--base-path", file])).code).toBe(1);
  });

  test("an unfinished restore is refused by a node and can be restarted", async () => {
    const backup = folder.file("again-backup");
    await db(`backup ${backup}`);
    const target = folder.file("half");
    mkdirSync(`${target}/restore.tmp`, { recursive: true });
    writeFileSync(`${target}/mempool.db`, "of the first restore");
    expect(() => takeFolder(target)).toThrow("did not finish");
    expect((await run(["db", "restore", backup, "--base-path", target])).code).toBe(0);
    expect(existsSync(`${target}/mempool.db`)).toBe(false);
    expect((await db("check", target)).code).toBe(0);
    takeFolder(target).release();
  });

  test("a malformed backup leaves nothing behind", async () => {
    const wrong = folder.file("no-backup");
    writeFileSync(wrong, "x".repeat(1000));
    const target = folder.file("from-nothing");
    const { code, err } = await run(["db", "restore", wrong, "--base-path", target]);
    expect(code).toBe(1);
    expect(err).toContain("it is not a backup");
    expect(existsSync(target)).toBe(false);
    const missing = await run(["db", "restore", folder.file("missing"), "--base-path", target]);
    expect(missing.err).toContain("there is no such file");
    expect((await run(["db", "restore", chain, "--base-path", target])).err).toContain(
      "is not a file",
    );
  });

  test("refuse an existing file, a directory or a link as a backup", async () => {
    const taken = folder.file("taken");
    writeFileSync(taken, "mine");
    expect((await db(`backup ${taken}`)).err).toContain(
      "exists already: it is not a complete backup",
    );
    expect(readFileSync(taken, "utf8")).toBe("mine");
    expect((await db(`backup ${chain}`)).err).toContain("is a folder");
    const link = folder.file("link");
    symlinkSync(taken, link);
    expect((await db(`backup ${link}`)).err).toContain("symbolic link");
  });
});

describe("db revert", () => {
  test("reverts blocks once confirmed with --yes", async () => {
    const path = copyOf("reverted");
    const asked = await db("revert --to 2", path);
    expect(asked.code).toBe(2);
    expect(asked.err).toMatch(/^error: 3 blocks with \d+ transactions would be lost permanently/);
    const done = await db("revert --to 2 --yes", path);
    expect(done.code).toBe(0);
    expect(done.out).toContain("blocks reverted: 3");
    expect((await db("check", path)).out).toContain("no difference in 3 blocks");
    expect((await db("revert --to 2 --yes", path)).out).toContain("is the newest one already");
    expect((await db("revert --to 9 --yes", path)).code).toBe(2);
    expect((await db("revert --yes", path)).err).toContain("--to: name the block");
  });

  test("keeps blocks accepted on L1 unless forced", async () => {
    const path = copyOf("accepted");
    await writing(path, (database) => createChainWriter(database).setL1Accepted(3));
    const refused = await db("revert --to 2 --yes", path);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("accepted on L1");
    expect((await db("revert --to 3 --yes", path)).code).toBe(0);
    expect((await db("revert --to 2 --yes --force", path)).code).toBe(0);
  });

  test("keeps blocks that a sequencer has published, even if forced", async () => {
    const path = copyOf("published");
    const chainDatabase = `${path}/chain.db`;
    const setup = { files: { chainDatabase }, config: { chainId: TRUE_CHAIN_ID } } as NodeSetup;
    await notePublished(setup, { store: "s3://chain at http://store", through: 4 });
    const refused = await db("revert --to 2 --yes --force", path);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("published in s3://chain at http://store");
    expect(refused.err).toContain("without --publish-gate");
    await notePublished(setup, undefined);
    expect((await db("revert --to 2 --yes", path)).code).toBe(0);
  });

  test("keeps the mempool without --drop-received", async () => {
    const path = copyOf("received");
    writeFileSync(`${path}/mempool.db`, "");
    await db("revert --to 3 --yes", path);
    expect(existsSync(`${path}/mempool.db`)).toBe(true);
    await db("revert --to 2 --yes --drop-received", path);
    expect(existsSync(`${path}/mempool.db`)).toBe(false);
  });
});

test("db compact keeps the chain unchanged", async () => {
  const path = copyOf("compact");
  const { code, out } = await db("compact", path);
  expect(code).toBe(0);
  expect(out).toMatch(/^before: .*\nafter: /);
  expect((await db("check", path)).out).toContain(`no difference in ${BLOCKS + 1} blocks`);
});
