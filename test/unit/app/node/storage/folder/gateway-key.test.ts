import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { readGatewayKey } from "#app/node/storage/folder/gateway-key.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

test("reads a gateway key without surrounding whitespace", () => {
  using folder = temporaryFolder();
  writeFileSync(folder.file("k"), "  key-1!\n");
  expect(readGatewayKey(folder.file("k"))).toBe("key-1!");
});

test.each(["", " \n", "two words", "line\r\nother: header", "clé", "x".repeat(1025)])(
  "rejects %p as a gateway key without showing it",
  (text) => {
    using folder = temporaryFolder();
    const path = folder.file("k");
    writeFileSync(path, text);
    expect(() => readGatewayKey(path)).toThrow(`${path}: expected the key`);
  },
);

test("names a missing key file", () => {
  expect(() => readGatewayKey("/nowhere/k")).toThrow("/nowhere/k: the file with the gateway key");
});
