import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { genesisHash } from "#protocol/config/index.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";
import { run, startedWith } from "./run.ts";

const DEVNET = ["sequencer", "--preset", "devnet"];

/** Public addresses, as starknet-devnet 0.10.1 prints them at its start. */
const ADDRESSES = {
  strk: 0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938dn,
  eth: 0x49d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7n,
  udc: 0x2ceed65a4bd731034c01113685c831b01c15d7d432f71afb1cf1634b53a2125n,
  legacyUdc: 0x41a78e741e5af2fec34b695679bc6891742439f7afb8484ecd7766661ad02bfn,
};

async function genesisOf(...argv: readonly string[]) {
  const { genesis } = (await startedWith([...DEVNET, ...argv])).chain;
  if (genesis === null) throw new TypeError("devnet has a genesis");
  return genesis;
}

/** File of each contract's class; `builtin` for shipped classes. */
async function filesOf(folder: string, ...argv: readonly string[]) {
  const { classes, contracts } = await genesisOf("--system-classes", folder, ...argv);
  return Object.fromEntries(
    Object.entries(ADDRESSES).map(([contract, address]) => {
      const reference = contracts.get(address)?.class;
      const name = reference?.kind === "name" ? reference.name : "";
      const source = classes.find((each) => each.name === name)?.source;
      return [contract, source?.kind === "files" ? source.sierraPath : source?.kind];
    }),
  );
}

describe("--system-classes", () => {
  test("installs the classes of a folder at the public addresses, by starknet-devnet's file names", async () => {
    using folder = temporaryFolder();
    const names = ["erc20_strk.sierra", "erc20_eth.sierra", "udc_2.sierra", "UDC_OZ_0.5.0.json"];
    for (const name of [...names, "readme.md", "erc20_strk.casm"]) {
      writeFileSync(folder.file(name), "");
    }
    const [strk, eth, udc, legacyUdc] = names.map((name) => join(folder.path, name));
    expect(await filesOf(folder.path)).toEqual({ strk, eth, udc, legacyUdc });
  });

  test("accepts plain names and compiler suffixes, and keeps other contracts", async () => {
    using folder = temporaryFolder();
    for (const name of ["strk.contract_class.json", "legacy_udc.sierra.json"]) {
      writeFileSync(folder.file(name), "");
    }
    expect(await filesOf(folder.path)).toEqual({
      strk: folder.file("strk.contract_class.json"),
      eth: "builtin",
      udc: "builtin",
      legacyUdc: folder.file("legacy_udc.sierra.json"),
    });
    writeFileSync(folder.file("eth.json"), "");
    const files = await filesOf(folder.path, "--account-class", "/classes/mine.json");
    expect(files["eth"]).toBe(folder.file("eth.json"));
  });

  test("gives the same genesis for any folder path, and another one than without it", async () => {
    using folder = temporaryFolder();
    const hashes: string[] = [];
    for (const name of ["a", "b"]) {
      mkdirSync(folder.file(name));
      writeFileSync(join(folder.file(name), `${name === "a" ? "udc" : "udc_2"}.json`), "");
      hashes.push(genesisHash(await genesisOf("--system-classes", folder.file(name))));
    }
    expect(hashes[0]).toBe(String(hashes[1]));
    expect(hashes).not.toContain(genesisHash(await genesisOf()));
  });

  test("is refused for a folder without a class, two files for one contract, and another preset", async () => {
    using folder = temporaryFolder();
    for (const name of ["empty", "twice", "other"]) mkdirSync(folder.file(name));
    const twice = ["erc20_eth.json", "eth.sierra"];
    for (const name of twice) writeFileSync(join(folder.file("twice"), name), "");
    writeFileSync(join(folder.file("other"), "token.json"), "");
    writeFileSync(folder.file("file"), "");
    const rows = [
      [DEVNET, folder.file("nowhere"), `--system-classes: there is no ${folder.file("nowhere")}`],
      [DEVNET, folder.file("file"), "file is not a folder"],
      [DEVNET, folder.file("empty"), "has no file of a system class: erc20_strk or strk, "],
      [DEVNET, folder.file("other"), "has no file of a system class"],
      [DEVNET, folder.file("twice"), "has erc20_eth.json and eth.sierra, which are for the same"],
      [DEVNET, "x".repeat(300), "cannot be read (ENAMETOOLONG)"],
      [["sequencer", "--preset", "sepolia"], folder.path, "only with --preset devnet"],
      [["devnet"], folder.file("empty"), "has no file of a system class"],
    ] as const;
    for (const [command, path, text] of rows) {
      const { code, err, started } = await run([...command, "--system-classes", path]);
      expect([code, started.length]).toEqual([2, 0]);
      expect(err).toContain(text);
    }
  });
});
