import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { devnetOf } from "#app/cli/devnet-options.ts";
import { NO_WORDS, parseArguments } from "#app/cli/parse-arguments.ts";
import { sequencerOptions } from "#app/options/index.ts";
import { ConfigError } from "#base/errors/index.ts";

const dumpOf = (isDevnet: boolean, ...argv: readonly string[]) =>
  devnetOf(parseArguments(sequencerOptions, argv, {}, NO_WORDS), isDevnet)?.dump;

function refusal(isDevnet: boolean, ...argv: readonly string[]): unknown {
  try {
    return dumpOf(isDevnet, ...argv);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.issues.map(({ path, message }) => `${path} ${message}`);
  }
}

test("--dump-on selects when a development chain is dumped, --dump-path where", () => {
  expect(dumpOf(true)).toBeNull();
  expect(dumpOf(true, "--dump-on", "request")).toEqual({ on: "request", path: null });
  const path = resolve("dump.json");
  for (const on of ["exit", "block", "request"] as const) {
    expect(dumpOf(true, "--dump-on", on, "--dump-path", "dump.json")).toEqual({ on, path });
  }
  // A dump that is only loaded at start.
  expect(dumpOf(true, "--dump-path", "dump.json")).toEqual({ on: null, path });
});

test("are refused if they have no effect", () => {
  for (const on of ["exit", "block"]) {
    expect(refusal(true, "--dump-on", on)).toEqual([`--dump-on ${on} requires --dump-path`]);
  }
  const elsewhere = "has an effect only with --preset devnet";
  expect(refusal(false, "--dump-on", "request")).toEqual([`--dump-on ${elsewhere}`]);
  expect(refusal(false, "--dump-path", "dump.json")).toEqual([`--dump-path ${elsewhere}`]);
  expect(() => dumpOf(true, "--dump-on", "never")).toThrow(ConfigError);
});
