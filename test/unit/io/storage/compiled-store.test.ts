import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { existsSync, writeFileSync } from "node:fs";
import {
  type CompiledClassStore,
  openCompiledClasses,
  type StoredCompiledClass,
} from "#io/storage/index.ts";
import { COMPILED_MIGRATIONS } from "#io/storage/compiled/migrations.ts";
import { NOTHING_DERIVED } from "#io/storage/file.ts";
import { openFile } from "#io/storage/open-file.ts";
import { temporaryFolder, type TemporaryFolder } from "#test/helpers/temporary-folder.ts";

let folder: TemporaryFolder;
let path: string;
const open: CompiledClassStore[] = [];

beforeEach(() => {
  folder = temporaryFolder();
  path = folder.file("compiled.db");
});
afterEach(() => {
  for (const store of open.splice(0)) store.close();
  folder[Symbol.dispose]();
});

interface Options {
  readonly compiler?: string;
  readonly chainId?: string;
  readonly maxBytes?: number;
  readonly nowMs?: () => number;
}

/** Opens a store at the path and closes it after the test. */
async function storeOf(options: Options = {}): Promise<CompiledClassStore> {
  const store = await openCompiledClasses({ path, chainId: "TEST", compiler: "one", ...options });
  open.push(store);
  return store;
}

const MAX_FELT = (1n << 251n) + 17n * (1n << 192n);

const compiledOf = (casmJson: string): StoredCompiledClass => ({
  casmJson,
  bytecodeLength: 81_920,
  hashes: { poseidon: 5n, blake: MAX_FELT },
});

/** Code that zstd can hardly compress. */
function codeOf(seed: number): StoredCompiledClass {
  const bytes = new Uint8Array(3000);
  for (let i = 0, x = seed; i < bytes.length; i++) {
    x = (Math.imul(x, 1_103_515_245) + 12_345) >>> 0;
    bytes[i] = x >>> 24;
  }
  return compiledOf(Buffer.from(bytes).toString("base64"));
}

const storedBytes = ({ casmJson }: StoredCompiledClass): number =>
  Bun.zstdCompressSync(casmJson).byteLength;

describe("CompiledClassStore", () => {
  test("returns a stored class only for its class hash", async () => {
    const store = await storeOf();
    const compiled = compiledOf('{"a":"é \u{1f9ea}"}');
    store.put(MAX_FELT, compiled);
    expect(store.get(MAX_FELT)).toEqual(compiled);
    expect(store.get(1n)).toBeUndefined();
  });

  test("keeps classes across a restart", async () => {
    const first = await openCompiledClasses({ path, chainId: "TEST", compiler: "one" });
    first.put(7n, codeOf(1));
    first.close();
    expect((await storeOf()).get(7n)).toEqual(codeOf(1));
  });

  test("replaces the result for a class", async () => {
    const store = await storeOf();
    store.put(7n, codeOf(1));
    store.put(7n, codeOf(2));
    expect(store.get(7n)).toEqual(codeOf(2));
  });

  test("ignores results of another compiler and keeps those of the newest", async () => {
    const [old, newer] = [await storeOf(), await storeOf({ compiler: "two" })];
    old.put(7n, codeOf(1));
    expect(newer.get(7n)).toBeUndefined();
    newer.put(7n, codeOf(2));
    expect([old.get(7n), newer.get(7n)]).toEqual([undefined, codeOf(2)]);
  });

  test("is shared by everyone who opens the file", async () => {
    const [first, second] = [await storeOf(), await storeOf()];
    for (let i = 0n; i < 20n; i++) (i % 2n === 0n ? first : second).put(i, codeOf(Number(i)));
    for (let i = 0n; i < 20n; i++) {
      expect((i % 2n === 0n ? second : first).get(i)).toEqual(codeOf(Number(i)));
    }
  });
});

