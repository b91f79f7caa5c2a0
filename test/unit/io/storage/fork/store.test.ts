import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { StorageError } from "#base/errors/index.ts";
import {
  type ForkStore,
  openForkStore,
  readStoredFork,
  type StoredFork,
} from "#io/storage/index.ts";
import { fakeBlock } from "#test/helpers/fake-chain.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";

let folder: TemporaryFolder;
let path: string;
const open: ForkStore[] = [];

beforeEach(() => {
  folder = temporaryFolder();
  path = folder.file("fork.db");
});
afterEach(() => {
  for (const store of open.splice(0)) store.close();
  folder[Symbol.dispose]();
});

const headerOf = (number: number, hash: bigint) => ({
  ...fakeBlock({ header: { number } }).header,
  hash,
});

const FORK: StoredFork = {
  chainId: "SN_TEST",
  header: headerOf(2, 0x12n),
  ancestors: [headerOf(0, 0x10n), headerOf(1, 0x11n)],
};

async function storeOf(fork: StoredFork = FORK): Promise<ForkStore> {
  const store = await openForkStore({ path, fork });
  open.push(store);
  return store;
}

function close(store: ForkStore): void {
  open.splice(open.indexOf(store), 1);
  store.close();
}

async function failureOf(promise: Promise<unknown>): Promise<StorageError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StorageError);
  return error as StorageError;
}

test("keeps values and absent values over a restart", async () => {
  const first = await storeOf();
  first.putAll([
    ["a", Uint8Array.of(1, 2)],
    ["b", null],
    ["c", new Uint8Array()],
  ]);
  close(first);
  const second = await storeOf();
  const values = ["a", "b", "c", "d"].map((key) => second.get(key));
  expect(values).toEqual([Uint8Array.of(1, 2), null, new Uint8Array(), undefined]);
});

test("keeps the fork block and its ancestors", async () => {
  expect(readStoredFork(path)).toBeUndefined();
  close(await storeOf());
  expect(readStoredFork(path)).toEqual(FORK);
});

test("refuses the file of another chain", async () => {
  close(await storeOf());
  const error = await failureOf(storeOf({ ...FORK, chainId: "SN_OTHER" }));
  expect(error.code).toBe("STORAGE_OTHER_CHAIN");
  expect(error.message).toContain("SN_TEST");
});

test.each([headerOf(2, 0x99n), headerOf(3, 0x12n)])(
  "refuses the file of another block",
  async (header) => {
    close(await storeOf());
    const error = await failureOf(storeOf({ ...FORK, header }));
    expect(error.code).toBe("STORAGE_OTHER_CHAIN");
    expect(error.message).toContain("a fork at block 2 (0x12)");
    expect(error.message).toContain(`block ${header.number} (0x${header.hash.toString(16)})`);
  },
);

test("two stores may share a file", async () => {
  const [first, second] = [await storeOf(), await storeOf()];
  first.putAll([["a", Uint8Array.of(1)]]);
  second.putAll([
    ["a", Uint8Array.of(1)],
    ["b", null],
  ]);
  expect([first.get("b"), second.get("a")]).toEqual([null, Uint8Array.of(1)]);
});

test("reports a failed write", async () => {
  const store = await storeOf();
  using other = new Database(path);
  other.run("drop table origin_value");
  expect(() => store.putAll([["a", null]])).toThrow(StorageError);
});

test("refuses a damaged file", async () => {
  writeFileSync(path, "this is no database, but a text of some length".repeat(100));
  expect((await failureOf(storeOf())).code).toBe("STORAGE_DAMAGED");
  expect(() => readStoredFork(path)).toThrow(StorageError);
});

test("completes a file whose first start was interrupted", async () => {
  close(await storeOf());
  {
    using database = new Database(path);
    database.run("delete from meta where key = 'fork_headers'");
  }
  expect(readStoredFork(path)).toBeUndefined();
  close(await storeOf());
  expect(readStoredFork(path)).toEqual(FORK);
});

test("reads no fork from an empty file", () => {
  writeFileSync(path, "");
  truncateSync(path, 0);
  expect(readStoredFork(path)).toBeUndefined();
  expect(readFileSync(path).length).toBe(0);
});
