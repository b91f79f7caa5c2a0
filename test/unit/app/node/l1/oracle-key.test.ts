import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { readOracleKey } from "#app/node/l1/oracle-key.ts";
import { ConfigError } from "#base/errors/index.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

test("the key of an oracle is what stands in the file", () => {
  using folder = temporaryFolder();
  const file = folder.file("key");
  writeFileSync(file, "  abc-123\n");
  expect(readOracleKey(file)).toBe("abc-123");
});

test.each(["", "two words", "line\r\nx-other: y", "ü", "k".repeat(1025)])(
  "%p is no key, and is not shown",
  (text) => {
    using folder = temporaryFolder();
    const file = folder.file("key");
    writeFileSync(file, text);
    const read = () => readOracleKey(file);
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(`--oracle-api-key-file ${file}: expected`);
  },
);

test("a file that cannot be read is named", () => {
  expect(() => readOracleKey("/nowhere/key")).toThrow("/nowhere/key");
});
