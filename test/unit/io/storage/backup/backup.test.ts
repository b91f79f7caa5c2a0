import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statfsSync,
  symlinkSync,
  truncateSync,
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

/** Code and message of the error with which restoring these bytes fails. */
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

describe("backup", () => {
  test("lists its contents and restores them", async () => {
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

  test("opens as the database at its start", () => {
    using database = new Database(backup, { readonly: true });
    expect(database.query("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });
  });

  test("ends with the SHA-256 of all preceding bytes", () => {
    const bytes = readFileSync(backup);
    const sum = new Bun.CryptoHasher("sha256").update(bytes.subarray(0, -32)).digest();
    expect(sum.equals(bytes.subarray(-32))).toBe(true);
  });

  test("is rejected with a flipped bit, missing or excess bytes", async () => {
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
    expect(await restored("cut", bytes.subarray(0, -1))).toContain("not a backup, or its end");
    expect(await restored("short", bytes.subarray(0, 10))).toContain("too short");
    expect(await restored("middle", Buffer.concat([bytes.subarray(100)]))).toContain("sizes");
    expect(await restored("long", Buffer.concat([bytes, bytes]))).toContain("sizes");
  });

  test("never replaces an existing file, nor follows a link", async () => {
    expect(await codeOf(() => writeBackup(request))).toMatch(
      /exists already: it is a complete backup \(chain SN_TEST, newest block 1, made at 1970-/,
    );
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

  test("reports whether an existing file is a complete backup, and removes leftovers next to it", async () => {
    const bytes = readFileSync(backup);
    const target = chain.folder.file("left");
    for (const spoiled of [
      bytes.subarray(0, bytes.length / 2),
      bytes.with(5000, (bytes[5000] ?? 0) ^ 1),
      Buffer.from("notes of somebody"),
    ]) {
      writeFileSync(target, spoiled);
      mkdirSync(`${target}.tmp`);
      writeFileSync(`${target}.tmp/chain.part`, "half");
      const told = await codeOf(() => writeBackup({ ...request, target }));
      expect(told).toMatch(
        /^STORAGE_EXISTS .* exists already: it is not a complete backup \(.*; delete it/,
      );
      expect(readFileSync(target).equals(spoiled)).toBe(true);
      expect(existsSync(`${target}.tmp`)).toBe(false);
    }
  });

  test("leaves nothing behind when it is stopped", async () => {
    const target = chain.folder.file("stopped");
    const onStep = () => Promise.reject(new StorageError("STORAGE_TEST", "stopped"));
    expect(await codeOf(() => writeBackup({ ...request, target, onStep }))).toContain("stopped");
    expect(existsSync(target)).toBe(false);
    expect(existsSync(`${target}.tmp`)).toBe(false);
  });

  test("replaces leftovers of a killed process but no other files", async () => {
    const target = chain.folder.file("again");
    mkdirSync(`${target}.tmp`);
    appendFileSync(`${target}.tmp/chain.part`, "half");
    writeFileSync(`${target}.tmp/chain.db`, "a chain");
    writeFileSync(`${target}.tmp/mine`, "mine");
    await writeBackup({ ...request, target });
    expect(readFileSync(`${target}.tmp/mine`, "utf8")).toBe("mine");
    expect(existsSync(`${target}.tmp/chain.part`)).toBe(false);
    // A data directory may have the same name.
    expect(readFileSync(`${target}.tmp/chain.db`, "utf8")).toBe("a chain");
  });

  test("is made by one process at a time", async () => {
    const target = chain.folder.file("twice");
    let second = "";
    const onStep = async (): Promise<void> => {
      second ||= await codeOf(() => writeBackup({ ...request, target }));
    };
    await writeBackup({ ...request, target, onStep });
    expect(second).toStartWith(`STORAGE_LOCKED another process is making the backup ${target}`);
  });

  test("is not made in a linked folder", async () => {
    const target = chain.folder.file("linked");
    const elsewhere = chain.folder.file("elsewhere");
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, `${target}.tmp`);
    expect(await codeOf(() => writeBackup({ ...request, target }))).toContain("symbolic link");
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test("keeps a file that appeared at its target meanwhile", async () => {
    const target = chain.folder.file("raced");
    const onStep = (): Promise<void> => Promise.resolve(writeFileSync(target, "mine"));
    expect(await codeOf(() => writeBackup({ ...request, target, onStep }))).toStartWith(
      "STORAGE_EXISTS",
    );
    expect(readFileSync(target, "utf8")).toBe("mine");
  });

  test("reports its progress, as restoring does", async () => {
    const written: number[][] = [];
    const target = chain.folder.file("steps");
    const into = chain.folder.file("steps-into");
    mkdirSync(into);
    const { manifest } = await writeBackup({
      ...request,
      target,
      onStep: async (done, total) => void written.push([done, total]),
    });
    const total = manifest.parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    expect(written).toEqual([
      [0, 1],
      [total - 4, total],
      [total, total],
    ]);
    const open = openBackup(target);
    const read: number[][] = [];
    await open.extractTo(into, async (done, of) => void read.push([done, of]));
    open.close();
    expect(read).toEqual(written.slice(1));
  });

  test("copies the mempool before the chain", async () => {
    using live = await openChainFolder();
    live.writer.commitBlock(fullCommit(0));
    const mempoolDatabase = live.folder.file("mempool.db");
    using mempool = new Database(mempoolDatabase);
    mempool.run("create table received (x)");
    let steps = 0;
    const { manifest } = await writeBackup({
      ...request,
      chainDatabase: live.folder.file("chain.db"),
      mempoolDatabase,
      target: live.folder.file("order"),
      // A transaction that leaves the mempool here is in this block: a copy with neither would
      // lose it.
      onStep: async () => {
        if (steps++ === 0) live.writer.commitBlock(fullCommit(1));
      },
    });
    expect(manifest.newestBlock).toBe(1);
    expect(manifest.parts.map(({ name }) => name)).toContain("mempool.db");
  });

  test("is not restored without enough disk space, nor read from a pipe", async () => {
    const path = chain.folder.file("holes");
    const { bavail, bsize } = statfsSync(chain.folder.path);
    const sizeBytes = bavail * bsize + 2 ** 30;
    const text = Buffer.from(
      JSON.stringify({
        format: 1,
        chainId: "SN_TEST",
        schemaVersion: 1,
        newestBlock: null,
        program: "x",
        createdAt: "1970-01-01T00:00:00.000Z",
        parts: [{ name: "chain.db", sizeBytes }],
      }),
    );
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    const end = Buffer.concat([text, length, Buffer.from("appchain-backup1"), Buffer.alloc(32)]);
    writeFileSync(path, "");
    truncateSync(path, sizeBytes);
    appendFileSync(path, end);
    const into = chain.folder.file("holes-into");
    mkdirSync(into);
    const open = openBackup(path);
    const told = await codeOf(() => open.extractTo(into, () => Promise.resolve()));
    open.close();
    expect(told).toStartWith("STORAGE_NO_SPACE");
    expect(readdirSync(into)).toEqual([]);
    const pipe = chain.folder.file("pipe");
    expect(Bun.spawnSync(["mkfifo", pipe]).exitCode).toBe(0);
    expect(await codeOf(() => openBackup(pipe))).toContain("it is not a file");
  });
});
