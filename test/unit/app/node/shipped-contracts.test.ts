import { describe, expect, test } from "bun:test";
import { truncateSync, writeFileSync } from "node:fs";
import { ConfigError } from "#base/errors/index.ts";
import { shippedOrFile } from "#app/node/shipped-contracts.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

describe("a shipped class", () => {
  test.each(["account", "fee_token", "erc20", "universal_deployer"] as const)(
    "%s is there with its compiled code",
    (builtin) => {
      const { sierraJson, casmJson } = shippedOrFile({ kind: "builtin", builtin }, builtin);
      expect(sierraJson).toContain("sierra_program");
      expect(casmJson).toContain("bytecode");
    },
  );
});

describe("a class in files", () => {
  const files = (sierraPath: string, casmPath: string | null) =>
    shippedOrFile({ kind: "files", sierraPath, casmPath }, "genesis.x");

  test("is read from both", () => {
    using folder = temporaryFolder();
    const [sierra, casm] = [folder.file("s"), folder.file("c")];
    writeFileSync(sierra, "S");
    writeFileSync(casm, "C");
    expect(files(sierra, casm)).toEqual({ sierraJson: "S", casmJson: "C" });
    expect(() => files(sierra, null)).toThrow("genesis.x needs the file of its compiled class");
  });

  test("is refused when a file is missing, is none, or is longer than 64 MiB", () => {
    using folder = temporaryFolder();
    const [sierra, long] = [folder.file("s"), folder.file("l")];
    writeFileSync(sierra, "S");
    writeFileSync(long, "");
    expect(() => files(sierra, folder.file("nowhere"))).toThrow("nowhere cannot be read");
    expect(() => files(folder.path, sierra)).toThrow("is not a file of at most 67108864 bytes");
    truncateSync(long, 64 * 1024 * 1024 + 1);
    expect(() => files(sierra, long)).toThrow(ConfigError);
    truncateSync(long, 64 * 1024 * 1024);
    expect(files(sierra, long).casmJson).toHaveLength(64 * 1024 * 1024);
  });
});
