import { describe, expect, test } from "bun:test";
import { createChainWriter, type DatabaseHandle, openDatabase } from "#io/storage/index.ts";
import { LONG_LOG_PAGES, MAX_LOG_PAGES } from "#io/storage/database.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

function open(path: string, mode: "writer" | "reader"): Promise<DatabaseHandle> {
  return openDatabase({ path, chainId: "SN_TEST", mode, durability: "normal" });
}

/** Length of the log, and how much of it is in the main file. */
function logOf({ connection }: DatabaseHandle): { log: number; moved: number } {
  const row = connection
    .query<{ log: bigint; checkpointed: bigint }, []>("pragma wal_checkpoint(noop)")
    .get();
  return { log: Number(row?.log), moved: Number(row?.checkpointed) };
}

/** Lengthens the log by about `pages` pages. */
function lengthen(handle: DatabaseHandle, pages: number, key = "large"): void {
  createChainWriter(handle).putValue(key, new Uint8Array(pages * 4096));
}

describe("the write-ahead log of a chain database", () => {
  test("is kept by checkpointIfLong while it is short", async () => {
    using folder = temporaryFolder();
    const handle = await open(folder.file("chain.db"), "writer");
    handle.checkpoint();
    lengthen(handle, LONG_LOG_PAGES / 2);
    handle.checkpointIfLong();
    const { log, moved } = logOf(handle);
    expect(log).toBeGreaterThan(LONG_LOG_PAGES / 2);
    expect(moved).toBe(0);
    handle.close();
  });

  test("is moved into the file by checkpointIfLong when it is long, and reused", async () => {
    using folder = temporaryFolder();
    const handle = await open(folder.file("chain.db"), "writer");
    lengthen(handle, 2 * LONG_LOG_PAGES);
    expect(logOf(handle).moved).toBe(0);
    handle.checkpointIfLong();
    const { log, moved } = logOf(handle);
    expect(log).toBeGreaterThan(2 * LONG_LOG_PAGES);
    expect(moved).toBe(log);
    lengthen(handle, 1);
    expect(logOf(handle).log).toBeLessThan(LONG_LOG_PAGES);
    handle.close();
  });

  test("is moved only in part while a reader holds a snapshot", async () => {
    using folder = temporaryFolder();
    const handle = await open(folder.file("chain.db"), "writer");
    const reader = await open(folder.file("chain.db"), "reader");
    reader.connection.run("begin");
    reader.connection.query("select count(*) from meta").get();
    lengthen(handle, 2 * LONG_LOG_PAGES);
    handle.checkpointIfLong();
    expect(logOf(handle).moved).toBeLessThan(LONG_LOG_PAGES);
    reader.connection.run("rollback");
    handle.checkpointIfLong();
    expect(logOf(handle).moved).toBe(logOf(handle).log);
    reader.close();
    handle.close();
  });

  test("is moved by a commit when it exceeds its maximum", async () => {
    using folder = temporaryFolder();
    const handle = await open(folder.file("chain.db"), "writer");
    lengthen(handle, MAX_LOG_PAGES / 2);
    expect(logOf(handle).moved).toBe(0);
    lengthen(handle, MAX_LOG_PAGES / 2, "other");
    expect(logOf(handle).moved).toBeGreaterThan(MAX_LOG_PAGES);
    handle.close();
  });

  test("is not moved by a reader's checkpointIfLong", async () => {
    using folder = temporaryFolder();
    const handle = await open(folder.file("chain.db"), "writer");
    const reader = await open(folder.file("chain.db"), "reader");
    lengthen(handle, 2 * LONG_LOG_PAGES);
    reader.checkpointIfLong();
    expect(logOf(handle).moved).toBe(0);
    reader.close();
    handle.close();
  });

  test("causes a storage error when it cannot be moved", async () => {
    using folder = temporaryFolder();
    const handle = await open(folder.file("chain.db"), "writer");
    handle.close();
    expect(() => handle.checkpointIfLong()).toThrow("The log could not be moved");
  });
});
