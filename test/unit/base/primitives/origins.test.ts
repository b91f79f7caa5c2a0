import { expect, test } from "bun:test";
import { corsPolicyFromText } from "#base/primitives/index.ts";

test.each([
  ["all", "all"],
  ["*", "all"],
  ["https://a.org", ["https://a.org"]],
  ["http://localhost:3000", ["http://localhost:3000"]],
  [" https://a.org , http://b.org:* ", ["https://a.org", "http://b.org:*"]],
] as const)("corsPolicyFromText parses %j as %j", (text, policy) => {
  expect(corsPolicyFromText(text)).toEqual(policy);
});

test.each([
  "",
  "a.org",
  "ftp://a.org",
  "https://a.org/",
  "https://a.org/path",
  "https://a.org,",
  "https://a.org,*",
  "https://a .org",
])("corsPolicyFromText rejects %j", (text) => {
  expect(corsPolicyFromText(text)).toBeUndefined();
});
