import { expect, test } from "bun:test";
import { parseArgs } from "citty";

/** Result of citty's parser: `-p`, `--rpc-port PORT`, `--name NAME`, two switches. */
function parsed(line: string): Readonly<Record<string, unknown>> {
  const { _, ...values } = parseArgs(line.split(" "), {
    "rpc-port": { type: "string", alias: "p" },
    name: { type: "string" },
    fast: { type: "boolean" },
    "no-charge-fee": { type: "boolean" },
  });
  return { words: _, ...values };
}

// If a version of citty changes one of these, it could replace this part of parseArguments.
for (const [line, values, reason] of [
  ["--fsat", { fsat: true }, "takes unknown options"],
  ["--name a --name b", { name: "b" }, "keeps the last of repeated options"],
  ["--no-charge-fee", { "charge-fee": false }, "has no option whose name begins with no"],
  ["--name --no-x b", { name: "b" }, "takes a value that begins with --no- out of the line"],
  ["--name --fast", { name: "--fast" }, "takes the next option for a missing value"],
  ["--name", { name: "" }, "takes a value that is missing at the end for an empty one"],
  ["-1", { words: [], 1: true }, "takes a negative number for an option"],
  ["-preset", { "rpc-port": "reset" }, "splits what stands after one dash"],
  ["-p=5", { "rpc-port": "=5" }, "keeps the equals sign after a letter"],
  ["--fast=maybe", { fast: true }, "takes every text as a switch that is on"],
] as const) {
  test(`citty's parser ${reason}`, () => {
    expect(parsed(line)).toMatchObject(values);
  });
}

test("citty's parser does not set an option whose name starts with no-", () => {
  expect(parsed("--no-charge-fee")).not.toContainKeys(["no-charge-fee", "noChargeFee"]);
});

test("citty's parser fails on the option `_`, its own field for words", () => {
  expect(() => parsed("--_")).toThrow(TypeError);
});
