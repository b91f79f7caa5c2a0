import { describe, expect, test } from "bun:test";
import { COMMANDS } from "#app/cli/index.ts";
import { nodeOptions, optionsIn } from "#app/options/index.ts";
import { run } from "./run.ts";

const linesOf = (text: string, title: string): readonly string[] =>
  (text.split(`${title}\n`)[1]?.split("\n\n")[0] ?? "").split("\n");

describe("the help of one screen", () => {
  for (const argv of [[], ["-h"], ["help"], ["sequencer", "-h"], ["node", "-h"]]) {
    test(`appchain ${argv.join(" ")} fits a screen`, async () => {
      const { code, out } = await run(argv);
      const lines = out.split("\n");
      expect([code, lines.length <= 42, lines.every((line) => line.length <= 100)]).toEqual([
        0,
        true,
        true,
      ]);
      expect(linesOf(out, "EXAMPLES")).toHaveLength(3);
      expect(out).not.toContain("EXIT CODES");
      expect(out).not.toMatch(/ $/m);
    });
  }

  test("names every command and the ten options that people use", async () => {
    const { out } = await run(["-h"]);
    const commands = linesOf(out, "COMMANDS").join("\n");
    for (const { path } of COMMANDS) {
      for (const word of path) expect(commands).toContain(word);
    }
    const flags = optionsIn(nodeOptions)
      .filter(({ brief }) => brief !== undefined)
      .map(({ flag }) => `--${flag}`);
    expect(flags).toHaveLength(10);
    expect(linesOf(out, "OPTIONS").map((line) => /--[a-z0-9-]+/.exec(line)?.[0])).toEqual(flags);
  });

  test("is followed by everything with --help: options, and a line for each exit code", async () => {
    const { out } = await run(["--help"]);
    for (const { flag } of optionsIn(nodeOptions)) expect(out).toContain(`--${flag}`);
    const codes = out.split("EXIT CODES\n\n")[1]?.split("\n") ?? [];
    const numbers = codes.flatMap((line) => /^ {2}(\d+) /.exec(line)?.[1] ?? []);
    expect(numbers).toEqual(["0", "1", "2", "4", "130"]);
    expect((await run(["-h", "--help"])).out).toBe(out);
  });

  test("is the whole help of a command with few options", async () => {
    for (const words of [["db", "check"], ["rpc"]]) {
      expect((await run([...words, "-h"])).out).toBe((await run([...words, "--help"])).out);
    }
  });

  test("an option or a variable without a command still starts a node", async () => {
    expect((await run(["--sequencer", "--preset", "devnet"])).started).toHaveLength(1);
    expect((await run([], { APPCHAIN_PRESET: "mainnet" })).started).toHaveLength(1);
  });
});
