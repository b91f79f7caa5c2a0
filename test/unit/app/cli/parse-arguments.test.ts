import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  environmentName,
  listOption,
  readInteger,
  readText,
  switchOption,
  valueOption,
} from "#app/options/index.ts";
import { NO_WORDS, parseArguments } from "#app/cli/parse-arguments.ts";
import { ConfigError } from "#base/errors/index.ts";
import { assertProperty } from "#test/helpers/property.ts";

const texts = { group: "G", summary: "s" };
const table = {
  port: valueOption(
    { ...texts, flag: "rpc-port", short: "p", value: "PORT" },
    "port",
    readInteger(0, 65_535),
    9944,
  ),
  name: valueOption({ ...texts, flag: "name", value: "NAME" }, "name", readText, null),
  fast: switchOption({ ...texts, flag: "fast" }),
  set: listOption({ ...texts, flag: "set", value: "A=B" }),
};

const words = (...names: string[]) => names.map((name) => ({ name, summary: "s" }));

const parse = (
  argv: readonly string[],
  environment = {},
  limits: Parameters<typeof parseArguments>[3] = NO_WORDS,
) => parseArguments(table, argv, environment, limits);

function issuesOf(argv: readonly string[], environment = {}): readonly string[] {
  try {
    parse(argv, environment);
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.issues.map(({ path, message }) => `${path}: ${message}`);
    }
    throw error;
  }
  return [];
}

describe("options", () => {
  test("accept a space or an equals sign", () => {
    expect(parse(["--rpc-port", "1", "--name=a=b"]).options).toEqual({
      port: 1,
      name: "a=b",
      fast: false,
      set: [],
    });
  });

  test("have defaults", () => {
    expect(parse([]).options).toEqual({ port: 9944, name: null, fast: false, set: [] });
  });

  test("accumulate in order if repeatable", () => {
    expect(parse(["--set", "a=1", "--fast", "--set=b=2,c=3"]).options.set).toEqual([
      "a=1",
      "b=2,c=3",
    ]);
  });

  test("are refused twice if not repeatable", () => {
    expect(issuesOf(["--name", "a", "--name", "b"])).toEqual(["--name: is given twice"]);
  });

  test("given twice are not reported as a line of a file", () => {
    const twice = ["--name", "a", "--name", "b"];
    expect(() => parse(twice)).toThrow(
      expect.objectContaining({ issues: [{ path: "--name", line: 0, message: "is given twice" }] }),
    );
  });

  test("accept negative numbers as values, but not other options", () => {
    expect(parse(["--name", "-1"]).options.name).toBe("-1");
    expect(issuesOf(["--name", "--fast"])).toEqual(["--name: expected a value: name"]);
  });

  test("have a short form if the table defines one", () => {
    expect(parse(["-p", "7"]).options.port).toBe(7);
    expect(parse(["-p=7"]).options.port).toBe(7);
    expect(parse(["-p", "7"]).sources.get("rpc-port")).toBe("line");
    expect(issuesOf(["-p", "7", "--rpc-port", "8"])).toEqual(["--rpc-port: is given twice"]);
    expect(issuesOf(["--name", "-p", "7"])).toContain("--name: expected a value: name");
    expect(issuesOf(["-pp", "--p"])).toEqual(["-pp: unknown option", "--p: unknown option"]);
  });

  test("accept true and false for a switch", () => {
    expect([parse(["--fast"]), parse(["--fast=false"])].map(({ options }) => options.fast)).toEqual(
      [true, false],
    );
    expect(issuesOf(["--fast=maybe"])).toEqual(['--fast: expected true or false, got "maybe"']);
  });

  test("report all errors together, and suggest the nearest option for unknown ones", () => {
    expect(issuesOf(["--rpc-prot", "5", "--rpc-port", "99999", "word", "-x"])).toEqual([
      "--rpc-prot: unknown option; did you mean --rpc-port?",
      "-x: unknown option",
      '--rpc-port: expected port, got "99999"',
      "word: is not expected here",
    ]);
  });

  test("arbitrary words are parsed or refused with a ConfigError", () => {
    assertProperty(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.constantFrom("--name", "--set", "--", "--fast"))),
        (argv) => {
          try {
            parse(argv);
          } catch (error) {
            expect(error).toBeInstanceOf(ConfigError);
          }
        },
      ),
    );
  });
});

describe("words", () => {
  test("are limited in number", () => {
    expect(parse(["a", "b"], {}, { words: words("A", "B"), min: 1 }).positionals).toEqual([
      "a",
      "b",
    ]);
    expect(() => parse([], {}, { words: words("A"), min: 1 })).toThrow(ConfigError);
  });

  test("accept repetition of the last one, and everything after --", () => {
    const limits = { words: words("A", "B"), min: 1, rest: true };
    expect(parse(["a", "--", "--fast", "c", "d"], {}, limits).positionals).toEqual([
      "a",
      "--fast",
      "c",
      "d",
    ]);
  });
});

describe("environment variables", () => {
  test("are named after the option", () => {
    expect(environmentName("chain-config-path")).toBe("APPCHAIN_CHAIN_CONFIG_PATH");
  });

  test("supply defaults that the command line overrides", () => {
    const environment = {
      APPCHAIN_RPC_PORT: "5",
      APPCHAIN_NAME: "env",
      APPCHAIN_FAST: "1",
      APPCHAIN_SET: "a=1,b=2",
    };
    const { options, sources } = parse(["--name", "line"], environment);
    expect(options).toEqual({ port: 5, name: "line", fast: true, set: ["a=1,b=2"] });
    expect(sources.get("name")).toBe("line");
    expect(sources.get("rpc-port")).toBe("environment");
  });

  test("count as unset if empty, and are named if wrong", () => {
    expect(parse([], { APPCHAIN_RPC_PORT: "" }).options.port).toBe(9944);
    expect(issuesOf([], { APPCHAIN_RPC_PORT: "x" })).toEqual([
      'APPCHAIN_RPC_PORT: expected port, got "x"',
    ]);
  });
});
