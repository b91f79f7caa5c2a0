import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { requireNoRemains } from "#app/node/storage/folder/remains.ts";
import { writeChain } from "#app/node/storage/folder/write-chain.ts";
import { setupOf } from "#app/node/setup/node-setup.ts";
import { bindOpened } from "#app/node/storage/folder/bind-opened.ts";
import type { NodeOptions } from "#app/node/setup/node-options.ts";
import {
  dataFolderOptions,
  type DataFolderRole,
  FOLLOW,
  makeDataFolder,
  startOn,
} from "#test/helpers/data-folders.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";

let root: TemporaryFolder;
beforeAll(async () => {
  root = temporaryFolder();
  await makeDataFolder(await dataFolderOptions("sequencer", root.file("own")), 1n);
}, 60_000);
afterAll(() => root[Symbol.dispose]());

describe("a data directory without its chain database", () => {
  const without = (...names: readonly string[]): string => {
    const folder = root.file(`without-${crypto.randomUUID()}`);
    cpSync(root.file("own"), folder, { recursive: true });
    for (const name of names) rmSync(join(folder, name));
    return folder;
  };
  const started = async (
    folder: string,
    changed: Partial<NodeOptions>,
    role: DataFolderRole = "sequencer",
  ) => startOn({ ...(await dataFolderOptions(role, folder)), ...changed });

  test.each(["block-signing.key", "mempool.db", "commit.journal", "validation-0.journal"])(
    "is refused for %s alone",
    async (name) => {
      const folder = root.file(`only-${name}`);
      mkdirSync(folder);
      cpSync(root.file(`own/${name}`), join(folder, name));
      expect(await started(folder, {})).toContain(
        `chain.db is missing, but ${name} is still there`,
      );
      expect(readdirSync(folder).filter((file) => !file.startsWith("lock.db"))).toEqual([name]);
    },
  );

  test("is refused if the database has no tables", async () => {
    const folder = without("chain.db");
    const database = new Database(join(folder, "chain.db"));
    database.run("create table t (a)");
    database.run("drop table t");
    database.close();
    expect(await started(folder, {})).toContain("chain.db is empty, but block-signing.key");
  });

  test("gets a new chain with the same key with --new-chain, which the next start refuses", async () => {
    const folder = without("chain.db");
    writeFileSync(join(folder, "mempool.db"), "of the chain that is gone");
    const key = readFileSync(join(folder, "block-signing.key"), "utf8");
    expect(await started(folder, { newChain: true })).toBeUndefined();
    expect(readFileSync(join(folder, "block-signing.key"), "utf8")).toBe(key);
    expect(await started(folder, { newChain: true })).toMatch(
      /^--new-chain: .* up to block 0; omit/,
    );
    expect(await started(folder, {})).toBeUndefined();
  });

  test.each(["missing", "empty", "without tables"])(
    "is reset if the database is %s",
    async (what) => {
      const folder = without("chain.db");
      if (what === "empty") writeFileSync(join(folder, "chain.db"), "");
      if (what === "without tables") {
        const database = new Database(join(folder, "chain.db"));
        database.run("pragma journal_mode = wal");
        database.close();
      }
      const key = readFileSync(join(folder, "block-signing.key"), "utf8");
      expect(await started(folder, { reset: true })).toBeUndefined();
      expect(readFileSync(join(folder, "block-signing.key"), "utf8")).not.toBe(key);
    },
  );

  test.each([
    ["starts for the first time", false],
    ["is reset", true],
  ])("%s with the operator's key in it, and keeps the key", async (_, reset) => {
    const folder = root.file(`given-key-${reset}`);
    const privateKeyFile = join(folder, "block-signing.key");
    if (reset) cpSync(root.file("own"), folder, { recursive: true });
    else mkdirSync(folder);
    writeFileSync(privateKeyFile, readFileSync(root.file("own/block-signing.key")));
    const key = readFileSync(privateKeyFile, "utf8");
    expect(await started(folder, { reset, privateKeyFile })).toBeUndefined();
    expect(readFileSync(privateKeyFile, "utf8")).toBe(key);
  });

  test.each(["without blocks", "missing"])(
    "gets a new chain if the database is %s and the key is empty, as after a kill",
    async (what) => {
      const folder = root.file(`empty-key-${what}`);
      mkdirSync(folder);
      const setup = setupOf(await dataFolderOptions("sequencer", folder), null);
      if (what === "without blocks") await writeChain(setup, "full", () => undefined);
      writeFileSync(setup.files.signingKey.path, "");
      expect(await started(folder, {})).toBeUndefined();
      expect(await started(folder, {})).toBeUndefined();
    },
  );

  test("of a sequencer is not used for following", async () => {
    const folder = without("chain.db");
    expect(await started(folder, {}, "full")).toMatch(
      /chain.db is missing, but mempool.db, .*a full node does not use a sequencer's folder.*--reset/,
    );
  });

  test("of a standby gets the chain from the store", async () => {
    const folder = without("chain.db");
    const store = {
      bucket: "b",
      prefix: "",
      endpoint: "http://h",
      region: "r",
      credentialsFile: null,
    };
    const { files, config } = setupOf(await dataFolderOptions("sequencer", folder), null);
    const follow = { ...FOLLOW, store, gateways: [] };
    expect(requireNoRemains({ files, follow }, false)).toBe(false);
    expect(() => bindOpened({ files, config, follow }, NO_BLOCKS, SILENT, false)).not.toThrow();
    expect(() => bindOpened({ files, config, follow: null }, NO_BLOCKS, SILENT, false)).toThrow(
      "chain.db, which has no block",
    );
  });
});

const NO_BLOCKS = { header: () => undefined, oldestBlock: () => 0 };
const SILENT = { warn: () => undefined };
