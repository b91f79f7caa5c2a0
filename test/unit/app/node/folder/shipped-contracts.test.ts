import { describe, expect, test } from "bun:test";
import { truncateSync, writeFileSync } from "node:fs";
import type { GenesisClassSource } from "#protocol/config/index.ts";
import { ConfigError } from "#base/errors/index.ts";
import { genesisClassSource } from "#app/node/folder/shipped-contracts.ts";
import type { ClassText } from "#services/sequencer/index.ts";
import { fixturePath, sharedTest } from "#test/helpers/shared.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

/** The texts of a genesis class. */
async function textsOf(source: GenesisClassSource): Promise<ClassText> {
  const classes = [{ name: "x", source }];
  const genesis = { classes, contracts: new Map(), balances: [] };
  return (await genesisClassSource({ genesis }))(source, "x");
}

const files = (sierraPath: string, casmPath: string | null) =>
  textsOf({ kind: "files", sierraPath, casmPath });

describe("a shipped class", () => {
  test.each(["account", "fee_token", "erc20", "universal_deployer"] as const)(
    "%s is there with its compiled code",
    async (builtin) => {
      const { sierraJson, casmJson } = await textsOf({ kind: "builtin", builtin });
      expect(sierraJson).toContain("sierra_program");
      expect(casmJson).toContain("bytecode");
    },
  );
});

describe("a class in files", () => {
  test("is read from both", async () => {
    using folder = temporaryFolder();
    const [sierra, casm] = [folder.file("s"), folder.file("c")];
    writeFileSync(sierra, "S");
    writeFileSync(casm, "C");
    expect(await files(sierra, casm)).toEqual({ sierraJson: "S", casmJson: "C" });
  });

  test("is refused when a file is missing, is none, or is longer than 64 MiB", async () => {
    using folder = temporaryFolder();
    const [sierra, long] = [folder.file("s"), folder.file("l")];
    writeFileSync(sierra, "S");
    writeFileSync(long, "");
    expect(files(sierra, folder.file("nowhere"))).rejects.toThrow("nowhere cannot be read");
    expect(files(folder.path, sierra)).rejects.toThrow("is not a file of at most 67108864 bytes");
    truncateSync(long, 64 * 1024 * 1024 + 1);
    expect(files(sierra, long)).rejects.toThrow(ConfigError);
    truncateSync(long, 64 * 1024 * 1024);
    expect((await files(sierra, long)).casmJson).toHaveLength(64 * 1024 * 1024);
  });
});

describe("a class without compiled code", () => {
  test("is compiled", async () => {
    using folder = temporaryFolder();
    const shipped = await textsOf({ kind: "builtin", builtin: "universal_deployer" });
    const sierra = folder.file("mine.json");
    writeFileSync(sierra, shipped.sierraJson);
    expect(await files(sierra, null)).toEqual({
      sierraJson: shipped.sierraJson,
      casmJson: shipped.casmJson.trimEnd(),
    });
  });

  test("is refused with its file and the reason", async () => {
    using folder = temporaryFolder();
    const mine = folder.file("mine.json");
    const refusalOf = async (text: string): Promise<unknown> => {
      writeFileSync(mine, text);
      const refused: unknown = await files(mine, null).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(ConfigError);
      return refused instanceof ConfigError ? refused.message : refused;
    };
    const { sierraJson } = await textsOf({ kind: "builtin", builtin: "universal_deployer" });
    const shipped = JSON.parse(sierraJson) as { sierra_program: string[] };
    const withProgram = (sierra_program: readonly string[]): string =>
      JSON.stringify({ ...shipped, sierra_program });
    const program = shipped.sierra_program;
    expect(await refusalOf("{")).toStartWith(`${mine} is not a Sierra class: `);
    expect(await refusalOf("{}")).toStartWith(`${mine} is not a Sierra class: sierra_program: `);
    expect(await refusalOf(withProgram(["0x1", "0x63", "0x0", ...program.slice(3)]))).toStartWith(
      `${mine} cannot be compiled: `,
    );
    expect(await refusalOf(withProgram(program.slice(0, -1)))).toStartWith(
      `${mine} cannot be compiled: `,
    );
  });

  test("may have a program of 81920 felts, and no more", async () => {
    using folder = temporaryFolder();
    const mine = folder.file("mine.json");
    const shipped = await textsOf({ kind: "builtin", builtin: "universal_deployer" });
    const sierraClass = JSON.parse(shipped.sierraJson) as { sierra_program: string[] };
    const program = sierraClass.sierra_program;
    // The reference compiler does not read what follows the packed words either.
    const write = (length: number): void => {
      const rest = Array.from({ length: length - program.length }, () => "0x0");
      writeFileSync(
        mine,
        JSON.stringify({ ...sierraClass, sierra_program: [...program, ...rest] }),
      );
    };
    write(81_920);
    expect((await files(mine, null)).casmJson).toBe(shipped.casmJson.trimEnd());
    write(81_921);
    expect(files(mine, null)).rejects.toThrow(
      `${mine} cannot be compiled: its program has 81921 felts, at most 81920 are allowed`,
    );
  });

  sharedTest("may have 81920 felts of bytecode, and no more", async () => {
    const large = fixturePath("casm-golden", "e1c7b9c73e5c.sierra.json");
    expect(files(large, null)).rejects.toThrow(/^\/.* cannot be compiled: .*81920/);
  });
});
