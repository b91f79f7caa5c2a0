import { beforeAll, describe, expect, test } from "bun:test";
import { findCommand } from "#app/cli/find-command.ts";
import { COMMANDS, VERSION } from "#app/cli/index.ts";
import { parseArguments } from "#app/cli/parse-arguments.ts";
import { versionText } from "#app/cli/version/version-text.ts";
import { COMPILER_COMMAND } from "#app/node/compiler/compiler-process.ts";
import { environmentName, optionsIn } from "#app/options/index.ts";
import { run } from "./run.ts";
import packageJson from "../../../../package.json" with { type: "json" };

describe("help and version", () => {
  let version: string;
  let verboseVersion: string;

  beforeAll(async () => {
    version = await versionText(false);
    verboseVersion = await versionText(true);
  });

  test("--version prints the version and the commit", async () => {
    expect(await run(["--version"])).toMatchObject({ code: 0, out: version });
    expect(VERSION).toBe(packageJson.version);
  });

  test("an empty command line prints the commands", async () => {
    const { code, out } = await run([]);
    expect(code).toBe(0);
    for (const word of COMMANDS.flatMap(({ path }) => path)) expect(out).toContain(word);
  });

  for (const { path, options } of COMMANDS) {
    test(`${path.join(" ") || "the root form"} has help with every option`, async () => {
      const { code, out } = await run([...path, "--help"]);
      expect(code).toBe(0);
      for (const { flag } of optionsIn(options)) expect(out).toContain(`--${flag}`);
      expect(out.split("\n").filter((line) => line.length > 110)).toEqual([]);
    });
  }

  for (const argv of [["-V"], ["version"], ["sequencer", "-V"]]) {
    test(`${argv.join(" ")} prints the version`, async () => {
      expect(await run(argv)).toMatchObject({ code: 0, out: version });
    });

    test(`${argv.join(" ")} --verbose prints the version and its details`, async () => {
      const out = verboseVersion;
      expect(await run([...argv, "--verbose"])).toMatchObject({ code: 0, out });
    });
  }

  test("help COMMAND prints the command's help", async () => {
    for (const path of [...COMMANDS.map((command) => command.path), ["rpc"], ["config"]]) {
      if (path.length === 0) continue;
      const { code, out } = await run(["help", ...path]);
      expect([code, out]).toEqual([0, (await run([...path, "--help"])).out]);
    }
    expect((await run(["help"])).out).toBe((await run([])).out);
  });

  test("help for an unknown command exits with 2 and suggests the nearest one", async () => {
    const { code, err } = await run(["help", "config", "validte"]);
    expect([code, err]).toEqual([2, expect.stringContaining("did you mean config validate?")]);
  });

  const allHelp = [...COMMANDS.map(({ path }) => path), ["config"], ["rpc"]];
  for (const path of allHelp) {
    test(`the help of ${path.join(" ") || "the program"} has examples and exit codes`, async () => {
      const { out } = await run([...path, "--help"]);
      const [, after = ""] = out.split("EXAMPLES\n\n");
      const [examples = "", codes = ""] = after.split("\n\nEXIT CODES\n\n");
      expect(examples.split("\n").every((line) => line.startsWith("  appchain "))).toBe(true);
      expect(codes).toMatch(/^ {2}\d+ +\w/);
    });
  }

  test("the help of a group lists each meaning of an exit code with its commands", async () => {
    const { out } = await run(["class", "--help"]);
    expect(out.split("EXIT CODES\n\n")[1]?.split("\n").slice(0, 2)).toEqual([
      "  0    compile: the class is compiled and written",
      "       hash: the hashes are printed",
    ]);
    expect(out).toMatch(/^ {2}3 {4}compiling exceeded the time or memory/m);
  });

  test("every example is a valid command line of its command", () => {
    for (const command of COMMANDS) {
      expect(command.examples.length).toBeGreaterThan(0);
      for (const example of command.examples) {
        const words = [...example.replace(/ < .*/, "").matchAll(/'([^']*)'|(\S+)/g)].map(
          ([, quoted, plain]) => quoted ?? plain ?? "",
        );
        const found = findCommand(words);
        if ("words" in found) throw new RangeError(`no command: ${example}`);
        const { options, positionals } = found.command;
        expect(() => parseArguments(options, found.argv, {}, positionals)).not.toThrow();
      }
    }
  });

  test("a group has help, and without a command is an error that lists its commands", async () => {
    expect((await run(["rpc", "--help"])).out).toContain("rpc call");
    expect(await run(["rpc"])).toMatchObject({ code: 2, err: expect.stringContaining("rpc call") });
  });

  test("help has no colours, no trailing whitespace, and the full command name", async () => {
    const { out } = await run(["rpc", "call", "--help"]);
    expect(out).toContain("USAGE appchain rpc call [OPTIONS] <METHOD> [PARAMS...]");
    expect(out).toBe(Bun.stripANSI(out));
    expect(out).not.toMatch(/ $/m);
  });

  test("lists the options of every command, and no heading twice", async () => {
    for (const path of [...allHelp, ["db"], ["class"]]) {
      const lines = (await run([...path, "--help"])).out.split("\n");
      expect(lines.find((line) => line.startsWith("USAGE"))).toContain(" [OPTIONS]");
      for (const option of ["-h, --help ", "-V, --version "]) {
        expect(lines.filter((line) => line.trim().startsWith(option))).toHaveLength(1);
      }
      const headings = lines.filter((line) => /^[A-Z][A-Z -]+$/.test(line));
      expect(new Set(headings).size).toBe(headings.length);
    }
  });

  test("hides the compiler's command, which has help", async () => {
    expect((await run([COMPILER_COMMAND, "--help"])).code).toBe(0);
    expect((await run(["--help"])).out).not.toContain(COMPILER_COMMAND);
  });

  test("all options have distinct environment variables", () => {
    for (const { options } of COMMANDS) {
      const twins = optionsIn(options).map(({ flag }) => environmentName(flag));
      expect(new Set(twins).size).toBe(twins.length);
    }
  });
});