describe("a full CompiledClassStore", () => {
  /** Store with room for two codes of {@link codeOf}; every use advances its clock. */
  async function fullStore(): Promise<CompiledClassStore> {
    let nowMs = 0;
    const maxBytes = storedBytes(codeOf(1)) + storedBytes(codeOf(2)) + 100;
    const store = await storeOf({ maxBytes, nowMs: () => nowMs++ });
    store.put(1n, codeOf(1));
    store.put(2n, codeOf(2));
    return store;
  }

  const keptOf = (store: CompiledClassStore) =>
    [1n, 2n, 3n].filter((classHash) => store.get(classHash) !== undefined);

  test("evicts the oldest class", async () => {
    const store = await fullStore();
    store.put(3n, codeOf(3));
    expect(keptOf(store)).toEqual([2n, 3n]);
  });

  test("evicts the least recently used class", async () => {
    const store = await fullStore();
    store.get(1n);
    store.put(3n, codeOf(3));
    expect(keptOf(store)).toEqual([1n, 3n]);
  });

  test("counts a replaced class once", async () => {
    const store = await fullStore();
    for (let i = 0; i < 5; i++) store.put(2n, codeOf(2));
    expect(keptOf(store)).toEqual([1n, 2n]);
  });

  test("evicts results of older compilers too", async () => {
    const store = await fullStore();
    const maxBytes = storedBytes(codeOf(3)) + storedBytes(codeOf(2)) + 100;
    const newer = await storeOf({ compiler: "two", maxBytes, nowMs: () => 1000 });
    newer.put(3n, codeOf(3));
    expect(keptOf(store)).toEqual([2n]);
  });
});

describe("openCompiledClasses", () => {
  const codeOfError = (error: unknown) => (error as { readonly code?: string }).code;

  test.each([
    ["no database", "this is no database".repeat(100)],
    ["half a database", "SQLite format 3\u0000".padEnd(2000, "\u0001")],
  ])("rejects a file with %s", async (_, text) => {
    writeFileSync(path, text);
    const failure = await storeOf().catch((error: unknown) => error);
    expect(codeOfError(failure)).toBe("STORAGE_DAMAGED");
  });

  test("rejects a path in a missing folder", async () => {
    path = folder.file("nowhere/compiled.db");
    const failure = await storeOf().catch((error: unknown) => error);
    expect([codeOfError(failure), existsSync(path)]).toEqual(["STORAGE_CANNOT_OPEN", false]);
  });

  test("rejects a database of another chain", async () => {
    await storeOf();
    const failure = await storeOf({ chainId: "OTHER" }).catch((error: unknown) => error);
    expect(codeOfError(failure)).toBe("STORAGE_OTHER_CHAIN");
  });

  test("returns a store that reports later failures of its database", async () => {
    const store = await storeOf();
    const other = new Database(path);
    other.run("drop table compiled_class");
    other.close();
    for (const use of [() => store.get(1n), () => store.put(1n, codeOf(1))]) {
      expect(use).toThrow(expect.objectContaining({ code: "STORAGE_FAILED" }));
    }
  });
});

describe("CompiledClassStore with a changed row", () => {
  /** Columns that a result consists of or is found by. */
  const CHANGES = {
    class_hash: "x'02'",
    compiler: "'two'",
    poseidon_hash: "x'06'",
    blake_hash: "x''",
    bytecode_length: "bytecode_length + 1",
    casm: "x'00112233'",
    digest: "x'00'",
  };

  for (const [column, value] of Object.entries(CHANGES)) {
    test(`drops the class and accepts it again: ${column}`, async () => {
      const store = await storeOf();
      store.put(1n, codeOf(1));
      const other = new Database(path);
      other.run(`update compiled_class set ${column} = ${value}`);
      const readers = [store, await storeOf({ compiler: "two" })];
      for (const reader of readers) {
        expect([reader.get(1n), reader.get(2n)]).toEqual([undefined, undefined]);
      }
      expect(other.query("select count(*) as n from compiled_class").get()).toEqual({ n: 0 });
      other.close();
      store.put(1n, codeOf(1));
      expect(store.get(1n)).toEqual(codeOf(1));
    });
  }

  test("rejects other code that can be decompressed", async () => {
    const store = await storeOf();
    store.put(1n, codeOf(1));
    const other = new Database(path);
    const casm = Bun.zstdCompressSync(codeOf(2).casmJson);
    other.query("update compiled_class set casm = ?").run(casm);
    other.close();
    expect(store.get(1n)).toBeUndefined();
  });
});

test("CompiledClassStore ignores classes from before there were digests", async () => {
  const initial = COMPILED_MIGRATIONS["0001-initial"];
  if (initial === undefined) throw new TypeError("the first migration is gone");
  const old = await openFile({
    path,
    chainId: "TEST",
    mode: "writer",
    durability: "normal",
    migrations: { "0001-initial": initial },
    newest: null,
    derive: NOTHING_DERIVED,
  });
  old.connection.run(
    "insert into compiled_class values (x'01', 'one', x'05', x'06', 1, 1, 0, x'')",
  );
  old.connection.close(true);
  const store = await storeOf();
  expect(store.get(1n)).toBeUndefined();
  store.put(1n, codeOf(1));
  expect(store.get(1n)).toEqual(codeOf(1));
});
