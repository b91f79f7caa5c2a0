import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { ConfigError } from "#base/errors/index.ts";
import { adminToken, readAdminToken } from "#api/rpc/admin/token.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const TOKEN = "0123456789abcdef";

describe("admin token", () => {
  test("is accepted only as a Bearer header with the exact token", () => {
    const token = adminToken(TOKEN, "test");
    for (const header of [`Bearer ${TOKEN}`, `bearer  ${TOKEN}`, `BEARER ${TOKEN} `]) {
      expect([header, token.isIn(header)]).toEqual([header, true]);
    }
    for (const header of [
      null,
      "",
      "Bearer",
      "Bearer ",
      TOKEN,
      `Basic ${TOKEN}`,
      `Bearer ${TOKEN}0`,
      `Bearer ${TOKEN.slice(0, -1)}`,
      `Bearer ${TOKEN.toUpperCase()}`,
      `Bearer ${TOKEN} ${TOKEN}`,
      `Bearer ${TOKEN}, Bearer ${TOKEN}`,
    ]) {
      expect([header, token.isIn(header)]).toEqual([header, false]);
    }
  });

  test("is the file's text with surrounding whitespace trimmed", () => {
    using folder = temporaryFolder();
    const path = folder.file("token");
    writeFileSync(path, `\n ${TOKEN}\r\n`);
    expect(readAdminToken(path).isIn(`Bearer ${TOKEN}`)).toBe(true);
  });

  test.each([
    "",
    "short",
    "0123456789abcde",
    "0123456789 abcdef",
    "0123456789abcdé0",
    "x".repeat(1025),
  ])("is rejected when it is %p", (text) => {
    expect(() => adminToken(text, "the file")).toThrow(ConfigError);
    expect(() => adminToken(text, "the file")).toThrow("the file: expected the token");
  });

  test("is not part of the error message when rejected", () => {
    expect(() => adminToken("secret and blank", "f")).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining("secret") }),
    );
  });

  test("requires a readable file", () => {
    expect(() => readAdminToken("/nowhere/token")).toThrow("/nowhere/token");
  });
});
