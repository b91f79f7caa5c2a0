import { describe, expect, test } from "bun:test";
import { ALL_COMMANDS } from "#app/cli/commands.ts";
import { optionsOf, optionsPage } from "../../../scripts/docs-lib/pages/options.ts";

const page = String(await optionsPage.body());

describe("the options page", () => {
  test("omits internal commands", () => {
    const hidden = ALL_COMMANDS.filter((command) => command.hidden === true);
    expect(hidden).not.toEqual([]);
    for (const { path } of hidden) expect(page).not.toContain(path.join(" "));
  });

  test("shows default and group of an option", () => {
    const option = {
      flag: "some-thing",
      short: "s",
      value: "N",
      summary: "what it does",
      defaultText: "7",
      group: "Group",
      expected: "a number",
      repeatable: false,
      read: () => 1,
      fallback: 7,
    };
    const [command] = ALL_COMMANDS;
    if (command === undefined) return;
    expect(optionsOf({ ...command, options: { option } })).toBe(
      "Group:\n\n| option | environment | value | default | meaning |\n| --- | --- | --- | --- | --- |\n" +
        "| `-s`, `--some-thing N` | `APPCHAIN_SOME_THING` | a number | 7 | what it does |",
    );
  });
});
