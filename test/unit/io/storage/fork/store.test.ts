import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { StorageError } from "#base/errors/index.ts";
import {
  type ForkStore,
  type ForkStoreEntry,
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

const MAX_LIMITED_BYTES = 1 << 20;

/** More than half of the limit, together with another half above it. */
const LARGE_BYTES = 600_000;

/** Unknown hashes that a client asks for. */
const LOOKUPS = 100_000;

const FORK: StoredFork = {
  chainId: "SN_TEST",
  header: headerOf(2, 0x12n),
  ancestors: [headerOf(0, 0x10n), headerOf(1, 0x11n)],
};

const kept = (key: string, value: Uint8Array | null): ForkStoreEntry => ({
  key,
  value,
  isLimited: false,
});

const limited = (key: string, value: Uint8Array | null): ForkStoreEntry => ({
  key,
  value,
  isLimited: true,
});

async function storeOf(fork: StoredFork = FORK): Promise<ForkStore> {
  const store = await openForkStore({ path, fork, maxLimitedBytes: MAX_LIMITED_BYTES });
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
    kept("a", Uint8Array.of(1, 2)),
    kept("b", null),
    kept("c", new Uint8Array()),
    limited("e", null),
    limited("f", Uint8Array.of(3)),
  ]);
  close(first);
  const second = await storeOf();
  const values = ["a", "b", "c", "d", "e", "f"].map((key) => second.get(key)?.value);
  expect(values).toEqual([
    Uint8Array.of(1, 2),
    null,
    new Uint8Array(),
    undefined,
    null,
    Uint8Array.of(3),
  ]);
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
  first.putAll([kept("a", Uint8Array.of(1))]);
  second.putAll([kept("a", Uint8Array.of(1)), kept("b", null)]);
  expect([first.get("b")?.value, second.get("a")?.value]).toEqual([null, Uint8Array.of(1)]);
});

test("reports a failed write", async () => {
  const store = await storeOf();
  using other = new Database(path);
  other.run("drop table origin_value");
  expect(() => store.putAll([kept("a", null)])).toThrow(StorageError);
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

test("deletes the oldest limited values above the limit, and no other values", async () => {
  const store = await storeOf();
  const size = 10_000;
  const nameOf = (index: number): string => `locate 0x${index.toString(16).padStart(63, "0")}`;
  for (let first = 0; first < LOOKUPS; first += size) {
    const indexes = Array.from({ length: size }, (_, index) => first + index);
    store.putAll([
      kept(`storage 9 0x1 0x${first.toString(16)}`, Uint8Array.of(1)),
      ...indexes.map((index) => limited(nameOf(index), null)),
    ]);
  }
  for (let first = 0; first < LOOKUPS; first += size) {
    expect(store.get(`storage 9 0x1 0x${first.toString(16)}`)?.value).toEqual(Uint8Array.of(1));
  }
  expect(store.get(nameOf(0))).toBeUndefined();
  expect(store.get(nameOf(LOOKUPS - 1))?.value).toBeNull();
  close(store);
  expect(Bun.file(path).size).toBeLessThan(8 * MAX_LIMITED_BYTES);
});

test("deletes limited values of earlier runs, too", async () => {
  const first = await storeOf();
  first.putAll([limited("old", new Uint8Array(MAX_LIMITED_BYTES / 2)), kept("kept", null)]);
  close(first);
  const second = await storeOf();
  second.putAll([limited("new", new Uint8Array(LARGE_BYTES))]);
  expect(["old", "new", "kept"].map((key) => second.get(key)?.value?.byteLength)).toEqual([
    undefined,
    LARGE_BYTES,
    undefined,
  ]);
  expect(second.get("kept")?.value).toBeNull();
});

test("deletes the values that were not used for the longest time, of earlier runs too", async () => {
  const part = new Uint8Array(MAX_LIMITED_BYTES * 0.4);
  const first = await storeOf();
  first.putAll([limited("used", part), limited("unused", part)]);
  first.use(["used"]);
  close(first);
  const second = await storeOf();
  expect(second.isFull()).toBe(false);
  second.putAll([limited("new", part)]);
  const found = ["used", "unused", "new"].map((key) => second.get(key)?.isLimited);
  expect(found).toEqual([true, undefined, true]);
});

test("never deletes a limited value that is kept from now on, which no longer counts", async () => {
  const half = new Uint8Array(MAX_LIMITED_BYTES / 2 - 1_000);
  const store = await storeOf();
  store.putAll([limited("kept", half), limited("other", half)]);
  store.putAll([kept("kept", half)]);
  store.putAll([limited("new", half)]);
  const found = ["kept", "other", "new"].map((key) => store.get(key)?.isLimited);
  expect(found).toEqual([false, true, true]);
});
