import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { reportError } from "#app/cli/report.ts";
import { PRESET_TEXTS } from "#protocol/config/preset-assets.ts";
import { StorageError } from "#base/errors/index.ts";
import { COMPILER_COMMAND } from "#app/node/compiler/compiler-process.ts";
import { run, startedWith } from "./run.ts";
import { temporaryFolder } from "#test/helpers/temporary-folder.ts";

describe("messages name the given option or field", () => {
  const devnet = ["sequencer", "--preset", "devnet"];
  const cases: readonly [readonly string[], Readonly<Record<string, string>>, readonly string[]][] =
    [
      [[...devnet, "--block-time", "0s"], {}, ["block_time: expected", "(from --block-time)"]],
      [devnet, { APPCHAIN_BLOCK_TIME: "0s" }, ["(from APPCHAIN_BLOCK_TIME)"]],
      [
        devnet,
        { APPCHAIN_L2_GAS_PRICE: "0" },
        ["l2_gas_price.price", "(from APPCHAIN_L2_GAS_PRICE)"],
      ],
      [
        devnet,
        { APPCHAIN_CHAIN_CONFIG_OVERRIDE: "blok_time=1s" },
        ["blok_time", "(from APPCHAIN_CHAIN_CONFIG_OVERRIDE)"],
      ],
      [devnet, { APPCHAIN_CHAIN_CONFIG_OVERRIDE: "x" }, ["wrong APPCHAIN_CHAIN_CONFIG_OVERRIDE"]],
      [
        devnet,
        { APPCHAIN_RPC_HOST: "::1", APPCHAIN_RPC_EXTERNAL: "1" },
        ["APPCHAIN_RPC_HOST: cannot be combined with APPCHAIN_RPC_EXTERNAL"],
      ],
      [
        ["sequencer"],
        { APPCHAIN_PRESET: "devnet", APPCHAIN_CHAIN_CONFIG_PATH: "x" },
        ["the chain configuration x "],
      ],
      [
        ["rpc", "call", "m", "x"],
        { APPCHAIN_PARAMS: "[]" },
        ["APPCHAIN_PARAMS: cannot be combined with words"],
      ],
      [[...devnet, "--name", "\u001b[31m"], {}, ["--name: expected a name", "\\u{1b}[31m"]],
      [["-preset", "devnet"], {}, ["-preset: unknown option; did you mean --preset?"]],
      [[...devnet, "--rpc-cors", "https://a.org/"], {}, ["--rpc-cors: expected all, or origins"]],
      [["sequencer", "-q"], {}, ["-q: unknown option"]],
      [["sequencer", "-p"], {}, ["-p: expected a value: port"]],
      [[...devnet, "-p", "x"], {}, ["--rpc-port: expected port from 0 to 65535"]],
      [[...devnet, "-p", "1", "--rpc-port", "2"], {}, ["--rpc-port: is given twice"]],
      [
        [...devnet, "--chain-config-override", "block_time=5s", "--block-time", "5s"],
        {},
        ["block_time: is set twice, by --chain-config-override and by --block-time"],
      ],
      [
        [
          ...devnet,
          "--chain-config-override",
          "chain_id=A",
          "--chain-config-override",
          "chain_id=B",
        ],
        {},
        ["chain_id: is set twice, by --chain-config-override"],
      ],
      [
        ["sequencer", "--sequencer=false", "--preset", "devnet"],
        {},
        ["--sequencer: cannot be false for the command sequencer"],
      ],
      [
        ["sequencer", "--preset", "mainnet", "--dev-accounts", "3"],
        {},
        ["--dev-accounts: preset mainnet cannot have development accounts"],
      ],
      [
        ["sequencer", "--preset", "mainnet", "--dev-seed", "3"],
        { APPCHAIN_DEV_BALANCE: "5" },
        ["--dev-seed: has no effect without", "APPCHAIN_DEV_BALANCE: has no effect without"],
      ],
      [[...devnet, "--dev-accounts", "0", "--dev-seed", "1"], {}, ["--dev-seed: has no effect"]],
    ];
  for (const [argv, environment, parts] of cases) {
    test(
      [...Object.entries(environment).map((pair) => pair.join("=")), ...argv].join(" "),
      async () => {
        const { code, err, started } = await run(argv, environment);
        expect([code, started.length]).toEqual([2, 0]);
        for (const part of parts) expect(err).toContain(part);
      },
    );
  }

  test("logs an option of the environment without effect by its own name", async () => {
    const { notices } = await startedWith(devnet, { APPCHAIN_SYNC_STOP_AT: "1" });
    expect(notices.map(({ message }) => message)).toEqual([
      expect.stringContaining("APPCHAIN_SYNC_STOP_AT has no effect"),
    ]);
  });

  test("escapes control characters of a file", async () => {
    using folder = temporaryFolder();
    const path = folder.file("bad.yaml");
    writeFileSync(path, '"\\e[31mx": 1\n"a\\nerror: b": 2\nchain_name: "\\u202e"\n');
    const { code, err } = await run(["config", "validate", path]);
    expect(code).toBe(2);
    expect(err).toContain("\\u{1b}[31mx: unknown field");
    expect(err).toContain("a\\nerror: b: unknown field");
    for (const unit of ["\u001b", "\u202e"]) expect(err).not.toContain(unit);
  });
});

