import { expect, test } from "bun:test";
import { constants, writeFileSync } from "node:fs";
import { requirePlainFiles } from "#app/node/storage/folder/plain-files.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const FILES = ["block-signing.key", "chain.db", "chain.db-wal", "commit.journal", "mempool.db"];

/** Refusal of a folder with one file, for a non-root process that lacks rights on it. */
function refusalOf(name: string, lacking: number): string | undefined {
  using folder = temporaryFolder();
  writeFileSync(folder.file(name), "");
  try {
    requirePlainFiles(folder.path, (_, rights) => {
      if ((rights & lacking) !== 0) throw Object.assign(new RangeError(), { code: "EACCES" });
    });
    return undefined;
  } catch (error) {
    return String(error).replaceAll(folder.file(name), "FILE");
  }
}

test("each file except the signing key has to be writable", () => {
  const refused = FILES.filter((name) => refusalOf(name, constants.W_OK) !== undefined);
  expect(refused).toEqual(FILES.slice(1));
  expect(refusalOf("chain.db", constants.W_OK)).toContain(
    "FILE cannot be read and written by the node's user: permission denied",
  );
});

test("each file has to be readable", () => {
  const refused = FILES.filter((name) => refusalOf(name, constants.R_OK) !== undefined);
  expect(refused).toEqual(FILES);
  expect(refusalOf("block-signing.key", constants.R_OK)).toContain(
    "FILE cannot be read by the node's user: permission denied",
  );
});
