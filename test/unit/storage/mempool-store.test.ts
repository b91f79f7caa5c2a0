import { describe, expect, test } from "bun:test";
import { type MempoolEntry, openMempoolStore } from "#storage/index.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

function entry(hash: bigint, content = 1): MempoolEntry {
  return { hash, receivedAtMs: 1_700_000_000_123, bytes: Uint8Array.of(content, 2, 3) };
}

describe("the mempool's store", () => {
  test("gives back entries in the order of arrival after a restart", async () => {
    using folder = temporaryFolder();
    const path = folder.file("mempool.db");
    const store = await openMempoolStore(path, "SN_TEST");
    store.put([entry(9n), entry(3n)]);
    store.put([entry(5n)]);
    store.close();
    const again = await openMempoolStore(path, "SN_TEST");
    expect(again.loadAll()).toEqual([entry(9n), entry(3n), entry(5n)]);
    again.close();
  });

  test("forgets removed entries and ignores unknown ones", async () => {
    using folder = temporaryFolder();
    const store = await openMempoolStore(folder.file("mempool.db"), "SN_TEST");
    store.put([entry(1n), entry(2n)]);
    store.remove([1n, 77n]);
    expect(store.loadAll()).toEqual([entry(2n)]);
    store.close();
  });

  test("keeps the first entry of a hash", async () => {
    using folder = temporaryFolder();
    const store = await openMempoolStore(folder.file("mempool.db"), "SN_TEST");
    store.put([entry(1n, 1)]);
    store.put([entry(1n, 2)]);
    expect(store.loadAll()).toEqual([entry(1n, 1)]);
    store.close();
  });

  test("is refused for another chain", async () => {
    using folder = temporaryFolder();
    const path = folder.file("mempool.db");
    (await openMempoolStore(path, "SN_TEST")).close();
    const refusal = await openMempoolStore(path, "SN_OTHER").catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "STORAGE_OTHER_CHAIN" });
  });
});
