import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { loadChainConfig } from "#protocol/config/index.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

const load = (text: string, overrides: readonly string[] = []) =>
  loadChainConfig({ preset: "devnet", text, textFrom: "own.yaml", overrides, role: "sequencer" });

test("fields of a file replace those of the preset entirely, and overrides replace both", async () => {
  const { config: preset } = await loadChainConfig({ preset: "devnet", role: "sequencer" });
  const text = "chain_name: Mine\nl2_gas_price: {type: fixed, price: 7}\nblock_time: 9s\n";
  const { config, source } = await load(text, ["block_time=11s"]);
  expect(source).toBe("own.yaml over preset devnet");
  const l2GasPrice = expect.objectContaining({ price: 7n });
  expect(config).toEqual({ ...preset, chainName: "Mine", blockTimeMs: 11_000, l2GasPrice });
});

test("an invalid field of the file is reported with its line, and its source names the preset", async () => {
  const wrong = load("chain_name: Mine\n\nblock_time: soon\n");
  expect(wrong).rejects.toMatchObject({ issues: [{ path: "block_time", line: 3 }] });
  const twice = load("block_time: 9s\n", ["block_tim=1s"]);
  expect(twice).rejects.toThrow("own.yaml over preset devnet");
});

test("paths in the file are relative to its folder", async () => {
  using folder = temporaryFolder();
  const path = folder.file("own.yaml");
  writeFileSync(path, "genesis: {classes: [{name: mine, sierra: mine.json}]}\n");
  const { config } = await loadChainConfig({ preset: "devnet", path, role: "sequencer" });
  expect(config.genesis?.classes).toMatchObject([
    { name: "mine", source: { sierraPath: folder.file("mine.json") } },
  ]);
});

describe("changed fields of a loaded configuration", () => {
  test("are the fields of overrides and options", async () => {
    const { changedFields } = await loadChainConfig({
      preset: "devnet",
      role: "sequencer",
      overrides: ["l2_gas_price.price=5"],
      settings: [{ path: ["chain_id"], text: "MINE", from: "--chain-id" }],
    });
    expect([...changedFields]).toEqual(["l2_gas_price", "chain_id"]);
  });

  test("include the fields of a configuration on top of a preset", async () => {
    const { changedFields } = await loadChainConfig({
      preset: "devnet",
      text: "chain_name: Mine",
      role: "sequencer",
    });
    expect([...changedFields]).toEqual(["chain_name"]);
  });

  test("are none for a preset alone", async () => {
    const { changedFields } = await loadChainConfig({ preset: "devnet", role: "sequencer" });
    expect(changedFields.size).toBe(0);
  });
});
