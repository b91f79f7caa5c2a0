import { expect, test } from "bun:test";
import { parseConfigTree } from "#protocol/config/yaml-tree.ts";
import { ConfigError } from "#base/errors/index.ts";
import { busyMilliseconds } from "#test/helpers/stop-flag.ts";

test("a number with millions of digits in YAML is rejected with its line before conversion", () => {
  const startBusyMs = busyMilliseconds();
  let issues: unknown;
  try {
    parseConfigTree(`chain_name: a\nblock_time: ${"9".repeat(4_000_000)}\n`);
  } catch (error) {
    issues = error instanceof ConfigError ? error.issues : error;
  }
  expect(issues).toEqual([
    {
      path: "",
      line: 2,
      message: "expected numbers of at most 1024 digits, got 999999999999999999999999…",
    },
  ]);
  // Converting the digits took seven seconds.
  expect(busyMilliseconds() - startBusyMs).toBeLessThan(2_000);
});

test("a number of 1024 digits in YAML is accepted", () => {
  expect(parseConfigTree(`a: ${"9".repeat(1024)}`)).toMatchObject({ kind: "map" });
});
