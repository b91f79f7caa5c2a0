import { afterEach, describe, expect, setSystemTime, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { ConfigError, StorageError } from "#base/errors/index.ts";
import { lockFolder } from "#io/storage/index.ts";
import { takeEphemeralFolder } from "#app/node/storage/folder/ephemeral-folder.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

/** Creates what a killed process leaves behind. */
function leave(parent: string, name: string, ...files: readonly string[]): string {
  const folder = join(parent, name);
  mkdirSync(join(folder, "chain"), { recursive: true });
  for (const file of ["lock.db", "chain/chain.db", ...files]) writeFileSync(join(folder, file), "");
  return folder;
}

/** Folders that remain after a new one was created and removed. */
function leftAfterStart(parent: string): readonly string[] {
  takeEphemeralFolder(parent).remove();
  return readdirSync(parent).sort();
}

describe("an ephemeral folder", () => {
  test("is removed with its contents, once", () => {
    using root = temporaryFolder();
    const listeners = process.listenerCount("exit");
    const folder = takeEphemeralFolder(root.path);
    expect(process.listenerCount("exit")).toBe(listeners + 1);
    mkdirSync(join(folder.path, "deep/er"), { recursive: true });
    writeFileSync(join(folder.path, "deep/er/file"), "");
    folder.remove();
    folder.remove();
    expect(readdirSync(root.path)).toEqual([]);
    expect(process.listenerCount("exit")).toBe(listeners);
  });

  test("of another running process stays", () => {
    using root = temporaryFolder();
    const first = takeEphemeralFolder(root.path);
    const second = takeEphemeralFolder(root.path);
    expect(dirname(first.path)).not.toBe(dirname(second.path));
    expect(existsSync(dirname(first.path))).toBe(true);
    first.remove();
    second.remove();
  });

  test("is removed when the process exits by itself", async () => {
    using root = temporaryFolder();
    const module = join(
      import.meta.dir,
      "../../../../../../src/app/node/storage/folder/ephemeral-folder.ts",
    );
    const script = `const { takeEphemeralFolder } = await import(${JSON.stringify(module)});
      const { path } = takeEphemeralFolder(${JSON.stringify(root.path)});
      require("node:fs").mkdirSync(path);
      console.log(path);
      process.exit(3);`;
    const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
    expect(await new Response(child.stdout).text()).toContain(root.path);
    expect(await child.exited).toBe(3);
    expect(readdirSync(root.path)).toEqual([]);
  });

  test("fails with the remedy if nothing can be written", () => {
    using root = temporaryFolder();
    writeFileSync(root.file("file"), "");
    for (const parent of [root.file("file"), root.file("missing"), "/proc"]) {
      const take = () => takeEphemeralFolder(parent);
      expect(take).toThrow(ConfigError);
      expect(take).toThrow("set TMPDIR");
    }
  });
});

describe("a folder that another process locks first", () => {
  /** Refuses the lock of the first `count` folders. */
  function takeAfter(count: number, parent: string) {
    let refused = 0;
    return takeEphemeralFolder(parent, (folder) => {
      if (refused === count) return lockFolder(folder);
      refused++;
      throw new StorageError("STORAGE_LOCKED", folder);
    });
  }

  test("is skipped, up to four times", () => {
    using root = temporaryFolder();
    takeAfter(4, root.path).remove();
    expect(readdirSync(root.path)).toHaveLength(4);
  });

  test("five times in a row is an error", () => {
    using root = temporaryFolder();
    expect(() => takeAfter(5, root.path)).toThrow("can be locked");
  });
});

describe("cleanup of earlier folders", () => {
  test("deletes folders of killed processes", () => {
    using root = temporaryFolder();
    leave(root.path, "appchain-ephemeral-aB3xY9", "lock.db-journal", "chain/mempool.db");
    expect(leftAfterStart(root.path)).toEqual([]);
  });

  test("deletes empty folders that are old", () => {
    using root = temporaryFolder();
    for (const name of ["appchain-ephemeral-old000", "appchain-ephemeral-new000"]) {
      mkdirSync(root.file(name));
    }
    const longAgo = new Date(Date.now() - 120_000);
    utimesSync(root.file("appchain-ephemeral-old000"), longAgo, longAgo);
    expect(leftAfterStart(root.path)).toEqual(["appchain-ephemeral-new000"]);
  });

  describe("an empty one", () => {
    afterEach(() => setSystemTime());

    test("is kept for a minute", () => {
      using root = temporaryFolder();
      const madeAt = new Date("2026-01-01T00:00:00Z");
      const name = "appchain-ephemeral-new000";
      mkdirSync(root.file(name));
      utimesSync(root.file(name), madeAt, madeAt);
      setSystemTime(madeAt.getTime() + 60_000);
      expect(leftAfterStart(root.path)).toEqual([name]);
      setSystemTime(madeAt.getTime() + 60_001);
      expect(leftAfterStart(root.path)).toEqual([]);
    });
  });

  test("touches nothing else", () => {
    using root = temporaryFolder();
    const target = leave(root.path, "target");
    const kept = [
      leave(root.path, "appchain-ephemeral-toolong1"),
      leave(root.path, "appchain-ephemeral-"),
      leave(root.path, "my-appchain-ephemeral-aB3xY9"),
      leave(root.path, "appchain-ephemeral-foreig", "notes.txt"),
      target,
    ];
    const unlocked = leave(root.path, "appchain-ephemeral-nolock");
    rmSync(join(unlocked, "lock.db"));
    symlinkSync(target, root.file("appchain-ephemeral-link00"));
    writeFileSync(root.file("appchain-ephemeral-file00"), "");
    leftAfterStart(root.path);
    for (const folder of [...kept, unlocked]) {
      expect(existsSync(join(folder, "chain/chain.db"))).toBe(true);
    }
    expect(readdirSync(root.path)).toHaveLength(8);
  });

  test("deletes a link inside a folder, not its target", () => {
    using root = temporaryFolder();
    const target = leave(root.path, "target");
    const dead = leave(root.path, "appchain-ephemeral-aB3xY9");
    symlinkSync(target, join(dead, "chain", "link"));
    expect(leftAfterStart(root.path)).toEqual(["target"]);
    expect(existsSync(join(target, "chain/chain.db"))).toBe(true);
  });
});
