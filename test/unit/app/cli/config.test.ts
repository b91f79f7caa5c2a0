import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { PRESET_TEXTS } from "#protocol/config/preset-assets.ts";
import { PRESETS } from "#protocol/config/index.ts";
import { SMALL } from "#test/unit/protocol/config/findings.ts";
import { run } from "./run.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

test("config validate accepts presets and files", async () => {
  expect(await run(["config", "validate", "--preset", "appchain"])).toMatchObject({
    code: 0,
    out: expect.stringContaining("APPCHAIN"),
  });
  expect(await run(["config", "validate", "presets/mainnet.yaml"])).toMatchObject({
    code: 0,
    err: expect.stringContaining("sequencer_address"),
  });
});

test("config validate lists every finding with its line and exits with 2", async () => {
  using folder = temporaryFolder();
  const path = folder.file("bad.yaml");
  writeFileSync(path, "chain_name: X\nchain_idd: Y\nblock_time: 3\n");
  const { code, err } = await run(["config", "validate", path]);
  expect(code).toBe(2);
  expect(err).toContain("line 2: chain_idd: unknown field; did you mean chain_id?");
  expect(err).toContain("line 3: block_time: expected duration");
  expect(err).toContain("sequencer_address");
});

test("config validate reports genesis errors that a new chain would refuse", async () => {
  using folder = temporaryFolder();
  const path = folder.file("bad.yaml");
  const classes = "  classes: [{name: a, sierra: nowhere.json, casm: nowhere.json}]\n";
  const contracts = "  contracts: {0x7: {class: 0x8}}\n";
  writeFileSync(path, `${SMALL}genesis:\n${classes}${contracts}`);
  const { code, err } = await run(["config", "validate", path]);
  expect([code, err]).toEqual([2, expect.stringContaining("nowhere.json cannot be read")]);
  writeFileSync(path, `${SMALL}genesis:\n${contracts}`);
  const second = await run(["config", "validate", path]);
  expect([second.code, second.err]).toEqual([
    2,
    expect.stringContaining("genesis.contracts.0x7.class: 0x8 is not one of genesis.classes"),
  ]);
  for (const preset of PRESETS) {
    expect((await run(["config", "validate", "--preset", preset])).code).toBe(0);
  }
});

test("config validate requires exactly one configuration", async () => {
  expect((await run(["config", "validate"])).code).toBe(2);
  expect((await run(["config", "validate", "a", "--preset", "devnet"])).code).toBe(2);
});

test("a named file takes precedence over a preset of the environment", async () => {
  const { code, out } = await run(["config", "validate", "presets/sepolia.yaml"], {
    APPCHAIN_PRESET: "devnet",
  });
  expect([code, out]).toEqual([0, expect.stringContaining("SN_SEPOLIA")]);
});

describe("standard input", () => {
  test("is read for -, and named in messages", async () => {
    expect(await run(["config", "validate", "-"], {}, 0, [PRESET_TEXTS.devnet])).toMatchObject({
      code: 0,
      out: expect.stringContaining("standard input is valid: Appchain Devnet"),
    });
    const wrong = await run(["config", "validate", "-"], {}, 0, ["chain_idd: ", "x\n"]);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("standard input: ")]);
    expect(wrong.err).toContain("line 1: chain_idd: unknown field");
  });

  test("is refused together with another configuration", async () => {
    const argv = ["config", "show", "-", "--chain-config-path", "x"];
    const { code, err } = await run(argv, {}, 0, []);
    const said = "-: cannot be combined with --chain-config-path";
    expect([code, err]).toEqual([2, expect.stringContaining(said)]);
  });

  test("is applied on top of a preset", async () => {
    const argv = ["config", "show", "-", "--preset", "devnet"];
    const { code, out } = await run(argv, {}, 0, ["chain_id: MY_CHAIN\nblock_time: 7s\n"]);
    expect(code).toBe(0);
    expect(out).toContain("MY_CHAIN");
    expect(out).toContain("Appchain Devnet");
    expect(out).toMatch(/block_time: "?7s/);
    const wrong = await run(argv, {}, 0, ["block_time: 7 bananas\n"]);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("line 1: block_time")]);
    expect(wrong.err).toContain("standard input over preset devnet: ");
  });

  test("is refused if empty, expanding or nested endlessly", async () => {
    const bomb = ["a: &a [x, x, x, x, x, x, x, x]\n"];
    for (const [i, name] of "bcdefghij".split("").entries()) {
      const before = "abcdefghij"[i] ?? "";
      bomb.push(`${name}: &${name} [${Array(8).fill(`*${before}`).join(",")}]\n`);
    }
    for (const text of ["", bomb.join(""), "[".repeat(100_000)]) {
      const { code, err } = await run(["config", "validate", "-"], {}, 0, [text]);
      expect(code).toBe(2);
      expect(err).toStartWith("error: standard input: ");
    }
  });
});

describe("config show", () => {
  for (const preset of PRESETS) {
    test(`prints the preset ${preset} in a form that loads to the same`, async () => {
      const first = await run(["config", "show", "--preset", preset]);
      expect(first.code).toBe(0);
      const again = await run(["config", "show", "-"], {}, 0, [first.out]);
      expect([again.code, again.out, again.err]).toEqual([0, first.out, ""]);
      expect((await run(["config", "validate", "-"], {}, 0, [first.out])).code).toBe(0);
    });
  }

  test("includes overrides, dedicated options and the replaced address", async () => {
    const { out, err } = await run(
      "config show --preset mainnet --chain-config-override chain_id=MINE --l2-gas-price 7".split(
        " ",
      ),
      { APPCHAIN_BLOCK_TIME: "5s" },
    );
    for (const line of ["chain_id: MINE", "block_time: 5s", "  price: 7"]) {
      expect(out.split("\n")).toContain(line);
    }
    expect(out).toContain('sequencer_address: "0x617070636861696e"');
    expect(err).toStartWith("note: sequencer_address 0x0 is not usable");
    expect(err).toContain("\nnote: eth_core_contract_address is the core contract of SN_MAIN");
  });

  test("shows a fork as comments, with scheme, host and port of its URLs alone", async () => {
    const secret = "https://user:secret@node.example:8443/rpc/key?token=abc";
    const fork = ["config", "show", "--preset", "devnet", "--fork-url", secret];
    const header = ["--fork-header", "X-Key=secret"];
    const { out, err } = await run([...fork, ...header, "--fork-block", "0xABC"]);
    expect(out.split("\n").slice(0, 2)).toEqual([
      "# fork-url: https://node.example:8443",
      "# fork-block: 0xabc",
    ]);
    expect(out + err).not.toContain("secret");
    const again = await run(["config", "show", "-"], {}, 0, [out]);
    expect(`${out.split("\n").slice(0, 3).join("\n")}\n${again.out}`).toBe(out);
    const latest = await run(fork);
    expect(latest.out).toContain("# fork-block: latest\n");
    const retry = await run([...fork, "--fork-transaction", "0x12"]);
    expect(retry.out).toContain("# fork-transaction: 0x12\n");
    const plain = await run(["config", "show", "--preset", "devnet"]);
    expect(plain.out).not.toContain("fork");
    const mainnet = await run(["config", "show", "--preset", "mainnet", "--fork-url", secret]);
    expect([mainnet.code, mainnet.err.includes("--fork-url")]).toEqual([2, true]);
  });

  test("refuses what config validate refuses", async () => {
    const { code, out, err } = await run(
      "config show --preset devnet --chain-config-override block_time=3".split(" "),
    );
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("block_time: expected duration");
  });
});
