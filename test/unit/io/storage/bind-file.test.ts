import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { bindDatabase, openMempoolStore } from "#io/storage/index.ts";
import { storageErrorOf } from "#test/helpers/chain-folder.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";

const CHAIN = { chainId: "SN_TEST", genesisHash: 17n };

async function madeIn(folder: TemporaryFolder): Promise<string> {
  const path = folder.file("mempool.db");
  const store = await openMempoolStore(path, "SN_TEST");
  store.put([{ hash: 1n, receivedAtMs: 1, bytes: new Uint8Array(100_000) }]);
  store.close();
  return path;
}

describe("bindDatabase", () => {
  test("binds a database permanently to its first chain", async () => {
    using folder = temporaryFolder();
    const path = await madeIn(folder);
    const bind = (chain: Parameters<typeof bindDatabase>[1]): string =>
      storageErrorOf(() => bindDatabase(path, chain));
    expect(bind({ ...CHAIN, genesisHash: null })).toBe("");
    expect([bind(CHAIN), bind(CHAIN)]).toEqual(["", ""]);
    const others = [
      { ...CHAIN, chainId: "SN_OTHER" },
      { ...CHAIN, genesisHash: 18n },
      { ...CHAIN, genesisHash: null },
    ];
    expect(others.map(bind)).toEqual(others.map(() => "STORAGE_OTHER_CHAIN"));
    for (const other of others) expect(() => bindDatabase(path, other)).toThrow(path);
    expect(readdirSync(folder.path)).toEqual(["mempool.db"]);
    const store = await openMempoolStore(path, "SN_TEST");
    expect(store.loadAll()).toHaveLength(1);
    store.close();
  });

  test("ignores a database that is missing or empty", () => {
    using folder = temporaryFolder();
    const path = folder.file("mempool.db");
    bindDatabase(path, CHAIN);
    expect(existsSync(path)).toBe(false);
    writeFileSync(path, "");
    bindDatabase(path, CHAIN);
    expect(readFileSync(path)).toHaveLength(0);
  });

  test("rejects a truncated database and other files as damaged", async () => {
    using folder = temporaryFolder();
    const path = await madeIn(folder);
    const sizeBytes = readFileSync(path).length;
    truncateSync(path, sizeBytes / 2);
    expect(() => bindDatabase(path, CHAIN)).toThrow(
      expect.objectContaining({
        code: "STORAGE_DAMAGED",
        message: expect.stringContaining(
          `${path} is damaged: it has ${sizeBytes / 2} of ${sizeBytes}`,
        ),
      }),
    );
    writeFileSync(path, "notes of somebody".repeat(100));
    expect(() => bindDatabase(path, CHAIN)).toThrow("it does not start with a database header");
  });
});
