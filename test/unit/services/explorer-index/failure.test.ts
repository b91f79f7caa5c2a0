import { describe, expect, test } from "bun:test";
import { DecodeError, StorageError } from "#base/errors/index.ts";
import { indexFailureOf } from "#services/explorer-index/failure.ts";

/** An error of SQLite with this code. */
function sqliteError(code: string): Error {
  return Object.assign(new TypeError("of SQLite"), { code });
}

describe("a failure of the explorer's index", () => {
  test.each(["STORAGE_OTHER_CHAIN", "STORAGE_OLDER_SCHEMA", "STORAGE_NEWER_SCHEMA"] as const)(
    "makes a file of others unusable: %s",
    (code) => {
      expect(indexFailureOf(new StorageError(code, "other")).kind).toBe("unusable");
    },
  );

  test.each([
    ["a damaged file", sqliteError("SQLITE_CORRUPT")],
    ["rows that contradict each other", sqliteError("SQLITE_CONSTRAINT_PRIMARYKEY")],
    ["a row that cannot be decoded", new DecodeError("$", "an id")],
  ])("makes the index unusable, also as the cause of another error: %s", (_, error) => {
    const outer = new StorageError("STORAGE_FAILED", "a step failed", { cause: error });
    expect([indexFailureOf(error).kind, indexFailureOf(outer).kind]).toEqual([
      "unusable",
      "unusable",
    ]);
  });

  test.each([
    ["a full disk", sqliteError("SQLITE_FULL")],
    ["a file in use", sqliteError("SQLITE_BUSY")],
    ["a file that cannot be opened", new StorageError("STORAGE_CANNOT_OPEN", "no permission")],
    ["a text", "no error"],
  ])("may pass: %s", (_, error) => {
    expect(indexFailureOf(error).kind).toBe("passing");
  });
});
