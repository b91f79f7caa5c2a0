import { describe, expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { readSecretFile } from "#io/folders/index.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

describe("readSecretFile", () => {
  test("trims white space around the text", () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file("key"), "\n 0x5 \r\n", { mode: 0o600 });
    expect(readSecretFile(folder.file("key"))).toEqual({ kind: "read", text: "0x5" });
  });

  test.each([0o640, 0o604, 0o620, 0o601, 0o777])("refuses mode %o", (mode) => {
    using folder = temporaryFolder();
    writeFileSync(folder.file("key"), "0x5");
    chmodSync(folder.file("key"), mode);
    expect(readSecretFile(folder.file("key"))).toEqual({
      kind: "refused",
      reason: "other users can access the file: run chmod 600 on it",
    });
  });

  test("refuses a pipe without blocking", () => {
    using folder = temporaryFolder();
    expect(Bun.spawnSync(["mkfifo", "-m", "600", folder.file("pipe")]).exitCode).toBe(0);
    expect(readSecretFile(folder.file("pipe"))).toEqual({
      kind: "refused",
      reason: "it is not a file",
    });
  });
});