describe("the environment alone", () => {
  test("starts a node as described", async () => {
    const environment = { APPCHAIN_SEQUENCER: "true", APPCHAIN_PRESET: "devnet" };
    expect(await startedWith([], environment)).toMatchObject({
      role: "sequencer",
      chain: { chainId: "APPCHAIN_DEVNET" },
    });
    expect((await startedWith([], { APPCHAIN_PRESET: "mainnet" })).role).toBe("full");
  });

  test("names the option that a sequencer without a configuration lacks", async () => {
    const { code, err } = await run([], { APPCHAIN_SEQUENCER: "1" });
    expect([code, err]).toEqual([2, expect.stringContaining("--preset NAME")]);
  });

  test("prints help if it describes no node", async () => {
    const { code, out } = await run([], { APPCHAIN_PRESET: "", APPCHAIN_RPC_PORT: "1" });
    expect([code, out]).toEqual([0, expect.stringContaining("USAGE")]);
  });

  test("names an unknown variable and the nearest one, but not its value", async () => {
    const environment = {
      APPCHAIN_RPC_PROT: "secret",
      APPCHAIN_: "1",
      OTHER: "2",
      APPCHAIN_URL: "x",
    };
    const { code, err } = await run(["sequencer", "--preset", "devnet"], environment);
    expect([code, err.split("\n")]).toEqual([
      0,
      [
        "warning: the environment variable APPCHAIN_ is unknown and has no effect",
        "warning: the environment variable APPCHAIN_RPC_PROT is unknown and has no effect; did you mean APPCHAIN_RPC_PORT?",
      ],
    ]);
  });

  test("is ignored by the compiler's process, whose output is parsed", async () => {
    expect((await run([COMPILER_COMMAND, "--help"], { APPCHAIN_X: "1" })).err).toBe("");
  });
});

describe("equivalent forms", () => {
  test("sequencer accepts --sequencer, and the environment does not turn it off", async () => {
    for (const argv of [
      ["sequencer", "--sequencer"],
      ["--sequencer", "sequencer"],
    ]) {
      expect((await startedWith([...argv, "--preset", "devnet"])).role).toBe("sequencer");
    }
    const environment = { APPCHAIN_SEQUENCER: "false" };
    const { role } = await startedWith(["sequencer", "--preset", "devnet"], environment);
    expect(role).toBe("sequencer");
  });

  test("an IPv6 host can have brackets", async () => {
    for (const host of ["::1", "[::1]"]) {
      const { rpc } = await startedWith(["sequencer", "--preset", "devnet", "--rpc-host", host]);
      expect(rpc.host).toBe("::1");
    }
  });

  test("a preset of the environment gives no accounts to a file of the command line", async () => {
    using folder = temporaryFolder();
    const path = folder.file("chain.yaml");
    writeFileSync(path, PRESET_TEXTS.devnet);
    const argv = ["sequencer", "--chain-config-path", path];
    expect((await startedWith(argv, { APPCHAIN_PRESET: "devnet" })).devAccounts).toBeNull();
  });
});

test("another chain's folder is a configuration error", () => {
  expect(reportError(new StorageError("STORAGE_OTHER_CHAIN", "other")).exitCode).toBe(2);
  expect(reportError(new StorageError("STORAGE_LOCKED", "in use")).exitCode).toBe(1);
});
