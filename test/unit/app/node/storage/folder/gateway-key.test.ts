import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { readGatewayKey } from "#app/node/storage/folder/gateway-key.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

test("a gateway key is the file's text without blanks around it", () => {
  using folder = temporaryFolder();
  writeFileSync(folder.file("k"), "  key-1!\n");
  expect(readGatewayKey(folder.file("k"))).toBe("key-1!");
});

test.each(["", " \n", "two words", "line\r\nother: header", "clé", "x".repeat(1025)])(
  "%p is no gateway key, and is not shown",
  (text) => {
    using folder = temporaryFolder();
    const path = folder.file("k");
    writeFileSync(path, text);
    expect(() => readGatewayKey(path)).toThrow(`${path}: expected the key`);
  },
);

test("a file that is not there is named", () => {
  expect(() => readGatewayKey("/nowhere/k")).toThrow("/nowhere/k: the file with the gateway key");
});
