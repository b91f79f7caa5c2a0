import { expect, test } from "bun:test";
import { allowedHostsFromText } from "#base/primitives/index.ts";

test.each([
  ["*", "any"],
  ["node.example", ["node.example"]],
  ["node.example, Other_1.example ,[::1]", ["node.example", "Other_1.example", "[::1]"]],
] as const)("allowedHostsFromText parses %s as %p", (text, hosts) => {
  expect(allowedHostsFromText(text)).toEqual(hosts as never);
});

test.each(["", ",", "a,,b", "http://a.example", "a.example:9944", "a/b", "a b", "*.example", "-a"])(
  "allowedHostsFromText rejects %p",
  (text) => {
    expect(allowedHostsFromText(text)).toBeUndefined();
  },
);
