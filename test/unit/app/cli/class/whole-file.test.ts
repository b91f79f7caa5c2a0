import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { wholeFile } from "#app/cli/class/whole-file.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

test("writes a new file, and leaves no other file behind", () => {
  using folder = temporaryFolder();
  wholeFile(folder.file("new"), null).write("text");
  expect(readFileSync(folder.file("new"), "utf8")).toBe("text");
  expect(readdirSync(folder.path)).toEqual(["new"]);
});

test("replaces an old file atomically and keeps its mode", () => {
  using folder = temporaryFolder();
  const path = folder.file("old");
  writeFileSync(path, "old");
  chmodSync(path, 0o640);
  linkSync(path, folder.file("other name"));
  const { ino } = statSync(path);
  const file = wholeFile(path, null);
  expect(readFileSync(path, "utf8")).toBe("old");
  file.write("new");
  expect(readFileSync(path, "utf8")).toBe("new");
  expect(statSync(path).mode & 0o777).toBe(0o640);
  // It was not overwritten in place.
  expect(statSync(path).ino).not.toBe(ino);
  expect(readFileSync(folder.file("other name"), "utf8")).toBe("old");
});

test("keeps a symbolic link", () => {
  using folder = temporaryFolder();
  writeFileSync(folder.file("target"), "old");
  symlinkSync("target", folder.file("link"));
  wholeFile(folder.file("link"), null).write("new");
  expect(lstatSync(folder.file("link")).isSymbolicLink()).toBe(true);
  expect(readFileSync(folder.file("target"), "utf8")).toBe("new");
});

test("writes to a pipe without replacing it", async () => {
  using folder = temporaryFolder();
  const path = folder.file("pipe");
  expect(Bun.spawnSync(["mkfifo", path]).exitCode).toBe(0);
  const file = wholeFile(path, null);
  const reader = Bun.spawn(["timeout", "20", "cat", path], { stdout: "pipe" });
  file.write("text");
  expect(lstatSync(path).isFIFO()).toBe(true);
  expect(await new Response(reader.stdout).text()).toBe("text");
}, 30_000);

describe("a path that cannot be written is refused in advance", () => {
  const refused = (path: string, source: string | null, part: string): void => {
    expect(() => wholeFile(path, source)).toThrow(`${path} cannot be written (${part})`);
  };

  test("a directory, a missing directory, a file as directory", () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file("file"), "");
    refused(folder.path, null, "it is a folder");
    refused(folder.file("none/new"), null, "ENOENT");
    refused(folder.file("file/new"), null, "ENOTDIR");
  });

  test("the class that is read, under any name", () => {
    using folder = temporaryFolder();
    const source = folder.file("class");
    writeFileSync(source, "class");
    symlinkSync("class", folder.file("link"));
    for (const path of [source, folder.file("link")]) {
      refused(path, source, "it is the class that is read");
    }
    expect(() => wholeFile(folder.file("new"), folder.file("none"))).not.toThrow();
    expect(() => wholeFile(source, folder.file("none"))).not.toThrow();
  });
});

test("a failed write keeps the old file and leaves nothing else behind", () => {
  using folder = temporaryFolder();
  mkdirSync(folder.file("sub"));
  const file = wholeFile(folder.file("sub/new"), null);
  rmdirSync(folder.file("sub"));
  expect(() => file.write("text")).toThrow("(ENOENT)");
  const path = folder.file("old");
  const second = wholeFile(path, null);
  // A file cannot replace a directory.
  mkdirSync(path);
  expect(() => second.write("text")).toThrow("(EISDIR)");
  expect(readdirSync(folder.path)).toEqual(["old"]);
});
