import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { ConfigError, StorageError } from "#base/errors/index.ts";
import { takeFolder } from "#app/node/storage/folder/new-folder.ts";
import { MAX_ADMISSION_THREADS } from "#protocol/config/index.ts";
import { OWN_FILES } from "#app/node/storage/folder/own-files.ts";
import { checkReset, resetOf } from "#app/node/storage/folder/reset-folder.ts";
import { nodeFiles } from "#app/node/setup/node-files.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const NO_OTHERS = { others: [], home: "/nonexistent/home" };

/** A chain's folder as a killed node leaves it. */
function makeChain(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of OWN_FILES) {
    if (!name.endsWith(".db")) {
      writeFileSync(join(folder, name), name);
      continue;
    }
    using database = new Database(join(folder, name), { create: true });
    if (name === "lock.db") database.run("begin exclusive");
    else {
      database.run("create table meta (key text primary key, value blob)");
      database.run("insert into meta values ('chain_id', 'X')");
    }
  }
  for (const beside of ["chain.db-wal", "chain.db-shm", "lock.db-journal"]) {
    writeFileSync(join(folder, beside), "");
  }
}

function contentsOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true }).map(String).sort();
}

/** Message of a refused reset, which must change nothing. */
function refusalOf(folder: string, others: readonly string[] = []): string {
  const before = contentsOf(folder);
  try {
    takeFolder(folder, { ...NO_OTHERS, others }).release();
  } catch (error) {
    expect(contentsOf(folder)).toEqual([...before]);
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  return "nothing was refused";
}

describe("a reset deletes", () => {
  test("all files of a chain except the lock, which it then holds", () => {
    using root = temporaryFolder();
    makeChain(root.path);
    const taken = takeFolder(root.path, NO_OTHERS);
    expect(readdirSync(root.path).filter((name) => !name.startsWith("lock.db"))).toEqual([]);
    expect(taken.deleted).toBe(17 + MAX_ADMISSION_THREADS);
    expect(() => takeFolder(root.path, NO_OTHERS)).toThrow("in use by another process");
    taken.release();
  });

  test("every file that a node names", () => {
    const { folder: _, signingKey, ...files } = nodeFiles("/x", null);
    const names = [...Object.values(files).flat(), signingKey.path].map((path) => path.slice(3));
    expect(OWN_FILES).toEqual(expect.arrayContaining(names));
  });

  test("the remains of an earlier, killed reset", () => {
    using root = temporaryFolder();
    makeChain(root.path);
    rmSync(root.file("chain.db"));
    rmSync(root.file("execution.journal"));
    takeFolder(root.path, NO_OTHERS).release();
    expect(existsSync(root.file("chain.db-wal"))).toBe(false);
  });

  test("databases that were never written", () => {
    using root = temporaryFolder();
    for (const name of ["chain.db", "lock.db"]) writeFileSync(root.file(name), "");
    takeFolder(root.path, NO_OTHERS).release();
    expect(existsSync(root.file("chain.db"))).toBe(false);
  });

  test("no file that the operator named", () => {
    using root = temporaryFolder();
    makeChain(root.path);
    writeFileSync(root.file("accounts.json"), "{}");
    const others = [root.file("accounts.json"), root.file("block-signing.key")];
    takeFolder(root.path, { ...NO_OTHERS, others }).release();
    expect(readdirSync(root.path)).toEqual(expect.arrayContaining(["accounts.json"]));
    expect(readFileSync(root.file("block-signing.key"), "utf8")).toBe("block-signing.key");
    expect(existsSync(root.file("chain.db"))).toBe(false);
  });

  test("nothing in a missing or empty folder", () => {
    using root = temporaryFolder();
    for (const folder of [root.file("a/b"), root.file("empty")]) {
      if (folder.endsWith("empty")) mkdirSync(folder);
      const taken = takeFolder(folder, NO_OTHERS);
      expect(taken.deleted).toBe(0);
      taken.release();
    }
    expect(existsSync(root.file("a"))).toBe(false);
  });
});

describe("a reset is refused, with the findings, for", () => {
  test("foreign files in a chain's folder", () => {
    using root = temporaryFolder();
    makeChain(root.path);
    writeFileSync(root.file("thesis.txt"), "");
    expect(refusalOf(root.path)).toContain("holds thesis.txt;");
    for (let i = 0; i < 7; i++) writeFileSync(root.file(`x${i}`), "");
    expect(refusalOf(root.path)).toContain(" and 3 more");
    // Only the named file itself is allowed.
    expect(refusalOf(root.path, [root.file("sub/thesis.txt")])).toContain("thesis.txt");
  });

  test("a folder of another program", () => {
    using root = temporaryFolder();
    writeFileSync(root.file("chain.db"), "x");
    expect(refusalOf(root.path)).toContain("lacks lock.db");
    writeFileSync(root.file("lock.db"), "");
    expect(refusalOf(root.path)).toContain("holds a chain.db that does not belong to a chain");
    rmSync(root.file("chain.db"));
    for (const statement of ["create table other (a)", "create table meta (key, value)"]) {
      using database = new Database(root.file("chain.db"), { create: true });
      database.run("pragma journal_mode = wal");
      database.run(statement);
    }
    expect(refusalOf(root.path)).toContain("holds a chain.db that does not belong to a chain");
  });

  test.each(["mempool.db", "fork.db"])("a %s of another program", (name) => {
    using root = temporaryFolder();
    makeChain(root.path);
    writeFileSync(root.file(name), "garbage");
    expect(refusalOf(root.path)).toContain(`holds a ${name} that does not belong to a chain`);
  });

  test("directories and links with the names of own files", () => {
    using root = temporaryFolder();
    const chain = root.file("chain");
    makeChain(chain);
    rmSync(join(chain, "mempool.db"));
    mkdirSync(join(chain, "mempool.db"));
    expect(refusalOf(chain)).toContain("mempool.db (not a plain file)");
    rmSync(join(chain, "mempool.db"), { recursive: true });
    writeFileSync(root.file("precious"), "");
    symlinkSync(root.file("precious"), join(chain, "mempool.db"));
    expect(refusalOf(chain)).toContain("mempool.db (not a plain file)");
    expect(existsSync(root.file("precious"))).toBe(true);
  });

  test("a link to a chain, and a file", () => {
    using root = temporaryFolder();
    makeChain(root.file("chain"));
    symlinkSync(root.file("chain"), root.file("link"));
    expect(refusalOf(root.file("link"))).toContain("is a symbolic link");
    writeFileSync(root.file("file"), "");
    expect(() => checkReset(root.file("file"), NO_OTHERS)).toThrow("is not a directory");
  });

  test("the root, the home directory, and its parents", () => {
    using root = temporaryFolder();
    const home = root.file("users/me");
    makeChain(home);
    makeChain(root.file("users"));
    const request = { others: [], home };
    for (const folder of ["/", home, root.file("users")]) {
      expect(() => checkReset(folder, request)).toThrow("home directory, or above one");
    }
    makeChain(join(home, "chain"));
    expect(() => checkReset(join(home, "chain"), request)).not.toThrow();
    // Also along another path.
    symlinkSync(root.file("users"), root.file("link"));
    expect(() => checkReset(root.file("link/me"), request)).toThrow("home directory");
    expect(() => checkReset(home, { others: [], home: root.file("link/me") })).toThrow("home");
  });

  test("a path that cannot be resolved", () => {
    using root = temporaryFolder();
    writeFileSync(root.file("file"), "");
    symlinkSync(root.file("loop"), root.file("loop"));
    for (const path of [root.file("loop/x"), root.file("x".repeat(300))]) {
      const check = () => checkReset(path, NO_OTHERS);
      expect(check).toThrow(ConfigError);
      expect(check).toThrow(/cannot be inspected \((ELOOP|ENAMETOOLONG)\)/);
    }
    // Creating the folder reports the error.
    expect(() => takeFolder(root.file("file/x"), NO_OTHERS)).toThrow(/--base-path|inspected/);
  });

  test("a chain in use by a running node", () => {
    using root = temporaryFolder();
    makeChain(root.path);
    const running = takeFolder(root.path);
    const before = contentsOf(root.path);
    expect(() => takeFolder(root.path, NO_OTHERS)).toThrow(StorageError);
    expect(contentsOf(root.path)).toEqual([...before]);
    running.keep();
    running.release();
  });
});

test("files of options are allowed in the folder", () => {
  const files = { configOut: "/a", privateKeyFile: null };
  expect(resetOf({ reset: true, ...files })).toEqual({ others: ["/a"], home: homedir() });
  expect(resetOf({ reset: false, ...files })).toBeNull();
});
