import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InvariantError } from "#base/errors/index.ts";
import { Directory } from "#io/folders/index.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";

const folder = useFolder();
const directory = new Directory(folder.path);

test("reads, replaces and removes a file", async () => {
  await directory.write("a-1.bin", Uint8Array.of(1, 2, 3));
  expect(await directory.read("a-1.bin", 3)).toEqual(Uint8Array.of(1, 2, 3));
  await directory.write("a-1.bin", new Uint8Array());
  expect(await directory.read("a-1.bin", 0)).toEqual(new Uint8Array());
  expect(readdirSync(folder.path)).toEqual(["a-1.bin"]);
  await directory.remove("a-1.bin");
  await directory.remove("a-1.bin");
  expect(await directory.read("a-1.bin", 3)).toBe(undefined);
});

test("ignores and replaces a partly written file", async () => {
  writeFileSync(join(folder.path, "b.bin.part"), "half");
  expect(await directory.read("b.bin", 10)).toBe(undefined);
  await directory.write("b.bin", Uint8Array.of(7));
  expect(await directory.read("b.bin", 10)).toEqual(Uint8Array.of(7));
});

test("rejects reading a file above the length limit", async () => {
  await directory.write("long.bin", new Uint8Array(11));
  expect(directory.read("long.bin", 10)).rejects.toMatchObject({
    code: "STORAGE_FILE_TOO_LONG",
  });
});

test("rejects links, folders and pipes without blocking", async () => {
  symlinkSync("/etc/hostname", join(folder.path, "link.bin"));
  symlinkSync("/nowhere/at/all", join(folder.path, "loose.bin"));
  mkdirSync(join(folder.path, "folder.bin"));
  Bun.spawnSync(["mkfifo", join(folder.path, "pipe.bin")]);
  for (const name of ["link.bin", "loose.bin", "folder.bin", "pipe.bin"]) {
    const read = directory.read(name, 1_000);
    expect(read).rejects.toMatchObject({ code: "STORAGE_FILE_FAILED" });
  }
});

test("treats names outside the folder as a bug", async () => {
  for (const name of ["../a", "a/b", "/etc/passwd", "", ".", "..", ".hidden", "a\0b"]) {
    expect(directory.read(name, 1)).rejects.toBeInstanceOf(InvariantError);
    expect(directory.write(name, new Uint8Array())).rejects.toBeInstanceOf(InvariantError);
  }
});

test("reports a system error with the path of the file", async () => {
  const nowhere = new Directory(folder.file("nowhere"));
  expect(await nowhere.read("a.bin", 1)).toBe(undefined);
  const path = folder.file("nowhere/a.bin");
  expect(nowhere.write("a.bin", new Uint8Array(1))).rejects.toMatchObject({
    code: "STORAGE_FILE_FAILED",
    message: `${path} cannot be written: there is no such file or folder`,
  });
  if (process.getuid?.() === 0) return;
  await directory.write("secret.bin", new Uint8Array(1));
  chmodSync(folder.file("secret.bin"), 0);
  expect(directory.read("secret.bin", 1)).rejects.toMatchObject({
    code: "STORAGE_FILE_FAILED",
  });
});
