import { describe, expect, test } from "bun:test";
import { createChainWriter, type DatabaseHandle, openDatabase } from "#io/storage/index.ts";
import { LONG_LOG_PAGES, MAX_LOG_PAGES } from "#io/storage/database.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

function open(path: string, mode: "writer" | "reader"): Promise<DatabaseHandle> {
  return openDatabase({ path, chainId: "SN_TEST", mode, durability: "normal" });
}

/** How long the log is, and how much of it is in the file. */
function logOf({ connection }: DatabaseHandle): { log: number; moved: number } {
  const row = connection
    .query<{ log: bigint; checkpointed: bigint }, []>("pragma wal_checkpoint(noop)")
    .get();
  return { log: Number(row?.log), moved: Number(row?.checkpointed) };
}

/** Makes the log longer by about as many pages. */
function lengthen(handle: DatabaseHandle, pages: number, key = "large"): void {
  createChainWriter(handle).putValue(key, new Uint8Array(pages * 4096));
}

describe("the log of a chain database", () => {
  test("stays when it is short", async () => {
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

  test("is moved into the file when it is long, and used from its beginning again", async () => {
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

  test("waits for a reader that is in a snapshot, without an error", async () => {
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

  test("is moved by a commit, too, where nobody asks for it", async () => {
    using folder = temporaryFolder();
    const handle = await open(folder.file("chain.db"), "writer");
    lengthen(handle, MAX_LOG_PAGES / 2);
    expect(logOf(handle).moved).toBe(0);
    lengthen(handle, MAX_LOG_PAGES / 2, "other");
    expect(logOf(handle).moved).toBeGreaterThan(MAX_LOG_PAGES);
    handle.close();
  });

  test("is not a reader's to move", async () => {
    using folder = temporaryFolder();
    const handle = await open(folder.file("chain.db"), "writer");
    const reader = await open(folder.file("chain.db"), "reader");
    lengthen(handle, 2 * LONG_LOG_PAGES);
    reader.checkpointIfLong();
    expect(logOf(handle).moved).toBe(0);
    reader.close();
    handle.close();
  });

  test("that cannot be moved is an error of the storage", async () => {
    using folder = temporaryFolder();
    const handle = await open(folder.file("chain.db"), "writer");
    handle.close();
    expect(() => handle.checkpointIfLong()).toThrow("The log could not be moved");
  });
});
