import { describe, expect, test } from "bun:test";
import {
  choiceOption,
  fileOption,
  integerOption,
  listOption,
  mibOption,
  offSwitchOption,
  portOrOffOption,
  switchOption,
} from "#app/options/build-option.ts";
import {
  changedOptions,
  configSettings,
  defaultsOf,
  type FlagSources,
  flagName,
  meaningOf,
  nodeOptions,
  type Option,
  optionGroups,
  optionsIn,
  settingOptions,
  settingsOf,
  valuesOf,
} from "#app/options/index.ts";

const texts = { flag: "flag", group: "G", summary: "s" };

const table = {
  fast: switchOption({ ...texts, flag: "fast" }),
  inner: { size: integerOption({ ...texts, flag: "size" }, [1, 9], 5) },
  list: listOption({ ...texts, flag: "list", value: "A" }),
};

describe("a table of options", () => {
  test("lists the options of inner tables in order", () => {
    expect(optionsIn(table).map(({ flag }) => flag)).toEqual(["fast", "size", "list"]);
  });

  test("has settings in its own shape", () => {
    expect(valuesOf<Readonly<Record<string, Option<unknown>>>>({ a: table.fast }, () => 1)).toEqual(
      { a: 1 },
    );
    expect(defaultsOf(table)).toEqual({ fast: false, inner: { size: 5 }, list: [] });
    const more = { ...defaultsOf(table), other: 1 };
    expect(settingsOf(table, more)).toEqual(defaultsOf(table));
  });

  test("reports the options with another value than the default", () => {
    const values = { ...defaultsOf(table), inner: { size: 6 } };
    const changed = changedOptions(table, values).map(({ option, value }) => [option.flag, value]);
    expect(changed).toEqual([["size", 6]]);
    expect(changedOptions(table, defaultsOf(table))).toEqual([]);
  });

  test("sets fields of the chain configuration, under the name that was used", () => {
    const sets = (value: string, overrides: readonly string[]) => ({
      field: `${value}, ${overrides.length}`,
    });
    const own = { inner: { size: { ...table.inner.size, sets } }, fast: table.fast };
    const given: FlagSources = new Map([["size", "environment"]]);
    expect(configSettings(own, { inner: { size: 6 }, fast: true }, given, ["a=1"])).toEqual([
      { path: ["field"], text: "6, 1", from: "APPCHAIN_SIZE" },
    ]);
    expect(configSettings(own, defaultsOf(own), given, [])).toEqual([]);
    expect(flagName(new Map(), "size")).toBe("--size");
  });
});

describe("the options of a node", () => {
  test("have different flags", () => {
    const flags = optionsIn(nodeOptions).map(({ flag }) => flag);
    expect(new Set(flags).size).toBe(flags.length);
  });

  test("keep the settings that no function combines", () => {
    const settings = settingsOf(settingOptions, defaultsOf(nodeOptions));
    expect(settings).toEqual(defaultsOf(settingOptions));
  });

  test("have groups in one order, whichever part declares them first", () => {
    const names = optionGroups(nodeOptions).map(([group]) => group);
    expect([names[0], names.at(-1)]).toEqual(["Chain", "Logs"]);
  });

  test("say in help which nodes use them", () => {
    expect(meaningOf(nodeOptions.gasPrices.strkPerEth)).toEndWith(" (sequencers only)");
    expect(meaningOf(nodeOptions.follow.verify)).toEndWith(" (full nodes only)");
    expect(meaningOf(nodeOptions.rpc.port)).toBe(nodeOptions.rpc.port.summary);
  });
});

describe("kinds of options", () => {
  test("a memory size is given in MiB and set in bytes", () => {
    const option = mibOption(texts, [1, 2], 2);
    expect([option.fallback, option.defaultText]).toEqual([2 << 20, "2"]);
    expect(["1", "3"].map((text) => option.read([text]))).toEqual([1 << 20, undefined]);
  });

  test("a choice takes its words in any case, and names them", () => {
    const option = choiceOption({ ...texts, value: "W" }, ["a", "b", "c"], null);
    expect([option.expected, option.words]).toEqual(["a, b or c", ["a", "b", "c"]]);
    expect(["B", "d"].map((text) => option.read([text]))).toEqual(["b", undefined]);
  });

  test("a switch that turns a setting off is on by default", () => {
    const option = offSwitchOption(texts);
    expect([option.fallback, option.read(["true"]), option.read(["false"])]).toEqual([
      true,
      false,
      true,
    ]);
    expect(option.read(["maybe"])).toBeUndefined();
  });

  test("a file is an absolute path", () => {
    expect(fileOption(texts).read(["/a/../b"])).toBe("/b");
    expect(fileOption(texts).read([""])).toBeUndefined();
  });

  test("a port may be off", () => {
    const option = portOrOffOption(texts, null);
    expect(option.defaultText).toBe("off");
    expect(["OFF", "7", "x"].map((text) => option.read([text]))).toEqual([null, 7, undefined]);
  });
});
