import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { type BackupRequest, openBackup, writeBackup } from "#io/storage/index.ts";
import { StorageError } from "#base/errors/index.ts";
import { fullCommit, openChainFolder, type ChainFolder } from "#test/helpers/chain-folder.ts";

let chain: ChainFolder;
let backup: string;
let request: BackupRequest;

beforeAll(async () => {
  chain = await openChainFolder();
  chain.writer.commitBlock(fullCommit(0));
  chain.writer.commitBlock(fullCommit(1));
  writeFileSync(chain.folder.file("key"), "0x1\n");
  backup = chain.folder.file("backup");
  request = {
    chainDatabase: chain.folder.file("chain.db"),
    mempoolDatabase: chain.folder.file("no-mempool.db"),
    keyFile: chain.folder.file("key"),
    target: backup,
    program: "1.2.3",
    createdAt: new Date(0),
    onStep: () => Promise.resolve(),
  };
  await writeBackup(request);
});
afterAll(() => chain[Symbol.dispose]());

async function codeOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (error instanceof StorageError) return `${error.code} ${error.message}`;
    throw error;
  }
  return "";
}

/** What restoring these bytes ends with. */
async function restored(name: string, bytes: Uint8Array): Promise<string> {
  const path = chain.folder.file(name);
  const into = `${path}-into`;
  writeFileSync(path, bytes);
  mkdirSync(into);
  return codeOf(async () => {
    const open = openBackup(path);
    try {
      await open.extractTo(into, () => Promise.resolve());
    } finally {
      open.close();
    }
  });
}

describe("a backup", () => {
  test("says what is in it, and gives it back", async () => {
    const open = openBackup(backup);
    expect(open.manifest).toMatchObject({
      chainId: "SN_TEST",
      newestBlock: 1,
      program: "1.2.3",
      createdAt: "1970-01-01T00:00:00.000Z",
      parts: [{ name: "chain.db" }, { name: "block-signing.key", sizeBytes: 4 }],
    });
    const into = chain.folder.file("into");
    mkdirSync(into);
    await open.extractTo(into, () => Promise.resolve());
    open.close();
    expect(readFileSync(`${into}/block-signing.key`, "utf8")).toBe("0x1\n");
    using copy = new Database(`${into}/chain.db`, { readonly: true });
    expect(copy.query("select count(*) as n from block").get()).toEqual({ n: 2 });
  });

  test("can be opened as the database that it begins with", () => {
    using database = new Database(backup, { readonly: true });
    expect(database.query("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });
  });

  test("ends with the SHA-256 of everything before", () => {
    const bytes = readFileSync(backup);
    const sum = new Bun.CryptoHasher("sha256").update(bytes.subarray(0, -32)).digest();
    expect(sum.equals(bytes.subarray(-32))).toBe(true);
  });

  test("is refused with a flipped bit anywhere, or when something is missing or too much", async () => {
    const bytes = readFileSync(backup);
    const places = [
      0,
      5000,
      bytes.length - 200,
      bytes.length - 50,
      bytes.length - 40,
      bytes.length - 1,
    ];
    for (const place of places) {
      const wrong = Uint8Array.from(bytes);
      wrong[place] = (wrong[place] ?? 0) ^ 1;
      expect(await restored(`flipped-${place}`, wrong)).toStartWith("STORAGE_BACKUP_DAMAGED");
    }
    expect(await restored("cut", bytes.subarray(0, -1))).toContain("no backup, or its end");
    expect(await restored("short", bytes.subarray(0, 10))).toContain("too short");
    expect(await restored("middle", Buffer.concat([bytes.subarray(100)]))).toContain("sizes");
    expect(await restored("long", Buffer.concat([bytes, bytes]))).toContain("sizes");
  });

  test("never takes the place of something, nor follows a link", async () => {
    expect(await codeOf(() => writeBackup(request))).toContain("exists already");
    const target = chain.folder.path;
    expect(await codeOf(() => writeBackup({ ...request, target }))).toContain("is a folder");
    const link = chain.folder.file("link");
    symlinkSync(chain.folder.file("nowhere"), link);
    expect(await codeOf(() => writeBackup({ ...request, target: link }))).toContain(
      "symbolic link",
    );
    const nowhere = chain.folder.file("none/backup");
    expect(await codeOf(() => writeBackup({ ...request, target: nowhere }))).toContain("no folder");
  });

  test("leaves nothing behind when it is stopped", async () => {
    const target = chain.folder.file("stopped");
    const onStep = () => Promise.reject(new StorageError("STORAGE_TEST", "stopped"));
    expect(await codeOf(() => writeBackup({ ...request, target, onStep }))).toContain("stopped");
    expect(existsSync(target)).toBe(false);
    expect(existsSync(`${target}.tmp`)).toBe(false);
  });

  test("takes over what a killed process left, and nobody else's files", async () => {
    const target = chain.folder.file("again");
    mkdirSync(`${target}.tmp`);
    appendFileSync(`${target}.tmp/chain.db`, "half");
    writeFileSync(`${target}.tmp/mine`, "mine");
    await writeBackup({ ...request, target });
    expect(readFileSync(`${target}.tmp/mine`, "utf8")).toBe("mine");
    expect(existsSync(`${target}.tmp/chain.db`)).toBe(false);
  });

  test("is made once at a time", async () => {
    const target = chain.folder.file("twice");
    let second = "";
    const onStep = async (): Promise<void> => {
      second ||= await codeOf(() => writeBackup({ ...request, target }));
    };
    await writeBackup({ ...request, target, onStep });
    expect(second).toStartWith("STORAGE_LOCKED");
  });
});
