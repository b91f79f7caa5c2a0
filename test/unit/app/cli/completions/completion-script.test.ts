import { describe, expect, test } from "bun:test";
import { COMMANDS } from "#app/cli/index.ts";
import { completionScript } from "#app/cli/completions/completion-script.ts";
import { SHELLS } from "#app/cli/completions/shells.ts";
import { optionsIn } from "#app/options/index.ts";
import { PRESETS } from "#protocol/config/index.ts";
import { useFolder } from "#test/helpers/temporary-folder.ts";
import { run } from "../run.ts";

const folder = useFolder();

/** Runs a program of a shell with the script of that shell, in a folder with a file and a folder. */
async function runShell(shell: (typeof SHELLS)[number], program: string): Promise<string> {
  await Bun.write(folder.file("script"), completionScript(shell, COMMANDS));
  await Bun.write(folder.file("chain.yaml"), "");
  await Bun.write(folder.file("chains/file"), "");
  const flags = { bash: "--norc", zsh: "-f", fish: "--no-config" };
  const { stdout, stderr } = Bun.spawnSync([shell, flags[shell], "-c", program], {
    cwd: folder.path,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder.path },
  });
  expect(stderr.toString()).toBe("");
  return stdout.toString().trim();
}

/** Command lines up to the cursor, with the words that complete the last one. */
const LINES: readonly (readonly [words: readonly string[], found: readonly string[]])[] = [
  [["db", "ch"], ["check"]],
  [["db", "check", "--f"], ["--from"]],
  [["--preset", ""], PRESETS],
  [["--preset", "devnet", "sn"], ["snapshot"]],
  [["sequencer", "--log-format", "j"], ["json"]],
  [["node", "--name", "db", "--verify", "e"], ["execution"]],
  [["sequencer", "--rpc-port", ""], []],
  [["sequencer", "--chain-config-path", "chain."], ["chain.yaml"]],
  [["sequencer", "--base-path", "chain"], ["chains"]],
  [["config", "validate", "chain."], ["chain.yaml"]],
  [["help", "comple"], ["completions"]],
  [["completions", ""], SHELLS],
];

describe.skipIf(Bun.which("bash") === null)("bash", () => {
  const complete = (words: readonly string[]) => {
    const list = words.map((word) => `'${word}'`).join(" ");
    return `source ./script; COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _appchain; printf '%s\n' "\${COMPREPLY[@]}"`;
  };
  const found = async (words: readonly string[]) =>
    (await runShell("bash", complete(words))).split("\n").filter((word) => word !== "");

  test("registers a function for both names of the program", async () => {
    const names = await runShell("bash", "source ./script; complete -p appchain appchain-devnet");
    expect(names).toBe("complete -F _appchain appchain\ncomplete -F _appchain appchain-devnet");
  });

  test.each(LINES)("completes %j", async (words, expected) => {
    expect(await found(["appchain", ...words])).toEqual([...expected]);
  });

  test("completes values after an equals sign, which it splits off", async () => {
    expect(await found(["appchain", "sequencer", "--preset", "=", "de"])).toEqual(["devnet"]);
    expect(await found(["appchain", "--preset", "=", "devnet", "sn"])).toEqual(["snapshot"]);
    expect(await found(["appchain", "--verify", "="])).toEqual(["hashes", "execution"]);
  });

  test("completes every option of every command", async () => {
    for (const { path, options } of COMMANDS) {
      const flags = await found(["appchain", ...path, "--"]);
      const expected = optionsIn(options).map(({ flag }) => `--${flag}`);
      expect(flags).toEqual([...expected, "--help", "--version"]);
    }
  });

  test("completes the options of devnet for appchain-devnet", async () => {
    expect(await found(["appchain-devnet", "--proof"])).toEqual(["--proof-mode"]);
  });
});

describe.skipIf(Bun.which("fish") === null)("fish", () => {
  test.each(LINES)("completes %j", async (words, expected) => {
    const line = ["appchain", ...words].join(" ");
    const out = await runShell("fish", `source ./script; complete -C '${line}'`);
    const found = out.split("\n").map((each) => each.split("\t")[0]?.replace(/\/$/, "") ?? "");
    expect(found.filter((word) => word !== "").sort()).toEqual([...expected].sort());
  });
});

describe.skipIf(Bun.which("zsh") === null)("zsh", () => {
  /** Functions in place of those that only work while a line is edited. */
  const STUBS = `
    compdef() { :; }
    compset() { :; }
    compadd() { shift; print -l -- "$@"; }
    _files() { print -l -- "files $*"; }
    _describe() { local name="\${@[-1]}"; print -l -- "\${(@P)name}"; }
  `;
  const zsh = async (words: readonly string[]) => {
    const list = words.map((word) => `'${word}'`).join(" ");
    return runShell(
      "zsh",
      `${STUBS} source ./script; words=(${list}); CURRENT=${words.length}; _appchain`,
    );
  };

  test("offers commands and options with their descriptions", async () => {
    expect(await zsh(["appchain", "db", ""])).toContain("check:recompute all hashes");
    expect(await zsh(["appchain", "db", "check", "-"])).toContain("--from:first block to check");
    expect(await zsh(["appchain-devnet", "-"])).toContain("--proof-mode:");
  });

  test("completes values: words, files and folders", async () => {
    expect(await zsh(["appchain", "--preset", ""])).toBe(PRESETS.join("\n"));
    expect(await zsh(["appchain", "node", "--verify=e"])).toBe("hashes\nexecution");
    expect(await zsh(["appchain", "sequencer", "--private-key-file", ""])).toBe("files");
    expect(await zsh(["appchain", "sequencer", "--base-path", ""])).toBe("files -/");
    expect(await zsh(["appchain", "config", "validate", ""])).toBe("files");
    expect(await zsh(["appchain", "sequencer", "--rpc-port", ""])).toBe("");
  });
});

describe("appchain completions", () => {
  for (const shell of SHELLS) {
    test(`prints the script of ${shell}, with every command and option`, async () => {
      const { code, out } = await run(["completions", shell]);
      expect([code, out]).toEqual([0, completionScript(shell, COMMANDS).trimEnd()]);
      for (const { path, options } of COMMANDS) {
        expect(out).toContain(path.join(" "));
        const prefix = shell === "fish" ? "-l " : "--";
        for (const { flag } of optionsIn(options)) expect(out).toContain(prefix + flag);
      }
    });
  }

  test("refuses another shell, and names those that it knows", async () => {
    const { code, err } = await run(["completions", "tcsh"]);
    expect([code, err]).toEqual([2, expect.stringContaining("tcsh: is not a known shell")]);
    expect(err).toContain("bash, zsh, fish");
  });

  test("does not offer commands that the program calls itself", () => {
    for (const shell of SHELLS) {
      const [command] = COMMANDS;
      if (command === undefined) throw new RangeError("no command");
      const hidden = { ...command, path: ["secret"], hidden: true };
      expect(completionScript(shell, [...COMMANDS, hidden])).toBe(
        completionScript(shell, COMMANDS),
      );
    }
  });
});
