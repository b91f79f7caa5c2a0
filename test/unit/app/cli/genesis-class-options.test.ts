import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { run, startedWith } from "./run.ts";

const DEVNET = ["sequencer", "--preset", "devnet"];

const classesOf = async (...argv: readonly string[]) =>
  (await startedWith([...DEVNET, ...argv])).chain.genesis?.classes ?? [];

const file = (sierraPath: string) => ({ kind: "files", sierraPath, casmPath: null }) as const;

describe("--predeclare-class", () => {
  test("declares files, and the Sierra classes of a folder, after those of the preset", async () => {
    using folder = temporaryFolder();
    const names = ["a.contract_class.json", "b.sierra.json"];
    const others = ["a.compiled_contract_class.json", "b.casm.json", "readme.md"];
    for (const name of [...names, ...others]) writeFileSync(folder.file(name), "{}");
    const preset = await classesOf();
    const one = folder.file("a.contract_class.json");
    const made = await classesOf("--predeclare-class", one, "--predeclare-argent", folder.path);
    expect(made.slice(0, preset.length)).toEqual([...preset]);
    expect(made.slice(preset.length).map(({ source }) => source)).toEqual([
      file(one),
      ...names.map((name) => file(join(folder.path, name))),
    ]);
    expect(new Set(made.map(({ name }) => name)).size).toBe(made.length);
  });

  test("is refused if nothing is found, or with another preset", async () => {
    using folder = temporaryFolder();
    const rows = [
      [[...DEVNET, "--predeclare-class", folder.file("nowhere")], "there is no"],
      [[...DEVNET, "--predeclare-argent", folder.path], "no *.contract_class.json"],
      [[...DEVNET, "--predeclare-class", "x".repeat(300)], "cannot be read (ENAMETOOLONG)"],
      [[...DEVNET, "--predeclare-argent", "a\0b"], "--predeclare-argent: a\\u{0}b cannot be read"],
      [
        ["sequencer", "--preset", "sepolia", "--predeclare-class", folder.path],
        "only with --preset devnet",
      ],
    ] as const;
    for (const [argv, text] of rows) {
      const { code, err } = await run(argv);
      expect(code).toBe(2);
      expect(err).toContain(text);
    }
  });
});

describe("--account-class", () => {
  test("replaces the account class, but not that of the faucet account", async () => {
    const preset = await classesOf();
    expect(await classesOf("--account-class", "cairo1")).toEqual([...preset]);
    const made = await classesOf("--account-class", "/classes/mine.json");
    const of = (name: string) => made.find((each) => each.name === name)?.source;
    expect(of("account")).toEqual(file("/classes/mine.json"));
    expect(of("faucet_account")).toEqual({ kind: "builtin", builtin: "account" });
    expect(made).toHaveLength(preset.length + 1);
  });

  test("is refused with another preset", async () => {
    const argv = ["sequencer", "--preset", "sepolia", "--account-class", "cairo1"];
    const { code, err } = await run(argv);
    expect([code, err.includes("--account-class")]).toEqual([2, true]);
  });
});
