import { describe, expect, test } from "bun:test";
import { DEFAULT_RESTRICTED_METHODS } from "#api/rpc/index.ts";
import { configChangesOf } from "#app/cli/config-source.ts";
import { checkConfigOptions, devnetOf } from "#app/cli/devnet-options.ts";
import { NO_WORDS, parseArguments } from "#app/cli/parse-arguments.ts";
import { readBlockGeneration, sequencerOptions } from "#app/options/index.ts";

const parse = (...argv: readonly string[]) => parseArguments(sequencerOptions, argv, {}, NO_WORDS);

describe("--block-generation-on", () => {
  test("accepts transaction, demand or seconds", () => {
    const rows = [
      ["transaction", "transaction"],
      ["demand", "demand"],
      ["5", 5],
      ["0", undefined],
      ["-1", undefined],
      ["1.5", undefined],
      ["never", undefined],
      ["999999999", undefined],
    ] as const;
    for (const [text, read] of rows)
      expect([text, readBlockGeneration(text)]).toEqual([text, read]);
  });

  test("sets fields of the chain configuration", () => {
    const textOf = (...argv: readonly string[]) =>
      configChangesOf(sequencerOptions, parse(...argv)).settings?.map(
        ({ path, text }) => `${path.join(".")}=${text}`,
      );
    expect(textOf()).toEqual([]);
    expect(textOf("--block-generation-on", "demand")).toEqual([]);
    expect(textOf("--block-generation-on", "transaction")).toEqual([
      "blocks_on_demand=true",
      "no_empty_blocks=true",
    ]);
    expect(textOf("--block-generation-on", "5")).toEqual([
      "block_time=5s",
      "blocks_on_demand=false",
      "no_empty_blocks=false",
    ]);
  });

  test("is refused together with --block-time, and on other chains", () => {
    const both = parse("--block-generation-on", "5", "--block-time", "5s");
    expect(() => checkConfigOptions(both, true)).toThrow("wrong command line");
    expect(() => devnetOf(parse("--block-generation-on", "demand"), false)).toThrow(
      "wrong command line",
    );
  });

  test("is part of the development features, which are off without the preset devnet", () => {
    const others = {
      asyncSubmission: false,
      restrictedMethods: null,
      startTime: null,
      gasPrices: { l1Gas: {}, l1DataGas: {}, l2Gas: {} },
      dump: null,
    };
    expect(devnetOf(parse(), true)).toEqual({ blocks: "configured", ...others });
    expect(devnetOf(parse("--block-generation-on", "demand"), true)).toEqual({
      blocks: "demand",
      ...others,
    });
    expect(devnetOf(parse(), false)).toBeNull();
  });

  test("development chains restrict methods by name, others refuse the option", () => {
    for (const [text, restrictedMethods] of [
      ["default", DEFAULT_RESTRICTED_METHODS],
      ["devnet_mint", ["devnet_mint"]],
      ["devnet_mint, starknet_call,rpc.discover", ["devnet_mint", "starknet_call", "rpc.discover"]],
    ] as const) {
      const given = parse("--restrictive-mode", text);
      expect(devnetOf(given, true)).toMatchObject({ restrictedMethods: [...restrictedMethods] });
      expect(() => devnetOf(given, false)).toThrow("wrong command line");
    }
    for (const wrong of ["", ",", "mint", "default,devnet_mint", "devnet_mint;rm"]) {
      expect(() => parse("--restrictive-mode", wrong)).toThrow();
    }
  });

  test("development chains can respond on receipt of transactions, others refuse the option", () => {
    const given = parse("--async-submission");
    expect(devnetOf(given, true)).toEqual({
      blocks: "configured",
      asyncSubmission: true,
      restrictedMethods: null,
      startTime: null,
      gasPrices: { l1Gas: {}, l1DataGas: {}, l2Gas: {} },
      dump: null,
    });
    const refused = { issues: [{ path: "--async-submission" }] };
    let thrown: unknown;
    try {
      devnetOf(given, false);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject(refused);
  });
});
