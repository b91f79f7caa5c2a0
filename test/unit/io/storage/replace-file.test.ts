import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { replaceFile, tryReplacing } from "#io/storage/index.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

test("replaceFile replaces an existing file with the new mode and leaves nothing else", () => {
  using folder = temporaryFolder();
  writeFileSync(folder.file("a"), "old", { mode: 0o600 });
  const { ino } = statSync(folder.file("a"));
  replaceFile(folder.file("a"), "new", 0o666);
  expect(readFileSync(folder.file("a"), "utf8")).toBe("new");
  expect(statSync(folder.file("a")).ino).not.toBe(ino);
  expect(statSync(folder.file("a")).mode & 0o777).toBe(0o666);
  expect(readdirSync(folder.path)).toEqual(["a"]);
});

test("replaceFile changes nothing when it fails", () => {
  using folder = temporaryFolder();
  mkdirSync(folder.file("a"));
  expect(() => replaceFile(folder.file("a"), "new", 0o600)).toThrow("EISDIR");
  expect(readdirSync(folder.path)).toEqual(["a"]);
});

test("replaceFile writes a name of any length", () => {
  using folder = temporaryFolder();
  const name = "n".repeat(255);
  replaceFile(folder.file(name), "text", 0o600);
  expect(readdirSync(folder.path)).toEqual([name]);
});

test("tryReplacing leaves nothing behind and reports obstacles", () => {
  using folder = temporaryFolder();
  tryReplacing(folder.file("a"));
  expect(readdirSync(folder.path)).toEqual([]);
  expect(() => tryReplacing(folder.file("none/a"))).toThrow("ENOENT");
  expect(() => tryReplacing("/proc/appchain.json")).toThrow();
});
