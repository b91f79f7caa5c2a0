import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { readOracleKey } from "#app/node/l1/oracle-key.ts";
import { ConfigError } from "#base/errors/index.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

test("reads the oracle key from its file without surrounding whitespace", () => {
  using folder = temporaryFolder();
  const file = folder.file("key");
  writeFileSync(file, "  abc-123\n");
  expect(readOracleKey(file)).toBe("abc-123");
});

test.each(["", "two words", "line\r\nx-other: y", "ü", "k".repeat(1025)])(
  "rejects %p as a key without showing it",
  (text) => {
    using folder = temporaryFolder();
    const file = folder.file("key");
    writeFileSync(file, text);
    const read = () => readOracleKey(file);
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(`--oracle-api-key-file ${file}: expected`);
  },
);

test("names a key file that cannot be read", () => {
  expect(() => readOracleKey("/nowhere/key")).toThrow("/nowhere/key");
});
