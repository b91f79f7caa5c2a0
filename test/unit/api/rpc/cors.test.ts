import { describe, expect, test } from "bun:test";
import { parseCorsPolicy } from "#api/rpc/index.ts";

describe("the option of allowed origins", () => {
  for (const [text, policy] of [
    ["all", "all"],
    ["*", "all"],
    ["https://a.org,*", "all"],
    ["https://a.org", ["https://a.org"]],
    [" https://a.org/ , http://b.org:* ", ["https://a.org", "http://b.org:*"]],
    ["", "local"],
  ] as const) {
    test(`${JSON.stringify(text)} is ${JSON.stringify(policy)}`, () => {
      expect(parseCorsPolicy(text)).toEqual(policy);
    });
  }
});
