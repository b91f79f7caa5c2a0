import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { ConfigError } from "#base/errors/index.ts";
import { adminToken, readAdminToken } from "#api/rpc/admin/token.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const TOKEN = "0123456789abcdef";

describe("the admin token", () => {
  test("is in a Bearer header that has it, and in no other", () => {
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

  test("is the file's text without blanks around it", () => {
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
  ])("cannot be %p", (text) => {
    expect(() => adminToken(text, "the file")).toThrow(ConfigError);
    expect(() => adminToken(text, "the file")).toThrow("the file: expected the token");
  });

  test("is not in the message when it is refused", () => {
    expect(() => adminToken("secret and blank", "f")).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining("secret") }),
    );
  });

  test("needs a file that can be read", () => {
    expect(() => readAdminToken("/nowhere/token")).toThrow("/nowhere/token");
  });
});
