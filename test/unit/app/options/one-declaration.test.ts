import { describe, expect, expectTypeOf, test } from "bun:test";
import { completionScript } from "#app/cli/completions/completion-script.ts";
import { SHELLS } from "#app/cli/completions/shells.ts";
import { optionsHelp } from "#app/cli/help.ts";
import { NO_WORDS, parseArguments } from "#app/cli/parse-arguments.ts";
import { durationOption } from "#app/options/build-option.ts";
import { optionGroups, optionsIn, settingsOf } from "#app/options/index.ts";
import { optionsOf } from "../../../../scripts/docs-lib/pages/options.ts";
import { ALL_COMMANDS } from "#app/cli/commands.ts";

/** The single edit: everything below derives from it. */
const scratchOptions = {
  cache: {
    ttlMs: durationOption(
      {
        flag: "cache-ttl",
        group: "Scratch",
        usedBy: "sequencer",
        summary: "time for which entries are kept",
      },
      ["1s", "1h"],
      "5s",
    ),
  },
};

const parse = (argv: readonly string[], environment = {}) =>
  parseArguments(scratchOptions, argv, environment, NO_WORDS);

describe("a declared option", () => {
  test("is parsed from the command line, with its default, range and environment variable", () => {
    expect(parse([]).options).toEqual({ cache: { ttlMs: 5_000 } });
    expect(parse(["--cache-ttl", "1min"]).options.cache.ttlMs).toBe(60_000);
    const { options, sources } = parse([], { APPCHAIN_CACHE_TTL: "2s" });
    expect([options.cache.ttlMs, sources.get("cache-ttl")]).toEqual([2_000, "environment"]);
    expect(() => parse(["--cache-ttl", "2h"])).toThrow("wrong command line");
  });

  test("has help", () => {
    expect(optionsHelp(scratchOptions)[0]).toBe(
      "SCRATCH\n\n  --cache-ttl DURATION\n        time for which entries are kept (sequencers only) [default: 5s]",
    );
  });

  test("has a row in the documentation", () => {
    const [command] = ALL_COMMANDS;
    if (command === undefined) throw new RangeError("no command");
    expect(optionsOf({ ...command, options: scratchOptions })).toEndWith(
      "| `--cache-ttl DURATION` | `APPCHAIN_CACHE_TTL` | duration such as 500ms, 30s, 5min or 1h, from 1s to 1h | 5s | time for which entries are kept (sequencers only) |",
    );
  });

  test("is completed by shells", () => {
    const [command] = ALL_COMMANDS;
    if (command === undefined) throw new RangeError("no command");
    const scratch = { ...command, path: ["scratch"], options: scratchOptions };
    for (const shell of SHELLS) expect(completionScript(shell, [scratch])).toContain("cache-ttl");
  });

  test("is a typed setting, which a part takes without a copy by hand", () => {
    const node = { ...parse(["--cache-ttl", "7s"]).options, name: "other" };
    const settings = settingsOf(scratchOptions, node);
    expect(settings).toEqual({ cache: { ttlMs: 7_000 } });
    expectTypeOf(settings.cache.ttlMs).toEqualTypeOf<number>();
    expectTypeOf(settings).toEqualTypeOf<{ readonly cache: { readonly ttlMs: number } }>();
  });

  test("belongs to a group", () => {
    expect(optionGroups(scratchOptions)).toEqual([["Scratch", optionsIn(scratchOptions)]]);
  });
});
