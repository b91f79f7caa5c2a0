import { afterEach, beforeEach, expect, test } from "bun:test";
import { type MempoolEntry, type MempoolStore, openMempoolStore } from "#io/storage/index.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";

let folder: TemporaryFolder;
let path: string;
let store: MempoolStore;

beforeEach(async () => {
  folder = temporaryFolder();
  path = folder.file("mempool.db");
  store = await openMempoolStore(path, "T");
});
afterEach(() => {
  store.close();
  folder[Symbol.dispose]();
});

/** Reopens the store. */
async function restart(): Promise<void> {
  store.close();
  store = await openMempoolStore(path, "T");
}

function entry(hash: bigint, isImpersonated?: boolean): MempoolEntry {
  const common = { hash, receivedAtMs: 5, bytes: Uint8Array.of(Number(hash)) };
  return isImpersonated === undefined ? common : { ...common, isImpersonated };
}

/** Hashes of the stored transactions that were accepted with any signature. */
const marked = (): bigint[] =>
  store
    .loadAll()
    .filter(({ isImpersonated }) => isImpersonated === true)
    .map(({ hash }) => hash);

test("the mempool store remembers impersonated transactions across a restart", async () => {
  store.put([entry(1n, true), entry(2n), entry(3n, false), entry(4n, true)]);
  expect(marked()).toEqual([1n, 4n]);
  await restart();
  expect(marked()).toEqual([1n, 4n]);
  expect(store.loadAll()).toHaveLength(4);
});

test("the mempool store drops the mark of a removed or rejected transaction", async () => {
  store.put([1n, 2n, 3n].map((hash) => entry(hash, true)));
  store.remove([1n]);
  const rejection = { hash: 2n, cause: "expired", reason: "late", rejectedAtMs: 5 } as const;
  store.write({ reject: [rejection] });
  await restart();
  expect(marked()).toEqual([3n]);
  // The same transactions arrive again, with verified signatures.
  store.put([entry(1n), entry(2n)]);
  await restart();
  expect(marked()).toEqual([3n]);
  expect(store.loadAll()).toHaveLength(3);
});
