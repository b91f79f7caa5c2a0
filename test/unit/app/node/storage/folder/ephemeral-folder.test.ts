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

/** What a killed process leaves. */
function leave(parent: string, name: string, ...files: readonly string[]): string {
  const folder = join(parent, name);
  mkdirSync(join(folder, "chain"), { recursive: true });
  for (const file of ["lock.db", "chain/chain.db", ...files]) writeFileSync(join(folder, file), "");
  return folder;
}

/** The folders that are left when a new one was made and removed. */
function leftAfterStart(parent: string): readonly string[] {
  takeEphemeralFolder(parent).remove();
  return readdirSync(parent).sort();
}

describe("an ephemeral folder", () => {
  test("is removed with everything in it, once", () => {
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

  test("of another process that runs stays, whatever is in it", () => {
    using root = temporaryFolder();
    const first = takeEphemeralFolder(root.path);
    const second = takeEphemeralFolder(root.path);
    expect(dirname(first.path)).not.toBe(dirname(second.path));
    expect(existsSync(dirname(first.path))).toBe(true);
    first.remove();
    second.remove();
  });

  test("is removed when the process ends by itself", async () => {
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

  test("cannot be made where nothing can be written: says what to do", () => {
    using root = temporaryFolder();
    writeFileSync(root.file("file"), "");
    for (const parent of [root.file("file"), root.file("missing"), "/proc"]) {
      const take = () => takeEphemeralFolder(parent);
      expect(take).toThrow(ConfigError);
      expect(take).toThrow("set TMPDIR");
    }
  });
});

describe("a folder that another process took before it was locked", () => {
  /** Is refused its first `count` folders. */
  function takeAfter(count: number, parent: string) {
    let refused = 0;
    return takeEphemeralFolder(parent, (folder) => {
      if (refused === count) return lockFolder(folder);
      refused++;
      throw new StorageError("STORAGE_LOCKED", folder);
    });
  }

  test("is left to it: of five, one has to be free", () => {
    using root = temporaryFolder();
    takeAfter(4, root.path).remove();
    expect(readdirSync(root.path)).toHaveLength(4);
  });

  test("five times is the end", () => {
    using root = temporaryFolder();
    expect(() => takeAfter(5, root.path)).toThrow("can be locked");
  });
});

describe("of what was left behind", () => {
  test("folders of processes that were killed are deleted", () => {
    using root = temporaryFolder();
    leave(root.path, "appchain-ephemeral-aB3xY9", "lock.db-journal", "chain/mempool.db");
    expect(leftAfterStart(root.path)).toEqual([]);
  });

  test("empty ones are deleted when nobody makes them any more", () => {
    using root = temporaryFolder();
    for (const name of ["appchain-ephemeral-old000", "appchain-ephemeral-new000"]) {
      mkdirSync(root.file(name));
    }
    const longAgo = new Date(Date.now() - 120_000);
    utimesSync(root.file("appchain-ephemeral-old000"), longAgo, longAgo);
    expect(leftAfterStart(root.path)).toEqual(["appchain-ephemeral-new000"]);
  });

  describe("one that is empty", () => {
    afterEach(() => setSystemTime());

    test("is left alone for a minute", () => {
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

  test("nothing else is touched", () => {
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

  test("a link inside of one is deleted, not what it leads to", () => {
    using root = temporaryFolder();
    const target = leave(root.path, "target");
    const dead = leave(root.path, "appchain-ephemeral-aB3xY9");
    symlinkSync(target, join(dead, "chain", "link"));
    expect(leftAfterStart(root.path)).toEqual(["target"]);
    expect(existsSync(join(target, "chain/chain.db"))).toBe(true);
  });
});
