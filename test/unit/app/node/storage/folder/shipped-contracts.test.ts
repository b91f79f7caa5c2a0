import { describe, expect, test } from "bun:test";
import { truncateSync, writeFileSync } from "node:fs";
import { hash } from "starknet";
import type { GenesisClassSource } from "#protocol/config/index.ts";
import {
  casmClassFromJson,
  compiledClassHash,
  sierraClassFromJson,
  sierraClassHash,
} from "#protocol/chain/index.ts";
import { ConfigError } from "#base/errors/index.ts";
import { genesisClassSource } from "#app/node/storage/folder/shipped-contracts.ts";
import type { ClassText } from "#services/sequencer/index.ts";
import { legacyClassText } from "#test/helpers/legacy-class.ts";
import { longCode } from "#test/helpers/hostile-classes/declarations.ts";
import { sierraText } from "#test/helpers/sierra-text.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

/** Texts of a genesis class. */
async function textsOf(source: GenesisClassSource): Promise<ClassText> {
  const classes = [{ name: "x", source }];
  const genesis = { classes, contracts: new Map(), balances: [] };
  return (await genesisClassSource({ genesis }))(source, "x");
}

const files = (sierraPath: string, casmPath: string | null) =>
  textsOf({ kind: "files", sierraPath, casmPath });

describe("a shipped class", () => {
  test.each(["account", "fee_token", "erc20", "universal_deployer"] as const)(
    "%s exists with its compiled code",
    async (builtin) => {
      const { classJson, casmJson } = await textsOf({ kind: "builtin", builtin });
      expect(classJson).toContain("sierra_program");
      expect(casmJson).toContain("bytecode");
    },
  );

  test.each(["account", "fee_token", "erc20", "universal_deployer", "token_bridge"] as const)(
    "%s has the hashes of its texts",
    async (builtin) => {
      const { classJson, casmJson, hashes } = await textsOf({ kind: "builtin", builtin });
      const casm = casmClassFromJson(casmJson ?? "");
      expect(hashes).toEqual({
        classHash: sierraClassHash(sierraClassFromJson(classJson)),
        compiledClassHashes: {
          poseidon: compiledClassHash(casm, "poseidon"),
          blake: compiledClassHash(casm, "blake"),
        },
      });
    },
  );
});

describe("a class in files", () => {
  test("is read from both files", async () => {
    using folder = temporaryFolder();
    const [sierra, casm] = [folder.file("s"), folder.file("c")];
    writeFileSync(sierra, "S");
    writeFileSync(casm, "C");
    expect(await files(sierra, casm)).toEqual({ classJson: "S", casmJson: "C" });
  });

  test("is refused if a file is missing, not a file, or longer than 64 MiB", async () => {
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
    writeFileSync(sierra, shipped.classJson);
    expect(await files(sierra, null)).toEqual({
      classJson: shipped.classJson,
      casmJson: String(shipped.casmJson).trimEnd(),
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
    const { classJson } = await textsOf({ kind: "builtin", builtin: "universal_deployer" });
    const shipped = JSON.parse(classJson) as { sierra_program: string[] };
    const withProgram = (sierra_program: readonly string[]): string =>
      JSON.stringify({ ...shipped, sierra_program });
    const program = shipped.sierra_program;
    expect(await refusalOf("{")).toStartWith(`${mine} is not a class: `);
    expect(await refusalOf("{}")).toStartWith(`${mine} is not a class: expected a Sierra class`);
    expect(await refusalOf(withProgram(["0x1", "0x63", "0x0", ...program.slice(3)]))).toStartWith(
      `${mine} cannot be compiled: `,
    );
    expect(await refusalOf(withProgram(program.slice(0, -1)))).toStartWith(
      `${mine} cannot be compiled: `,
    );
  });

  test("can have a program of up to 81920 felts", async () => {
    using folder = temporaryFolder();
    const mine = folder.file("mine.json");
    const shipped = await textsOf({ kind: "builtin", builtin: "universal_deployer" });
    const sierraClass = JSON.parse(shipped.classJson) as { sierra_program: string[] };
    const program = sierraClass.sierra_program;
    // The reference compiler ignores what follows the packed words, too.
    const write = (length: number): void => {
      const rest = Array.from({ length: length - program.length }, () => "0x0");
      writeFileSync(
        mine,
        JSON.stringify({ ...sierraClass, sierra_program: [...program, ...rest] }),
      );
    };
    write(81_920);
    expect((await files(mine, null)).casmJson).toBe(String(shipped.casmJson).trimEnd());
    write(81_921);
    expect(files(mine, null)).rejects.toThrow(
      `${mine} cannot be compiled: its program has 81921 felts, at most 81920 are allowed`,
    );
  });

  test("can have up to 81920 felts of bytecode", async () => {
    using folder = temporaryFolder();
    const mine = folder.file("mine.json");
    writeFileSync(mine, sierraText(longCode(79)));
    expect(casmClassFromJson((await files(mine, null)).casmJson ?? "").bytecode).toHaveLength(
      80_897,
    );
    // One felt too many.
    writeFileSync(mine, sierraText(longCode(80)));
    expect(files(mine, null)).rejects.toThrow(/^\/.* cannot be compiled: .*81920/);
    await Bun.sleep(0);
  });
});

describe("a Cairo 0 class", () => {
  const text = legacyClassText(["transfer"]);

  /** Texts of the class in a file, or its refusal. */
  async function read(content: string): Promise<ClassText | string> {
    using folder = temporaryFolder();
    writeFileSync(folder.file("old.json"), content);
    const found: unknown = await files(folder.file("old.json"), null).catch(String);
    return typeof found === "string"
      ? found.replace(folder.file("old.json"), "FILE")
      : (found as ClassText);
  }

  test("has no compiled code, and keeps its hash without debug information", async () => {
    const found = await read(
      JSON.stringify({ ...(JSON.parse(text) as object), other: "x".repeat(10) }),
    );
    if (typeof found === "string") throw new TypeError(found);
    expect(found.casmJson).toBeNull();
    expect(Object.keys(JSON.parse(found.classJson) as object)).toEqual([
      "abi",
      "entry_points_by_type",
      "program",
    ]);
    expect(found.classJson).toContain('"debug_info":null');
    // Computed by starknet.js.
    expect(hash.computeLegacyContractClassHash(found.classJson)).toBe(
      hash.computeLegacyContractClassHash(text),
    );
  });

  test("has the network's limits of felts, entry points and bytes", async () => {
    const data = (length: number) => Array.from({ length }, () => "0x0");
    const sized = (length: number) => read(legacyClassText([], { data: data(length) }));
    expect(await sized(81_920)).toHaveProperty("casmJson", null);
    expect(await sized(81_921)).toContain(
      "FILE is too large: 81921 felts of its program, at most 81920 are allowed",
    );
    const filled = (count: number) => {
      const value = JSON.parse(text) as { entry_points_by_type: { EXTERNAL: unknown[] } };
      const entry = value.entry_points_by_type.EXTERNAL[0];
      value.entry_points_by_type.EXTERNAL = Array.from({ length: count }, () => entry);
      return read(JSON.stringify(value));
    };
    expect(await filled(10_000)).toHaveProperty("casmJson", null);
    expect(await filled(10_001)).toContain("10001 entry points, at most 10000 are allowed");
    expect(
      await read(JSON.stringify({ ...(JSON.parse(text) as object), abi: "x".repeat(4_089_446) })),
    ).toMatch(/[0-9]+ bytes as JSON, at most 4089446 are allowed/);
  });
});
