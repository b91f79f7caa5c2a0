import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { keepImported } from "#app/node/storage/folder/imported-chain.ts";
import { loadSigningKey } from "#app/node/storage/folder/signing-key.ts";
import {
  createChainReader,
  createChainWriter,
  type DatabaseHandle,
  openDatabase,
} from "#io/storage/index.ts";
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

describe("db check", () => {
  test("checks signatures with the known key", async () => {
    const path = copyOf("no-key");
    rmSync(`${path}/block-signing.key`);
    expect((await db("check", path)).out).toContain("signatures were not checked");
    const wrong = await db("check --public-key 0x1234", path);
    expect(wrong.err).toContain("signature: it is not the chain key's signature");
    const key = `${chain}/block-signing.key`;
    const right = await db(`check --private-key-file ${key}`, path);
    expect(right.out).not.toContain("signatures");
  });

  test("checks a full node's signatures with the key its blocks were verified with", async () => {
    const path = copyOf("followed");
    const key = loadSigningKey({ path: `${path}/block-signing.key`, mayCreate: false });
    rmSync(`${path}/block-signing.key`);
    const keep = (publicKey: bigint): Promise<void> =>
      writing(path, (database) =>
        keepImported(createChainReader(database), createChainWriter(database), {
          config: null,
          publicKey,
        }),
      );
    await keep(key.publicKey);
    expect(await db("check", path)).toMatchObject({
      code: 0,
      out: expect.not.stringContaining("signatures were not checked"),
    });
    const spoil = (value: string): Promise<void> =>
      writing(path, ({ connection }) =>
        connection.run(`update meta set value = ${value} where key like '%sync-public-key'`),
      );
    await spoil("x'1234'");
    expect((await db("check", path)).err).toContain("stored in chain.db has 2 bytes, expected 32");
    await spoil("cast(zeroblob(31) || x'07' as blob)");
    const wrong = await db("check", path);
    expect([wrong.code, wrong.err]).toEqual([
      1,
      expect.stringContaining(
        "block 0, table block, signature: it is not the chain key's signature",
      ),
    ]);
  });
});

describe("db backup and db restore", () => {
  test("never replace an existing key, and report a missing one", async () => {
    const backup = folder.file("key-backup");
    await db(`backup ${backup} --with-key`);
    const target = folder.file("own-key");
    mkdirSync(target);
    writeFileSync(`${target}/block-signing.key`, "0x5\n");
    const { code, err } = await run(["db", "restore", backup, "--base-path", target]);
    expect(code).toBe(1);
    expect(err).toContain("differs from the key of the backup");
    expect(existsSync(`${target}/chain.db`)).toBe(false);
    const path = copyOf("without-key");
    rmSync(`${path}/block-signing.key`);
    expect((await db(`backup ${folder.file("none")} --with-key`, path)).code).toBe(2);
    writeFileSync(`${path}/block-signing.key`, "appchain block-signing key: 66 b");
    const damaged = await db(`backup ${folder.file("none")} --with-key`, path);
    expect([damaged.code, damaged.err]).toEqual([2, expect.stringContaining("put back a copy")]);
    expect(existsSync(folder.file("none"))).toBe(false);
  });

  test("accept the key in the older form as the key of the backup", async () => {
    const backup = folder.file("old-key-backup");
    await db(`backup ${backup} --with-key`);
    const target = folder.file("old-key");
    mkdirSync(target);
    const [, key] = readFileSync(`${chain}/block-signing.key`, "utf8").split("\n");
    writeFileSync(`${target}/block-signing.key`, `${key}\n`);
    expect((await run(["db", "restore", backup, "--base-path", target])).code).toBe(0);
  });
});
